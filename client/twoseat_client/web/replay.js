/**
 * A finished game played again: stands in for the session, steps through what a watcher saw, both ways and at any speed.
 * docs/replays.md has the format. Loaded only at /r/….
 * @import {Chair, Fair, Message, Model, Pair, Results, Round, Say, Seated, State, View} from './types.d.ts'
 */
import { START, fold } from './model.js';

const LONGEST_MS = 1500;
const SHORTEST_MS = 40;
export const SPEEDS = [1, 4, 16];

/**
 * @typedef {{match: string, names: Pair<string>, bots: Pair<boolean>, options: Seated['options'], seed: string, seed_digest: string,
 *   digests: Pair<string | null>, nonces: Pair<string | null>, outcome: Results['outcome'], rounds: Round[],
 *   log: {at: number}[], states: Partial<State>[]}} Recording
 */

/** A state in whole from what was new in it. @param {any} before @param {any} now @returns {State} */
function merged(before, now) {
  const chairs = [0, 1].map((seat) => ({ ...before.chairs?.[seat], ...now.chairs?.[seat] }));
  return { ...before, rounds: [], ...now, view: { ...before.view, ...now.view }, chairs };
}

/** What a watcher was told, in order; clocks are left out, for here nobody is waited for. @param {Recording} told @returns {Message[]} */
function messages({ match, names, bots, options, seed, seed_digest, digests, nonces, outcome, rounds, states }) {
  const series = { best_of: options.games, game: 1, score: /** @type {Pair<number>} */ ([0, 0]), winners: [] };
  let now = /** @type {any} */ ({});
  const shown = states.map((state) => {
    now = merged(now, state);
    const chairs = /** @type {Pair<Chair>} */ (now.chairs.map((/** @type {Chair} */ chair) => ({ ...chair, due: null })));
    return /** @type {State} */ ({ ...now, type: 'state', chairs });
  });
  return [
    { type: 'seated', match, code: '', seat: null, names, bots, options, series, rounds: [] },
    /** @type {Fair} */ ({ type: 'fair', match, stage: 'done', seed_digest, digests, nonces, left: null }),
    ...shown, { type: 'results', match, outcome, rounds, series, decided: true, seed },
  ];
}

/**
 * @param {string} match
 * @param {{changed: (before: Model, message: Message) => void}} page
 */
export async function createReplay(match, page) {
  /** @type {Model[]} */
  const models = [];
  /** @type {number[]} */
  let times = [];
  let at = 0;
  let speed = 0;
  let timer = 0;
  const lost = { ...START, net: { ...START.net, phase: /** @type {const} */ ('stopped'), code: 404 } };

  const response = await fetch(`/replay/${match}.json`).catch(() => null);
  if (response?.ok) {
    const told = /** @type {Recording} */ (await response.json());
    let model = fold(START, { type: 'net', net: { phase: 'open' } }, 0);
    for (const message of messages(told)) {
      const rounds = model.rounds;
      model = fold(model, message, 0);
      if (message.type === 'state') models.push(model);
      // The results know the faces of past rounds; they belong to the last step only.
      if (message.type === 'results') models[models.length - 1] = { ...model, leap: models[models.length - 1].leap, rounds: model.rounds.length ? model.rounds : rounds };
    }
    times = [0, ...told.log.map((entry) => entry.at)];
  }

  /** @param {number} step */
  function go(step) {
    const before = models[at];
    at = Math.min(models.length - 1, Math.max(0, step));
    page.changed(before, { type: 'sent' });
  }

  /** @param {boolean} on */
  function play(on) {
    clearTimeout(timer);
    timer = 0;
    if (!on || at >= models.length - 1) return page.changed(models[at], { type: 'sent' });
    const wait = Math.min(LONGEST_MS, times[at + 1] - times[at]) / SPEEDS[speed];
    timer = setTimeout(() => { go(at + 1); play(true); }, Math.max(SHORTEST_MS, wait));
    page.changed(models[at], { type: 'sent' });
  }

  return {
    get model() { return models[at] ?? lost; },
    get replay() {
      const last = models.length - 1;
      /** @param {Say} say @returns {View} */
      const controls = (say) => ({
        replay: true, replayAt: at, replayLast: last, replaySpeed: `×${SPEEDS[speed]}`, replayWords: say(['page.of', { n: at, whole: last }]),
        replayPlay: say([timer ? 'page.replay.pause' : 'page.replay.play']),
      });
      return { controls };
    },
    /** What the controls do. @type {{[name: string]: (node: HTMLElement) => void}} */
    deeds: {
      step: ({ dataset }) => { play(false); go(at + Number(dataset.by)); },
      play: () => { if (at >= models.length - 1) go(0); play(timer === 0); },
      faster: () => { speed = (speed + 1) % SPEEDS.length; if (timer) play(true); },
      seek: (node) => { play(false); go(Number(/** @type {HTMLInputElement} */ (node).value)); },
    },
    send: (/** @type {any} */ message) => { if (message.type === 'leave') location.assign('/'); },
    now: () => location.reload(), hear: () => undefined, nonce: () => '', ask: () => undefined, play: () => false,
  };
}

/**
 * What the page knows: folds every message and deed into one state and answers questions about it. It knows no DOM, no
 * clock, no language and no rule of the game.
 * @import {Checked, Line, Message, Model, OnlineView, Round, Seat, Seated, State, Terms, Turn} from './types.d.ts'
 */

/** @type {Model} */
export const START = {
  net: { phase: 'connecting', tries: 0, code: 0, lag: null },
  name: '', resume: null, waiting: null, waitingSince: 0,
  seated: null, state: null, at: 0, fresh: false, rounds: [], leap: 0, results: null, fair: null, past: [],
  degraded: false, watchers: 0, pending: null, notice: null, recapped: 0, recap: null, call: null,
};

export const SEATS = /** @type {Seat[]} */ ([0, 1]);
const KEPT_GAMES = 9;
const NOWHERE = { waiting: null, seated: null, state: null, fresh: false, rounds: [], leap: 0, results: null, fair: null, watchers: 0,
  degraded: false, pending: null, recapped: 0, recap: null, call: null };

/** Returns the model after a message, the same where nothing changed. @param {Model} m @param {Message} message @param {number} now monotonic ms @returns {Model} */
export function fold(m, message, now) {
  switch (message.type) {
    case 'net': return changedNet(m, message.net);
    case 'welcome': return { ...m, name: message.name, resume: message.resume };
    case 'waiting': return { ...m, ...NOWHERE, notice: null, waiting: message, waitingSince: now - message.waited };
    case 'idle': return { ...m, ...NOWHERE };
    case 'seated': return seatedAt(m, message);
    case 'state': return withState(m, message, now);
    case 'results': return withResults(m, message);
    case 'fair': return m.seated?.match === message.match ? { ...m, fair: message } : m;
    case 'done': return m.pending?.id === message.id ? { ...m, pending: null } : m;
    case 'rejected': return refused(m, message);
    case 'error': return { ...m, ...(message.code === 'not_found' && !m.fresh && NOWHERE), notice: [`error.${message.code}`] };
    case 'degraded': return message.on === m.degraded ? m : { ...m, degraded: message.on };
    case 'reacted': return m.seated ? { ...m, call: { seat: message.seat, reaction: message.reaction, at: now } } : m;
    case 'watchers': return message.count === m.watchers ? m : { ...m, watchers: message.count };
    case 'press': return pressed(m, message);
    case 'sent': return m.pending ? { ...m, pending: { ...m.pending, sent: true } } : m;
    case 'dismiss': return m.recap || m.notice ? { ...m, recap: null, notice: null } : m;
    case 'remember': return { ...m, past: message.past };
    default: return m; // a newer server's word
  }
}

/** @param {Model} m @param {Partial<Model['net']>} part @returns {Model} */
function changedNet(m, part) {
  const net = { ...m.net, ...part };
  if (net.phase === m.net.phase || net.phase === 'open') return { ...m, net };
  return { ...m, net, fresh: false, degraded: false, pending: m.pending && { ...m.pending, sent: false } };
}

/** @param {Model} m @param {Seated} message @returns {Model} */
function seatedAt(m, message) {
  const rounds = message.rounds;
  if (m.seated?.match === message.match) return { ...m, seated: message, rounds, waiting: null };
  return { ...m, ...NOWHERE, notice: null, seated: message, rounds, past: message.series.game > 1 ? m.past : [] };
}

/** @param {Model} m @param {State} message @param {number} now @returns {Model} */
function withState(m, message, now) {
  if (!m.seated || (m.fresh && m.state && message.version < m.state.version)) return m;
  const rounds = joined(m.rounds, message.rounds);
  const next = { ...m, state: message, at: now, fresh: true, rounds, leap: rounds.length - m.rounds.length };
  if (rounds !== m.rounds) next.notice = null;
  if (m.seated.seat === null) return next;
  const [chair, move] = [message.chairs[m.seated.seat], m.pending];
  if (move && chair.last === move.id) next.pending = null;
  else if (move && chair.number > move.number) Object.assign(next, { pending: null, notice: ['say.late'] });
  const before = m.state?.chairs[m.seated.seat];
  if (!m.fresh || (before?.driver === 'bot' && !before.back && (chair.back || chair.driver === 'human'))) {
    const from = missedFrom(next);
    if (from < rounds.length) Object.assign(next, { recap: { from, to: rounds.length }, recapped: rounds.length });
  } else if (m.recap && rounds.length > m.recap.to + 2) next.recap = null;
  return next;
}

/** Where the run of rounds at the end begins that the bot drew for me and that no recap has covered. @param {Model} m */
function missedFrom(m) {
  let from = m.rounds.length;
  let first = from;
  for (; from > m.recapped && byBot(m.rounds[from - 1], me(m)) !== false; from -= 1) if (byBot(m.rounds[from - 1], me(m))) first = from - 1;
  return first;
}

/** Whether the bot made a round for a seat; null where it was the other seat's turn alone. @param {Round | Turn} round @param {Seat} seat */
export const byBot = (round, seat) => ('seat' in round ? (round.seat === seat ? round.by === 'bot' : null) : round.by[seat] === 'bot');

/** @param {Round[]} known @param {Round[]} more @returns {Round[]} the same array where nothing is new */
function joined(known, more) {
  const fresh = more.filter((round) => round.n > known.length);
  return fresh.length ? [...known, ...fresh] : known;
}

/** @param {Model} m @param {Extract<Message, {type: 'results'}>} message @returns {Model} */
function withResults(m, message) {
  if (m.seated?.match !== message.match) return m;
  const { seat, names } = m.seated;
  const game = { match: message.match, seat, names, outcome: message.outcome, rounds: message.rounds };
  const past = [...m.past.filter((one) => one.match !== game.match), game].slice(-KEPT_GAMES);
  return { ...m, results: message, rounds: message.rounds, past, pending: null };
}

/** @param {Model} m @param {Extract<Message, {type: 'rejected'}>} message @returns {Model} */
function refused(m, message) {
  if (message.reason === 'replaced') return changedNet({ ...m, pending: null }, { phase: 'stopped', code: 4409 });
  const pending = message.id !== null && m.pending?.id === message.id ? null : m.pending;
  return { ...m, pending, notice: [message.by_bot ? 'say.late' : `error.reason.${message.reason}`] };
}

/** @param {Model} m @param {Extract<Message, {type: 'press'}>} message @returns {Model} */
function pressed(m, message) {
  if (!playable(m, message.move) || !m.state) return m;
  const { number } = m.state.chairs[me(m)];
  return { ...m, notice: null, pending: { id: message.id, move: message.move, number, sent: false } };
}

/** The seat seen from below: one's own, or for a watcher the first. @param {Model} m @returns {Seat} */
export const me = (m) => m.seated?.seat ?? 0;
/** @param {Model} m @returns {Seat} */
export const them = (m) => (me(m) === 0 ? 1 : 0);
/** @param {Model} m */
export const watching = (m) => m.seated !== null && m.seated.seat === null;
/** Whether the game ended before it began. @param {Model} m */
export const isVoid = (m) => m.state?.outcome?.termination === 'void';
/** Whether the other seat is a bot by choice. @param {Model} m */
export const solo = (m) => m.seated !== null && !watching(m) && m.seated.bots[them(m)];
/** Whether rounds are missing between those known and a state's. @param {Model} m @param {State} state */
export const gap = (m, state) => state.rounds.length > 0 && state.rounds[0].n > m.rounds.length + 1;

/** Whether this person may make a move now (any, or this one). @param {Model} m @param {string} [move] */
export function playable(m, move) {
  if (!m.state || watching(m) || m.pending || !m.fresh || m.degraded || m.net.phase !== 'open') return false;
  const legal = m.state.legal[me(m)];
  return m.state.phase === 'playing' && m.state.chairs[me(m)].driver === 'human'
    && (move === undefined ? legal.length > 0 : allows(legal, move));
}

/** Whether a move is among the legal ones, where `place brasil 1-7` stands for seven. @param {string[]} legal @param {string} move */
function allows(legal, move) {
  const [, words, number] = /^(.*) (\d+)$/.exec(move) ?? [];
  return legal.some((one) => {
    const [, same, low, high] = /^(.*) (\d+)-(\d+)$/.exec(one) ?? [];
    return one === move || (same !== undefined && same === words && Number(low) <= Number(number) && Number(number) <= Number(high));
  });
}

/** Whether a seat has a move to make; the other side's moves may be hers alone to know. @param {State} state @param {Seat} seat */
export function owes({ phase, legal, view: seen }, seat) {
  const view = /** @type {State['view'] | OnlineView} */ (seen);
  if (phase !== 'playing') return false;
  if (view.game === 'war') return legal[seat].length > 0;
  return view.step === 'opening' ? !view.ready[seat] : view.on_turn === seat;
}

/** Least, usual and most of each number that may be chosen. @type {{[game in Terms['game']]: {[name: string]: [number, number, number]}}} */
export const BOUNDS = { war: { turn: [5, 15, 120], target: [1, 50, 50] }, 'war-online': { turn: [30, 120, 600], limit: [10, 100, 100] } };

/** What a field's number stands for: the nearest one allowed, and where there is none the usual one. @param {unknown} n @param {[number, number, number]} bounds */
const within = (n, [low, usual, high]) => (n === '' || !Number.isFinite(Number(n)) ? usual : Math.min(high, Math.max(low, Math.round(Number(n)))));

/** @param {{[name: string]: unknown}} form what the start page's fields say @returns {Terms} */
export function termsOf({ preset, target, turn, timer, games, limit, level }) {
  const common = { preset: String(preset), timer: Number(timer), games: Number(games) };
  const { war, 'war-online': online } = BOUNDS;
  return preset === 'objectives'
    ? { ...common, game: 'war-online', turn_seconds: within(turn, online.turn), limit: within(limit, online.limit), level: /** @type {Required<Terms>['level']} */ (level) }
    : { ...common, game: 'war', turn_seconds: within(turn, war.turn), target: within(target, war.target) };
}

/** The move that waits to be sent, or sent again on a new socket. @param {Model} m */
export function unsent(m) {
  return m.pending && !m.pending.sent && m.fresh && m.net.phase === 'open' ? m.pending : null;
}

/** Whether the bot has this person's seat, and a word is needed to get it back. @param {Model} m */
export function idled(m) {
  if (!m.state || watching(m) || m.state.phase === 'over' || m.net.phase !== 'open') return false;
  const chair = m.state.chairs[me(m)];
  return chair.driver === 'bot' && !chair.back;
}

/** A seat's name, in words where a bot has it by choice. @param {Model} m @param {Seat} seat @returns {string | Line} */
export const nameOf = (m, seat) => (m.seated?.bots[seat] ? ['word.bot'] : m.seated?.names[seat] ?? '');

/** Milliseconds until a seat's move runs out; null where no clock runs. @param {Model} m @param {Seat} seat @param {number} now */
export function left(m, seat, now) {
  const due = m.state?.chairs[seat].due ?? null;
  return due === null ? null : Math.max(0, due - (now - m.at));
}

/** The sums of some rounds, seen from a seat. @param {Round[]} rounds @param {Seat} i */
export function tally(rounds, i) {
  const sum = { won: 0, lost: 0, wars: 0, warsWon: 0, deepest: 0, run: 0, bot: [0, 0] };
  let run = 0;
  for (const { winner, wars, by } of rounds) {
    const mine = winner === i;
    run = mine ? run + 1 : 0;
    sum.won += Number(mine);
    sum.lost += Number(winner !== null && !mine);
    sum.wars += Number(wars > 0);
    sum.warsWon += Number(wars > 0 && mine);
    sum.deepest = Math.max(sum.deepest, wars);
    sum.run = Math.max(sum.run, run);
    by.forEach((driver, seat) => { sum.bot[seat] += Number(driver === 'bot'); });
  }
  return sum;
}

/** What came of checking the deal, and whether it is as it should be; null where that cannot be known. @param {Model} m @param {Checked} checked @returns {[boolean | null, Line][]} */
export function checkLines(m, { seed, nonces, own, lines }) {
  const share = (/** @type {Seat} */ seat) => (seat === m.seated?.seat && own === false ? 'false' : nonces[seat]);
  return [
    [seed, [`page.fair.seed.${seed ? 'ok' : 'bad'}`]],
    ...[me(m), them(m)].filter((seat) => !m.seated?.bots[seat]).map((seat) => /** @type {[boolean, Line]} */ ([
      share(seat) !== 'false', [`page.fair.share.${share(seat)}`, { name: seat === m.seated?.seat ? ['word.you'] : nameOf(m, seat) }],
    ])),
    ...lines,
  ];
}

/** @param {Model} m @returns {Line} */
export function recapLine(m) {
  const { from, to } = m.recap ?? { from: 0, to: 0 };
  const i = me(m);
  const count = m.rounds.slice(from, to).filter((round) => round.by[i] === 'bot').length;
  return ['say.recap', { count }];
}

/** @param {Model} m @returns {Line} the score of the rounds missed */
export function recapScore(m) {
  const { from, to } = m.recap ?? { from: 0, to: 0 };
  const missed = m.rounds.slice(from, to);
  const [i, j] = [me(m), them(m)];
  const counts = missed.length ? missed[missed.length - 1].counts : [26, 26];
  return ['say.recap.score', {
    won: missed.filter((round) => round.winner === i).length, lost: missed.filter((round) => round.winner === j).length,
    my_count: counts[i], their_count: counts[j],
  }];
}

/** @param {Model} m @returns {Line} */
export function endLine(m) {
  const { outcome, view } = /** @type {State} */ (m.state);
  if (!outcome || outcome.termination === 'void' || outcome.termination === 'redealt') return ['say.no_result'];
  const { winner } = outcome;
  const [won, lost] = [view.won[winner ?? me(m)], view.won[winner === null ? them(m) : winner === 0 ? 1 : 0]];
  if (winner === null) return ['say.draw', { won, lost }];
  if (watching(m)) return ['say.win.watch', { winner: nameOf(m, winner), won, lost }];
  return winner === me(m) ? ['say.win', { won, lost }] : ['say.lose', { won: lost, lost: won }];
}

/** Whether a further game of the series follows. @param {Model} m */
export const goesOn = ({ results, state }) => (results ? results.series.best_of > 1 && !results.decided : state?.next_in !== null);

/**
 * Checks a finished game of War Online by itself: who was dealt what, and that every throw and every card follows from the
 * deal (docs/fairness.md). Loaded only when it is asked for.
 * @import {Battle, Checked, Fair, Line, OnlineView, Pair, Results, Seat, Turn} from './types.d.ts'
 */
import { chance, dealKey, promises } from './fair.js';
import { LANDS } from './online_map.js';

const OBJECTIVES = ['eu_oc_x', 'eu_sa_x', 'as_sa', 'as_af', 'na_af', 'na_oc', 't24', 't18x2'];
const CARDS = 44;
const [SIDES, MOST_DICE] = [6, 3];
const OWNERS = ['0', '1', 'n'];
/** Ends after which the last turn is listed with the others. */
const LISTED = ['objective', 'conquest', 'limit'];

/** What a key deals: each territory's owner, both objectives, who goes first, and the pile. @param {ReturnType<typeof chance>} dice */
export function dealt(dice) {
  const owners = LANDS.map(() => '');
  dice.shuffle('territories', LANDS.length).forEach((land, n) => { owners[land] = OWNERS[Math.floor(n / (LANDS.length / OWNERS.length))]; });
  return {
    owners, objectives: dice.shuffle('objectives', OBJECTIVES.length).slice(0, 2).map((n) => OBJECTIVES[n]),
    first: /** @type {Seat} */ (dice.below('order', 2)), pile: dice.shuffle('cards/0', CARDS).map((card) => LANDS[card] ?? 'joker'),
  };
}

/** The dice of a game's throw, each side's highest first. @param {ReturnType<typeof chance>} dice @param {number} n from 0 @param {number} attack @param {number} defence @returns {Pair<number[]>} */
export function thrown(dice, n, attack, defence) {
  let drawn = dice.below(`throw/${n}`, SIDES ** (attack + defence));
  const faces = Array.from({ length: attack + defence }, () => {
    const face = (drawn % SIDES) + 1;
    drawn = Math.floor(drawn / SIDES);
    return face;
  });
  const highest = (/** @type {number[]} */ some) => some.sort((a, b) => b - a);
  return [highest(faces.slice(0, attack)), highest(faces.slice(attack))];
}

/** The throws of a battle, the game's next ones; none where they did not come out as told. @param {ReturnType<typeof chance>} dice @param {number} from @param {Battle} battle */
function fought(dice, from, { attackers, defenders, lost, conquered }) {
  const throws = [];
  const fallen = [0, 0];
  while (fallen[0] + fallen[1] < lost[0] + lost[1]) {
    const [attack, defence] = [Math.min(MOST_DICE, attackers - fallen[0] - 1), Math.min(MOST_DICE, defenders - fallen[1])];
    if (attack < 1 || defence < 1) return null;
    const [red, yellow] = thrown(dice, from + throws.length, attack, defence);
    throws.push([red, yellow]);
    for (let pair = 0; pair < Math.min(attack, defence); pair += 1) fallen[red[pair] > yellow[pair] ? 1 : 0] += 1;
  }
  return fallen[0] === lost[0] && fallen[1] === lost[1] && conquered === (lost[1] === defenders) ? throws : null;
}

/** @typedef {{seat: Seat, n: number, battles: Battle[], territories: Pair<number> | null}} Played */

/** All that was fought, turn by turn; the turn that somebody broke off too. @param {Results} results @param {OnlineView} view @returns {Played[]} */
function course({ outcome, rounds }, view) {
  const turns = /** @type {Turn[]} */ (/** @type {unknown} */ (rounds));
  if (LISTED.includes(outcome.termination) || view.on_turn === null) return turns;
  return [...turns, { seat: view.on_turn, n: turns.length + 1, battles: view.battles, territories: null }];
}

/** Throws and territories, followed from the deal to the end: the first turn where they are not as told, 0 where all are. @param {ReturnType<typeof chance>} dice @param {Played[]} turns @param {OnlineView} view */
function followed(dice, turns, view) {
  const { owners, first } = dealt(dice);
  let [throws, lands] = [0, true];
  /** @type {number[][][]} */
  let last = [];
  for (const [at, { seat, n, battles, territories }] of turns.entries()) {
    if (seat !== (at % 2 ? 1 - first : first)) lands = false;
    for (const battle of battles) {
      const [source, target] = [LANDS.indexOf(battle.source), LANDS.indexOf(battle.target)];
      const own = fought(dice, throws, battle);
      if (!own) return { broken: n, lands: false };
      [throws, last] = [throws + own.length, own];
      if (owners[source] !== String(seat) || owners[target] === String(seat)) lands = false;
      if (battle.conquered) owners[target] = String(seat);
    }
    if (territories?.some((count, side) => count !== owners.filter((owner) => owner === String(side)).length)) lands = false;
  }
  const shown = view.last?.throws ?? [];
  const same = JSON.stringify(last.slice(-shown.length)) === JSON.stringify(shown);
  return { broken: shown.length && !same ? turns[turns.length - 1].n : 0, lands: lands && owners.join('') === view.owners };
}

/** What is true of a finished game. @param {Fair} fair @param {Results} results @param {string} nonce one's own @param {OnlineView} view the last that was shown @returns {Checked} */
export function verify(fair, results, nonce, view) {
  const dice = chance(dealKey(results.seed, fair.nonces));
  const { objectives, first, pile } = dealt(dice);
  const turns = /** @type {Turn[]} */ (/** @type {unknown} */ (results.rounds));
  const drew = turns.filter((turn) => turn.drew).slice(0, CARDS);
  const wrong = drew.find(({ card }, n) => card !== pile[n]);
  const whole = turns.every(({ fought: count, battles }) => count === battles.length);
  const { broken, lands } = whole ? followed(dice, course(results, view), view) : { broken: 0, lands: true };
  const battles = course(results, view).reduce((sum, turn) => sum + turn.battles.length, 0);
  const line = (/** @type {string} */ what, /** @type {boolean} */ good, n = 0, count = 0) => /** @type {[boolean, Line]} */ (
    [good, [`page.online.fair.${what}.${good ? 'ok' : 'bad'}`, { n, count }]]);
  return {
    ...promises(fair, results, nonce), broken,
    lines: [
      ...(whole ? [line('lands', lands)] : []), line('objectives', objectives.join() === view.objectives?.join()), line('order', first === view.first),
      ...(whole ? [line('throws', !broken, broken, battles)] : [/** @type {[null, Line]} */ ([null, ['page.online.fair.old']])]),
      ...(drew.length ? [line('cards', !wrong, wrong?.n, drew.length)] : []),
    ],
  };
}

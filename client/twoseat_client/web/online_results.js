/**
 * The results of War Online: both objectives, how territories and armies went, and every battle with its luck. It knows no
 * DOM and no rule.
 * @import {Line, Look, Model, Pair, Row, Say, Seat, Turn, View} from './types.d.ts'
 */
import { me, nameOf, solo, them, watching } from './model.js';
import { percent } from './online_view.js';
import { ending, land, seen } from './online_words.js';
import { ended, factRows } from './view.js';
import { winnerWord } from './words.js';

const [WIDE, HIGH] = [300, 64];
const DEALT = 14;

/** A row of numbers as a line. @param {number[]} values @param {number} most */
function line(values, most) {
  const step = WIDE / Math.max(1, values.length - 1);
  return values.map((value, n) => `${n ? 'L' : 'M'}${(n * step).toFixed(1)} ${(HIGH - 2 - (value / most) * (HIGH - 6)).toFixed(1)}`).join('');
}

/** Both sides' course of one measure. @param {string} name @param {Turn[]} turns @param {(turn: Turn) => Pair<number>} of @param {Seat} i @param {Say} say @returns {View} */
function course(name, turns, of, i, say) {
  const values = [/** @type {Pair<number>} */ ([DEALT, DEALT]), ...turns.map(of)];
  const most = Math.max(1, ...values.flat());
  const j = i === 0 ? 1 : 0;
  const last = values[values.length - 1];
  return {
    [`${name}Me`]: line(values.map((pair) => pair[i]), most), [`${name}Them`]: line(values.map((pair) => pair[j]), most),
    [`${name}Words`]: say([`page.online.course.${name}`, { mine: last[i], theirs: last[j] }]),
  };
}

/** Luck with its sign, in armies. @param {number} luck */
const signed = (luck) => `${luck > 0 ? '+' : luck < 0 ? '−' : '±'}${Math.abs(luck).toFixed(1)}`;

/** @param {Model} m @param {Look} look @param {Say} say @param {number} now @returns {View} */
export function resultsView(m, look, say, now) {
  const at = look.game < 0 ? m.past.length - 1 : look.game;
  const game = m.past[at];
  if (!m.results || !game) return { rematchButton: '' };
  const [i, j] = [me(m), them(m)];
  const turns = /** @type {Turn[]} */ (/** @type {unknown} */ (game.rounds));
  const newest = at === m.past.length - 1;
  const last = turns.at(-1);
  return {
    ...ended(m, look, say, now), resultTitle: say(ending(m)), resultWhy: say([why(m.results.outcome.termination)]),
    resultObjectives: newest ? objectives(m, say) : [],
    ...course('lands', turns, (turn) => turn.territories, i, say), ...course('armies', turns, (turn) => turn.armies, i, say),
    nameMe: winnerWord(m, i, say), nameThem: winnerWord(m, j, say), onlineFacts: last ? facts(m, turns, last, say) : [],
    battles: turns.flatMap((turn) => turn.battles.map((battle, n) => ({
      key: `${at}/${turn.n}/${n}`, n: turn.round, side: turn.seat === i ? 'me' : 'them', who: winnerWord(m, turn.seat, say),
      where: `${say(land(battle.source))} → ${say(land(battle.target))}`, armies: `${battle.attackers} : ${battle.defenders}`, lost: `${battle.lost[0]} : ${battle.lost[1]}`,
      chance: `${percent(battle.chance)} %`, luck: signed(battle.luck), taken: battle.conquered ? '✓' : '',
    }))),
  };
}

/** @param {string} termination */
const why = (termination) => (termination === 'limit' ? 'word.end.turns' : `word.end.${termination}`);

/** @param {Model} m @param {Say} say @returns {Row[]} */
function objectives(m, say) {
  const { objectives: both } = seen(m);
  const { winner, termination } = /** @type {NonNullable<Model['results']>} */ (m.results).outcome;
  if (!both || !both[0]) return [];
  return [me(m), them(m)].map((seat) => ({
    key: seat, side: seat === me(m) ? 'me' : 'them', who: winnerWord(m, seat, say), what: say([`word.objective.${both[seat]}`]),
    reached: termination === 'objective' && winner === seat ? `✓ ${say(['page.online.reached'])}` : '',
  }));
}

/** @param {Model} m @param {Turn[]} turns @param {Turn} last @param {Say} say @returns {Row[]} */
function facts(m, turns, last, say) {
  const [i, j] = [me(m), them(m)];
  const of = (/** @type {Seat} */ seat) => turns.filter((turn) => turn.seat === seat);
  const sum = (/** @type {Seat} */ seat, /** @type {(turn: Turn) => number} */ what) => of(seat).reduce((all, turn) => all + what(turn), 0);
  const both = (/** @type {(turn: Turn) => number} */ what) => `${sum(i, what)} : ${sum(j, what)}`;
  const bot = (/** @type {Seat} */ seat) => of(seat).filter((turn) => turn.by === 'bot').length;
  return factRows(say, [
    ['online.lands', `${last.territories[i]} : ${last.territories[j]}`], ['online.armies', `${last.armies[i]} : ${last.armies[j]}`],
    ['online.taken', both((turn) => turn.conquests)], ['online.traded', both((turn) => turn.traded)],
    ['online.luck', `${signed(sum(i, (turn) => turn.luck))} : ${signed(sum(j, (turn) => turn.luck))}`], ['online.turns', turns.length],
    ...(solo(m) ? [] : /** @type {[string, string][]} */ ([['online.bot', `${bot(i)} : ${bot(j)}`]])),
  ]);
}

/** The result as a few lines of plain text. @param {Model} m @param {Say} say */
export function resultText(m, say) {
  const [i, j] = [me(m), them(m)];
  const last = /** @type {Turn | undefined} */ (/** @type {unknown} */ (m.rounds.at(-1)));
  const [mine, theirs] = last ? [last.territories[i], last.territories[j]] : [DEALT, DEALT];
  const name = (/** @type {Seat} */ seat) => (seat === i && !watching(m) ? ['word.you'] : nameOf(m, seat));
  const told = seen(m).objectives;
  const reason = say([why(m.state?.outcome?.termination ?? 'void')]);
  return [
    `twoseat · ${say(['word.online'])}`, `${winnerWord(m, i, say)} ${mine} : ${theirs} ${winnerWord(m, j, say)}`, say(ending(m)),
    `${reason.slice(0, 1).toLocaleUpperCase()}${reason.slice(1)}.`, ...(told ? [i, j].map((seat) => say(['say.online.objective.of', { name: /** @type {string | Line} */ (name(seat)), objective: [`word.objective.${told[seat]}`] }])) : []),
    ...(last ? [`${say(['page.online.armies'])}: ${last.armies[i]} : ${last.armies[j]}`] : []),
  ].join('\n');
}

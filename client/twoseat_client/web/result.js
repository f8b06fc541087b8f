/**
 * A result of War as plain text. Loaded when somebody first copies one.
 * @import {Model, Say} from './types.d.ts'
 */
import { endLine, me, tally, them } from './model.js';
import { presetLine, winnerWord } from './words.js';

const SPARK = '▁▂▃▄▅▆▇█';
const DECK = 52;

/** The result as a few lines of plain text, the decks' course as a row of blocks. @param {Model} m @param {Say} say */
export function resultText(m, say) {
  const i = me(m);
  const { won, lost, wars } = tally(m.rounds, i);
  const course = m.rounds.filter((_round, n) => n % 3 === 0).map((round) => SPARK[Math.min(7, Math.floor((round.counts[i] / DECK) * 8))]);
  return [
    `twoseat · ${say(presetLine(/** @type {NonNullable<Model['seated']>} */ (m.seated).options))}`,
    `${winnerWord(m, i, say)} ${won} : ${lost} ${winnerWord(m, them(m), say)}`,
    say(endLine(m)), [say(['word.rounds', { count: m.rounds.length }]), say(['word.wars', { count: wars }])].join(', '), course.join(''),
  ].join('\n');
}

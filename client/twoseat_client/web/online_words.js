/**
 * What happens in a game of War Online, in words: from what changed between two models to sentences before they are in any
 * language. It knows no DOM and no rule.
 * @import {Deed, Line, Model, OnlineView, Seat, Turn} from './types.d.ts'
 */
import { byBot, me, nameOf, them, watching } from './model.js';

/** @param {Model} m @returns {OnlineView} */
export const seen = (m) => /** @type {any} */ (m.state?.view);
/** The finished turns of both seats. @param {Model} m @returns {Turn[]} */
export const turns = (m) => /** @type {any} */ (m.rounds);

/** @param {string} id @returns {Line} */
export const land = (id) => [`word.territory.${id}`];
/** @param {number} count @returns {Line} */
export const armies = (count) => ['word.armies', { count }];
/** @param {string} card a territory's name, or joker @returns {Line} */
export const cardName = (card) => (card === 'joker' ? ['word.symbol.joker'] : land(card));

/** Tells one deed from the next, however alike they are. @param {Model} m */
const print = (m) => {
  const { last, armies: all, step, round, ready, hands } = seen(m);
  return JSON.stringify([last, all, step, round, ready, hands]);
};

/** Whether a deed has been done between two models. @param {Model} a @param {Model} b */
export const isNews = (a, b) => Boolean(b.state && seen(b).last && (!a.state || a.seated?.match !== b.seated?.match || print(a) !== print(b)));

/** @param {Model} a @param {Model} b @returns {Line[]} */
export function played(a, b) {
  const { last } = seen(b);
  return last && a.state && a.seated?.match === b.seated?.match && isNews(a, b) ? told(b, last) : [];
}

/** A deed in words. @param {Model} m @param {Deed} deed @returns {Line[]} */
export function told(m, { seat, move, bonus, throws, lost, conquered, drew }) {
  const who = seat === me(m) && !watching(m) ? 'me' : 'them';
  const name = nameOf(m, seat);
  const [word, ...rest] = move.split(' ');
  const [source, target] = [land(rest[0]), land(rest[1])];
  switch (word) {
    case 'play': case 'undo': case 'done': return [[`say.online.${word}.${who}`, { name }]];
    case 'place': return [[`say.online.place.${who}`, { name, n: rest[1], target: source }]];
    case 'trade': {
      const [x, y, z] = rest.map(cardName);
      return [[`say.online.trade.${who}`, { name, armies: armies(seen(m).traded), a: x, b: y, c: z }], ...bonus.map((id) => /** @type {Line} */ (['say.online.bonus', { target: land(id) }]))];
    }
    case 'attack': {
      const [dice, against] = (throws.at(-1) ?? [[], []]).map((side) => side.join(' '));
      return [
        rest[2] ? [`say.online.until.${who}`, { name, source, target, count: throws.length }] : [`say.online.attack.${who}`, { name, source, target, dice, against }],
        ['say.online.losses', { lost: lost[0], killed: lost[1] }], ...(conquered ? [/** @type {Line} */ ([`say.online.taken.${who}`, { name, target }])] : []),
      ];
    }
    case 'advance': return [[`say.online.advance.${who}`, { name, armies: armies(Number(rest[0])) }]];
    case 'move': return [[`say.online.move.${who}`, { name, source, target, armies: armies(Number(rest[2])) }]];
    default: return [[`say.online.end.${who}`, { name }], ...(drew ? [/** @type {Line} */ ([`say.online.card.${who}`, { name }])] : [])];
  }
}

/** Whose turn it became, or how the game ended. @param {Model} a @param {Model} b @returns {Line[]} */
export function turned(a, b) {
  if (b.state?.outcome) return a.state?.outcome ? [] : [ending(b)];
  if (b.state?.phase !== 'playing') return [];
  const [was, is] = [a.state && a.seated?.match === b.seated?.match ? seen(a) : null, seen(b)];
  const mine = !watching(b);
  if (is.step === 'opening') return (was?.step === 'opening' && a.state?.phase === 'playing') || !mine || is.ready[me(b)] ? [] : [['page.online.do.play']];
  if (was && was.on_turn === is.on_turn && was.round === is.round) return [];
  const own = mine && is.on_turn === me(b);
  /** @type {Line[]} */
  const said = [[`say.online.turn.${own ? 'me' : 'them'}`, { n: is.round, name: nameOf(b, is.on_turn ?? 0) }]];
  return own && is.to_place ? [...said, ...granted(is)] : said;
}

/** What there is to place. @param {OnlineView} view @returns {Line[]} */
function granted({ to_place: reserve }) {
  const inside = Object.entries(reserve?.continents ?? {});
  const all = (reserve?.free ?? 0) + inside.reduce((sum, [, count]) => sum + count, 0);
  return [['say.online.grant', { armies: armies(all) }],
    ...inside.map(([id, count]) => /** @type {Line} */ (['say.online.grant.inside', { armies: armies(count), continent: [`word.continent.${id}`] }]))];
}

/** @param {Model} m @returns {Line} */
export function ending(m) {
  const outcome = m.state?.outcome;
  if (!outcome || outcome.termination === 'void' || outcome.termination === 'redealt') return ['say.no_result'];
  if (outcome.winner === null) return ['say.online.draw'];
  if (watching(m)) return ['say.online.win.watch', { name: nameOf(m, outcome.winner) }];
  return [outcome.winner === me(m) ? 'say.online.win' : 'say.online.lose'];
}

/** How many territories an owner has: a seat, or n. @param {OnlineView} view @param {Seat | 'n'} owner */
export const landsOf = ({ owners }, owner) => [...owners].filter((one) => one === String(owner)).length;

/** What the bot did for somebody who was away. @param {Model} m @returns {Line[]} */
export function missed(m) {
  const { from, to } = m.recap ?? { from: 0, to: 0 };
  const count = m.rounds.slice(from, to).filter((round) => byBot(round, me(m))).length;
  const lands = (/** @type {Seat} */ seat) => /** @type {Line} */ (['word.territories', { count: landsOf(seen(m), seat) }]);
  return [['say.online.recap', { count }], ['say.online.recap.now', { mine: lands(me(m)), theirs: lands(them(m)) }]];
}

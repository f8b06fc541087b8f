/**
 * What War Online's legal moves offer, sorted for hands: which territories can be pressed, and how many armies there are.
 * It reads the server's list and adds nothing to it.
 * @import {Offers} from './types.d.ts'
 */

/** The most a move's last word stands for: `1-7` is 7. @param {string} count */
const most = (count) => Number(count.slice(count.lastIndexOf('-') + 1));

/** @param {string[]} legal @returns {Offers} */
export function offers(legal) {
  /** @type {Offers} */
  const found = { words: new Set(), place: new Map(), attack: new Map(), move: new Map(), advance: 0, trades: [] };
  for (const move of legal) {
    const [word, ...rest] = move.split(' ');
    if (!rest.length) found.words.add(word);
    else if (word === 'place') found.place.set(rest[0], Math.max(most(rest[1]), found.place.get(rest[0]) ?? 0));
    else if (word === 'attack') set(found.attack, rest[0], rest[1], rest[3] ? most(rest[3]) : 1);
    else if (word === 'move') set(found.move, rest[0], rest[1], most(rest[2]));
    else if (word === 'advance') found.advance = Math.max(found.advance, most(rest[0]));
    else if (word === 'trade') found.trades.push(rest);
  }
  return found;
}

/** @param {Map<string, Map<string, number>>} ways @param {string} source @param {string} target @param {number} count */
function set(ways, source, target, count) {
  const there = ways.get(source) ?? new Map();
  there.set(target, Math.max(count, there.get(target) ?? 0));
  ways.set(source, there);
}

/** The legal trade of these three cards, whatever their order; none where they are no set. @param {Offers} open @param {string[]} cards */
export function tradeOf({ trades }, cards) {
  const sorted = (/** @type {string[]} */ some) => [...some].sort().join(' ');
  return trades.find((trade) => sorted(trade) === sorted(cards));
}

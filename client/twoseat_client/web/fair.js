/**
 * Checks a finished game by itself: what was committed to is what was opened, and every round follows from it. The
 * arithmetic of docs/fairness.md written anew; only here and in fair_online.js the page knows rules. Loaded only when it is asked for.
 * @import {Checked, Fair, Line, Pair, Results, Round, Seat} from './types.d.ts'
 */

const ROUND_CONSTANTS = new Uint32Array(64);
const START = new Uint32Array(8);
for (let n = 2, found = 0; found < 64; n += 1) {
  let prime = true;
  for (let d = 2; d * d <= n && prime; d += 1) prime = n % d !== 0;
  if (!prime) continue;
  if (found < 8) START[found] = (Math.sqrt(n) % 1) * 2 ** 32;
  ROUND_CONSTANTS[found] = (Math.cbrt(n) % 1) * 2 ** 32;
  found += 1;
}

/** SHA-256, for pages on plain http where the browser offers none. @param {Uint8Array} bytes */
export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length * 8);
  const hash = START.slice();
  const words = new Uint32Array(64);
  const turn = (/** @type {number} */ x, /** @type {number} */ by) => (x >>> by) | (x << (32 - by));
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i += 1) {
      if (i < 16) words[i] = view.getUint32(block + 4 * i);
      else {
        const [a, b] = [words[i - 15], words[i - 2]];
        words[i] = words[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + words[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
      }
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[i] + words[i]) >>> 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] += word; });
  }
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => out.setUint32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** @param {Uint8Array} key at most 64 bytes @param {Uint8Array} message */
function hmac(key, message) {
  const pad = (/** @type {number} */ with_) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ with_);
  return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), message))));
}

/** @param {Uint8Array[]} parts */
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const text = (/** @type {string} */ words) => new TextEncoder().encode(words);
const bytes = (/** @type {string} */ hex) => Uint8Array.from((hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
const hex = (/** @type {Uint8Array} */ some) => [...some].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** All chance of one game. @param {Uint8Array} key */
export function chance(key) {
  /** Numbers below each bound, from the one stream of a label. @param {string} label @param {number[]} bounds */
  function numbers(label, bounds) {
    let block = new DataView(new ArrayBuffer(0));
    let [at, next] = [0, 0];
    const word = () => {
      if (at === block.byteLength) {
        const count = new Uint8Array(4);
        new DataView(count.buffer).setUint32(0, next++);
        [block, at] = [new DataView(hmac(key, joined(text(`${label}\0`), count)).buffer), 0];
      }
      at += 4;
      return block.getUint32(at - 4);
    };
    return bounds.map((n) => {
      const limit = 2 ** 32 - (2 ** 32 % n);
      let some = word();
      while (some >= limit) some = word();
      return some % n;
    });
  }
  return {
    below: (/** @type {string} */ label, /** @type {number} */ n) => numbers(label, [n])[0],
    starter: (/** @type {number} */ round) => numbers(`starter/${round}`, [2])[0],
    /** The numbers below `count` in their order. @param {string} label @param {number} count */
    shuffle(label, count) {
      const cards = Array.from({ length: count }, (_, card) => card);
      const places = Array.from({ length: count - 1 }, (_, i) => count - 1 - i);
      numbers(label, places.map((place) => place + 1)).forEach((pick, i) => {
        const place = places[i];
        [cards[place], cards[pick]] = [cards[pick], cards[place]];
      });
      return cards;
    },
  };
}

const NAMES = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'].flatMap((rank) => [...'CDHS'].map((suit) => rank + suit));

/** One round of War on two decks, which it changes. @param {Pair<number[]>} decks */
function fight(decks) {
  let [at, wars] = [0, 0];
  for (;;) {
    const [a, b] = [decks[0][at], decks[1][at]];
    const laid = at + 1;
    if (a >> 2 !== b >> 2) return take(decks, a >> 2 > b >> 2 ? 0 : 1, laid, wars, [a, b], false);
    wars += 1;
    const short = decks.map((deck) => deck.length - laid < 2);
    if (short[0] && short[1]) return { winner: null, wars, won: 0, cards: [a, b] };
    if (short[0] || short[1]) return take(decks, short[0] ? 1 : 0, laid, wars, [a, b], true);
    at += 2;
  }
}

/** @param {Pair<number[]>} decks @param {Seat} winner @param {number} laid @param {number} wars @param {number[]} cards @param {boolean} all */
function take(decks, winner, laid, wars, cards, all) {
  const loser = winner === 0 ? 1 : 0;
  const [mine, theirs] = [decks[winner].splice(0, laid), decks[loser].splice(0, laid)];
  const pot = mine.flatMap((card, i) => [card, theirs[i]]);
  if (all) pot.push(...decks[loser].splice(0));
  decks[winner].push(...pot);
  return { winner, wars, won: pot.length, cards };
}

/** The key of a deal: seed, and each nonce that was opened. @param {string} seed @param {Pair<string | null>} nonces */
export const dealKey = (seed, nonces) => sha256(joined(text('twoseat deal\0'), bytes(seed),
  ...nonces.map((nonce) => (nonce ? joined(new Uint8Array([1]), bytes(nonce)) : new Uint8Array([0])))));

/** Whether what was committed to is what was opened. @param {Fair} fair @param {Results} results @param {string} nonce one's own @returns {Pick<Checked, 'seed' | 'nonces' | 'own'>} */
export const promises = (fair, results, nonce) => ({
  seed: hex(sha256(joined(text('twoseat seed\0'), bytes(results.seed)))) === fair.seed_digest,
  nonces: fair.nonces.map((some, seat) => (!some ? 'none' : digest(some) === fair.digests[seat] ? 'in' : 'false')),
  own: fair.digests.includes(digest(nonce)) ? fair.nonces.includes(nonce) : null,
});

/** What is true of a finished game. @param {Fair} fair @param {Results} results @param {string} nonce one's own @returns {Checked} */
export function verify(fair, results, nonce) {
  const broken = firstBroken(chance(dealKey(results.seed, fair.nonces)), results.rounds);
  const line = /** @type {Line} */ (broken ? ['page.fair.rounds.bad', { n: broken }] : ['page.fair.rounds.ok', { count: results.rounds.length }]);
  return { ...promises(fair, results, nonce), broken, lines: [[!broken, line]] };
}

/** @param {string} nonce */
const digest = (nonce) => hex(sha256(joined(text('twoseat nonce\0'), bytes(nonce))));

/** @param {ReturnType<typeof chance>} dice @param {Round[]} rounds */
function firstBroken(dice, rounds) {
  const deck = dice.shuffle('deal', 52);
  /** @type {Pair<number[]>} */
  const decks = [deck.slice(0, 26), deck.slice(26)];
  for (const round of rounds) {
    const { winner, wars, won, cards } = fight(decks);
    const same = winner === round.winner && wars === round.wars && won === round.won && decks[0].length === round.counts[0]
      && NAMES[cards[0]] === round.cards?.[0] && NAMES[cards[1]] === round.cards?.[1]
      && (round.starter === null || round.starter === dice.starter(round.n));
    if (!same) return round.n;
  }
  return 0;
}

/**
 * The odds of an attack, exactly: how likely it is to take a territory by attacking on and on. Pure numbers; it knows no
 * board and no match. The server decides by its own dice, and sends no odds: there are too many attacks to a state.
 */

const SIDES = 6;
const MOST_DICE = 3;
/** More armies than that on a side are scaled down, both sides alike; no figure shown changes. */
const MOST_ARMIES = 120;

/** Every throw of so many dice, highest first, and in how many ways it comes up. @param {number} dice @returns {Map<string, number>} */
function throwsOf(dice) {
  if (!dice) return new Map([['', 1]]);
  /** @type {Map<string, number>} */
  const all = new Map();
  for (const [rest, ways] of throwsOf(dice - 1)) {
    for (let die = 1; die <= SIDES; die += 1) {
      const sorted = [...rest, String(die)].sort().reverse().join('');
      all.set(sorted, (all.get(sorted) ?? 0) + ways);
    }
  }
  return all;
}

/** @type {Map<string, number[]>} */
const counted = new Map();

/** In how many of the throws of so many dice the defender loses 0, 1, … armies. @param {number} attack @param {number} defence @returns {number[]} */
export function throwOdds(attack, defence) {
  const key = `${attack} ${defence}`;
  const before = counted.get(key);
  if (before) return before;
  const pairs = Math.min(attack, defence);
  const counts = Array.from({ length: pairs + 1 }, () => 0);
  for (const [red, ways] of throwsOf(attack)) {
    for (const [yellow, waysToo] of throwsOf(defence)) {
      counts[[...red].filter((die, n) => n < pairs && die > yellow[n]).length] += ways * waysToo;
    }
  }
  counted.set(key, counts);
  return counts;
}

/** @type {Map<number, number>} */
const known = new Map();
const place = (/** @type {number} */ attackers, /** @type {number} */ defenders) => attackers * 1000 + defenders;

/** The probability that `attackers` armies, the one that stays included, take a territory with `defenders`. @param {number} attackers @param {number} defenders @returns {number} */
export function conquest(attackers, defenders) {
  if (defenders < 1) return 1;
  if (attackers < 2) return 0;
  const scale = Math.max(attackers, defenders) / MOST_ARMIES;
  if (scale > 1) return conquest(Math.max(2, Math.round(attackers / scale)), Math.max(1, Math.round(defenders / scale)));
  for (let d = 1; d <= defenders; d += 1) {
    for (let a = 2; a <= attackers; a += 1) if (!known.has(place(a, d))) known.set(place(a, d), foughtOn(a, d));
  }
  return known.get(place(attackers, defenders)) ?? 0;
}

/** @param {number} attackers @param {number} defenders */
function foughtOn(attackers, defenders) {
  const odds = throwOdds(Math.min(MOST_DICE, attackers - 1), Math.min(MOST_DICE, defenders));
  const all = odds.reduce((sum, ways) => sum + ways, 0);
  const after = (/** @type {number} */ a, /** @type {number} */ d) => (d < 1 ? 1 : a < 2 ? 0 : known.get(place(a, d)) ?? 0);
  return odds.reduce((sum, ways, lost) => sum + (ways / all) * after(attackers - (odds.length - 1 - lost), defenders - lost), 0);
}

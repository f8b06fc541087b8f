/**
 * The map of War Online: which territories there are, where they lie, and their outlines, made from a small drawing in
 * letters. It knows no match, no rule and no DOM.
 * @import {Land} from './types.d.ts'
 */

/** Each letter is one six-sided cell; rows with odd numbers lie half a cell to the right. Drawn for this project. */
const DRAWING = `
............GGGGGG................ww......
...mmmmmmm..GGGGGGG............uuuwwww.VV.
aaaammmmmmm..GGGGGG.......kkkkuuuuwwwwVVVV
aaammmmmmm...GGGGG...sss.kkkkkuuuuwwwwVVVV
aaaammmmmm....GGG...sss..kkkkkuuuuwwwVVVVV
aaavvvoooo...GGG...sssMMMMkkkkuuuuttttVVVV
.aavvvooooll.......ssMMMMkkkkkuuuttttVVVV.
..vvvvoooolll.iiii.ssMMMMMkkkkuuggttttVVV.
..vvvvoooolll.iiii..sMMMMMkkkkggggtttVVV..
..ccccnnnlll..iii....MMMMMkkkggggHHttVV.jj
..ccccnnnnn.........MMMMMrrrkgggHHHHHV..jj
..cccccnnn.eeee..ddppMMMMrrrHHHHHHHHHV.jjj
...ccccnnn.eeeee.dddppMMrrrrrHHHHHHHH..jj.
...xxxxnnn.eeee..ddddpphhrrrrHHHHHHHH..jjj
....xxxx........ffdddpphhhrrIIIHHHHHH..jj.
....xxxx.......ffffdppphhhhrIIIIHHHTTT....
.....xxxx......fffffpp.hhhhhIIIITTTTT.....
.......CCCC....ffff.....hhhhIIIITTTTT.....
.......CCCCC....ff..EEE.hhhhhIIIITTT......
......bCCCCBB......EEEEEhhhh.IIII.TT.zzz..
......bbbCBBBB..RRRREEEE.hhh..III....zzzz.
......bbbbBBBB..RRRREEEE.hhh........zzzzz.
......bbbbBBBBB.RRRRRSSSS....yyyy...zzz...
.......bbBBBBB.RRRRRRSSSSS....yyyy.....NN.
.......bABBBBB..RRKKKSSSSS.....yyyy...NNNN
........AAABBB.....KKKSSSS.....yyyy...NNNN
........AAABBB.....KKKKSSS..DDD........NN.
........AAAA........KKKZZSS.DDD...WWWW....
........AAAA........ZZZZZ...DDD..WWWWWWWW.
.........AAA........ZZZZZ...DDD..WWWWWWWWW
.........AA..........ZZZ....DD...WWWWWWWWW
..........AA.........ZZ...........WW..WWW.`.trim().split('\n');

/** A continent, its armies (TABLE I), and its territories: letter, name, sign on its card. The order is the server's. */
const CONTINENT_ROWS = `
na 5 a:alaska:triangle m:mackenzie:circle G:groenlandia:circle v:vancouver:triangle o:ottawa:circle l:labrador:square c:california:square n:novayork:triangle x:mexico:square
sa 2 C:colombia:triangle b:bolivia:triangle B:brasil:circle A:argentina:square
eu 5 i:islandia:triangle e:inglaterra:circle s:suecia:circle M:moscou:triangle d:alemanha:circle f:franca:square p:polonia:square
af 3 R:argelia:circle E:egito:triangle S:sudao:square K:congo:square Z:africadosul:triangle D:madagascar:circle
as 7 h:orientemedio:square r:aral:triangle k:omsk:square u:dudinka:circle w:siberia:triangle t:tchita:triangle g:mongolia:circle V:vladivostok:circle H:china:circle I:india:square j:japao:square T:vietna:triangle
oc 2 y:sumatra:square z:borneo:square N:novaguine:circle W:australia:triangle`.trim().split('\n').map((row) => row.split(' '));

/** Borders across the water. The first one leads around the world. */
const SEA = `alaska-vladivostok mackenzie-groenlandia groenlandia-islandia groenlandia-labrador brasil-argelia islandia-inglaterra
inglaterra-alemanha inglaterra-franca inglaterra-suecia franca-argelia franca-egito polonia-egito sudao-madagascar
africadosul-madagascar vladivostok-japao china-japao india-sumatra vietna-borneo sumatra-australia borneo-australia
borneo-novaguine novaguine-australia`.split(/\s+/).map((pair) => pair.split('-'));

const WIDE = 24;
const SIDE = WIDE / Math.sqrt(3);
const MARGIN = 14;
/** Room below the land for a name. */
const CAPTION = 14;
export const SIZE = { width: 42.5 * WIDE + 2 * MARGIN, height: (DRAWING.length * 1.5 + 0.5) * SIDE + 2 * MARGIN + CAPTION };

/** TABLE I, in the server's order of continents. */
export const CONTINENTS = CONTINENT_ROWS.map(([id, bonus, ...lands]) => ({ id, bonus: Number(bonus), lands: lands.map((land) => land.split(':')[1]) }));
const FACTS = CONTINENT_ROWS.flatMap(([continent, , ...lands]) => lands.map((land) => [continent, ...land.split(':')]));
/** Every territory in the order in which the server lists owners and armies. */
export const LANDS = FACTS.map(([, , id]) => id);
/** The sign on each territory's card. @type {{[id: string]: string}} */
export const SIGNS = Object.fromEntries(FACTS.map(([, , id, sign]) => [id, sign]));
const OF = Object.fromEntries(FACTS.map(([, letter, id]) => [letter, id]));
/** @type {{[id: string]: string}} */
export const CONTINENT_OF = Object.fromEntries(FACTS.map(([continent, , id]) => [id, continent]));

/** @typedef {{row: number, column: number}} Cell */

const at = (/** @type {number} */ row, /** @type {number} */ column) => OF[DRAWING[row]?.[column] ?? '.'] ?? '';

/** The middle of a cell. @param {Cell} cell */
const middle = ({ row, column }) => ({ x: MARGIN + (column + (row % 2 ? 1 : 0.5)) * WIDE, y: MARGIN + (row * 1.5 + 1) * SIDE });

/** What lies beyond a cell's six sides, clockwise from the upper right one. @param {Cell} cell @returns {Cell[]} */
function around({ row, column }) {
  const left = row % 2 ? column : column - 1;
  return [[-1, left + 1], [0, column + 1], [1, left + 1], [1, left], [0, column - 1], [-1, left]]
    .map(([by, there]) => ({ row: row + by, column: there }));
}

/** A cell's six corners, clockwise from the topmost. @param {Cell} cell */
function corners(cell) {
  const { x, y } = middle(cell);
  return [0, 1, 2, 3, 4, 5].map((n) => ({ x: x + SIDE * Math.sin((n * Math.PI) / 3), y: y - SIDE * Math.cos((n * Math.PI) / 3) }));
}

/** @typedef {{x: number, y: number}} Point */

const name = (/** @type {Point} */ { x, y }) => `${Math.round(x)},${Math.round(y)}`;

/** Every stretch of the outlines of what `owner` tells apart: whose it is, and both its ends. @param {(id: string) => string} owner */
function stretches(owner) {
  /** @type {{of: string, from: Point, to: Point}[]} */
  const found = [];
  for (const cell of CELLS) {
    const of = owner(cell.id);
    const round = corners(cell);
    around(cell).forEach(({ row, column }, n) => {
      const beyond = at(row, column);
      if (!beyond || owner(beyond) !== of) found.push({ of, from: round[n], to: round[(n + 1) % 6] });
    });
  }
  return found;
}

const CELLS = DRAWING.flatMap((line, row) => [...line].flatMap((_, column) => (at(row, column) ? [{ row, column, id: at(row, column) }] : [])));

/** Where each corner of an outline goes when the outlines are smoothed: towards the corners next to it, twice. */
function smoothed() {
  /** @type {Map<string, {place: Point, next: Set<string>}>} */
  const net = new Map();
  for (const { from, to } of stretches((id) => id)) {
    for (const [one, other] of [[from, to], [to, from]]) {
      const known = net.get(name(one)) ?? { place: one, next: new Set() };
      known.next.add(name(other));
      net.set(name(one), known);
    }
  }
  for (let pass = 0; pass < 2; pass += 1) {
    const before = new Map([...net].map(([key, { place }]) => [key, place]));
    for (const corner of net.values()) {
      const beside = [...corner.next].map((key) => /** @type {Point} */ (before.get(key)));
      const mean = (/** @type {'x' | 'y'} */ axis) => beside.reduce((sum, point) => sum + point[axis], 0) / beside.length;
      corner.place = { x: (corner.place.x + mean('x')) / 2, y: (corner.place.y + mean('y')) / 2 };
    }
  }
  return net;
}

/** @type {ReturnType<typeof smoothed> | undefined} */
let NET;

/** Outlines as SVG path data, rounded between smoothed corners; two that meet share every curve. @param {(id: string) => string} owner @returns {{[id: string]: string}} */
function outlines(owner) {
  const net = NET ??= smoothed();
  const place = (/** @type {Point} */ corner) => /** @type {Point} */ (net.get(name(corner))?.place);
  const fixed = (/** @type {Point} */ corner) => (net.get(name(corner))?.next.size ?? 0) > 2;
  const text = ({ x = 0, y = 0 }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  /** @type {{[id: string]: string}} */
  const paths = {};
  const all = stretches(owner);
  const next = new Map(all.map((stretch) => [`${stretch.of} ${name(stretch.from)}`, stretch]));
  for (const start of all) {
    if (!next.has(`${start.of} ${name(start.from)}`)) continue;
    let path = '';
    let here = start;
    do {
      next.delete(`${here.of} ${name(here.from)}`);
      const [a, b] = [place(here.from), place(here.to)];
      const half = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
      path += path ? `${fixed(here.from) ? `L${text(a)}L` : `Q${text(a)} `}${text(half)}` : `M${text(half)}`;
      here = next.get(`${here.of} ${name(here.to)}`) ?? start;
    } while (here !== start);
    const [a, b] = [place(start.from), place(start.to)];
    path += `${fixed(start.from) ? `L${text(a)}L` : `Q${text(a)} `}${text({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })}Z`;
    paths[start.of] = (paths[start.of] ?? '') + path;
  }
  return paths;
}

/** The roomiest place of a territory: as far from its edge as may be, and as near its middle. @param {string} id @returns {Point} */
function roomiest(id) {
  const cells = CELLS.filter((cell) => cell.id === id);
  const own = cells.map(middle);
  const beyond = cells.flatMap(around).filter(({ row, column }) => at(row, column) !== id).map(middle);
  const away = (/** @type {Point} */ a, /** @type {Point} */ b) => Math.hypot(a.x - b.x, a.y - b.y);
  const mean = { x: own.reduce((sum, { x }) => sum + x, 0) / own.length, y: own.reduce((sum, { y }) => sum + y, 0) / own.length };
  const halves = own.flatMap((a) => own.filter((b) => away(a, b) < WIDE * 1.1).map((b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })));
  const room = (/** @type {Point} */ spot) => Math.min(...beyond.map((other) => away(spot, other))) - away(spot, mean) * 0.3;
  return [...own, ...halves].reduce((best, spot) => (room(spot) > room(best) ? spot : best), mean);
}

/** The shortest way across the water between two territories. @param {string} a @param {string} b @returns {[Point, Point]} */
function crossing(a, b) {
  const [from, to] = [a, b].map((id) => CELLS.filter((cell) => cell.id === id).map(middle));
  const ways = from.flatMap((one) => to.map((other) => /** @type {[Point, Point]} */ ([one, other])));
  const length = (/** @type {[Point, Point]} */ [one, other]) => Math.hypot(one.x - other.x, one.y - other.y);
  return ways.reduce((best, way) => (length(way) < length(best) ? way : best));
}

/** Every territory: its outline, the place for its number, its neighbours. @returns {{[id: string]: Land}} */
export function lands() {
  const paths = outlines((id) => id);
  /** @type {{[id: string]: Set<string>}} */
  const beside = Object.fromEntries(LANDS.map((id) => [id, new Set()]));
  for (const cell of CELLS) {
    for (const { row, column } of around(cell)) if (at(row, column) && at(row, column) !== cell.id) beside[cell.id].add(at(row, column));
  }
  for (const [a, b] of SEA) beside[a].add(b) && beside[b].add(a);
  return Object.fromEntries(LANDS.map((id) => [id, { id, continent: CONTINENT_OF[id], path: paths[id], ...roomiest(id), beside: [...beside[id]] }]));
}

/** The outlines of the continents, by id. */
export const coasts = () => outlines((id) => CONTINENT_OF[id]);

/** The ways across the water; the one around the world leaves the sheet on both sides. @returns {[Point, Point][]} */
export function crossings() {
  const [[east, west], ...rest] = SEA;
  const shore = (/** @type {string} */ id, /** @type {number} */ to) => {
    const spot = CELLS.filter((cell) => cell.id === id).map(middle).reduce((best, cell) => (Math.abs(cell.x - to) < Math.abs(best.x - to) ? cell : best));
    return /** @type {[Point, Point]} */ ([spot, { x: to, y: spot.y }]);
  };
  return [shore(east, 0), shore(west, SIZE.width), ...rest.map(([a, b]) => crossing(a, b))];
}

/** How far it is from one place to another to the right and down; between Alaska and Vladivostok around the world. @param {Land} from @param {Land} to @returns {Point} */
export function way(from, to) {
  const x = to.x - from.x;
  const around = from.beside.includes(to.id) && Math.abs(x) > SIZE.width / 2;
  return { x: around ? x - Math.sign(x) * SIZE.width : x, y: to.y - from.y };
}

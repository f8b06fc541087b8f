/**
 * The board of War Online as a drawing one can press, move and zoom: 42 territories, each a button with a name. It shows
 * what it is given and says which territory was meant; it knows no match.
 * @import {Land, Mark} from './types.d.ts'
 */
import { CONTINENTS, LANDS, SIZE, coasts, crossings, lands, way } from './online_map.js';

const SVG = 'http://www.w3.org/2000/svg';
const NEAREST = 5;
const STEP = 1.5;
/** Pixels a finger may slip and still press. */
const SLIP = 8;
/** From this many pixels a unit on, names have room. */
const NAMES_FROM = 0.62;
/** Where a continent's name stands: in the water beside it. @type {{[id: string]: [number, number]}} */
const CAPTIONS = { na: [94, 395], sa: [110, 545], eu: [326, 345], af: [420, 600], as: [985, 390], oc: [905, 702] };
/** Where the arrow keys go, right and down. @type {{[key: string]: [number, number]}} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {string} name @param {{[attribute: string]: string | number}} attributes @param {(Node | string)[]} inside */
function svg(name, attributes, ...inside) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...inside);
  return node;
}

/** The territory to which an arrow key leads: the neighbour that lies most in that direction, else whatever does. @param {{[id: string]: Land}} all @param {string} from @param {string} key */
export function beyond(all, from, key) {
  const [right, down] = ARROWS[key];
  const here = all[from];
  const apart = (/** @type {string} */ id) => {
    const { x, y } = way(here, all[id]);
    const [along, aside] = [x * right + y * down, Math.abs(x * down) + Math.abs(y * right)];
    return along > 0 && aside <= along * 1.3 ? along + aside * 1.5 : Infinity;
  };
  const nearest = (/** @type {string[]} */ ids) => ids.reduce((best, id) => (apart(id) < (best ? apart(best) : Infinity) ? id : best), '');
  return nearest(here.beside) || nearest(LANDS.filter((id) => id !== from)) || from;
}

/** Stripes for what is mine, dots for what is theirs: an owner shows without its colour too. */
function patterns() {
  const pattern = (/** @type {string} */ id, /** @type {number} */ size, /** @type {Node[]} */ ...inside) => svg('pattern', { id: `land-${id}`, width: size, height: size, patternUnits: 'userSpaceOnUse' },
    svg('rect', { width: size, height: size, class: `ground-${id}` }), ...inside);
  return svg('defs', {},
    pattern('me', 9, svg('path', { d: 'M-2 2 2-2M0 9 9 0M7 11 11 7', class: 'print-me' })),
    pattern('them', 11, svg('circle', { cx: 3, cy: 3, r: 1.9, class: 'print-them' }), svg('circle', { cx: 8.5, cy: 8.5, r: 1.9, class: 'print-them' })));
}

/**
 * @param {SVGSVGElement} root
 * @param {{pressed: (id: string) => void, name: (id: string) => string, continent: (id: string, bonus: number) => string, zoomed: (near: boolean) => void}} page
 */
export function createBoard(root, page) {
  const all = lands();
  /** @type {Map<string, {node: SVGElement, count: SVGElement, name: SVGElement, more: SVGElement, last: string}>} */
  const shown = new Map();
  let focus = LANDS[0];
  let seen = { x: 0, y: 0, width: SIZE.width, height: SIZE.height };
  /** What was pressed last, or is chosen: there the buttons zoom to. */
  let chosen = '';

  root.append(patterns(), svg('g', { class: 'sea', 'aria-hidden': 'true' },
    ...crossings().map(([a, b]) => svg('path', { d: `M${a.x} ${a.y}L${b.x} ${b.y}` }))));
  const captions = CONTINENTS.map(({ id, bonus }) => ({ id, bonus, node: svg('text', { x: CAPTIONS[id][0], y: CAPTIONS[id][1], class: 'caption', 'aria-hidden': 'true' }) }));
  root.append(...captions.map(({ node }) => node));
  for (const land of Object.values(all)) root.append(drawn(land));
  root.append(svg('g', { class: 'coasts', 'aria-hidden': 'true' }, ...Object.values(coasts()).map((d) => svg('path', { d }))));
  /** What is lit or has the focus, drawn above every coast. */
  const edges = new Map(Object.values(all).map(({ id, path }) => [id, svg('path', { d: path, class: 'edge', 'data-lit': '' })]));
  const arrow = svg('path', { class: 'arrow', 'aria-hidden': 'true' });
  root.append(svg('g', { 'aria-hidden': 'true' }, ...edges.values()), arrow, ...[...shown.values()].map(({ count, name, more }) => svg('g', { class: 'words', 'aria-hidden': 'true' }, name, count, more)));

  /** @param {Land} land */
  function drawn({ id, path, x, y }) {
    const node = svg('g', { class: 'land', role: 'button', tabindex: id === focus ? 0 : -1, 'data-land': id }, svg('path', { d: path }));
    const [count, name, more] = [svg('text', { x, y: y + 3, class: 'count' }), svg('text', { x, y: y + 21, class: 'name' }), svg('text', { x: x + 15, y: y - 12, class: 'more' })];
    shown.set(id, { node, count, name, more, last: '' });
    return node;
  }

  /** The words of the present language. */
  function speak() {
    for (const { id, bonus, node } of captions) node.textContent = page.continent(id, bonus);
    for (const [id, { name }] of shown) name.textContent = page.name(id);
  }

  /** @param {{[id: string]: Mark}} marks @param {string} from @param {string} to the attack or move that is being made up @param {string} step */
  function show(marks, from, to, step) {
    root.dataset.step = step;
    for (const [id, mark] of Object.entries(marks)) {
      const one = /** @type {NonNullable<ReturnType<typeof shown.get>>} */ (shown.get(id));
      const now = JSON.stringify(mark);
      if (one.last === now) continue;
      one.last = now;
      one.node.dataset.owner = mark.owner;
      one.node.dataset.lit = mark.lit;
      /** @type {SVGElement} */ (edges.get(id)).dataset.lit = mark.lit;
      one.node.setAttribute('aria-label', mark.label);
      one.node.setAttribute('aria-disabled', String(!mark.lit));
      one.count.textContent = mark.armies ? String(mark.armies) : '';
      one.count.dataset.owner = mark.owner;
      one.more.textContent = mark.more ? `+${mark.more}` : '';
      one.more.setAttribute('x', String(all[id].x + 4 + 10 * one.count.textContent.length)); // beside the number, not over it
    }
    chosen = to || from || chosen;
    const [a, b] = [all[from], all[to]];
    const leads = a && b ? way(a, b) : null;
    arrow.setAttribute('d', leads ? `M${a.x} ${a.y}l${leads.x} ${leads.y}` : '');
  }

  /** Where on the map a point of the window is. @param {number} x @param {number} y */
  function onMap(x, y) {
    const matrix = root.getScreenCTM()?.inverse() ?? new DOMMatrix();
    return new DOMPoint(x, y).matrixTransform(matrix);
  }

  /** How high the room for the map is for its width, and how much of the map's width the whole of it takes. */
  const tall = () => (root.clientHeight || 2) / (root.clientWidth || 3);
  const whole = () => Math.max(SIZE.width, SIZE.height / tall());
  /** Keeps a stretch inside the map, or in the middle where it is longer. @param {number} from @param {number} length @param {number} size */
  const inside = (from, length, size) => (length >= size ? (size - length) / 2 : Math.min(size - length, Math.max(0, from)));

  /** @param {number} x @param {number} y @param {number} width */
  function look(x, y, width) {
    const wide = Math.min(whole(), Math.max(SIZE.width / NEAREST, width));
    const high = wide * tall();
    seen = { x: inside(x, wide, SIZE.width), y: inside(y, high, SIZE.height), width: wide, height: high };
    root.setAttribute('viewBox', `${seen.x} ${seen.y} ${wide} ${high}`);
    root.toggleAttribute('data-zoomed', wide < whole());
    root.toggleAttribute('data-near', (root.clientWidth || 1) / wide >= NAMES_FROM);
    page.zoomed(wide < whole());
  }

  /** Zooms about a point of the map. @param {number} by @param {{x: number, y: number}} [about] */
  function zoom(by, about = { x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 }) {
    const width = Math.min(whole(), Math.max(SIZE.width / NEAREST, seen.width / by));
    const share = width / seen.width;
    look(about.x - (about.x - seen.x) * share, about.y - (about.y - seen.y) * share, width);
  }

  /** The room has changed: the whole stays whole, and what was in the middle stays there. */
  function resized() {
    const [x, y] = [seen.x + seen.width / 2, seen.y + seen.height / 2];
    const width = root.hasAttribute('data-zoomed') ? seen.width : whole();
    look(x - width / 2, y - (width * tall()) / 2, width);
  }

  /** Brings a territory into sight where it is not. @param {string} id */
  function reveal(id) {
    const { x, y } = all[id];
    const edge = seen.width / 8;
    if (x < seen.x + edge || x > seen.x + seen.width - edge || y < seen.y + edge || y > seen.y + seen.height - edge) {
      look(x - seen.width / 2, y - seen.height / 2, seen.width);
    }
  }

  /** Makes a territory the one that Tab leads to, and puts the focus there. @param {string} id @param {boolean} [take] */
  function goTo(id, take = true) {
    shown.get(focus)?.node.setAttribute('tabindex', '-1');
    focus = id;
    const node = shown.get(id)?.node;
    node?.setAttribute('tabindex', '0');
    if (!take) return;
    reveal(id);
    node?.focus({ preventScroll: true });
  }

  // ---- Hands.

  /** Fingers and buttons that are down. @type {Map<number, {x: number, y: number}>} */
  const down = new Map();
  let slipped = false;

  root.addEventListener('pointerdown', (event) => {
    if (event.button) return;
    if (!down.size) slipped = false;
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  addEventListener('pointermove', (event) => {
    const was = down.get(event.pointerId);
    if (!was) return;
    const now = { x: event.clientX, y: event.clientY };
    if (!slipped && Math.hypot(now.x - was.x, now.y - was.y) < SLIP && down.size < 2) return;
    slipped = true;
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const far = (/** @type {{x: number, y: number}} */ point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
      zoom(far(now) / far(was), onMap((now.x + other.x) / 2, (now.y + other.y) / 2));
    } else {
      const [a, b] = [onMap(was.x, was.y), onMap(now.x, now.y)];
      look(seen.x + a.x - b.x, seen.y + a.y - b.y, seen.width);
    }
    down.set(event.pointerId, now);
  });
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, (event) => down.delete(/** @type {PointerEvent} */ (event).pointerId));

  /** @param {Event} event */
  const landAt = (event) => /** @type {SVGElement | null} */ (/** @type {Element} */ (event.target).closest('[data-land]'))?.dataset.land;

  root.addEventListener('click', (event) => {
    const id = landAt(event);
    if (slipped && event.detail) { slipped = false; return; }
    if (!id) return;
    chosen = id;
    goTo(id);
    page.pressed(id);
  });
  for (const type of ['focusin', 'focusout']) {
    root.addEventListener(type, (event) => {
      const id = landAt(event);
      const edge = edges.get(id ?? '');
      edge?.toggleAttribute('data-focus', type === 'focusin' && Boolean(shown.get(id ?? '')?.node.matches(':focus-visible')));
      edge?.parentElement?.append(edge);
    });
  }
  root.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), onMap(event.clientX, event.clientY));
  }, { passive: false });
  root.addEventListener('keydown', (event) => {
    const id = landAt(event);
    if (!id || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in ARROWS) goTo(beyond(all, id, event.key));
    else if (event.key === 'Enter' || event.key === ' ') { if (!event.repeat) page.pressed(id); }
    else if (event.key === '+' || event.key === '=') zoom(STEP, all[id]);
    else if (event.key === '-') zoom(1 / STEP, all[id]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  new ResizeObserver(resized).observe(root);
  look(0, 0, whole());

  /** A step nearer to what is chosen, a step back, or the whole. @param {number} way */
  function press(way) {
    if (!way) return look(0, 0, whole());
    const width = seen.width / STEP ** way;
    const { x, y } = way > 0 && chosen ? all[chosen] : { x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 };
    look(x - width / 2, y - (width * tall()) / 2, width);
  }

  return { show, speak, goTo, zoom: press };
}

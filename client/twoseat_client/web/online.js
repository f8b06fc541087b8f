/**
 * War Online at the page's table: brings the board in, keeps what hands have chosen on it, and makes moves of it. What may
 * be done is what the server's list of legal moves says. Loaded with the first match of it.
 * @import {Board, Hands, Line, Look, Model, Say, View} from './types.d.ts'
 */
import { idled, me, playable } from './model.js';
import { createBoard } from './online_board.js';
import { offers, tradeOf } from './online_moves.js';
import { resultText, resultsView } from './online_results.js';
import { ROLL_MS, leftToPlace, marks, onTurn, shownView, total } from './online_view.js';
import { isNews, land, missed, played, seen, turned } from './online_words.js';
import { guardPresses } from './press.js';
import { bind, translate } from './words.js';

const KEPT_LINES = 60;
/** A second press so soon, with nothing done between, was meant for what the button said before. */
const SECOND_PRESS_MS = 500;

/** @typedef {{session: {model: Model, play: (move?: string) => boolean}, look: Look, say: Say, tell: (line: Line) => void, changed: () => void, still: () => boolean}} Page */

/** Puts the parts of online.html into the page. @returns {Promise<HTMLElement[]>} */
async function furnish() {
  const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/web/online.css' });
  const [text] = await Promise.all([
    fetch('/web/online.html').then((answer) => answer.text()),
    new Promise((done) => { style.onload = style.onerror = done; document.head.append(style); }),
  ]);
  return [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('template')].map((template) => {
    const part = /** @type {HTMLElement} */ (document.importNode(/** @type {Element} */ (template.content.firstElementChild), true));
    document.querySelector(template.dataset.into ?? '')?.insertAdjacentElement(/** @type {InsertPosition} */ (template.dataset.place), part);
    return part;
  });
}

/** @param {Page} page @returns {Promise<{board: Board, write: (view: View) => void}>} */
export async function createOnline({ session, look, say, tell, changed, still }) {
  const parts = await furnish();
  guardPresses(document);
  const button = /** @type {HTMLElement} */ (document.querySelector('#draw'));
  const map = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.querySelector('#map')));
  const explain = (/** @type {ParentNode} */ row) => translate(row, say, 0);
  const writers = parts.map((part) => bind(part, () => new Text(), explain));
  let zoomed = false;
  /** The model the board shows last. @type {Model} */
  let before = session.model;
  let pressedAt = -SECOND_PRESS_MS;
  /** @type {Hands} */
  const hands = { from: '', to: '', count: 1, cards: [], objective: false, waiting: [], undos: 0, log: [], dice: null, before: null };
  const board = createBoard(map, {
    pressed, name: (id) => say(land(id)), continent: (id, bonus) => `${say([`word.continent.${id}`])} +${bonus}`,
    zoomed: (on) => { if (on !== zoomed) { zoomed = on; changed(); } },
  });

  const open = () => offers(session.model.state?.legal[me(session.model)] ?? []);

  /** Makes a move that has been put together. @param {string} move */
  function play(move) {
    if (session.play(move)) changed();
  }

  /** Sends armies clicked onto the map, as soon as the server has answered for those before. */
  function pump() {
    if (!playable(session.model)) return;
    if (hands.undos) {
      hands.undos -= 1;
      session.play('undo');
      return pump();
    }
    const first = hands.waiting.shift();
    if (!first) return;
    const count = Math.min(first.count, open().place.get(first.target) ?? 0);
    if (count) session.play(`place ${first.target} ${count}`);
    pump();
  }

  /** @param {string} target @param {number} count */
  function put(target, count) {
    const left = total(leftToPlace(session.model, hands));
    if (left <= 0) return;
    const last = hands.waiting.at(-1);
    if (last?.target === target) last.count += Math.min(count, left);
    else hands.waiting.push({ target, count: Math.min(count, left) });
    pump();
  }

  /** Takes the last placing back: one that waits, or the one on its way once it has arrived. */
  function undo() {
    if (!hands.waiting.pop() && session.model.pending) hands.undos += 1;
    else if (!session.model.pending) session.play('undo');
    changed();
    paint();
  }

  /** A territory was pressed. @param {string} id */
  function pressed(id) {
    const { model } = session;
    if (idled(model)) return button.click();
    const shown = marks(model, hands, open(), say)[id];
    if (!shown.lit) tell([shown.label]);
    if (!onTurn(model)) return;
    const { step } = seen(model);
    const may = open();
    pressedAt = -SECOND_PRESS_MS;
    if (step === 'place') {
      if (!may.place.has(id)) return;
      hands.from = id;
      put(id, 1);
    } else if (step === 'attack' || step === 'move') {
      const ways = step === 'attack' ? may.attack : may.move;
      if (hands.from && ways.get(hands.from)?.has(id)) aim(id, step, ways.get(hands.from)?.get(id) ?? 1);
      else Object.assign(hands, { from: ways.has(id) && id !== hands.from ? id : '', to: '' });
    }
    changed();
    paint();
  }

  /** A target was pressed; pressed again, it is attacked. @param {string} id @param {string} step @param {number} most */
  function aim(id, step, most) {
    if (id === hands.to && step === 'attack') return play(`attack ${hands.from} ${id}`);
    Object.assign(hands, { to: id, count: step === 'attack' ? 1 : most });
  }

  /** Forgets choices that the newest state no longer offers. */
  function tidy() {
    const { step, to_place: reserve } = seen(session.model);
    const may = open();
    const was = seen(before);
    if (step === 'place' || step === 'advance' || !onTurn(session.model)) hands.to = '';
    if (step !== 'place' || !total(reserve)) hands.waiting = [];
    if (!onTurn(session.model)) hands.undos = 0;
    if (session.model.pending) return;
    if (step === 'place') hands.from = may.place.has(hands.from) ? hands.from : '';
    if (step === 'attack' || step === 'move') {
      const ways = step === 'attack' ? may.attack : may.move;
      if (was?.step !== step && was?.step !== 'advance') Object.assign(hands, { from: '', to: '' });
      if (!ways.get(hands.from)?.has(hands.to)) {
        const on = hands.to && ways.has(hands.to) ? hands.to : was?.step === 'advance' && was.advance && ways.has(was.advance.target) ? was.advance.target : hands.from;
        Object.assign(hands, { from: ways.has(on) ? on : '', to: '' });
      }
      const most = ways.get(hands.from)?.get(hands.to) ?? 1;
      hands.count = Math.min(hands.count, most);
    }
    if (seen(session.model).cards.length !== seen(before)?.cards?.length) hands.cards = [];
  }

  function paint() {
    const { model } = session;
    if (!model.state) return;
    const { advance, step } = seen(model);
    board.show(marks(model, hands, open(), say), advance?.source ?? hands.from, advance?.target ?? hands.to, step);
  }

  /** New dice: they roll first, and the map waits for them. @param {Model} model */
  function roll(model) {
    const { last } = seen(model);
    if (!last?.throws.length || !before.state) return;
    hands.dice = { deed: last, at: performance.now() };
    if (still()) return;
    hands.before ??= { owners: seen(before).owners, armies: seen(before).armies };
    setTimeout(() => { hands.before = null; changed(); queueMicrotask(paint); }, ROLL_MS); // the dice first
  }

  /** @param {Model} model */
  function show(model) {
    if (!model.state) { before = model; return; }
    if (model.seated?.match !== before.seated?.match) {
      Object.assign(hands, { from: '', to: '', cards: [], objective: false, waiting: [], undos: 0, log: [], dice: null, before: null });
    } else if (isNews(before, model)) roll(model);
    tidy();
    before = model;
    pump();
    paint();
  }

  /** @param {(a: Model, b: Model) => Line[]} tell @returns {(a: Model, b: Model) => Line[]} what was told is kept for the sheet */
  const keeping = (tell) => (a, b) => {
    const said = tell(a, b);
    hands.log = [...hands.log, ...said].slice(-KEPT_LINES);
    return said;
  };

  /** The words for the map, anew. */
  function speak() {
    for (const part of parts) translate(part, say, 0);
    board.speak();
    paint();
  }

  /** The big button. */
  function press() {
    const { words } = open();
    const { step } = seen(session.model);
    if (performance.now() - pressedAt < SECOND_PRESS_MS) return;
    const move = step === 'attack' ? 'done' : step === 'opening' ? 'play' : 'end';
    if (!words.has(move)) return;
    pressedAt = performance.now();
    play(move);
  }

  /** Shows where the cards lie that can be traded. */
  function callCards() {
    const cards = document.querySelector('#side .hand');
    cards?.scrollIntoView({ block: 'center' });
    cards?.setAttribute('data-called', '');
    /** @type {HTMLElement | null | undefined} */ (cards?.querySelector('[data-do=card]'))?.focus({ preventScroll: true });
    cards?.addEventListener('focusout', () => cards.removeAttribute('data-called'), { once: true });
  }

  /** What each thing with data-do does here. @type {{[name: string]: (node: HTMLElement) => void}} */
  const deeds = {
    zoom: ({ dataset }) => board.zoom(Number(dataset.by)),
    undo,
    placeAll: () => put(hands.from, open().place.get(hands.from) ?? 0),
    attackOnce: () => play(`attack ${hands.from} ${hands.to}`),
    attackUntil: () => play(`attack ${hands.from} ${hands.to} until ${hands.count}`),
    advance: ({ dataset }) => play(`advance ${dataset.n}`),
    move: () => play(`move ${hands.from} ${hands.to} ${hands.count}`),
    moveAll: () => { hands.count = open().move.get(hands.from)?.get(hands.to) ?? 1; },
    count: ({ dataset }) => {
      const ways = seen(session.model).step === 'attack' ? open().attack : open().move;
      hands.count = Math.max(1, Math.min(ways.get(hands.from)?.get(hands.to) ?? 1, hands.count + Number(dataset.by)));
    },
    endTurn: () => play('end'),
    objective: () => { hands.objective = !hands.objective; },
    card: ({ dataset }) => {
      const n = Number(dataset.n);
      hands.cards = hands.cards.includes(n) ? hands.cards.filter((one) => one !== n) : [...hands.cards, n].slice(-3);
    },
    trade: () => {
      const cards = tradeOf(open(), hands.cards.map((n) => seen(session.model).cards[n]));
      if (cards) play(`trade ${cards.join(' ')}`);
    },
    hand: () => {
      /** @type {HTMLElement | null} */ (document.querySelector('.act [data-do=rounds]'))?.click();
      requestAnimationFrame(callCards);
    },
  };

  map.addEventListener('keydown', ({ key, repeat }) => {
    if (repeat || !look.prefs.keys || !onTurn(session.model)) return;
    if (/^[1-9]$/.test(key) && Number(key) <= open().advance) play(`advance ${key}`);
    else if (key === 'u' && hands.to && seen(session.model).step === 'attack') play(`attack ${hands.from} ${hands.to} until ${hands.count}`);
    else if (key === 'Backspace') undo();
  });

  return {
    board: {
      view: (m, _say, now) => ({ ...shownView(m, hands, open(), look, say, now), ...resultsView(m, look, say, now), zoomed }),
      played: keeping(played), turned: keeping(turned), recap: missed, show, press, speak, deeds, text: (m) => resultText(m, say),
    },
    write: (view) => { for (const write of writers) write(view); },
  };
}

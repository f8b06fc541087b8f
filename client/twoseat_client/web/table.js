/**
 * The cards on the table: their faces, how they fly, turn and are collected, and the few sounds they make. It shows what
 * became of a round and never decides it.
 * @import {Model, Pair, Round, Seat} from './types.d.ts'
 */
import { left, me, them } from './model.js';

const SVG = 'http://www.w3.org/2000/svg';
const SEATS = /** @type {Seat[]} */ ([0, 1]);
const BUBBLE_MS = 1200;
/** With the next cards waiting already. */
const HASTE = 0.5;
/** Milliseconds at normal speed. */
const PACE = { draw: 220, turn: 180, slide: 180, sweep: 260, beat: 240, back: 160, count: 300 };
const EASE = 'cubic-bezier(.2, .7, .2, 1)';
const [L, C, R] = [34, 50, 66];
const ROWS = [29, 42.5, 49.5, 56.5, 70, 83.5, 90.5, 97.5, 111];
/** Where the pips of 2 to 10 sit: columns and rows of ROWS. @type {{[rank: string]: [number, number][]}} */
const PIPS = {
  2: [[C, 0], [C, 8]], 3: [[C, 0], [C, 4], [C, 8]], 4: [[L, 0], [R, 0], [L, 8], [R, 8]],
  5: [[L, 0], [R, 0], [C, 4], [L, 8], [R, 8]], 6: [[L, 0], [R, 0], [L, 4], [R, 4], [L, 8], [R, 8]],
  7: [[L, 0], [R, 0], [C, 2], [L, 4], [R, 4], [L, 8], [R, 8]],
  8: [[L, 0], [R, 0], [C, 2], [L, 4], [R, 4], [C, 6], [L, 8], [R, 8]],
  9: [[L, 0], [R, 0], [L, 3], [R, 3], [C, 4], [L, 5], [R, 5], [L, 8], [R, 8]],
  10: [[L, 0], [R, 0], [C, 1], [L, 3], [R, 3], [L, 5], [R, 5], [C, 7], [L, 8], [R, 8]],
};

/** @param {string} name @param {{[attribute: string]: string | number}} attributes @param {(Node | string)[]} inside */
function svg(name, attributes, ...inside) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...inside);
  return node;
}

/** A suit or crest of `size` with its middle at x, y. @param {string} id @param {number} x @param {number} y @param {number} size @param {number} [tall] */
const mark = (id, x, y, size, tall = size) => svg('use', { href: `#${id}`, x: x - size / 2, y: y - tall / 2, width: size, height: tall });

/** Draws a card's face, 100 by 140. @param {string} card such as 10S or QH */
export function face(card) {
  const [rank, suit] = [card.slice(0, -1), `suit-${card.slice(-1)}`];
  const corner = () => [svg('text', { x: 14, y: 27, class: rank === '10' ? 'rank ten' : 'rank' }, rank), mark(suit, 14, 40, 15)];
  const middle = rank === 'A' ? [mark(suit, C, 70, 52)] : PIPS[rank]
    ? PIPS[rank].map(([x, row]) => (row > 4 ? turned([mark(suit, 100 - x, 140 - ROWS[row], 17)]) : mark(suit, x, ROWS[row], 17)))
    : court(rank, suit);
  return svg('svg', { viewBox: '0 0 100 140', class: `print ${suit}`, 'aria-hidden': 'true' }, ...middle, ...corner(), turned(corner()));
}

/** @param {Node[]} nodes upside down, as half of every card is */
const turned = (nodes) => svg('g', { transform: 'rotate(180 50 70)' }, ...nodes);

/** Jack, queen and king: a framed crest, the same from both ends. @param {string} rank @param {string} suit */
function court(rank, suit) {
  const half = () => [mark(`crest-${rank}`, C, 47, 36, 24), mark(suit, 35.5, 27.5, 11)];
  return [svg('rect', { x: 27, y: 19, width: 46, height: 102, rx: 5, class: 'frame' }), svg('path', { d: 'M27 82 73 58', class: 'frame' }),
    ...half(), turned(half())];
}

/** Writes a number, which runs there from the one before where things move. @param {HTMLElement} node @param {() => number} speed */
export function counted(node, speed) {
  let run = 0;
  return (/** @type {number | undefined} */ value) => {
    const [mine, from, began, ms] = [run += 1, Number(node.textContent), performance.now(), node.textContent ? PACE.count * speed() : 0];
    const step = () => {
      if (mine !== run) return;
      const part = ms ? Math.min(1, (performance.now() - began) / ms) : 1; // a frame's own time may lie before `began`
      node.textContent = value === undefined ? '' : String(Math.round(from + (value - from) * part));
      if (part < 1) requestAnimationFrame(step);
    };
    step();
  };
}

/** Thrown out of a performance that a newer one, or a person's hurry, has put an end to: none of its steps goes on. */
const OVERTAKEN = Symbol('overtaken');

/**
 * @param {HTMLElement} root the table
 * @param {{speed: () => number, word: (wars: number) => string, name: (card: string) => string, sound: () => boolean,
 *   shown: (model: Model) => void}} page `speed` multiplies times, 0 is no motion; `shown` hears when a model's cards are on show
 */
export function createTable(root, page) {
  const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (root.querySelector(`#${id}`));
  const ground = at('ground');
  /** Counts performances; an older one that awakes sees that it is over. */
  let run = 0;
  let busy = false;
  /** @type {Model | null} */
  let shown = null;
  /** @type {Model | null} */
  let next = null;
  /** What the present performance leads to. @type {Model | null} */
  let aim = null;
  let bubbles = 0;

  const side = (/** @type {Model} */ m, /** @type {Seat} */ seat) => (seat === me(m) ? 'me' : 'them');
  const slot = (/** @type {Model} */ m, /** @type {Seat} */ seat) => at(`slot-${side(m, seat)}`);

  /** Shows a model's cards, in motion where they differ from those shown. @param {Model} model */
  function show(model) {
    if (!shown || shown.seated?.match !== model.seated?.match || !page.speed()) {
      const wars = shown && model.rounds.length - shown.rounds.length === 1 ? model.rounds[model.rounds.length - 1].wars : 0;
      settle(model);
      if (wars) bubble(wars);
      return;
    }
    next = model;
    if (!busy) void perform(shown, model);
  }

  /** Ends all motion: the newest cards are on show. */
  function hurry() {
    if (busy && next) settle(next);
  }

  /** Puts a model's cards on the table as they lie. @param {Model} model */
  function settle(model) {
    run += 1;
    busy = false;
    next = null;
    shown = model;
    for (const animation of root.getAnimations({ subtree: true })) if (animation.id === 'card') animation.cancel();
    ground.querySelectorAll('.cover, .ghost').forEach((copy) => copy.remove());
    ground.classList.remove('war');
    const seen = model.state?.view;
    const last = model.rounds[model.rounds.length - 1];
    const drawing = !seen || seen.drawn[0] || seen.drawn[1];
    const pair = drawing ? undefined : seen.pairs[seen.pairs.length - 1];
    for (const seat of SEATS) {
      lay(slot(model, seat), pair ? pair[seat] : seen?.drawn[seat] ? 'down' : '');
      slot(model, seat).classList.toggle('won', Boolean(pair) && last?.winner === seat);
      slot(model, seat).classList.toggle('beaten', Boolean(pair) && last?.winner !== null && last?.winner !== seat);
    }
    pot(drawing ? seen?.pot ?? 0 : pair && last ? last.won : 0);
    const counts = seen?.counts ?? [26, 26];
    for (const seat of SEATS) at(`pile-${side(model, seat)}`).style.setProperty('--count', String(counts[seat]));
    ground.style.setProperty('--lead', String((counts[me(model)] - counts[them(model)]) / 52));
    page.shown(model);
  }

  /** @param {HTMLElement} place @param {string} card a name, `down`, or nothing */
  function lay(place, card) {
    if (place.dataset.card === card) return;
    place.dataset.card = card;
    place.replaceChildren();
    if (!card) return ['role', 'aria-label'].forEach((attribute) => place.removeAttribute(attribute));
    const front = document.createElement('div');
    front.className = 'face';
    if (card !== 'down') front.append(face(card));
    const back = document.createElement('div');
    back.className = `back ${place.classList.contains('me') ? 'me' : 'them'}`;
    const both = document.createElement('div');
    both.className = card === 'down' ? 'card down' : 'card';
    both.append(back, front);
    place.append(both);
    place.setAttribute('role', 'img');
    place.setAttribute('aria-label', page.name(card));
  }

  /** @param {number} cards */
  function pot(cards) {
    const number = at('pot');
    number.textContent = cards ? String(cards) : '';
    number.parentElement?.toggleAttribute('data-empty', !cards);
  }

  /** Moves a thing of the present performance. @param {Element} node @param {Keyframe[]} frames @param {number} ms */
  function move(node, frames, ms) {
    const animation = node.animate(frames, { duration: ms * page.speed() * (next === aim ? 1 : HASTE), easing: EASE, fill: 'both', id: 'card' });
    const mine = run;
    const over = () => { if (mine !== run) throw OVERTAKEN; };
    return animation.finished.then(over, over);
  }

  const wait = (/** @type {number} */ ms) => move(ground, [], ms);

  /** From one thing's place to another's, as a transform. @param {Element} node @param {Element} from */
  function offset(node, from) {
    const [a, b] = [node.getBoundingClientRect(), from.getBoundingClientRect()];
    const scale = a.width ? b.width / a.width : 1;
    return `translate(${b.left + b.width / 2 - a.left - a.width / 2}px, ${b.top + b.height / 2 - a.top - a.height / 2}px) scale(${scale})`;
  }

  /** A card from its pile over the line, face down. @param {Model} m @param {Seat} seat */
  function draw(m, seat) {
    const place = slot(m, seat);
    place.classList.remove('won', 'beaten');
    lay(place, 'down');
    tone('draw');
    return move(place, [{ transform: offset(place, at(`pile-${side(m, seat)}`)) }, { transform: 'none' }], PACE.draw);
  }

  /** @param {Model} m @param {Pair<string>} pair */
  async function turnUp(m, pair) {
    const half = PACE.turn / 2;
    const cards = () => SEATS.map((seat) => /** @type {Element} */ (slot(m, seat).firstElementChild));
    await Promise.all(cards().map((card) => move(card, [{ transform: 'none' }, { transform: 'scaleX(0)' }], half)));
    for (const seat of SEATS) lay(slot(m, seat), pair[seat]);
    tone('turn');
    await Promise.all(cards().map((card) => move(card, [{ transform: 'scaleX(0)' }, { transform: 'none' }], half)));
  }

  /** A copy of what lies in a place, which is free again. @param {HTMLElement} place @param {string} kind */
  function copied(place, kind) {
    const copy = /** @type {HTMLElement} */ (place.cloneNode(true));
    for (const attribute of ['id', 'role', 'aria-label']) copy.removeAttribute(attribute);
    copy.setAttribute('aria-hidden', 'true');
    copy.classList.add(kind);
    place.before(copy);
    place.classList.remove('won', 'beaten');
    lay(place, '');
    return copy;
  }

  /** What lies there goes to the winner's pile. @param {Model} m @param {Round | undefined} round */
  async function sweep(m, round) {
    const places = SEATS.map((seat) => slot(m, seat)).filter((place) => place.dataset.card);
    if (!round || round.winner === null) return;
    const pile = at(`pile-${side(m, round.winner)}`);
    await Promise.all(places.map(async (place) => {
      const ghost = copied(place, 'ghost');
      await move(ghost, [{ transform: 'none' }, { transform: offset(ghost, pile), opacity: 0.4 }], PACE.sweep);
      ghost.remove();
    }));
  }

  /** One war: the field tightens, the tied pair shifts back, one goes down and one up. @param {Model} m @param {number} depth @param {Pair<string>} pair */
  async function war(m, depth, pair) {
    ground.classList.add('war');
    bubble(depth);
    tone('war');
    await wait(PACE.beat);
    ground.querySelectorAll('.cover').forEach((cover) => cover.remove());
    const covers = SEATS.map((seat) => copied(slot(m, seat), 'cover'));
    await Promise.all(covers.map((cover) => move(cover, [{ translate: '0 0' }, { translate: 'var(--shift)' }], PACE.back)));
    pot(4 * depth);
    await Promise.all(SEATS.map((seat) => draw(m, seat)));
    covers.forEach((cover, seat) => cover.append(slot(m, /** @type {Seat} */ (seat)).firstElementChild?.cloneNode(true) ?? ''));
    pot(4 * depth + 2);
    await Promise.all(SEATS.map((seat) => draw(m, seat)));
    await turnUp(m, pair);
  }

  /** @param {Model} from @param {Model} to */
  async function perform(from, to) {
    const mine = ++run;
    busy = true;
    aim = to;
    const [was, is] = [from.state?.view, to.state?.view];
    const finished = to.rounds.length - from.rounds.length;
    const round = to.rounds[to.rounds.length - 1];
    /** @type {(() => Promise<unknown>)[]} */
    const steps = [];
    if (was && is && (finished > 0 || SEATS.some((seat) => is.drawn[seat] && !was.drawn[seat]))) {
      const drawing = SEATS.filter((seat) => !was.drawn[seat] && (finished > 0 || is.drawn[seat]));
      const opens = !was.drawn[0] && !was.drawn[1];
      steps.push(() => Promise.all([opens && sweep(to, from.rounds[from.rounds.length - 1]), ...drawing.map((seat) => draw(to, seat))]));
    }
    if (is && finished > 0 && is.pairs.length) {
      const pairs = finished === 1 ? is.pairs : is.pairs.slice(-1);
      steps.push(async () => { pot(2); await turnUp(to, pairs[0]); });
      pairs.slice(1).forEach((pair, n) => steps.push(() => war(to, n + 1, pair)));
      if (finished === 1 && round.wars >= pairs.length) steps.push(() => { bubble(round.wars); return wait(PACE.beat); });
      steps.push(() => verdict(to, round));
    }
    try {
      for (const step of steps) await step();
    } catch (error) {
      if (error === OVERTAKEN) return;
      throw error;
    }
    if (mine !== run) return;
    const newest = next ?? to;
    settle(to);
    if (newest !== to) show(newest);
  }

  /** The weaker slides under the stronger. @param {Model} m @param {Round} round */
  async function verdict(m, round) {
    if (round.winner === null) return;
    tone(round.winner === me(m) ? 'won' : 'lost');
    slot(m, round.winner).classList.add('won');
    slot(m, round.winner === 0 ? 1 : 0).classList.add('beaten');
    await wait(PACE.slide);
  }

  /** WAR beside each seat, gone after 1.2 s, in nobody's way. @param {number} wars */
  function bubble(wars) {
    clearTimeout(bubbles);
    for (const which of ['me', 'them']) {
      const node = at(`bubble-${which}`);
      node.textContent = page.word(wars);
      node.classList.remove('on');
      void node.offsetWidth; // so that a second war pops again
      node.classList.add('on');
    }
    bubbles = setTimeout(() => ground.querySelectorAll('.bubble').forEach((node) => node.classList.remove('on')), BUBBLE_MS);
  }

  /** The rings' arcs. @param {Model} m @param {number} now */
  function tick(m, now) {
    const options = m.seated?.options;
    const whole = options ? options.turn_seconds * 1000 * (options.timer || 1) : 1;
    for (const seat of SEATS) {
      const ms = m.net.phase === 'open' && m.state?.chairs[seat].driver === 'human' ? left(m, seat, now) : null;
      at(`arc-${side(m, seat)}`).style.setProperty('--left', String(ms === null ? 0 : Math.min(1, ms / whole)));
    }
  }

  const tone = sounds(page.sound);
  return { show, hurry, tick };
}

/** Short sounds made on the spot; silent until asked for. @param {() => boolean} on */
function sounds(on) {
  /** @type {AudioContext | null} */
  let audio = null;
  /** Each: notes in Hz, length in s, wave. @type {{[name: string]: [number[], number, OscillatorType]}} */
  const tones = {
    draw: [[520], 0.05, 'triangle'], turn: [[700], 0.04, 'triangle'], war: [[110, 82], 0.22, 'sawtooth'],
    won: [[523, 784], 0.12, 'sine'], lost: [[392, 330], 0.12, 'sine'],
  };
  return (/** @type {string} */ name) => {
    if (!on()) return;
    audio ??= new AudioContext();
    const [notes, seconds, wave] = tones[name];
    notes.forEach((hertz, n) => {
      const [source, gain, start] = [new OscillatorNode(/** @type {AudioContext} */ (audio), { type: wave, frequency: hertz }),
        new GainNode(/** @type {AudioContext} */ (audio), { gain: 0.08 }), /** @type {AudioContext} */ (audio).currentTime + n * seconds];
      gain.gain.setValueAtTime(0.08, start);
      gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
      source.connect(gain).connect(/** @type {AudioContext} */ (audio).destination);
      source.start(start);
      source.stop(start + seconds);
    });
  };
}

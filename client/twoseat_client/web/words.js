/**
 * The words of the page: says what changed, puts sentences into a language, and writes texts and flags where index.html asks
 * for them; reads the start page's options. It knows the catalogue's keys and no rule of the game.
 * @import {Board, Line, Look, Model, Params, Round, Row, Say, Seat, Seated, State, Terms, View} from './types.d.ts'
 */
import { BOUNDS, SEATS, endLine, goesOn, me, nameOf, recapLine, recapScore, solo, termsOf, them, watching } from './model.js';

/**
 * Returns the function that puts sentences into a language: placeholders, plural forms by CLDR category, lines within lines.
 * @param {{[key: string]: string | {[category: string]: string}}} catalogue @param {string} lang @returns {Say}
 */
export function speaker(catalogue, lang) {
  const plural = new Intl.PluralRules(lang);
  /** @type {Say} */
  const say = ([key, params = {}]) => {
    const entry = catalogue[key] ?? key;
    const text = typeof entry === 'string' ? entry : entry[plural.select(Number(params.count))] ?? entry.other;
    return text.replace(/\{(\w+)\}/g, (whole, place) => {
      const value = params[place];
      return value === undefined ? whole : Array.isArray(value) ? say(value) : String(value);
    });
  };
  return say;
}

const KEPT_LINES = 5;
const SPOKEN_EVERY_MS = 900;
const SPOKEN_AT_MOST = 4;
/** Said and not kept: faces of past rounds, and whose turn it was. */
const PASSING = /^say\.(war|round|hidden|turn|starter|drawn|lost|regained)\b/;

/** The last things that happened, with those of this change. @param {Line[]} log @param {Model} a @param {Model} b @param {Line[]} said */
export function logged(log, a, b, said) {
  const fought = b.rounds.length > a.rounds.length && a.seated?.match === b.seated?.match && b.seated?.options.game === 'war';
  const news = [...(fought ? [countedLine(b)] : []), ...said.filter(([key]) => !PASSING.test(key))];
  return [...(a.seated?.match === b.seated?.match ? log : []), ...news].slice(-KEPT_LINES);
}

/**
 * What changed, in the order people care about it.
 * @param {Model} a before @param {Model} b after @param {Board | null} [board] where it is not War @returns {Line[]}
 */
export function lines(a, b, board) {
  /** @type {Line[]} */
  const said = [];
  const [was, is] = [a.net.phase, b.net.phase];
  if (is === 'lost' && was === 'open') said.push(['say.lost']);
  if (is === 'open' && was === 'lost' && (b.seated || b.waiting)) said.push(['say.regained']);
  if (is === 'stopped' && was !== 'stopped' && b.net.code === 4409) said.push(['say.replaced']);
  if (b.degraded !== a.degraded && is === 'open') said.push([b.degraded ? 'say.degraded.on' : 'say.degraded.off']);
  if (b.waiting && !a.waiting) said.push([`say.waiting.${b.waiting.kind}`, { code: b.waiting.code ?? '' }]);
  if (b.notice && b.notice !== a.notice) said.push(b.notice);
  if (b.seated && b.seated.match !== a.seated?.match) said.push(arrived(b));
  if (b.watchers !== a.watchers && b.seated) said.push([b.watchers ? 'say.watchers' : 'say.watchers.none', { count: b.watchers }]);
  if (b.call && b.call !== a.call) {
    const mine = b.call.seat === me(b) && !watching(b);
    said.push([`say.reacted.${mine ? 'me' : 'them'}`, { name: nameOf(b, b.call.seat), what: [`word.react.${b.call.reaction}`] }]);
  }
  if (b.state && b.state !== a.state) {
    const missed = b.recap && b.recap !== a.recap ? board?.recap(b) ?? [recapLine(b), recapScore(b)] : [];
    said.push(...(board?.played ?? played)(a, b), ...seatLines(a, b), ...missed, ...(board?.turned ?? turnLines)(a, b));
  }
  return said;
}

/** @param {Model} m @returns {Line} */
function arrived(m) {
  const [a, b] = /** @type {Seated} */ (m.seated).names;
  if (watching(m)) return ['say.watching', { a, b }];
  return solo(m) ? ['say.seated.bot'] : ['say.seated', { name: nameOf(m, them(m)) }];
}

/** @param {string} card such as 10S @returns {Line} */
export const rank = (card) => [`word.rank.${card.slice(0, -1)}`];

/** The cards laid and the round fought since; faces only where one round is new. @param {Model} a @param {Model} b @returns {Line[]} */
function played(a, b) {
  const { view, outcome } = /** @type {State} */ (b.state);
  const fresh = b.rounds.slice(a.rounds.length);
  const [i, j] = [me(b), them(b)];
  const laid = a.state?.view.round === view.round ? a.state.view.drawn : [false, false];
  if (!fresh.length) {
    return SEATS.filter((seat) => view.drawn[seat] && !laid[seat] && (seat !== i || watching(b)) && !outcome)
      .map((seat) => ['say.drawn.them', { name: nameOf(b, seat) }]);
  }
  const round = fresh[fresh.length - 1];
  if (fresh.length > 1) return [countedLine(b)];
  /** @param {[string, string]} pair @returns {Params} */
  const faces = (pair) => watching(b)
    ? { a: nameOf(b, 0), b: nameOf(b, 1), card_a: rank(pair[0]), card_b: rank(pair[1]) }
    : { mine: rank(pair[i]), theirs: rank(pair[j]) };
  /** @type {Line[]} */
  const said = view.pairs.slice(0, round.wars).map((pair, at) => [
    watching(b) ? 'say.war.watch' : at ? 'say.war.again' : 'say.war', faces(pair)]);
  if (round.wars < view.pairs.length) {
    const result = watching(b) ? 'watch' : round.winner === i ? 'win' : 'lose';
    return [...said, [`say.round.${result}`, { ...faces(view.pairs[view.pairs.length - 1]), ...countParams(b, round) }]];
  }
  if (round.winner === null) return [...said, ['say.short.both'], countedLine(b)];
  const short = round.winner === i ? j : i;
  return [...said, short === i && !watching(b) ? ['say.short.me'] : ['say.short.them', { name: nameOf(b, short) }], countedLine(b)];
}

/** @param {Model} m @param {Round} round @returns {Params} */
const countParams = (m, round) => ({
  winner: round.winner === null ? '' : nameOf(m, round.winner), count_a: round.counts[0], count_b: round.counts[1],
  my_count: round.counts[me(m)], their_count: round.counts[them(m)],
});

/** The newest round without faces. @param {Model} m @returns {Line} */
function countedLine(m) {
  const round = m.rounds[m.rounds.length - 1];
  const result = round.winner === null ? 'none' : watching(m) ? 'watch' : round.winner === me(m) ? 'win' : 'lose';
  return [`say.hidden.${result}`, { n: round.n, ...countParams(m, round) }];
}

/** Who came, went, or was stood in for; and the phases of the match. @param {Model} a @param {Model} b @returns {Line[]} */
function seatLines(a, b) {
  const [was, is] = [a.state, /** @type {State} */ (b.state)];
  /** @type {Line[]} */
  const said = [];
  if (is.phase === 'playing' && was?.phase === 'waiting') said.push(['say.started']);
  if (is.phase === 'paused' && was && was.phase !== 'paused') said.push(['say.paused']);
  if (!was || b.seated?.match !== a.seated?.match || is.phase === 'waiting') return said;
  for (const seat of SEATS) {
    const [before, after] = [was.chairs[seat], is.chairs[seat]];
    const mine = seat === me(b) && !watching(b);
    const [who, name] = [mine ? 'me' : 'them', nameOf(b, seat)];
    const gone = before.present && !after.present && before.driver !== after.driver;
    if (after.present !== before.present && !mine && was.phase !== 'waiting') said.push(presence(b, seat, gone));
    if (after.driver !== before.driver && !is.outcome) {
      if (after.driver === 'human') said.push([`say.human.${who}`, { name }]);
      else if (!gone && !after.back) said.push([mine || after.present ? `say.timeup.${who}` : 'say.bot.them', { name }]);
    }
    if (after.back && !before.back) said.push([`say.back.${who}`, { name }]);
    if (after.rematch && !before.rematch && !b.seated?.bots[seat]) said.push([`say.${!is.outcome ? 'redeal' : goesOn(b) ? 'next' : 'rematch'}.${who}`, { name }]);
  }
  return said;
}

/** @param {Model} m @param {Seat} seat @param {boolean} left for good @returns {Line} */
function presence(m, seat, left) {
  const { chairs, outcome } = /** @type {State} */ (m.state);
  const { present, due, driver } = chairs[seat];
  const name = nameOf(m, seat);
  if (present) return ['say.here.them', { name }];
  if (outcome) return [goesOn(m) ? 'say.away.them' : 'say.rematch.gone', { name }];
  if (left) return ['say.left.them', { name }];
  return due !== null && driver === 'human' ? ['say.away.bot_in', { name, time: clock(due) }] : ['say.away.them', { name }];
}

/** Whose turn it became, or how the game ended. @param {Model} a @param {Model} b @returns {Line[]} */
function turnLines(a, b) {
  const [was, is] = [a.state, /** @type {State} */ (b.state)];
  if (is.outcome) return was?.outcome ? [] : [endLine(b)];
  const owed = SEATS.filter((seat) => is.legal[seat].length);
  const same = was && was.view.round === is.view.round && SEATS.every((seat) => was.legal[seat].length === is.legal[seat].length);
  if (!owed.length || same) return [];
  const opens = is.view.starter !== null && !is.view.drawn[0] && !is.view.drawn[1];
  const mine = owed.includes(me(b)) && !watching(b);
  return [[`say.${opens ? 'starter' : 'turn'}.${mine ? 'me' : 'them'}`, { n: is.view.round, name: nameOf(b, owed[0]) }]];
}

/** Minutes and seconds, rounded up as clocks that run down are. @param {number} ms */
export function clock(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** @param {Model} m @returns {Line} what lies on the table */
export function roundLine(m) {
  const { view: seen, phase } = /** @type {State} */ (m.state);
  const [i, j] = [me(m), them(m)];
  if (phase === 'waiting') return ['page.ready'];
  if (seen.drawn[i] && !watching(m)) return ['say.drawn.me'];
  if (seen.drawn[j] || seen.drawn[i]) return ['say.drawn.them', { name: nameOf(m, seen.drawn[j] ? j : i) }];
  const last = m.rounds[m.rounds.length - 1];
  if (m.leap > 1) {
    const leap = m.rounds.slice(-m.leap);
    const of = (/** @type {Seat} */ s) => leap.filter((round) => round.winner === s).length;
    return ['page.leap', { count: m.leap, won: of(i), lost: of(j) }];
  }
  const pair = seen.pairs[seen.pairs.length - 1];
  if (!last || !pair || last.winner === null) {
    if (seen.starter === null) return ['say.turn.me'];
    const mine = seen.starter === i && !watching(m);
    return [`say.starter.${mine ? 'me' : 'them'}`, { n: seen.round, name: nameOf(m, seen.starter) }];
  }
  const other = last.winner === 0 ? 1 : 0;
  const faces = { mine: rank(pair[i]), theirs: rank(pair[j]), high: rank(pair[last.winner]), low: rank(pair[other]) };
  const result = watching(m) ? 'watch' : last.winner === i ? 'win' : 'lose';
  return [`say.beats.${result}`, { ...faces, winner: nameOf(m, last.winner), count: result === 'lose' ? last.won / 2 : last.won }];
}

/** @param {{preset: string, target?: number}} terms @returns {Line} */
export const presetLine = ({ preset, target = 50 }) => (preset === 'points' ? ['word.preset.points', { target }] : [preset === 'classic' ? 'word.preset.classic' : 'word.online']);

/** @param {Say} say @param {number} wars */
export const warWord = (say, wars) => (wars === 0 ? ''
  : say([['', 'word.war', 'word.war.double', 'word.war.triple'][wars] ?? 'word.war.many', { n: wars }]));

/** @param {string} card @param {Say} say */
export const cardWords = (card, say) => say(['word.card', { rank: rank(card), suit: [`word.suit.${card.slice(-1)}`] }]);

/** @param {Model} m @param {Seat | null} winner @param {Say} say */
export function winnerWord(m, winner, say) {
  if (winner === null) return say(['page.nobody']);
  if (winner === me(m) && !watching(m)) return say(['word.you']);
  const name = nameOf(m, winner);
  return typeof name === 'string' ? name : say(name);
}

/** The how-to-play panel's worked war, a step at a time. @param {Look} look @param {Say} say @returns {View} */
export function lesson({ helping, lesson: step }, say) {
  return {
    helping, lesson: step, lesson0: '9S', lesson2: '9H', lessonDown: step > 0, lesson3: step > 1 ? 'KH' : '', lesson1: step > 1 ? '7C' : '',
    lessonWords: say([`help.war.${step + 1}`]), lessonFirst: step === 0, lessonOn: say([step < 3 ? 'page.step.on' : 'page.step.again']),
  };
}

/** Puts a text on the clipboard, on plain http too. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

/**
 * Binds the data-text, -count, -show, -attr, -card and -each of a tree; the function returned writes only what changed.
 * @param {ParentNode} root @param {(card: string) => Node} face @param {(row: HTMLElement) => void} translate
 * @param {(node: HTMLElement) => (value?: number) => void} [counted] how a data-count is written
 * @returns {(view: View) => void}
 */
export function bind(root, face, translate, counted) {
  /** @type {{name: string, not: boolean, write: (value: any) => void, last: unknown}[]} */
  const bonds = [];
  const bond = (/** @type {string} */ name, /** @type {(value: any) => void} */ write) => bonds.push({ name: name.replace('!', ''), not: name[0] === '!', write, last: bonds });
  const all = [...(root instanceof HTMLElement ? [root] : []), .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('*'))];
  for (const node of all) {
    const { text, count, show, attr, card, each } = node.dataset;
    if (text) bond(text, (value) => { node.textContent = String(value ?? ''); });
    if (count && counted) bond(count, counted(node));
    if (show) bond(show, (value) => node.toggleAttribute('hidden', !value || value.length === 0));
    if (card) bond(card, (value) => node.replaceChildren(...(value ? [face(value)] : [])));
    if (each) bond(each, list(node, face, translate));
    for (const pair of attr?.split(';') ?? []) {
      const [attribute, name] = pair.split(':');
      bond(name, (value) => {
        if (attribute === 'value') /** @type {HTMLInputElement} */ (node).value = String(value ?? '');
        else if (attribute.startsWith('aria-') && typeof value === 'boolean') node.setAttribute(attribute, String(value));
        else if (value === undefined || value === null || value === false || value === '') node.removeAttribute(attribute);
        else node.setAttribute(attribute, value === true ? '' : String(value));
      });
    }
  }
  return (values) => {
    for (const one of bonds) {
      const value = one.not ? !values[one.name] : values[one.name];
      if (value !== one.last) one.write(one.last = value);
    }
  };
}

/** Rows by key: kept, made or dropped, in order. @param {HTMLElement} node @param {(card: string) => Node} face @param {(row: HTMLElement) => void} translate */
function list(node, face, translate) {
  const template = /** @type {HTMLTemplateElement} */ (node.querySelector('template'));
  /** @type {Map<string | number, {row: HTMLElement, write: (view: View) => void}>} */
  let known = new Map();
  return (/** @type {Row[]} */ rows = []) => {
    const kept = new Map(rows.map((values) => {
      const made = known.get(values.key) ?? make();
      made.write(values);
      return [values.key, made];
    }));
    known.forEach(({ row }, key) => { if (!kept.has(key)) row.remove(); });
    known = kept;
    let before = template.nextElementSibling;
    for (const { row } of kept.values()) {
      if (row === before) before = before.nextElementSibling;
      else node.insertBefore(row, before);
    }
  };
  function make() {
    const row = /** @type {HTMLElement} */ (/** @type {Element} */ (template.content.firstElementChild).cloneNode(true));
    translate(row);
    return { row, write: bind(row, face, translate) };
  }
}

/** Fills in the texts that depend on nothing but the language, and in the rules on the target. @param {ParentNode} root @param {Say} say @param {number} target */
export function translate(root, say, target) {
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-t]'))) node.textContent = say([node.dataset.t ?? '', { target }]);
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-label]'))) {
    const label = say([node.dataset.label ?? '']);
    node.setAttribute('aria-label', label);
    if (node.matches('button')) node.title = label;
  }
}

/** What screen readers hear, by one polite live region: what comes together is said together, and what is late is left out. @param {HTMLElement} region @returns {(sentences: string[]) => void} */
export function createLive(region) {
  /** @type {string[]} */
  const unspoken = [];
  let speaking = 0;
  return function speak(sentences) {
    unspoken.push(...sentences);
    if (speaking || !unspoken.length) return;
    region.textContent = unspoken.splice(0).slice(-SPOKEN_AT_MOST).join(' ');
    speaking = setTimeout(() => { speaking = 0; speak([]); }, SPOKEN_EVERY_MS);
  };
}

/** From one tab to its neighbour, as arrow keys go. @param {Element} tab @param {number} by */
export function stepTab(tab, by) {
  const tabs = /** @type {HTMLElement[]} */ ([...tab.parentElement?.querySelectorAll('[role=tab]:not([hidden])') ?? []]);
  const other = tabs.at((tabs.indexOf(/** @type {HTMLElement} */ (tab)) + by) % tabs.length) ?? tabs[0];
  other.click();
  other.focus();
}

/** The number each field holds once it is read. @type {{[name: string]: 'turn_seconds' | 'target' | 'limit'}} */
const HELD = { turn: 'turn_seconds', target: 'target', limit: 'limit' };

/** What the form says; where another game is chosen its time for a turn is the usual one. @param {HTMLFormElement} form @param {Terms['game']} before @returns {Terms} */
export function readTerms(form, before) {
  const terms = termsOf(Object.fromEntries(new FormData(form)));
  if (terms.game === before) return terms;
  for (const [name, [low, usual, high]] of Object.entries(BOUNDS[terms.game])) {
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    Object.assign(field, { min: String(low), max: String(high), placeholder: String(usual) });
    if (name === 'turn') field.value = String(usual);
  }
  return termsOf(Object.fromEntries(new FormData(form)));
}

/** Puts into each number's field what is meant, once a choice is made. @param {HTMLFormElement} form @param {Terms} terms */
export function showTerms(form, terms) {
  for (const name of Object.keys(BOUNDS[terms.game])) {
    /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = String(terms[HELD[name]]);
  }
}

/**
 * The page itself: writes what the view says into the document, and turns keys, clicks and choices into requests. All that
 * is shown goes through one render().
 * @import {Board, Line, Look, Message, Model, Prefs, Say} from './types.d.ts'
 */
import { START, checkLines, idled, isVoid, playable, solo, termsOf, them, watching } from './model.js';
import { codeIn, createSession, keepPrefs, keptPrefs } from './session.js';
import { counted, createTable, face } from './table.js';
import { screenOf, view } from './view.js';
import { bind, cardWords, copy, createLive, lines, logged, readTerms, showTerms, speaker, stepTab, translate, warWord } from './words.js';

const LANGUAGES = ['en', 'bg', 'pt'];
const TICK_MS = 250;
const [HOLD_AFTER_MS, HOLD_PACE_MS] = [400, 120];
const TOAST_MS = 2500;
const SPEED = { normal: 1, fast: 0.5, off: 0 };
const FIRST = { arrive: '#main', wait: '#wait-title', stopped: '#stop-title', table: '#draw' };
/** Elements that have a use of their own for keys. */
const OWN_KEYS = 'input, select, textarea, summary, a, [role=tab], button:not(#draw), dialog';

const $ = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const dialog = (/** @type {string} */ id) => /** @type {HTMLDialogElement} */ ($(`#${id}`));
const form = /** @type {HTMLFormElement} */ ($('#start'));
const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
const side = $('#side');
const wide = matchMedia('(min-width: 56.25em)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

const prefs = keptPrefs();
if (!LANGUAGES.includes(prefs.lang)) prefs.lang = $('#catalogue').lang || (LANGUAGES.find((lang) => navigator.language.startsWith(lang)) ?? 'en');
/** @type {Look} */
const look = {
  prefs, terms: { game: 'war', preset: 'points', target: 50, turn_seconds: 15, timer: 1, games: 1 },
  helping: false, lesson: 0, game: -1, awaited: false, qr: false, typed: null, touch: matchMedia('(pointer: coarse)').matches, origin: location.origin,
  canShare: 'share' in navigator, copied: '', toast: null, log: [], told: [], checked: null, replay: null, asking: '',
};
let shown = START; // the model whose cards are on show
/** @type {Say} */
let say = ([key]) => key;
let queued = false;
let [heldSince, lastDraw, toasts] = [0, 0, 0];

const live = createLive($('#live'));
const speak = (/** @type {Line[]} */ lines) => live(lines.map(say));

/** Says everything anew: in the words that came with the page, or in fetched ones. @param {string} lang */
async function speakIn(lang) {
  const came = $('#catalogue');
  say = speaker(came.lang === lang && !board ? JSON.parse(came.textContent ?? '') : await (await fetch(`/text/${lang}.json`)).json(), lang);
  document.documentElement.lang = lang;
  explain(document);
  board?.speak();
}

/** The texts that index.html fixes. @param {ParentNode} root */
const explain = (root) => translate(root, say, (session.model.seated?.options ?? look.terms).target ?? 50);

/** What stands in the place of the cards where another game is played; it comes with the first such match. @type {Board | null} */
let board = null;
let coming = /** @type {Promise<void> | null} */ (null);
const elsewhere = () => session.model.seated !== null && session.model.seated.options.game !== 'war';

async function bring() {
  const made = await (await import('./online.js')).createOnline({ session, look, say: (line) => say(line), tell, changed: render, still: () => document.hidden || still.matches || prefs.speed === 'off' });
  board = made.board;
  writers.push(made.write);
  await speakIn(prefs.lang);
  changed(START, { type: 'sent' });
}

function render() {
  if (queued) return;
  queued = true;
  queueMicrotask(() => {
    queued = false;
    const now = performance.now();
    if (shown.rounds.length >= session.model.rounds.length) look.told = look.log;
    look.replay = session.replay ?? null;
    if (elsewhere() && !board) return;
    const values = view(session.model, shown, look, say, now, elsewhere() ? board : null);
    for (const write of writers) write(values);
    document.title = String(values.title);
    table.tick(session.model, now);
  });
}

// ---- What happened, and what it asks of the page.

/** @param {Model} before @param {Message} message */
function changed(before, message) {
  const { model } = session;
  if (elsewhere() && !board) return void (coming ??= bring().catch(() => { coming = null; }));
  const other = elsewhere() ? board : null;
  const back = (model.state?.version ?? 0) < (before.state?.version ?? 0) && model.seated?.match === before.seated?.match; // a replay's step
  const said = back ? [] : lines(before, model, other).filter(([key]) => prefs.calls || key !== 'say.reacted.them');
  look.log = logged(look.log, before, model, said);
  speak(said);
  if (other) other.show(model);
  else if (model.state && (model.state !== before.state || model.rounds !== before.rounds)) table.show(model);
  if (other && model.state) onShow(model);
  else if (!model.state) shown = model;
  if (message.type === 'seated' && before.seated?.match !== message.match) {
    Object.assign(look, { game: -1, awaited: false, qr: false, checked: null, helping: look.helping && before.seated !== null });
    dialog('results').close();
  }
  const screen = screenOf(model);
  if (screen !== screenOf(before)) queueMicrotask(() => focusOn(watching(model) ? '#main' : FIRST[screen]));
  if (message.type === 'results' && look.awaited) openResults();
  if (message.type === 'welcome' && !field('name').value) field('name').value = model.name;
  render();
  keepDrawing();
}

function focusOn(/** @type {string} */ selector) {
  if (side.matches(':popover-open')) side.hidePopover();
  if (screenOf(session.model) !== 'table') for (const id of ['results', 'confirm']) dialog(id).close();
  if (!document.querySelector('dialog[open]')) $(selector).focus({ preventScroll: true });
}

/** The cards of a model are on show: so may its numbers be, and its end. @param {Model} model */
function onShow(model) {
  const over = model.state?.outcome && !shown.state?.outcome && !look.replay;
  shown = model;
  render();
  if (over && !['void', 'redealt'].includes(model.state?.outcome?.termination ?? '')) setTimeout(openResults, 400);
}

/** A press of the big button or of its key, or of any key while the bot has the seat. @param {string} [move] */
function press(move) {
  const { model } = session;
  table.hurry();
  if (idled(model)) session.send({ type: 'return' });
  else if (model.state?.phase === 'over') (isVoid(model) ? leave : openResults)();
  else if (elsewhere()) board?.press();
  else if (session.play(move)) lastDraw = performance.now();
}

/** While the key or finger is down: the next draw as soon as it is my turn. */
function keepDrawing() {
  const now = performance.now();
  if (!heldSince || now - heldSince < HOLD_AFTER_MS || elsewhere() || !playable(session.model)) return;
  const rest = HOLD_PACE_MS - (now - lastDraw);
  if (rest > 0) setTimeout(keepDrawing, rest);
  else if (session.play()) lastDraw = now;
}

function hold(/** @type {boolean} */ down) {
  heldSince = down ? performance.now() : 0;
  if (down) setTimeout(keepDrawing, HOLD_AFTER_MS);
}

function openResults() {
  look.awaited = Boolean(shown.state?.outcome) && !session.model.results; // on a slow line they come late
  if (!session.model.results || dialog('results').open) return;
  dialog('results').showModal();
  $('#results-title').focus();
}

function leave() { dialog('results').close(); session.send({ type: 'leave' }); }
function rematch() { session.send({ type: 'rematch', match: session.model.seated?.match }); }

function confirm(/** @type {Exclude<Look['asking'], ''>} */ what) {
  look.asking = what;
  const box = dialog('confirm');
  box.returnValue = '';
  box.showModal();
  box.onclose = () => { if (box.returnValue === 'yes') what === 'redeal' ? rematch() : session.send({ type: what }); };
}

/** A new game is offered at once, and begun after a question: it throws this one away. */
function redeal() {
  const { model } = session;
  if (solo(model) || model.state?.chairs[them(model)].rematch) confirm('redeal');
  else rematch();
}

/** Shows the rounds or the how-to beside the table; where there is no room beside it, over it. @param {boolean} help */
function panel(help) {
  look.helping = help;
  const beside = wide.matches && screenOf(session.model) === 'table';
  if (!beside && !side.matches(':popover-open')) side.showPopover();
  queueMicrotask(() => queueMicrotask(() => $(help ? '#tab-help' : '#tab-rounds').focus()));
}

/** @param {string} text @param {Look['copied']} what */
async function give(text, what) {
  await copy(text);
  look.copied = what;
  tell(['page.copied']);
}

function tell(/** @type {Line} */ line) {
  look.toast = line;
  clearTimeout(toasts);
  toasts = setTimeout(() => { Object.assign(look, { copied: '', toast: null }); render(); }, TOAST_MS);
  speak([line]);
  render();
}

/** The game is checked by code of the page's own, which nobody needs before. */
async function check() {
  const { verify } = await (elsewhere() ? import('./fair_online.js') : import('./fair.js'));
  const { fair, results, state } = session.model;
  if (fair && results) speak(checkLines(session.model, look.checked = verify(fair, results, session.nonce(), /** @type {any} */ (state?.view))).map(([, line]) => line));
  render();
}

const ask = (/** @type {object} */ message) => session.ask(message, screenOf(session.model) === 'arrive' ? nameNow() : undefined);

function nameNow() {
  const name = field('name').value.trim();
  if (name !== session.model.name && name !== prefs.name) choose({ name });
  return name === session.model.name ? undefined : name;
}

function byCode(/** @type {boolean} */ watch) {
  look.typed = codeIn(field('code').value);
  if (look.typed) ask({ type: watch ? 'watch' : 'join', code: look.typed });
}

/** @param {string} kind the queue knows no slower clocks, and one length of a game */
function start(kind) {
  const waits = session.model.waiting?.options;
  const { limit, level, ...terms } = look.terms;
  ask({ type: kind, terms: kind === 'quick' ? { ...terms, timer: 1 } : waits ? termsOf({ ...waits, turn: waits.turn_seconds }) : look.terms });
}

/** What each thing with data-do does. @type {{[name: string]: (node: HTMLElement) => unknown}} */
const deeds = {
  bot: () => start('bot'), host: () => start('host'), join: () => byCode(false), watch: () => byCode(true),
  resume: () => session.model.resume && ask({ type: 'join', code: session.model.resume.code }),
  cancel: () => session.send({ type: 'cancel' }),
  again: () => (session.model.net.code === 4426 ? location.reload() : session.now()), now: () => session.now(),
  ten: () => press('turn 10'),
  rounds: () => panel(false), help: () => panel(true),
  lesson: ({ dataset }) => {
    look.lesson = (look.lesson + Number(dataset.by)) % 4;
    speak([[`help.war.${look.lesson + 1}`]]);
  },
  sound: () => choose({ sound: !prefs.sound }), settings: async () => (await import('./settings.js')).open(dialog('settings'), prefs, choose),
  results: openResults, game: (node) => { look.game = Number(node.dataset.at); },
  call: ({ dataset }) => session.send({ type: 'react', reaction: dataset.call }),
  rematch, redeal,
  resign: () => confirm('resign'), home: leave,
  leave: () => (watching(session.model) || session.model.state?.phase === 'over' ? leave() : confirm('leave')),
  dismiss: () => session.hear({ type: 'dismiss' }), verify: check,
  qr: () => { look.qr = !look.qr; },
  share: () => navigator.share({ url: `${look.origin}/j/${session.model.waiting?.code}` }).catch(() => undefined),
  copyLink: () => give(`${look.origin}/j/${session.model.waiting?.code}`, 'link'),
  copyWatch: () => give(`${look.origin}/w/${session.model.seated?.code}`, ''),
  copyResult: async () => give(elsewhere() ? board?.text(session.model) ?? '' : (await import('./result.js')).resultText(session.model, say), 'result'),
};

/** Changes how the page looks, sounds and speaks, and remembers it. @param {Partial<Prefs>} some */
async function choose(some) {
  Object.assign(prefs, some);
  keepPrefs(prefs);
  await apply(some.lang !== undefined);
  render();
}

async function apply(/** @type {boolean} */ speech) {
  const { theme, contrast, suits, lang } = prefs;
  Object.assign(document.documentElement.dataset, { theme, contrast, suits });
  if (speech) await speakIn(lang).catch(() => undefined); // without a line, in the words there are
}

// ---- Hands: keys, fingers, choices.

/** @param {Event} event on a thing with data-do, or in it */
function act({ target }) {
  const node = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest('[data-do]'));
  if (!node || node.getAttribute('aria-disabled') === 'true') return;
  (deeds[node.dataset.do ?? ''] ?? session.deeds?.[node.dataset.do ?? ''] ?? board?.deeds[node.dataset.do ?? ''])?.(node);
  /** @type {HTMLElement | null} */ (node.closest('.menu'))?.hidePopover();
  render();
}
document.addEventListener('click', (event) => { table.hurry(); act(event); });
document.addEventListener('input', act);

let byPointer = false;
const drawButton = $('#draw');
drawButton.addEventListener('pointerdown', ({ button }) => {
  if (button) return;
  byPointer = true;
  press();
  hold(true);
});
drawButton.addEventListener('click', () => { // a screen reader's click has no pointer before it
  if (!byPointer) press();
  byPointer = false;
});
for (const type of ['pointerup', 'pointercancel', 'blur']) addEventListener(type, () => hold(false));
drawButton.addEventListener('contextmenu', (event) => event.preventDefault());

document.addEventListener('keydown', (event) => {
  const target = /** @type {Element} */ (event.target);
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step && target.matches('[role=tab]')) return stepTab(target, step);
  if (event.ctrlKey || event.metaKey || event.altKey || screenOf(session.model) !== 'table') return;
  if (document.querySelector('dialog[open]') || target.closest(OWN_KEYS)) return;
  const here = target === drawButton;
  if (event.key === ' ' || (event.key === 'Enter' && here)) {
    if ((!prefs.keys || (elsewhere() && !idled(session.model))) && !here) return;
    event.preventDefault();
    if (event.repeat) return;
    press();
    hold(true);
  } else if (prefs.keys && !['Tab', 'Shift', 'Escape'].includes(event.key)) {
    if (idled(session.model)) press();
    else if (!event.repeat) deeds[{ r: 'rounds', h: 'help', '?': 'help', m: 'sound' }[event.key.toLowerCase()] ?? '']?.(drawButton);
  }
});
document.addEventListener('keyup', ({ key }) => { if (key === ' ' || key === 'Enter') hold(false); });

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (document.activeElement === field('code')) byCode(false);
  else start('quick');
  render();
});
form.addEventListener('input', () => {
  look.terms = readTerms(form, look.terms.game);
  look.typed = null;
  explain(document);
  render();
});
form.addEventListener('change', () => showTerms(form, look.terms));
document.addEventListener('visibilitychange', () => { hold(false); table.hurry(); });

// ---- Begin.

const speed = () => (document.hidden || still.matches ? 0 : SPEED[prefs.speed]);
const table = createTable($('#table'), {
  speed, word: (wars) => warWord(say, wars), name: (card) => (card === 'down' ? say(['word.face_down']) : cardWords(card, say)),
  sound: () => prefs.sound, shown: onShow,
});
const again = /^\/r\/(\w+)/.exec(location.pathname)?.[1];
const session = again ? await (await import('./replay.js')).createReplay(again, { changed }) : createSession({
  url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`, path: decodeURI(location.pathname),
  name: async () => { await ready; return prefs.name || say(['page.guest']); }, changed,
  went: (path) => { if (location.pathname !== path) history.replaceState(null, '', path); },
});
const writers = [bind(document, face, explain, (node) => counted(node, speed))];
const ready = apply(true);
await ready;
if (again) changed(START, { type: 'sent' });
field('name').value ||= prefs.name;
setInterval(render, TICK_MS);
render();

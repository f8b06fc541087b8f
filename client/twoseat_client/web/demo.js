/**
 * Two seats of one real match side by side, and a switch for each that cuts its socket: it opens the page twice and works it
 * as a hand would; it knows no message.
 */
import { keptPrefs } from './session.js';
import { speaker, translate } from './words.js';

const LOOK_EVERY_MS = 100;

/** What a socket is where there is no network. */
class NoLine {
  static OPEN = 1;
  readyState = 3;
  /** @type {((event: {code: number}) => void) | undefined} */
  onclose;
  constructor() { setTimeout(() => this.onclose?.({ code: 1006 })); }
  close() { /* it never was open */ }
}

const sections = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-seat]'));
const [left, right] = [...sections].map((section) => /** @type {HTMLIFrameElement} */ (section.querySelector('iframe')));

/** @param {HTMLIFrameElement} frame */
const inside = (frame) => /** @type {Window & typeof globalThis} */ (frame.contentWindow);

/** Waits until something is there. @template T @param {() => T | null | undefined | false} look @returns {Promise<T>} */
async function until(look) {
  for (;;) {
    const found = look();
    if (found) return found;
    await new Promise((go) => { setTimeout(go, LOOK_EVERY_MS); });
  }
}

/** Opens a table in the left frame and sits down at it in the right one. */
async function begin() {
  left.src = '/';
  const form = await until(() => inside(left).document?.querySelector('[data-screen=arrive] #start [aria-disabled=false]')?.closest('form'));
  /** @type {HTMLSelectElement} */ (form.elements.namedItem('timer')).value = '0'; // whoever reads first loses no seat
  form.dispatchEvent(new Event('input'));
  /** @type {HTMLElement} */ (form.querySelector('[data-do=host]')).click();
  right.src = await until(() => inside(left).location.pathname.startsWith('/j/') && inside(left).location.pathname);
  await until(() => inside(right).location.pathname.startsWith('/m/'));
}

/** @param {HTMLElement} section @param {(key: string) => string} say */
function wire(section, say) {
  const frame = /** @type {HTMLIFrameElement} */ (section.querySelector('iframe'));
  const line = /** @type {HTMLInputElement} */ (section.querySelector('input'));
  const status = /** @type {HTMLElement} */ (section.querySelector('[role=status]'));
  const real = inside(frame).WebSocket;
  line.disabled = false;
  line.addEventListener('change', () => {
    inside(frame).WebSocket = line.checked ? real : /** @type {any} */ (NoLine);
    inside(frame).dispatchEvent(new Event(line.checked ? 'online' : 'offline'));
    status.textContent = say(line.checked ? 'page.demo.whole' : 'page.demo.cut');
  });
}

const lang = keptPrefs().lang || (['bg', 'pt'].find((code) => navigator.language.startsWith(code)) ?? 'en');
const response = await fetch(`/text/${lang}.json`);
const say = speaker(await response.json(), lang);
document.documentElement.lang = lang;
translate(document, say, 50);
document.title = `twoseat · ${say(['page.demo.title'])}`;
await begin();
for (const section of sections) wire(section, (key) => say([key]));

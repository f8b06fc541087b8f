/**
 * One person's sitting at a server: the line, which mends itself, what this browser keeps of her, and the model both feed.
 * It knows no DOM and no words.
 * @import {Fair, Game, Message, Model, Net, Prefs, Seated, ServerMessage} from './types.d.ts'
 */
import { START, fold, gap, playable, unsent, watching } from './model.js';

const PROTOCOL = 1;
/** As the terminal's (connection.py): after so much silence a ping goes, with so much more the line is dead. */
const QUIET_MS = 4000;
/** The lag shown is measured anew after so long, whatever is heard. */
const FRESH_MS = 20_000;
const OPEN_WITHIN_MS = 5000;
/** As the terminal's (backoff.py): soon for some twenty seconds, as what broke the line is mostly over by then. */
const BACKOFF_MS = [300, 1000, ...Array(20).fill(2000), 4000, 8000, 10_000];
const WITHOUT_A_WORD = 1005;
const OFFLINE_AFTER_MS = 3000;

/** Whether a closed socket is final (twoseat/wire, Close). @param {number} code */
export const isFinal = (code) => [1000, 1008, 1009].includes(code) || code >= 4000;

/** How long to wait before attempt `tries` (from 1): full jitter under a growing roof. @param {number} tries @param {number} chance 0..1 */
export const pause = (tries, chance) => chance * BACKOFF_MS[Math.min(tries, BACKOFF_MS.length) - 1];

/**
 * Opens the line and keeps it open.
 * @param {string} url
 * @param {() => Promise<object>} hello what a new socket says about its person
 * @param {(message: Message) => void} tell
 */
function connect(url, hello, tell) {
  /** @type {WebSocket | null} */
  let socket = null;
  let tries = 0;
  let pings = 0;
  /** When the last ping left. */
  let askedAt = 0;
  /** When anything was heard last on this socket; 0 before its first word. */
  let heardAt = 0;
  /** For what comes next: an open line, a look at it, or another attempt. */
  let timer = 0;

  /** @param {Partial<Net>} net */
  const net = (net) => tell({ type: 'net', net });

  function open() {
    clearTimeout(timer);
    drop();
    const mine = new WebSocket(url);
    socket = mine;
    timer = setTimeout(() => lost(0), OPEN_WITHIN_MS);
    mine.onopen = async () => mine.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL, client: 'page', ...await hello() }));
    mine.onmessage = ({ data }) => { if (socket === mine) heard(JSON.parse(data)); };
    mine.onclose = ({ code }) => { if (socket === mine) closed(code === WITHOUT_A_WORD ? 1006 : code); };
  }

  /** @param {ServerMessage} message */
  function heard(message) {
    heardAt = performance.now();
    if (message.type === 'pong') {
      if (message.n === pings) net({ lag: Math.round(heardAt - askedAt) });
      return;
    }
    if (message.type === 'welcome') {
      askedAt = heardAt + QUIET_MS - FRESH_MS; // so that there is a first figure soon
      look();
      tries = 0;
      net({ phase: 'open', tries, code: 0 });
    }
    tell(message);
  }

  /** @param {number} code */
  function closed(code) {
    if (!isFinal(code)) return lost(code);
    drop();
    clearTimeout(timer);
    tries = 0; // nothing is tried any more
    net({ phase: 'stopped', code });
  }

  /** @param {number} code 0 where nobody closed it */
  function lost(code) {
    drop();
    tries += 1;
    net({ phase: 'lost', tries, code });
    clearTimeout(timer);
    timer = setTimeout(open, pause(tries, Math.random()));
  }

  /** Turn away from the present socket; whatever it still says is not heard. */
  function drop() {
    heardAt = 0;
    const old = socket;
    socket = null;
    old?.close();
  }

  /** Whether nothing was heard since the last ping. */
  const unanswered = () => askedAt > heardAt;

  /**
   * Asks once it is time, and gives a line up that does not answer. One timeout, set anew where it ends and not by what is
   * heard; where it ends late, as in a tab that slept, silence alone breaks nothing.
   */
  function look() {
    const due = unanswered() ? askedAt + QUIET_MS : Math.min(heardAt + QUIET_MS, askedAt + FRESH_MS);
    const left = due - performance.now();
    clearTimeout(timer);
    if (left > 0) timer = setTimeout(look, left);
    else if (unanswered()) lost(0);
    else ping();
  }

  function ping() {
    askedAt = performance.now();
    pings += 1;
    send({ type: 'ping', n: pings });
    look();
  }

  /** @param {object} message */
  function send(message) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  /** The network or the tab is awake again: ask, or try at once. What was asked before a long sleep is asked anew. */
  function wake() {
    if (document.visibilityState === 'hidden') return;
    if (tries) now();
    else if (heardAt && !(unanswered() && performance.now() - askedAt < QUIET_MS)) ping();
  }

  function now() {
    tries = Math.min(tries, 1);
    open();
  }

  addEventListener('online', wake);
  addEventListener('pageshow', wake);
  addEventListener('offline', () => { if (socket && !tries) lost(0); });
  document.addEventListener('visibilitychange', wake);
  open();

  /** Says hello anew, on a new socket. */
  function restart() {
    tries = 0;
    open();
  }

  return { send, now, restart };
}

/**
 * @param {{url: string, path: string, name: () => Promise<string>, changed: (before: Model, message: Message) => void,
 *   went: (path: string) => void}} page `path` says what this visit is for, `went` where it is now; `name` is to be said in hello
 */
export function createSession(page) {
  const keep = memory();
  const [, kind, id] = /^\/([jwm])\/([A-Za-z0-9 -]+)$/.exec(page.path) ?? [];
  let model = { ...START, past: keep.past() };
  let match = kind === 'm' && /^[0-9a-f]{34}$/.test(id) ? id : null;
  let token = keep.token(match);
  let saidName = '';
  // Whoever comes again keeps a copy of the page for a day without network.
  if (token) setTimeout(() => navigator.serviceWorker?.register('/sw.js').catch(() => undefined), OFFLINE_AFTER_MS);
  /** @type {object | null} What to ask for once the line is open. */
  let wish = kind === 'j' ? { type: 'join', code: id } : kind === 'w' ? { type: 'watch', code: id } : null;

  /** Whether this socket has been welcomed; a second welcome makes a new player of it. */
  let greeted = false;

  async function hello() {
    greeted = false;
    saidName = await page.name();
    return { ...(saidName && { name: saidName }), ...(token && { token }), ...(match && { match }) };
  }

  /** Everything that happens comes through here. @param {Message} message */
  function hear(message) {
    const before = model;
    if (message.type === 'welcome' && message.token) keep.keepToken(token = message.token);
    if (message.type === 'state' && gap(model, message)) line.send({ type: 'sync' });
    model = fold(model, message, performance.now());
    if (message.type === 'welcome' && !greeted) request();
    if (message.type === 'seated') sit(message);
    if (message.type === 'idle') went('/');
    if (message.type === 'waiting') went(message.code ? `/j/${message.code}` : '/');
    if (message.type === 'results') keep.keepPast(model.past);
    if (message.type === 'fair') void shake(message);
    const move = unsent(model);
    if (move) {
      line.send({ type: 'play', id: move.id, number: move.number, move: move.move });
      model = fold(model, { type: 'sent' }, 0);
    }
    page.changed(before, message);
  }

  /** The line is open: ask for what was wished, or for the place one had. */
  function request() {
    greeted = true;
    const refused = saidName && !model.resume && plain(model.name) !== plain(saidName);
    if (wish && refused) return; // the name, as `error` tells next; something new waits for a better one
    const { resume, waiting, seated } = model;
    const again = seated && watching(model) ? { type: 'watch', code: seated.code }
      : waiting && resume && !resume.present ? { type: 'join', code: resume.code }
        : waiting?.code ? { type: 'join', code: waiting.code } : waiting && { type: 'quick', terms: waiting.options };
    if (wish ?? again) line.send(/** @type {object} */ (wish ?? again));
    wish = null;
  }

  /** @param {Seated} seated */
  function sit(seated) {
    match = seated.seat === null ? null : seated.match;
    if (match && token) keep.keepSeat(match, token);
    went(match ? `/m/${match}` : `/w/${seated.code}`);
  }

  /** Before each deal: commit to a nonce of one's own, then open it. @param {Fair} fair */
  async function shake({ match: id, stage, digests, nonces }) {
    const seat = model.seated?.match === id ? model.seated.seat : null;
    if (seat === null) return;
    const nonce = keep.nonce(id);
    if (stage === 'commit' && digests[seat] === null) line.send({ type: 'commit', digest: await nonceDigest(nonce) });
    else if (stage === 'open' && digests[seat] && nonces[seat] === null) line.send({ type: 'open', nonce });
  }

  /** @param {string} path */
  function went(path) {
    if (path === '/') match = null;
    page.went(path);
  }

  const line = connect(page.url, hello, hear);
  return {
    send: line.send, now: line.now, hear, replay: null, deeds: null,
    /** This tab's nonce for the match it sits at. */
    nonce: () => (model.seated ? keep.nonce(model.seated.match) : ''),
    get model() { return model; },
    /** Asks for something new, saying one's name first where it changed. @param {object} message @param {string} [name] */
    ask(message, name) {
      hear({ type: 'dismiss' });
      if (model.net.phase !== 'open' || (name !== undefined && name !== saidName)) wish = message;
      if (wish && model.net.phase === 'open') line.restart();
      else if (!wish) line.send(message);
    },
    /** Makes this move, or the first that is open; one at a time. @param {string} [move] @returns {boolean} whether it was made */
    play(move) {
      if (!playable(model, move)) return false;
      const first = model.state?.legal[model.seated?.seat ?? 0][0] ?? '';
      hear({ type: 'press', id: crypto.getRandomValues(new Uint32Array(3)).join('-'), move: move ?? first });
      return true;
    },
  };
}

/** A code as it is typed, dictated or pasted with its link; empty where it is none. @param {string} text */
export const codeIn = (text) => /^[A-Z0-9]{6}$/.exec((text.split('/').at(-1) ?? '').replace(/[\s_-]/g, '').toUpperCase())?.[0] ?? '';

/** The name of a window that is a browser of its own, as the demo's are. */
const ownName = () => (window.name.startsWith('twoseat-') ? window.name.slice('twoseat-'.length) : '');

const MATCHES_KEPT = 20;

/**
 * What the browser keeps. A tab is its own player where it became one, else the browser's; a match is remembered with the
 * player who sits there, so that a second tab on it is the same seat. A window with a name (the demo's) is a browser of its own.
 */
export function memory() {
  const own = ownName() && `${ownName()}.`;
  const seats = () => /** @type {{[match: string]: string}} */ (read('local', `twoseat.${own}seats`) ?? {});
  /** @type {{[match: string]: string}} */
  let made = {};
  return {
    /** The token for a match, else this tab's, else the browser's. @param {string | null} match @returns {string | null} */
    token: (match) => (match ? seats()[match] : null) ?? /** @type {string | null} */ (
      read('session', `twoseat.${own}token`) ?? read('local', `twoseat.${own}token`)),
    /** @param {string} token */
    keepToken(token) {
      write('session', `twoseat.${own}token`, token);
      if (read('local', `twoseat.${own}token`) === null) write('local', `twoseat.${own}token`, token);
    },
    /** @param {string} match @param {string} token */
    keepSeat(match, token) {
      const kept = Object.entries(seats()).filter(([id]) => id !== match).slice(1 - MATCHES_KEPT);
      write('local', `twoseat.${own}seats`, Object.fromEntries([...kept, [match, token]]));
    },
    /** This tab's nonce for a match's deal: 32 bytes as hex, made when first asked for. @param {string} match @returns {string} */
    nonce(match) {
      const nonces = /** @type {{[match: string]: string}} */ (read('session', `twoseat.${own}nonces`) ?? made);
      made = { [match]: nonces[match] ?? hex(crypto.getRandomValues(new Uint8Array(32))) };
      write('session', `twoseat.${own}nonces`, made);
      return made[match];
    },
    /** The finished games of this tab's sitting. @returns {Game[]} */
    past: () => /** @type {any} */ (read('session', `twoseat.${own}past`) ?? []),
    /** @param {Game[]} past */
    keepPast: (past) => write('session', `twoseat.${own}past`, past),
  };
}

/** A name as the server cleans it. @param {string} name */
const plain = (name) => name.normalize('NFC').trim().replace(/\s+/g, ' ');

const hex = (/** @type {Uint8Array} */ bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** SHA-256 of `twoseat nonce`, a zero byte and the nonce; on plain http by our own code. @param {string} nonce */
async function nonceDigest(nonce) {
  const bytes = new Uint8Array([...new TextEncoder().encode('twoseat nonce\0'), ...(nonce.match(/../g) ?? []).map((pair) => parseInt(pair, 16))]);
  if (window.isSecureContext) return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  const { sha256 } = await import('./fair.js');
  return hex(sha256(bytes));
}

/** @param {'local' | 'session'} kind @param {string} key @returns {unknown} null where there is none, or storage is forbidden */
function read(kind, key) {
  try {
    return JSON.parse(window[`${kind}Storage`].getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {'local' | 'session'} kind @param {string} key @param {unknown} value */
function write(kind, key, value) {
  try {
    window[`${kind}Storage`].setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays; it only forgets.
  }
}

/** @type {Prefs} */
const PREFS = { lang: '', name: '', theme: 'auto', contrast: 'auto', suits: 'two', speed: 'normal', sound: false, keys: true, calls: true };

/** The choices made before; a window of the demo goes by its own name. @returns {Prefs} */
export function keptPrefs() {
  const name = ownName();
  return { ...PREFS, .../** @type {object} */ (read('local', 'twoseat.prefs') ?? {}), ...(name && { name }) };
}

/** @param {Prefs} prefs */
export function keepPrefs(prefs) {
  if (!ownName()) write('local', 'twoseat.prefs', prefs);
}

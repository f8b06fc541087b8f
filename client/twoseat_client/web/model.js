/**
 * What the page knows: folds every message and deed into one state and answers questions about it. It knows no DOM, no
 * clock, no language and no rule of the game.
 * @import {Line, Message, Model, Round, Seat, Seated, State} from './types.d.ts'
 */

/** @type {Model} */
export const START = {
  net: { phase: 'connecting', tries: 0, code: 0, lag: null },
  name: '', resume: null, waiting: null, waitingSince: 0,
  seated: null, state: null, at: 0, fresh: false, rounds: [], leap: 0, results: null, fair: null, past: [],
  degraded: false, watchers: 0, pending: null, notice: null, recapped: 0, recap: null, call: null,
};

export const SEATS = /** @type {Seat[]} */ ([0, 1]);
const KEPT_GAMES = 9;
const NOWHERE = { waiting: null, seated: null, state: null, fresh: false, rounds: [], leap: 0, results: null, fair: null, watchers: 0,
  degraded: false, pending: null, recapped: 0, recap: null, call: null };

/** Returns the model after a message, the same where nothing changed. @param {Model} m @param {Message} message @param {number} now monotonic ms @returns {Model} */
export function fold(m, message, now) {
  switch (message.type) {
    case 'net': return changedNet(m, message.net);
    case 'welcome': return { ...m, name: message.name, resume: message.resume };
    case 'waiting': return { ...m, ...NOWHERE, notice: null, waiting: message, waitingSince: now - message.waited };
    case 'idle': return { ...m, ...NOWHERE };
    case 'seated': return seatedAt(m, message);
    case 'state': return withState(m, message, now);
    case 'results': return withResults(m, message);
    case 'fair': return m.seated?.match === message.match ? { ...m, fair: message } : m;
    case 'done': return m.pending?.id === message.id ? { ...m, pending: null } : m;
    case 'rejected': return refused(m, message);
    case 'error': return { ...m, ...(message.code === 'not_found' && !m.fresh && NOWHERE), notice: [`error.${message.code}`] };
    case 'degraded': return message.on === m.degraded ? m : { ...m, degraded: message.on };
    case 'reacted': return m.seated ? { ...m, call: { seat: message.seat, reaction: message.reaction, at: now } } : m;
    case 'watchers': return message.count === m.watchers ? m : { ...m, watchers: message.count };
    case 'press': return pressed(m, message);
    case 'sent': return m.pending ? { ...m, pending: { ...m.pending, sent: true } } : m;
    case 'dismiss': return m.recap || m.notice ? { ...m, recap: null, notice: null } : m;
    case 'remember': return { ...m, past: message.past };
    default: return m; // a newer server's word
  }
}

/** @param {Model} m @param {Partial<Model['net']>} part @returns {Model} */
function changedNet(m, part) {
  const net = { ...m.net, ...part };
  if (net.phase === m.net.phase || net.phase === 'open') return { ...m, net };
  return { ...m, net, fresh: false, degraded: false, pending: m.pending && { ...m.pending, sent: false } };
}

/** @param {Model} m @param {Seated} message @returns {Model} */
function seatedAt(m, message) {
  const rounds = message.rounds;
  if (m.seated?.match === message.match) return { ...m, seated: message, rounds, waiting: null };
  return { ...m, ...NOWHERE, notice: null, seated: message, rounds, past: message.series.game > 1 ? m.past : [] };
}

/** @param {Model} m @param {State} message @param {number} now @returns {Model} */
function withState(m, message, now) {
  if (!m.seated || (m.fresh && m.state && message.version < m.state.version)) return m;
  const rounds = joined(m.rounds, message.rounds);
  const next = { ...m, state: message, at: now, fresh: true, rounds, leap: rounds.length - m.rounds.length };
  if (rounds !== m.rounds) next.notice = null;
  if (m.seated.seat === null) return next;
  const [chair, move] = [message.chairs[m.seated.seat], m.pending];
  if (move && chair.last === move.id) next.pending = null;
  else if (move && chair.number > move.number) Object.assign(next, { pending: null, notice: ['say.late'] });
  const before = m.state?.chairs[m.seated.seat];
  if (!m.fresh || (before?.driver === 'bot' && !before.back && (chair.back || chair.driver === 'human'))) {
    const from = missedFrom(next);
    if (from < rounds.length) Object.assign(next, { recap: { from, to: rounds.length }, recapped: rounds.length });
  } else if (m.recap && rounds.length > m.recap.to + 2) next.recap = null;
  return next;
}

/** Where the run of rounds at the end begins that the bot drew for me and that no recap has covered. @param {Model} m */
function missedFrom(m) {
  let from = m.rounds.length;
  while (from > m.recapped && m.rounds[from - 1].by[me(m)] === 'bot') from -= 1;
  return from;
}

/** @param {Round[]} known @param {Round[]} more @returns {Round[]} the same array where nothing is new */
function joined(known, more) {
  const fresh = more.filter((round) => round.n > known.length);
  return fresh.length ? [...known, ...fresh] : known;
}

/** @param {Model} m @param {Extract<Message, {type: 'results'}>} message @returns {Model} */
function withResults(m, message) {
  if (m.seated?.match !== message.match) return m;
  const { seat, names } = m.seated;
  const game = { match: message.match, seat, names, outcome: message.outcome, rounds: message.rounds };
  const past = [...m.past.filter((one) => one.match !== game.match), game].slice(-KEPT_GAMES);
  return { ...m, results: message, rounds: message.rounds, past, pending: null };
}

/** @param {Model} m @param {Extract<Message, {type: 'rejected'}>} message @returns {Model} */
function refused(m, message) {
  if (message.reason === 'replaced') return changedNet({ ...m, pending: null }, { phase: 'stopped', code: 4409 });
  const pending = message.id !== null && m.pending?.id === message.id ? null : m.pending;
  return { ...m, pending, notice: [message.by_bot ? 'say.late' : `error.reason.${message.reason}`] };
}

/** @param {Model} m @param {Extract<Message, {type: 'press'}>} message @returns {Model} */
function pressed(m, message) {
  if (!playable(m, message.move) || !m.state) return m;
  const { number } = m.state.chairs[me(m)];
  return { ...m, notice: null, pending: { id: message.id, move: message.move, number, sent: false } };
}

/** The seat seen from below: one's own, or for a watcher the first. @param {Model} m @returns {Seat} */
export const me = (m) => m.seated?.seat ?? 0;
/** @param {Model} m @returns {Seat} */
export const them = (m) => (me(m) === 0 ? 1 : 0);
/** @param {Model} m */
export const watching = (m) => m.seated !== null && m.seated.seat === null;
/** Whether the game ended before it began. @param {Model} m */
export const isVoid = (m) => m.state?.outcome?.termination === 'void';
/** Whether the other seat is a bot by choice. @param {Model} m */
export const solo = (m) => m.seated !== null && !watching(m) && m.seated.bots[them(m)];
/** Whether rounds are missing between those known and a state's. @param {Model} m @param {State} state */
export const gap = (m, state) => state.rounds.length > 0 && state.rounds[0].n > m.rounds.length + 1;

/** Whether this person may make a move now (any, or this one). @param {Model} m @param {string} [move] */
export function playable(m, move) {
  if (!m.state || watching(m) || m.pending || !m.fresh || m.degraded || m.net.phase !== 'open') return false;
  const legal = m.state.legal[me(m)];
  return m.state.phase === 'playing' && m.state.chairs[me(m)].driver === 'human'
    && (move === undefined ? legal.length > 0 : legal.includes(move));
}

/** The move that waits to be sent, or sent again on a new socket. @param {Model} m */
export function unsent(m) {
  return m.pending && !m.pending.sent && m.fresh && m.net.phase === 'open' ? m.pending : null;
}

/** Whether the bot has this person's seat, and a word is needed to get it back. @param {Model} m */
export function idled(m) {
  if (!m.state || watching(m) || m.state.phase === 'over' || m.net.phase !== 'open') return false;
  const chair = m.state.chairs[me(m)];
  return chair.driver === 'bot' && !chair.back;
}

/** A seat's name, in words where a bot has it by choice. @param {Model} m @param {Seat} seat @returns {string | Line} */
export const nameOf = (m, seat) => (m.seated?.bots[seat] ? ['word.bot'] : m.seated?.names[seat] ?? '');

/** Milliseconds until a seat's move runs out; null where no clock runs. @param {Model} m @param {Seat} seat @param {number} now */
export function left(m, seat, now) {
  const due = m.state?.chairs[seat].due ?? null;
  return due === null ? null : Math.max(0, due - (now - m.at));
}

/** The sums of some rounds, seen from a seat. @param {Round[]} rounds @param {Seat} i */
export function tally(rounds, i) {
  const sum = { won: 0, lost: 0, wars: 0, warsWon: 0, deepest: 0, run: 0, bot: [0, 0] };
  let run = 0;
  for (const { winner, wars, by } of rounds) {
    const mine = winner === i;
    run = mine ? run + 1 : 0;
    sum.won += Number(mine);
    sum.lost += Number(winner !== null && !mine);
    sum.wars += Number(wars > 0);
    sum.warsWon += Number(wars > 0 && mine);
    sum.deepest = Math.max(sum.deepest, wars);
    sum.run = Math.max(sum.run, run);
    by.forEach((driver, seat) => { sum.bot[seat] += Number(driver === 'bot'); });
  }
  return sum;
}

/**
 * What the screen of War Online shows, as texts and flags: a pure function of the model and of what hands have chosen. It
 * knows the catalogue's keys, no DOM and no rule.
 * @import {Hands, Line, Look, Mark, Model, Offers, OnlineView, Reserve, Row, Say, Seat, View} from './types.d.ts'
 */
import { idled, me, nameOf, owes, playable, them, watching } from './model.js';
import { conquest } from './online_odds.js';
import { CONTINENTS, CONTINENT_OF, LANDS, SIGNS } from './online_map.js';
import { tradeOf } from './online_moves.js';
import { armies, cardName, ending, land, landsOf, missed, seen, told, turns } from './online_words.js';
import { alarm, barred } from './view.js';
import { winnerWord } from './words.js';

const DICE_STAY_MS = 6000;
export const ROLL_MS = 550;
const TOLD = 12;
/** TABLE II as the rules print it; what the next set is worth is the server's to say. */
const TABLE_2 = [4, 6, 8, 10, 12, 15, 20, 25, 30];
const STEPS = ['place', 'attack', 'move', 'card'];
/** The sign of each card, in a square of 24. @type {{[sign: string]: string}} */
const SIGN_PATHS = { triangle: 'M12 3 22 21H2z', circle: 'M12 3a9 9 0 1 1-.01 0z', square: 'M3.5 3.500h17v17h-17z', joker: 'm12 2 3 7 7 .5-5.500 4.500 2 7.500-6.500-4.200L5.500 21.500l2-7.500L2 9.500 9 9z' };

/** @param {Reserve | null} reserve */
export const total = (reserve) => (reserve ? reserve.free + Object.values(reserve.continents).reduce((sum, count) => sum + count, 0) : 0);
/** The chance of an attack as people say it: never 0 or 100, for none is certain, however it was rounded before. @param {number} share */
export const percent = (share) => Math.min(99, Math.max(1, Math.round(share * 100)));

/** Placings that the server has not answered yet: the one on its way, and clicks that wait. @param {Model} m @param {Hands} hands */
export function coming(m, { waiting }) {
  const [word, target, count] = m.pending?.move.split(' ') ?? [];
  return word === 'place' ? [{ target, count: Number(count) }, ...waiting] : waiting;
}

/** What will be left to place once those are answered. @param {Model} m @param {Hands} hands @returns {Reserve | null} */
export function leftToPlace(m, hands) {
  const { to_place: reserve } = seen(m);
  if (!reserve) return null;
  const rest = { free: reserve.free, continents: { ...reserve.continents } };
  for (const { target, count } of coming(m, hands)) {
    const continent = CONTINENT_OF[target];
    const inside = Math.min(count, rest.continents[continent] ?? 0);
    if (inside) rest.continents[continent] -= inside;
    if (inside && !rest.continents[continent]) delete rest.continents[continent];
    rest.free = Math.max(0, rest.free - count + inside);
  }
  return rest;
}

/** Whether this person has the turn, and may use it. @param {Model} m */
export const onTurn = (m) => Boolean(m.state && !watching(m) && owes(m.state, me(m)) && m.state.chairs[me(m)].driver === 'human' && m.net.phase === 'open' && !m.degraded);

/** How an army's number stands on the map: nothing on it before the deal. @param {Model} m @param {Hands} hands */
const board = (m, hands) => hands.before ?? seen(m);

/** Every territory as it is shown. @param {Model} m @param {Hands} hands @param {Offers} open @param {Say} say @returns {{[id: string]: Mark}} */
export function marks(m, hands, open, say) {
  const view = board(m, hands);
  const { step, advance } = seen(m);
  const mine = onTurn(m);
  return Object.fromEntries(LANDS.map((id, n) => {
    const owner = view.owners[n] === 'n' ? 'none' : Number(view.owners[n]) === me(m) ? 'me' : 'them';
    const more = coming(m, hands).filter(({ target }) => target === id).reduce((sum, { count }) => sum + count, 0);
    const lit = mine ? light(id, step, hands, open, advance) : '';
    const what = lit ? whatCanBeDone(id, lit, view.armies, step, hands, say) : '';
    const whose = owner === 'me' ? watching(m) ? nameOf(m, me(m)) : ['page.online.owner.me'] : owner === 'them' ? nameOf(m, them(m)) : ['word.neutral'];
    const label = say(['page.online.land', { name: land(id), continent: [`word.continent.${CONTINENT_OF[id]}`], owner: /** @type {Line | string} */ (whose), armies: armies(view.armies[n]) }]);
    return [id, { owner, armies: view.armies[n], more, lit, name: say(land(id)), label: `${label}${what && ` ${what}`}` }];
  }));
}

/** @param {string} id @param {string} step @param {Hands} hands @param {Offers} open @param {OnlineView['advance']} advance @returns {Mark['lit']} */
function light(id, step, { from, to }, open, advance) {
  if (advance) return id === advance.source ? 'from' : id === advance.target ? 'to' : '';
  if (step === 'place') return open.place.has(id) ? (id === from ? 'from' : 'source') : '';
  const ways = step === 'attack' ? open.attack : open.move;
  if (id === from) return 'from';
  if (id === to) return 'to';
  if (from && ways.get(from)?.has(id)) return 'target';
  return ways.has(id) && !to ? 'source' : '';
}

/** @param {string} id @param {string} lit @param {number[]} on @param {string} step @param {Hands} hands @param {Say} say */
function whatCanBeDone(id, lit, on, step, { from }, say) {
  if (step === 'place') return say(['page.online.can.place']);
  if (step === 'advance') return '';
  if (lit === 'source') return say([`page.online.can.${step}`]);
  if (lit === 'from') return say(['page.online.can.drop']);
  if (step === 'move') return say(['page.online.can.move.here', { source: land(from) }]);
  return say(['page.online.can.attack.here', { source: land(from), chance: percent(oddsOf(from, id, on)) }]);
}

/** @param {string} from @param {string} to @param {number[]} on armies by place in LANDS */
const oddsOf = (from, to, on) => conquest(on[LANDS.indexOf(from)], on[LANDS.indexOf(to)]);

/**
 * @param {Model} m @param {Hands} hands @param {Offers} open @param {Look} look @param {Say} say @param {number} now
 * @returns {View}
 */
export function shownView(m, hands, open, look, say, now) {
  const view = seen(m);
  const [i, j] = [me(m), them(m)];
  const [mine, theirs] = [landsOf(view, i), landsOf(view, j)];
  const sum = (/** @type {Seat} */ seat) => view.armies.filter((_, n) => view.owners[n] === String(seat)).reduce((all, count) => all + count, 0);
  const noun = (/** @type {number} */ count) => say(armies(count)).replace(String(count), '').trim();
  const opening = m.state?.phase === 'playing' && view.step === 'opening' && !watching(m) && view.objective !== null;
  const [lost, now1] = missed(m);
  return {
    wonWord: say(['page.online.territories']), wonMe: mine, wonThem: theirs, scoreWords: say(['page.online.score', { mine, theirs }]),
    sideWord: say(['page.online.side']), countMe: sum(i), wordMe: noun(sum(i)), countThem: sum(j), wordThem: noun(sum(j)),
    backsMe: backs(view.hands[i]), backsThem: backs(view.hands[j]), backsMeWords: say(['word.cards', { count: view.hands[i] }]), backsThemWords: say(['word.cards', { count: view.hands[j] }]),
    recapWords: m.recap ? say(lost) : '', recapScore: m.recap ? say(now1) : '',
    opening, openingObjective: opening && view.objective ? say([`word.objective.${view.objective}`]) : '', openingLands: say(['page.online.yours', { territories: ['word.territories', { count: mine }] }]),
    ownLands: opening ? ownLands(view, i, say) : [],
    strip: say(alarm(m, look) ?? instruction(m, hands, open)), canTen: false, showKey: false, meFirst: false, themFirst: false,
    label: [say(['word.online']), ...(view.round ? [say(['page.online.round', { n: view.round, whole: view.limit }])] : [])].join(' · '),
    ...button(m, hands, open, say), ...steps(m, hands, say), ...choices(m, hands, open, say), ...dice(m, hands, say, now), ...hand(m, hands, open, say), ...sheet(m, hands, say),
  };
}

/** @param {number} count @returns {Row[]} */
const backs = (count) => Array.from({ length: count }, (_, key) => ({ key }));

/** @param {OnlineView} view @param {Seat} i @param {Say} say @returns {Row[]} */
function ownLands({ owners }, i, say) {
  return CONTINENTS.map(({ id, lands }) => {
    const own = lands.filter((one) => owners[LANDS.indexOf(one)] === String(i));
    return { key: id, continent: `${say([`word.continent.${id}`])} ${own.length}/${lands.length}`, names: own.map((one) => say(land(one))).join(', ') || '–' };
  });
}

/** What to do next, in one line. @param {Model} m @param {Hands} hands @param {Offers} open @returns {Line} */
function instruction(m, hands, open) {
  const { from, to, before } = hands;
  const view = seen(m);
  const { state } = m;
  if (!state || state.phase === 'waiting') return ['page.ready'];
  if (state.outcome) return ending(m);
  if (state.chairs[them(m)].rematch) return ['say.redeal.them', { name: nameOf(m, them(m)) }];
  if (view.step === 'opening') return view.ready[me(m)] || watching(m) ? ['page.online.do.wait', { name: nameOf(m, view.ready[me(m)] ? them(m) : me(m)) }] : ['page.online.do.play'];
  if (!onTurn(m)) return follow(m);
  const count = (/** @type {string} */ id) => (before ?? view).armies[LANDS.indexOf(id)];
  const pair = { source: land(from), target: land(to), a: count(from), d: count(to) };
  switch (view.step) {
    case 'place': return place(m, hands, open);
    case 'attack':
      if (to) return ['page.online.do.throw', { ...pair, chance: percent(oddsOf(from, to, (before ?? view).armies)) }];
      return from ? ['page.online.do.target', pair] : [open.attack.size ? 'page.online.do.attack' : 'page.online.do.noattack'];
    case 'advance': return ['page.online.do.advance', { target: land(view.advance?.target ?? '') }];
    default: return to ? ['page.online.do.count', pair] : from ? ['page.online.do.into', pair] : [open.move.size ? 'page.online.do.move' : 'page.online.do.nomove'];
  }
}

/** @param {Model} m @param {Hands} hands @param {Offers} open @returns {Line} */
function place(m, hands, open) {
  const { from } = hands;
  const reserve = leftToPlace(m, hands);
  const left = total(reserve);
  if (!left && coming(m, hands).length) return ['page.online.act.sent'];
  if (!left) return ['page.online.do.placed'];
  if (!open.place.size && open.trades.length) return ['page.online.do.trade'];
  const more = from && open.place.has(from) ? 'more' : 'place';
  const inside = Object.entries(reserve?.continents ?? {}).map(([id, n]) => /** @type {Line} */ (['page.online.do.inside', { n, continent: [`word.continent.${id}`] }]));
  const facts = { armies: armies(left), target: land(from) };
  if (!inside.length) return [`page.online.do.${more}`, facts];
  return [`page.online.do.${more}.inside`, { ...facts, only: inside.reduceRight((rest, first) => ['page.online.list', { first, rest }]) }];
}

/** The other side's turn: what was done last, else what is being done. @param {Model} m @returns {Line} */
function follow(m) {
  const { last, step, on_turn: seat } = seen(m);
  const whose = seat ?? 0;
  if (last && last.seat === whose && ['attack', 'move', 'trade', 'advance'].includes(last.move.split(' ')[0])) {
    const lines = told(m, last);
    return last.conquered ? /** @type {Line} */ (lines.at(-1)) : lines[0];
  }
  return [`page.online.follow.${step}`, { name: nameOf(m, whose) }];
}

/** The big button and the one beside it. @param {Model} m @param {Hands} hands @param {Offers} open @param {Say} say @returns {View} */
function button(m, hands, open, say) {
  const view = seen(m);
  const bar = barred(m, say);
  const can = playable(m) || (m.pending !== null && m.net.phase === 'open');
  const shut = (/** @type {string} */ act) => ({ act, actKind: 'wait', locked: true, canEnd: false });
  if (bar) return { act: bar[0], actKind: bar[1], locked: !(idled(m) || bar[1] === 'results'), canEnd: false };
  if (view.step === 'opening' && view.ready[me(m)]) return shut(say(['page.online.do.wait', { name: nameOf(m, them(m)) }]));
  if (!onTurn(m) || !can) return shut(say(['page.online.act.them', { name: nameOf(m, view.on_turn ?? 0) }]));
  if (view.step === 'place' && !open.words.has('end')) {
    const left = total(leftToPlace(m, hands));
    return shut(say(left ? ['page.online.act.left', { armies: armies(left) }] : ['page.online.act.sent']));
  }
  if (view.step === 'advance') return shut(say(['page.online.act.advance']));
  const key = view.step === 'opening' ? 'page.online.act.play' : view.step === 'attack' ? 'page.online.act.done' : 'page.online.end';
  return { act: say([key]), actKind: m.pending ? 'sent' : 'draw', locked: !playable(m), canEnd: view.step === 'attack' };
}

/** The four steps of a turn, and what is owed in each. @param {Model} m @param {Hands} hands @param {Say} say @returns {View} */
function steps(m, hands, say) {
  const { step, conquests } = seen(m);
  const reserve = leftToPlace(m, hands);
  const playing = m.state?.phase === 'playing';
  const at = step === 'advance' ? 1 : STEPS.indexOf(step);
  const owed = [
    reserve && playing && total(reserve) ? [reserve.free, ...Object.values(reserve.continents)].join(' + ') : '',
    conquests ? `✓ ${conquests}` : '', '', conquests ? '✓' : '',
  ];
  return { steps: STEPS.map((key, n) => ({ key, n: n + 1, word: say([`page.online.step.${key}`]), owed: owed[n], current: playing && n === at ? 'step' : '', state: !playing || at < 0 || n > at ? 'next' : n < at ? 'done' : 'now' })) };
}

/** The buttons for what has been chosen on the map. @param {Model} m @param {Hands} hands @param {Offers} open @param {Say} say @returns {View} */
function choices(m, hands, open, say) {
  const { from, to, count } = hands;
  const { step } = seen(m);
  const mine = onTurn(m);
  const canUndo = open.words.has('undo') || (step === 'place' && coming(m, hands).length > 0);
  const rest = leftToPlace(m, hands);
  const room = (rest?.free ?? 0) + (rest?.continents[CONTINENT_OF[from]] ?? 0);
  const most = step === 'place' ? Math.min(room, open.place.get(from) ?? 0) : open.attack.get(from)?.get(to) ?? 0;
  return {
    canPlace: mine && step === 'place' && (open.place.size > 0 || open.trades.length > 0 || canUndo), canUndo,
    placeAll: step === 'place' && most ? say(['page.online.place.all', { n: most, target: land(from) }]) : '', canTrade: open.trades.length > 0,
    canAttack: mine && step === 'attack' && to !== '',
    untilWord: step === 'attack' && most ? say(['page.online.attack.until', { n: count }]) : '', untilSteps: step === 'attack' && most > 1,
    advanceChoices: mine && step === 'advance' ? Array.from({ length: open.advance }, (_, n) => ({ key: n, n: n + 1, text: say(['page.online.advance', { armies: armies(n + 1) }]) })) : [],
    canMove: mine && step === 'move' && to !== '', moveCount: count, moveWord: say(['page.online.move', { n: count }]),
    undoAlone: mine && step === 'attack' && canUndo && to === '',
  };
}

/** The last dice, pair by pair; blank while they roll. @param {Model} m @param {Hands} hands @param {Say} say @param {number} now @returns {View} */
function dice(m, { dice: last, before }, say, now) {
  const own = onTurn(m) && ['attack', 'advance'].includes(seen(m).step);
  if (!last || (now - last.at > DICE_STAY_MS && !own)) return { dice: false };
  const { deed } = last;
  const [red, yellow] = deed.throws.at(-1) ?? [[], []];
  const rolls = before !== null;
  const word = (/** @type {number | undefined} */ die, /** @type {string} */ colour) => (die ? say([`page.online.die.${colour}`, { n: die }]) : '');
  const pairs = Array.from({ length: Math.max(red.length, yellow.length) }, (_, n) => {
    const both = n < red.length && n < yellow.length && !rolls;
    return {
      key: n, red: red[n] ? (rolls ? 'roll' : red[n]) : '', yellow: yellow[n] ? (rolls ? 'roll' : yellow[n]) : '', redWords: word(red[n], 'red'), yellowWords: word(yellow[n], 'yellow'),
      redWon: both && red[n] > yellow[n], yellowWon: both && red[n] <= yellow[n],
    };
  });
  const [, source, target, until] = deed.move.split(' ');
  return {
    dice: true, diceSide: ['as', 'oc'].includes(CONTINENT_OF[target]) ? 'left' : 'right', dicePairs: pairs,
    diceWho: `${say(land(source))} → ${say(land(target))}`, diceCount: until && deed.throws.length > 1 ? `× ${deed.throws.length}` : '',
    diceWords: rolls ? '' : say(['say.online.losses', { lost: deed.lost[0], killed: deed.lost[1] }]), redLost: rolls ? '' : `−${deed.lost[0]}`, yellowLost: rolls ? '' : `−${deed.lost[1]}`,
  };
}

/** The objective, and the cards in my hand. @param {Model} m @param {Hands} hands @param {Offers} open @param {Say} say @returns {View} */
function hand(m, { cards, objective }, open, say) {
  const view = seen(m);
  const chosen = cards.map((n) => view.cards[n]).filter(Boolean);
  const trade = chosen.length === 3 && tradeOf(open, chosen);
  const may = open.trades.length > 0;
  return {
    handWord: say(['page.online.hand', { count: view.hands[me(m)] }]),
    hasObjective: Boolean(view.objective), objectiveOpen: objective, objectiveWords: say(objective && view.objective ? [`word.objective.${view.objective}`] : ['page.online.objective.show']),
    cardsTitle: watching(m) ? '' : say(['page.online.cards', { n: view.hands[me(m)] }]), cardsNote: watching(m) ? '' : say([view.cards.length ? 'page.online.cards.some' : 'page.online.cards.none']),
    handCards: view.cards.map((card, n) => {
      const sign = SIGNS[card] ?? 'joker';
      const own = view.owners[LANDS.indexOf(card)] === String(me(m));
      return { key: `${n} ${card}`, n, name: say(cardName(card)), sign, path: SIGN_PATHS[sign], up: cards.includes(n), own, words: `${say(cardName(card))}, ${say([`word.symbol.${sign}`])}${own ? `, ${say(['page.online.owner.me'])}` : ''}` };
    }),
    tradeWord: may ? say([chosen.length === 3 && !trade ? 'page.online.trade.not' : 'page.online.trade', { armies: armies(view.next_trade) }]) : '', canTradeNow: Boolean(trade) && playable(m),
  };
}

/** The sheet beside the board: both tables, and what has happened. @param {Model} m @param {Hands} hands @param {Say} say @returns {View} */
function sheet(m, { log }, say) {
  const view = seen(m);
  const held = (/** @type {string[]} */ lands, /** @type {Seat} */ seat) => lands.filter((id) => view.owners[LANDS.indexOf(id)] === String(seat)).length;
  const [i, j] = [me(m), them(m)];
  const known = TABLE_2.includes(view.next_trade) ? TABLE_2 : [...TABLE_2, view.next_trade];
  return {
    bonuses: [...CONTINENTS].sort((a, b) => b.bonus - a.bonus).map(({ id, bonus, lands }) => ({
      key: id, name: say([`word.continent.${id}`]), share: `${held(lands, i)}/${lands.length}`, bonus, side: held(lands, i) === lands.length ? 'me' : held(lands, j) === lands.length ? 'them' : '',
    })),
    tradeSteps: known.map((worth) => ({ key: worth, text: String(worth), next: worth === view.next_trade ? 'true' : '' })),
    told: log.slice(-TOLD).map((line, n) => ({ key: `${log.length - n}`, text: say(line) })).reverse(),
    noTurns: m.rounds.length === 0,
    turns: turns(m).map((turn) => ({
      key: turn.n, n: turn.round, side: turn.seat === i ? 'me' : 'them', who: winnerWord(m, turn.seat, say), bot: turn.by === 'bot' && !m.seated?.bots[turn.seat],
      took: [turn.traded ? `+${turn.traded}` : '', turn.conquests ? say(['page.online.taken', { count: turn.conquests }]) : ''].filter(Boolean).join(' · '),
    })).reverse(),
  };
}

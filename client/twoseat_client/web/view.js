/**
 * What every screen shows, as one flat object of texts and flags: a pure function of the model. It knows the catalogue's
 * keys, no DOM and no rule.
 * @import {Board, Chair, Line, Look, Model, Params, Round, Row, Say, Seat, State, Terms, View} from './types.d.ts'
 */
import { checkLines, endLine, idled, isVoid, left, me, nameOf, owes, playable, recapLine, recapScore, solo, tally, them, watching } from './model.js';
import { cardWords, clock, lesson, presetLine, roundLine, warWord, winnerWord } from './words.js';

const [LOW_MS, SLOW_MS, BOT_OFFERED_MS, CALL_MS] = [5000, 300, 10_000, 2500];
const [DECK, ABOUT_CODES] = [52, ['error.not_found', 'error.finished', 'error.not_started']];
/** Cards ahead or behind that the ribbon shows at least, so that a first round won is no mountain. */
const LEAST_ROOF = 8;

/** @param {Model} m @returns {'arrive' | 'wait' | 'table' | 'stopped'} */
export function screenOf(m) {
  if (m.net.phase === 'stopped') return 'stopped';
  return m.seated && m.state ? 'table' : m.waiting ? 'wait' : 'arrive';
}

/**
 * @param {Model} m the newest model: whose turn, clocks, presence, what may be done
 * @param {Model} shown the model whose cards have been shown; it follows `m` as its cards turn
 * @param {Look} look @param {Say} say @param {number} now @param {Board | null} board where it is not War @returns {View}
 */
export function view(m, shown, look, say, now, board) {
  const screen = screenOf(m);
  const common = {
    screen, atArrive: screen === 'arrive', atWait: screen === 'wait', atStopped: screen === 'stopped',
    atTable: screen === 'table', cards: !board, board: board !== null, sound: look.prefs.sound, watching: watching(m),
    toast: look.toast ? say(look.toast) : '', ...lesson(look, say),
    confirmTitle: say([`page.${look.asking || 'leave'}.title`]), confirmWords: say([`page.${look.asking || 'leave'}.words`]),
    confirmYes: say([`page.${look.asking || 'leave'}`]),
    sideWord: say(['page.rounds']), roundsOpen: say([board ? 'page.online.hand' : 'page.rounds.open']), tabRounds: look.helping ? -1 : 0, tabHelp: look.helping ? 0 : -1,
  };
  switch (screen) {
    case 'arrive': return { ...common, ...arrive(m, look, say) };
    case 'wait': return { ...common, ...waiting(m, look, say, now) };
    case 'stopped': return { ...common, ...stopped(m, say) };
    case 'table': return { ...common, ...frame(m, shown, look, say, now), ...(board ? board.view(m, say, now)
      : { ...table(m, shown, look, say), ...side(shown, look, say), ...results(m, look, say, now) }) };
  }
}

/** A game in three lines. @param {Terms} terms @param {Say} say @returns {View} */
function threeLines({ preset, target = 50 }, say) {
  const [first, second, third] = preset === 'objectives' ? ['help.online.1', 'help.online.2', 'help.online.3']
    : ['help.short.1', 'help.short.2', preset === 'classic' ? 'help.short.3.classic' : 'help.short.3'];
  return { shortFirst: say([first]), shortSecond: say([second]), shortThird: say([third, { count: target }]) };
}

/** @param {Model} m @param {Look} look @param {Say} say @returns {View} */
function arrive(m, look, say) {
  const { terms, typed } = look;
  const wrong = typed === '' ? /** @type {Line} */ (['page.code.six']) : typed && m.notice && ABOUT_CODES.includes(m.notice[0]) ? m.notice : null;
  const timer = terms.timer ? (terms.timer > 1 ? ` ×${terms.timer}` : '') : '';
  return {
    title: `twoseat · ${say([terms.game === 'war' ? 'word.game' : 'word.online'])}`, heroTitle: say([terms.game === 'war' ? 'word.game' : 'word.online']), label: '',
    heroThem: '9S', heroMe: 'KH', ...threeLines(terms, say), isOnline: terms.game !== 'war', lead: say([terms.game === 'war' ? 'page.lead' : 'page.lead.online']), timerNote: say([terms.game === 'war' ? 'page.timer.note' : 'page.timer.note.online']),
    canResume: m.resume !== null, resumeWords: m.resume ? say(['page.resume', { code: spaced(m.resume.code) }]) : '',
    presetPoints: say(presetLine({ preset: 'points', target: terms.target ?? 50 })), presetIsPoints: terms.preset === 'points',
    optionsWords: [terms.timer ? say(['page.seconds', { n: terms.turn_seconds }]) + timer : say(['page.timer.off']),
      ...(terms.games > 1 ? [say(['page.best.of', { n: terms.games }])] : [])].join(' · '),
    arriveError: m.notice && !wrong ? say(m.notice) : '', codeWrong: wrong !== null, codeError: wrong ? say(wrong) : '', offline: m.net.phase !== 'open',
    netWords: m.net.tries ? say(['say.reconnecting', { n: m.net.tries }]) : say(['page.connecting']),
  };
}

/** @param {Model} m @param {Look} look @param {Say} say @param {number} now @returns {View} */
function waiting(m, look, say, now) {
  const { kind, code, options } = /** @type {NonNullable<Model['waiting']>} */ (m.waiting);
  const waited = Math.max(0, now - m.waitingSince);
  return {
    title: `${clock(waited - 999)} · twoseat`, label: say(presetLine(options)), label2: say(presetLine(options)),
    waitTitle: say([kind === 'host' ? 'page.wait.host' : 'page.wait.quick']), waited: clock(waited - 999),
    ...threeLines(options, say), botOffered: waited >= BOT_OFFERED_MS,
    arriveError: m.net.phase === 'open' ? m.notice && say(m.notice) : say(['say.reconnecting', { n: m.net.tries }]),
    hostCode: code ? spaced(code) : '', hostCodeSpelled: code ? code.split('').join(' ') : '',
    hostLink: code ? `${look.origin}/j/${code}` : '', canShare: look.canShare,
    copyWord: say([look.copied === 'link' ? 'page.copied' : 'page.copy']),
    qrOpen: look.qr && code !== null, qrSource: look.qr && code ? `/qr/${code}.svg` : '',
  };
}

/** @param {string} code */
const spaced = (code) => `${code.slice(0, 3)} ${code.slice(3)}`;

/** @param {Model} m @param {Say} say @returns {View} */
function stopped(m, say) {
  const { code } = m.net;
  const known = [1000, 1008, 1009, 4401, 4408, 4409, 4426].includes(code);
  return {
    title: 'twoseat', label: '',
    stopTitle: say([code === 404 ? 'page.replay.none' : code === 4409 ? 'page.stop.replaced' : code === 4426 ? 'page.stop.old' : 'page.stop.title']),
    stopWords: say(code === 404 ? ['page.replay.none.words'] : known ? [`error.close.${code}`] : ['error.close.other', { code }]),
    stopButton: say([code === 4409 ? 'page.stop.take' : code === 4426 ? 'page.stop.reload' : 'page.stop.again']),
    stopHome: code !== 4426,
  };
}

/** What every table shows, whatever is played there. @param {Model} m @param {Model} shown @param {Look} look @param {Say} say @param {number} now @returns {View} */
function frame(m, shown, look, say, now) {
  const state = /** @type {State} */ (m.state);
  const { options, series: begun } = /** @type {NonNullable<Model['seated']>} */ (m.seated);
  const series = shown.results?.series ?? begun;
  const [i, j] = [me(m), them(m)];
  const lost = m.net.phase !== 'open';
  return {
    title: playable(m) ? say(['page.title.turn']) : `twoseat · ${say([options.game === 'war' ? 'word.game' : 'word.online'])}`,
    label: say(presetLine(options)), netPhase: m.net.phase, lost, stripKind: alarmed(m) ? 'alert' : 'say',
    gamesScore: series.game > 1 || series.best_of > 1 ? say(['page.games', { mine: half(series.score[i] / 2), theirs: half(series.score[j] / 2) }]) : '',
    meCall: call(m, i, look, say, now), themCall: call(m, j, look, say, now), canCall: !watching(m) && !solo(m) && !lost,
    ...seat('me', m, i, say, now), ...seat('them', m, j, say, now),
    ...(look.replay ? look.replay.controls(say) : { replay: false }), hint: look.replay ? '' : watching(m) ? say(['say.watching', names(m)]) : '',
    facts: facts(m, say), recap: m.recap !== null, over: state.phase === 'over' && !isVoid(m),
    canResign: !watching(m) && state.phase === 'playing',
    canRedeal: !watching(m) && state.phase === 'playing' && !state.chairs[i].rematch,
    redealWord: say([solo(m) ? 'page.redeal' : state.chairs[j].rematch ? 'page.redeal.agree' : 'page.redeal.offer']),
    leaveWord: say([watching(m) || state.phase === 'over' ? 'page.home' : 'page.leave']),
  };
}

/** What War shows. @param {Model} m @param {Model} shown @param {Look} look @param {Say} say @returns {View} */
function table(m, shown, look, say) {
  const state = /** @type {State} */ (m.state);
  const seen = /** @type {State} */ (shown.state).view;
  const [i, j] = [me(m), them(m)];
  const mine = playable(m) || (m.pending !== null && m.net.phase === 'open');
  const turn = say([state.view.preset === 'classic' ? 'page.turn.cards' : 'page.draw']);
  const [act, kind] = barred(m, say) ?? (mine ? [turn, m.pending ? 'sent' : 'draw']
    : [say([state.view.drawn[i] ? 'page.act.them' : 'page.act.first', { name: nameOf(m, j) }]), 'wait']);
  return {
    wonWord: say(['page.rounds']), wonMe: seen.won[i], wonThem: seen.won[j],
    scoreWords: say(['page.score', { mine: seen.won[i], theirs: seen.won[j] }]),
    meFirst: state.phase === 'playing' && state.view.starter === i, themFirst: state.phase === 'playing' && state.view.starter === j,
    countMe: seen.counts[i], wordMe: countWord(say, seen.counts[i]),
    potWords: say(['word.pot', { count: seen.drawn[0] || seen.drawn[1] || !shown.rounds.length ? seen.pot : shown.rounds[shown.rounds.length - 1].won }]),
    countThem: seen.counts[j], wordThem: countWord(say, seen.counts[j]),
    strip: shown.rounds.length < m.rounds.length && !alarmed(m) ? '' : say(stripLine(m, shown, look)), ...(!alarmed(m) && shown.leap === 1 && fought(shown) && { stripKind: 'war' }),
    act, actKind: kind, locked: !(playable(m) || idled(m) || kind === 'results'), showKey: mine && !look.touch && look.prefs.keys,
    canTen: seen.preset === 'classic' && solo(m) && state.phase === 'playing',
    ...(!look.replay && !watching(m) && state.phase === 'playing' && { hint: say(['page.hold']) }),
    recapWords: m.recap ? say(recapLine(m)) : '', recapScore: m.recap ? say(recapScore(m)) : '',
  };
}

/** @param {Model} m @returns {Params} */
const names = (m) => ({ a: nameOf(m, 0), b: nameOf(m, 1) });

/** What a seat has just called across the table. @param {Model} m @param {Seat} s @param {Look} look @param {Say} say @param {number} now */
function call(m, s, { prefs }, say, now) {
  const shown = m.call?.seat === s && now - m.call.at < CALL_MS && (prefs.calls || s === m.seated?.seat);
  return shown ? say([`word.react.${m.call?.reaction}`]) : '';
}

/** The catalogue counts with the number; beside a big number only the noun is shown. @param {Say} say @param {number} count */
const countWord = (say, count) => say(['word.cards', { count }]).replace(String(count), '').trim();

/** @param {'me' | 'them'} side @param {Model} m @param {Seat} s @param {Say} say @param {number} now @returns {View} */
function seat(side, m, s, say, now) {
  const state = /** @type {State} */ (m.state);
  const { phase } = state;
  const chair = state.chairs[s];
  const mine = side === 'me' && !watching(m);
  const name = nameOf(m, s);
  const shownName = mine ? say(['word.you']) : typeof name === 'string' ? name : say(name);
  const ms = chair.driver === 'human' ? left(m, s, now) : null;
  const unsure = m.net.phase !== 'open' && owes(state, s);
  const initial = String((mine ? m.seated?.names[s] : shownName) ?? '').slice(0, 1).toLocaleUpperCase();
  const chosen = m.seated?.bots[s] ?? false;
  return {
    [`${side}Name`]: shownName, [`${side}Turn`]: owes(state, s),
    [`${side}Clock`]: unsure ? '?' : ms === null ? initial : m.degraded ? initial : String(Math.ceil(ms / 1000)),
    [`${side}Low`]: ms !== null && ms <= LOW_MS, [`${side}Driver`]: chair.driver,
    [`${side}Here`]: chair.present || chosen, [`${side}Away`]: !(chair.present || chosen),
    [`${side}Bot`]: chair.driver === 'bot' && !chosen && phase !== 'over',
    [`${side}State`]: seatWords(m, chair, s, ms, say),
  };
}

/** @param {Model} m @param {Chair} chair @param {Seat} s @param {number | null} ms @param {Say} say */
function seatWords(m, chair, s, ms, say) {
  const state = /** @type {State} */ (m.state);
  const chosen = m.seated?.bots[s] ?? false;
  if (!chair.present && !chosen) {
    const soon = ms === null ? '' : ` · ${say(['word.state.bot_in', { time: clock(ms) }])}`;
    return say(['word.state.away']) + soon;
  }
  if (state.phase !== 'playing') return say(['word.state.here']);
  if (chair.driver === 'bot' && !chosen) return say([chair.back ? 'word.state.back' : 'page.state.idle']);
  const owed = m.seated?.options.game === 'war' ? 'word.state.draws' : 'page.state.plays';
  return say([owes(state, s) ? owed : state.view.drawn?.[s] ? 'word.state.drawn' : 'word.state.waits']);
}

/** What the big button says where no move can be made, whatever is played. @param {Model} m @param {Say} say @returns {[string, string] | null} */
export function barred(m, say) {
  const state = /** @type {State} */ (m.state);
  if (m.net.phase !== 'open') return [say(['page.act.lost']), 'lost'];
  if (state.phase === 'over') return [say([isVoid(m) ? 'page.home' : 'page.results']), 'results'];
  if (m.degraded) return [say(['page.act.storage']), 'lost'];
  if (state.phase === 'waiting') return [say([waitsFor(m), { name: nameOf(m, them(m)) }]), 'wait'];
  if (idled(m)) return [say(['page.act.back']), 'return'];
  return state.chairs[me(m)].driver === 'bot' ? [say(['page.act.soon']), 'wait'] : null;
}

/** Before the deal: for the other to sit down, then for the shuffle. @param {Model} m */
const waitsFor = (m) => (solo(m) || m.state?.chairs[them(m)].present ? 'page.act.deal' : 'page.act.sit');

/** @param {Model} m */
const alarmed = (m) => m.net.phase !== 'open' || m.degraded || idled(m) || m.notice !== null;

/** @param {Model} m */
const fought = (m) => m.rounds.length > 0 && m.rounds[m.rounds.length - 1].wars > 0;

/** The sentence that comes before all that a game has to say. @param {Model} m @param {Look} look @returns {Line | null} */
export function alarm(m, look) {
  if (m.net.phase !== 'open') return m.net.code === 1012 && m.net.tries < 2 ? ['error.close.1012'] : ['say.reconnecting', { n: m.net.tries }];
  if (m.degraded) return ['say.degraded.on'];
  if (idled(m)) return [`say.timeup.me${look.touch ? '.touch' : ''}`];
  return m.notice ?? (m.state?.phase === 'paused' ? ['say.paused'] : null);
}

/** The one sentence of War's table. @param {Model} m @param {Model} shown @param {Look} look @returns {Line} */
function stripLine(m, shown, look) {
  const state = /** @type {State} */ (m.state);
  if (alarm(m, look)) return /** @type {Line} */ (alarm(m, look));
  if (state.phase === 'playing' && state.chairs[them(m)].rematch) return ['say.redeal.them', { name: nameOf(m, them(m)) }];
  if (shown.state?.outcome) return endLine(shown);
  return roundLine(shown);
}

/** Line, watchers: small facts under the button. @param {Model} m @param {Say} say */
function facts(m, say) {
  const lag = m.net.lag;
  const words = lag === null || m.net.phase !== 'open' ? []
    : [lag < SLOW_MS ? say(['word.lag.good']) : `${say(['word.lag.slow'])} · ${say(['word.lag', { ms: lag }])}`];
  return [...words, ...(m.watchers ? [say(['word.watchers', { count: m.watchers }])] : [])].join(' · ');
}

/** Deck counts as a line: above the middle is mine. @param {string} name @param {Round[]} rounds @param {Seat} i @param {Say} say @returns {View} */
function ribbon(name, rounds, i, say) {
  const step = 300 / Math.max(name === 'now' ? 40 : 1, rounds.length);
  const ahead = [0, ...rounds.map((round) => round.counts[i] - DECK / 2)];
  const roof = Math.max(LEAST_ROOF, ...ahead.map(Math.abs));
  const points = ahead.map((lead, n) => [n * step, 32 - (lead / roof) * 29]);
  const path = points.map(([x, y], n) => `${n ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  const wars = rounds.map((round, n) => (round.wars ? `M${points[n + 1][0].toFixed(1)} ${points[n + 1][1].toFixed(1)}h.01` : '')).join('');
  const last = points[points.length - 1];
  const counts = rounds[rounds.length - 1]?.counts ?? [DECK / 2, DECK / 2];
  return {
    [`${name}Ribbon`]: path, [`${name}Wars`]: wars, [`${name}Area`]: `${path}L${last[0].toFixed(1)} 32L0 32Z`,
    [`${name}RibbonWords`]: say(['page.ribbon.words', { mine: counts[i], theirs: counts[i === 0 ? 1 : 0] }]),
  };
}

/** The panel beside the table. @param {Model} m @param {Look} look @param {Say} say @returns {View} */
function side(m, look, say) {
  const i = me(m);
  return {
    ...ribbon('now', m.rounds, i, say),
    noRounds: m.rounds.length === 0, last: look.told.map((line, key) => ({ key, text: say(line) })).reverse(),
    rounds: m.rounds.map((round) => ({
      key: round.n, n: round.n, side: sideOf(round.winner, i), who: winnerWord(m, round.winner, say),
      bot: round.winner !== null && round.by[round.winner] === 'bot' && !m.seated?.bots[round.winner],
      war: warWord(say, round.wars),
    })).reverse(),
  };
}

/** @param {Seat | null} winner @param {Seat} i */
const sideOf = (winner, i) => (winner === null ? 'none' : winner === i ? 'me' : 'them');

/** @param {Model} m @param {Look} look @param {Say} say @param {number} now @returns {View} */
function results(m, look, say, now) {
  const game = m.past[look.game < 0 ? m.past.length - 1 : look.game];
  if (!m.results || !game) return { rematchButton: '' };
  const [i, j] = [me(m), them(m)];
  const [one, all] = [tally(game.rounds, i), tally(m.past.flatMap((past) => past.rounds), i)];
  const share = (/** @type {Seat} */ s) => say(['page.of', { n: one.bot[s], whole: game.rounds.length }]);
  const games = (/** @type {Seat} */ s) => m.past.filter((past) => past.outcome.winner === s).length;
  const at = m.past.indexOf(game);
  return {
    resultTitle: say(endLine(m)), resultWhy: say([`word.end.${m.results.outcome.termination}`, { count: m.state?.view.target ?? 0 }]),
    ...ended(m, look, say, now), gameMe: winnerWord(m, i, say), gameThem: winnerWord(m, j, say),
    ...ribbon('game', game.rounds, i, say),
    gameFacts: factRows(say, [
      ['rounds', `${one.won} : ${one.lost}`], ['wars', `${one.warsWon} : ${one.wars - one.warsWon}`],
      ['deepest', warWord(say, one.deepest) || '–'], ['run', one.run], ...(solo(m) ? [] : /** @type {[string, string][]} */ ([['bot.me', share(i)], ['bot.them', share(j)]])),
    ], { name: nameOf(m, j) }),
    sittingFacts: factRows(say, [
      ['games', `${games(i)} : ${games(j)}`], ['rounds', `${all.won} : ${all.lost}`],
      ['wars', `${all.warsWon} : ${all.wars - all.warsWon}`], ['run', all.run],
    ]),
    gameRounds: game.rounds.map((round) => ({
      key: `${at}/${round.n}`, n: round.n, side: sideOf(round.winner, i), war: warWord(say, round.wars),
      who: winnerWord(m, round.winner, say), counts: `${round.counts[i]} : ${round.counts[j]}`, won: round.won,
      ...cardCell('my', round, i, say, false), ...cardCell('their', round, j, say, solo(m)),
    })),
  };
}

/** What any game's results have. @param {Model} m @param {Look} look @param {Say} say @param {number} now @returns {View} */
export function ended(m, look, say, now) {
  const newest = m.past.length - 1;
  const at = look.game < 0 ? newest : look.game;
  const listed = m.past.flatMap(({ outcome }, n) => (n === newest || !['redealt', 'void'].includes(outcome.termination) ? [n] : []));
  return {
    ...rematch(m, say, now), replayLink: look.replay || !m.past[at].rounds.length ? '' : `/r/${m.past[at].match}`, manyGames: listed.length > 1,
    gameTabs: listed.map((game, n) => ({ key: game, at: game, on: game === at, tab: game === at ? 0 : -1, text: say(['page.game.n', { n: n + 1 }]) })),
    canVerify: m.fair !== null && m.results?.seed !== '' && at === newest && m.past[at].rounds.length > 0,
    checks: look.checked ? checkLines(m, look.checked).map(([good, line], key) => ({ key, good: good ?? 'unknown', text: say(line) })) : [],
    copyResultWord: say([look.copied === 'result' ? 'page.copied' : 'page.copy.result']),
  };
}

/** @param {Say} say @param {[string, string | number][]} facts @param {Params} [params] @returns {Row[]} */
export const factRows = (say, facts, params = {}) => facts.map(([key, is]) => ({ key, is, what: say([`page.fact.${key}`, params]) }));

/** @param {'my' | 'their'} side @param {Round} round @param {Seat} s @param {Say} say @param {boolean} chosen @returns {{[name: string]: string | boolean}} */
function cardCell(side, round, s, say, chosen) {
  const card = round.cards?.[s] ?? '';
  const suit = card.slice(-1);
  return {
    [`${side}Card`]: card && `${card.slice(0, -1)}${{ C: '♣', D: '♦', H: '♥', S: '♠' }[suit]}\ufe0e`, [`${side}Suit`]: suit,
    [`${side}Words`]: card && cardWords(card, say), [`${side}Bot`]: round.by[s] === 'bot' && !chosen ? say(['word.bot']) : '',
    [`${side}First`]: round.starter === s,
  };
}

/** Another game: offered, wanted, gone, or coming by itself. @param {Model} m @param {Say} say @param {number} now @returns {View} */
function rematch(m, say, now) {
  const { chairs, next_in: next, outcome } = /** @type {State} */ (m.state);
  const { series, decided } = /** @type {NonNullable<Model['results']>} */ (m.results);
  const [mine, across] = [chairs[me(m)], chairs[them(m)]];
  const params = { name: nameOf(m, them(m)) };
  const gone = !across.present && !solo(m);
  const open = !watching(m) && outcome?.termination !== 'void' && (!gone || next !== null);
  const [a, b] = [series.score[me(m)] / 2, series.score[them(m)] / 2];
  const words = gone ? (next === null ? 'say.rematch.gone' : 'say.away.them') : across.rematch ? `say.${decided ? 'rematch' : 'next'}.them` : mine.rematch ? `say.${decided ? 'rematch' : 'next'}.me` : '';
  const button = !decided ? 'page.next' : across.rematch ? 'page.rematch.agree' : mine.rematch ? 'page.rematch.asked' : 'page.rematch';
  const time = clock(Math.max(0, (next ?? 0) - (now - m.at)));
  return {
    rematchButton: open ? say([button]) : '', rematchAsked: mine.rematch,
    rematchWords: next !== null && !words ? say(['say.series.next', { n: series.game + 1, time }]) : words && say([words, params]),
    seriesWords: series.game > 1 || series.best_of > 1 ? say(['say.series.score', { mine: half(a), theirs: half(b) }]) : '',
  };
}

/** @param {number} score games won, a draw half @returns {string} */
const half = (score) => (score % 1 ? `${Math.floor(score) || ''}½` : String(score));

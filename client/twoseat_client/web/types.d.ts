/**
 * The shapes the page's modules share: the wire's messages as twoseat/wire has them, and the page's own model of them.
 * Read by the type checker only; no browser ever loads this file.
 */

export type Seat = 0 | 1;
export type Driver = 'human' | 'bot';
export type Pair<T> = [T, T];

/** What is asked for; `target` is War's, `limit` and `level` are War Online's. */
export interface Terms {
  game: 'war' | 'war-online';
  preset: string;
  target?: number;
  turn_seconds: number;
  timer: number;
  games: number;
  limit?: number;
  level?: 'easy' | 'middle' | 'strong';
}

export type Options = Required<Terms>;

export interface Outcome {
  winner: Seat | null;
  termination: string;
}

export interface Round {
  n: number;
  starter: Seat | null;
  winner: Seat | null;
  wars: number;
  won: number;
  counts: Pair<number>;
  by: Pair<Driver>;
  cards: Pair<string> | null;
}

export interface WarView {
  game: 'war';
  preset: 'points' | 'classic';
  target: number;
  counts: Pair<number>;
  pot: number;
  won: Pair<number>;
  round: number;
  starter: Seat | null;
  drawn: Pair<boolean>;
  solo: Seat | null;
  pairs: Pair<string>[];
}

/** Armies to place: `free` anywhere, the others only inside their continent. */
export interface Reserve {
  free: number;
  continents: { [continent: string]: number };
}

/** All throws of a turn from one territory against another; `luck` in armies. */
export interface Battle {
  source: string;
  target: string;
  attackers: number;
  defenders: number;
  lost: Pair<number>;
  conquered: boolean;
  chance: number;
  luck: number;
}

/** A finished turn of War Online. */
export interface Turn {
  n: number;
  round: number;
  seat: Seat;
  by: Driver;
  territories: Pair<number>;
  armies: Pair<number>;
  traded: number;
  conquests: number;
  fought: number;
  luck: number;
  battles: Battle[];
  drew: boolean;
  card: string | null;
}

/** The last move of War Online and what it did. */
export interface Deed {
  seat: Seat;
  move: string;
  bonus: string[];
  throws: Pair<number[]>[];
  lost: Pair<number>;
  conquered: boolean;
  drew: boolean;
}

export interface OnlineView {
  game: 'war-online';
  limit: number;
  step: 'opening' | 'place' | 'attack' | 'advance' | 'move';
  round: number;
  first: Seat;
  on_turn: Seat | null;
  ready: Pair<boolean>;
  owners: string;
  armies: number[];
  granted: Reserve | null;
  traded: number;
  to_place: Reserve | null;
  conquests: number;
  advance: { source: string; target: string; most: number } | null;
  moved: [string, number][];
  trades: number;
  next_trade: number;
  hands: Pair<number>;
  pile: number;
  cards: string[];
  objective: string | null;
  last: Deed | null;
  battles: Battle[];
  objectives: Pair<string> | null;
  shown: Pair<string[]> | null;
}

/** A territory as it is drawn: outline, place for its number, and the territories it borders on. */
export interface Land {
  id: string;
  continent: string;
  path: string;
  x: number;
  y: number;
  beside: string[];
}

/** What the legal moves offer: by territory, or by source and target, the most armies a move may name. */
export interface Offers {
  words: Set<string>;
  place: Map<string, number>;
  attack: Map<string, Map<string, number>>;
  move: Map<string, Map<string, number>>;
  advance: number;
  trades: string[][];
}

/** What the hands of one person at War Online's board have chosen; nothing of it is known to the server. */
export interface Hands {
  from: string;
  to: string;
  /** Armies to move, or at which to stop attacking. */
  count: number;
  /** Cards taken up, by their place in the hand. */
  cards: number[];
  /** Whether the objective's card is turned up. */
  objective: boolean;
  /** Clicks that are not sent yet. */
  waiting: { target: string; count: number }[];
  /** Placings to take back once the one on its way has arrived. */
  undos: number;
  /** What happened, newest last. */
  log: Line[];
  /** The last throws that were seen, and since when. */
  dice: { deed: Deed; at: number } | null;
  /** The board as it was before dice that still roll. */
  before: { owners: string; armies: number[] } | null;
}

/** How a territory is shown. */
export interface Mark {
  owner: 'me' | 'them' | 'none';
  armies: number;
  /** Clicked and not placed yet. */
  more: number;
  lit: '' | 'source' | 'target' | 'from' | 'to';
  name: string;
  label: string;
}

/** What a game other than War puts in the place of the cards. */
export interface Board {
  /** What is shown, beside what every table shows. */
  view(m: Model, say: Say, now: number): View;
  /** What happened in the game. */
  played(a: Model, b: Model): Line[];
  /** Whose turn it became, or how the game ended. */
  turned(a: Model, b: Model): Line[];
  /** What the bot did for somebody who was away. */
  recap(m: Model): Line[];
  /** A new state is there. */
  show(m: Model): void;
  /** The big button was pressed. */
  press(): void;
  /** The page speaks another language. */
  speak(): void;
  /** What its buttons do. */
  deeds: { [name: string]: (node: HTMLElement) => void };
  /** The result as plain text. */
  text(m: Model): string;
}

export interface Series {
  best_of: number;
  game: number;
  score: Pair<number>;
  winners: (Seat | null)[];
}

export interface Chair {
  present: boolean;
  driver: Driver;
  back: boolean;
  due: number | null;
  number: number;
  last: string;
  rematch: boolean;
}

export interface Welcome {
  type: 'welcome';
  protocol: number;
  server: string;
  name: string;
  token: string | null;
  resume: { match: string; code: string; present: boolean } | null;
}

export interface Waiting {
  type: 'waiting';
  kind: 'quick' | 'host';
  code: string | null;
  waited: number;
  options: Options;
}

export interface Seated {
  type: 'seated';
  match: string;
  code: string;
  seat: Seat | null;
  names: Pair<string>;
  bots: Pair<boolean>;
  options: Options;
  series: Series;
  rounds: Round[];
}

export interface State {
  type: 'state';
  version: number;
  phase: 'waiting' | 'playing' | 'paused' | 'over';
  chairs: Pair<Chair>;
  legal: Pair<string[]>;
  view: WarView;
  rounds: Round[];
  outcome: Outcome | null;
  next_in: number | null;
}

export interface Results {
  type: 'results';
  match: string;
  outcome: Outcome;
  rounds: Round[];
  series: Series;
  decided: boolean;
  seed: string;
}

export interface Fair {
  type: 'fair';
  match: string;
  stage: 'waiting' | 'commit' | 'open' | 'done';
  seed_digest: string;
  digests: Pair<string | null>;
  nonces: Pair<string | null>;
  left: number | null;
}

export type ServerMessage =
  | Welcome
  | Waiting
  | Seated
  | State
  | Fair
  | Results
  | { type: 'idle' }
  | { type: 'done'; id: string; version: number }
  | { type: 'rejected'; reason: string; id: string | null; by_bot: boolean }
  | { type: 'error'; code: string; field: string | null; detail: string | null }
  | { type: 'degraded'; on: boolean }
  | { type: 'watchers'; count: number }
  | { type: 'reacted'; seat: Seat; reaction: string }
  | { type: 'pong'; n: number };

/** What happens on this side of the wire and changes the model too. */
export type OwnMessage =
  | { type: 'net'; net: Partial<Net> }
  | { type: 'press'; id: string; move: string }
  | { type: 'sent' }
  | { type: 'dismiss' }
  | { type: 'remember'; past: Game[] };

export type Message = ServerMessage | OwnMessage;

/** A sentence before it is in any language: a catalogue key and what goes into its places, sentences among them. */
export type Line = [key: string, params?: Params];
export type Params = { [place: string]: string | number | Line };

export interface Net {
  phase: 'connecting' | 'open' | 'lost' | 'stopped';
  /** Attempts since the connection was lost. */
  tries: number;
  /** The last close code; 0 where there was none. */
  code: number;
  /** Round trip in ms, or null before the first. */
  lag: number | null;
}

/** A move on its way; it keeps its id and number until the match has answered, however many sockets that takes. */
export interface Pending {
  id: string;
  number: number;
  move: string;
  sent: boolean;
}

/** A finished game of this sitting. */
export interface Game {
  match: string;
  seat: Seat | null;
  names: Pair<string>;
  outcome: Outcome;
  rounds: Round[];
}

export interface Model {
  net: Net;
  name: string;
  resume: Welcome['resume'];
  waiting: Waiting | null;
  waitingSince: number;
  seated: Seated | null;
  state: State | null;
  /** When `state` came, on the monotonic clock its times are counted from. */
  at: number;
  /** Whether `state` came on the present socket. */
  fresh: boolean;
  rounds: Round[];
  /** How many rounds the last state finished. */
  leap: number;
  results: Results | null;
  /** What was committed to before this deal. */
  fair: Fair | null;
  past: Game[];
  degraded: boolean;
  watchers: number;
  pending: Pending | null;
  notice: Line | null;
  /** How many rounds the last recap reached. */
  recapped: number;
  recap: { from: number; to: number } | null;
  /** The last thing called across the table, and when. */
  call: { seat: Seat; reaction: string; at: number } | null;
}

export interface Prefs {
  lang: string;
  name: string;
  theme: 'auto' | 'light' | 'dark';
  contrast: 'auto' | 'more';
  suits: 'two' | 'four';
  speed: 'normal' | 'fast' | 'off';
  sound: boolean;
  keys: boolean;
  /** Whether what the other side calls is shown. */
  calls: boolean;
}

/** Translates a sentence. */
export type Say = (line: Line) => string;

/** What is true of a finished game. */
export interface Checked {
  seed: boolean;
  /** By seat: in the deal, none given, or not the one committed to. */
  nonces: ('in' | 'none' | 'false')[];
  /** Whether one's own nonce is the one in the deal; null where this tab did not make it. */
  own: boolean | null;
  /** The first round, or turn, that does not follow from the deal, 0 where all do. */
  broken: number;
  /** What of the game itself was checked, and whether it is as it should be; null where that cannot be known. */
  lines: [boolean | null, Line][];
}

/** What the page shows beside the game: choices, open panels, passing words. */
export interface Look {
  prefs: Prefs;
  terms: Terms;
  helping: boolean;
  lesson: number;
  /** The game shown in the results, by its place among those of this sitting; -1 is the newest. */
  game: number;
  /** The results are to be opened as soon as they come. */
  awaited: boolean;
  qr: boolean;
  /** The code typed last, empty where it was none; null before, and once it is being changed. */
  typed: string | null;
  touch: boolean;
  origin: string;
  canShare: boolean;
  copied: 'link' | 'result' | '';
  toast: Line | null;
  /** The last five things that happened at this table, without faces of past rounds. */
  log: Line[];
  /** Those of them that give nothing away which the cards have yet to show. */
  told: Line[];
  /** What came of checking the last game. */
  checked: Checked | null;
  /** The controls of a game played again. */
  replay: { controls: (say: Say) => View } | null;
  asking: 'leave' | 'resign' | 'redeal' | '';
}

/** What the binder writes into the page: flat names to texts, flags and lists of the same. */
export type View = { [name: string]: string | number | boolean | null | Row[] };
export type Row = { key: string | number } & { [name: string]: string | number | boolean | null };

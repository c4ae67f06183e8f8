// What the page asks of the rules and what they answer: requests and responses are JSON.

/** Every answer says whether it is one. */
interface Answer {
  ok: boolean;
  error?: string;
  hint?: string;
}

interface OwnShip {
  id: string;
  name: string;
  class: string;
  side: string;
  own: boolean;
  hex: string;
  heading: string;
  status: string;
}

interface Opened extends Answer {
  version: string;
  game: string;
  title: string;
  turn: number;
  phase: number;
  rules: string;
  captain: string;
  seat: string;
  /** The post whose orders are composed; "" for a captain. */
  crew: string;
  ships: OwnShip[];
  text: string;
}

interface Remark {
  line: number;
  column: number;
  length: number;
  code: string;
  severity: "error" | "warning" | "note";
  message: string;
  hint: string;
}

interface Effect {
  ship: string;
  line: number;
  text: string;
}

interface Power {
  ship: string;
  have: number;
  used: number;
  left: number;
  rows: { name: string; amount: number }[];
}

interface Checked extends Answer {
  accepted: boolean;
  diagnostics: Remark[];
  effects: Effect[];
  sums: { ship: string; text: string }[];
  power?: Power[];
  map: string;
  mapText: string;
  who: string;
}

/** A place that a ship can reach, with the whole text that takes her there. */
interface Reach {
  hex: string;
  heading: string;
  cost: number;
  text: string;
}

interface Shot {
  bank: string;
  arc: boolean;
  /** It is ordered: the text takes it back. */
  on?: boolean;
  chance: string;
  why: string;
  text: string;
}

interface Target {
  ship: string;
  hex: string;
  range: number;
  shots: Shot[];
}

interface Slider {
  name: string;
  min: number;
  max: number;
  step: number;
  /** The power that the order takes; 0 where others share its line. */
  cost: number;
  value: number;
  line: number;
}

interface Item {
  label: string;
  help: string;
  /** What comes of it that nobody orders by a slip. */
  ends?: string;
  /** It stands: the text takes it out. */
  on?: boolean;
  text: string;
  why?: string;
}

interface Choices extends Answer {
  steps?: { title: string; line: number }[];
  step?: number;
  reach: Reach[];
  targets: Target[];
  power: Slider[];
  /** Items are there of the lists that were asked for. */
  lists: { name: string; title: string; items: Item[] }[];
}

interface Changed extends Answer {
  text: string;
}

/** A table with its words; a table without columns is words alone. */
interface Panel {
  title: string;
  notes: string[] | null;
  columns: string[];
  rows: string[][] | null;
}

interface Rehearsed extends Answer {
  panels: Panel[];
}

interface Mail extends Answer {
  to: string;
  subject: string;
  body: string;
  /** An address that opens the mail, without its body if that is long or has a key; "" where it is not known whom it goes to. */
  mailto: string;
  whole: boolean;
  keyed: boolean;
}

/** The glue of Go's own, wasm_exec.js. */
declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** What cmd/composer sets. */
declare var starpostCompose: ((request: string) => string) | undefined;

/** Set by engine.js: starts the rules from their packed program. */
declare var starpostStart: (packed: ArrayBuffer | string) => Promise<(request: string) => string>;

/** A scenario as it is after what was asked, and what is found in it. */
interface Section {
  file: string;
  line: number;
  title: string;
  fields: { line: number; key: string; value: string }[];
  more: boolean;
}
interface Designed extends Answer {
  text: string;
  tables: string;
  forms: Section[];
  map: string;
  mapText: string;
  ships: { name: string; where: string }[];
  sides: string[];
  classes: string[];
  remarks: string[];
  balance: string[];
}

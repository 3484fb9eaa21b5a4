// The calls of the back end with the types of their answers.

import type { Point, Extent, Matrix } from "./geometry.ts";
import type { Transport } from "./transport.ts";

export interface TextState {
  file: string;
  version: number;
  dirty: boolean;
  conflict: boolean;
  undo: boolean;
  redo: boolean;
  classes: string[];
  recovered: boolean;
}

export interface Project {
  folder: string;
  version: number;
  texts: TextState[];
  libraries: string[];
  runs: RunStatus[];
  kairos: string;
}

export interface Text {
  file: string;
  text: string;
  version: number;
}

export interface TreeEntry {
  name: string;
  class: string;
  kind: string;
  partial: boolean;
  description: string;
  children: boolean;
  runs: boolean;
}

export interface Found {
  class: string;
  description: string;
  kind: string;
}

export interface Connector {
  name: string;
  class: string;
  at: Point;
  color: [number, number, number];
  lengths?: string[];
}

export interface Part extends Connector {
  matrix: Matrix;
  extent: Extent;
  connector: boolean;
  inherited: boolean;
  disabled: boolean;
  connectors: Connector[];
}

export interface Wire {
  from: string;
  to: string;
  points: Point[];
  inherited: boolean;
}

export interface Picture {
  class: string;
  svg: string;
  extent: Extent;
  grid: Point;
  parts: Part[];
  wires: Wire[];
}

export interface Parameter {
  name: string;
  type: string;
  description: string;
  value: string | null;
  known: number | string | boolean | null;
  default: string | null;
  unit: string;
  displayUnit: string;
  tab: string;
  group: string;
  enabled: boolean;
  choices: string[];
}

/** An element whose class the user may choose. */
export interface Replaceable {
  name: string;
  description: string;
  type: string | null;
  choices: { label: string; text: string }[];
}

export interface ClassInfo {
  class: string;
  kind: string;
  file: string;
  line: number;
  text: string;
  editable: boolean;
  experiment: { start: number | null; stop: number | null; interval: number | null; tolerance: number | null };
}

export interface Label {
  file: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  text: string;
}

export interface Diagnostic {
  severity: string;
  code: string;
  message: string;
  labels: Label[];
  help?: string[];
  notes?: string[];
}

export interface RunStatus {
  run: number;
  class: string;
  phase: string;
  time: number;
  start: number;
  stop: number;
  events: number;
  finished: boolean;
  failed: boolean;
  stopped: boolean;
  /** Nothing had to be compiled. */
  again: boolean;
  /** Milliseconds. */
  compiled: number;
  simulated: number;
  diagnostics: Diagnostic[];
}

export interface Variable {
  name: string;
  unit: string;
  displayUnit: string;
  description: string;
  kind: "real" | "integer" | "boolean" | "string";
  value: number | string | boolean | null;
}

export interface Curve {
  name: string;
  unit: string;
  description: string;
  discrete: boolean;
  missing?: boolean;
  t: number[];
  v: (number | null)[];
}

/** A unit that values can be shown in: `factor*value + offset`. */
export interface OtherUnit {
  unit: string;
  factor: number;
  offset: number;
}

export interface EventRecord {
  time: number;
  kind: string;
  iterations: number;
  causes: { at?: string; became?: string; expression: string }[];
  changes: { name: string; from: number; to: number }[];
  jumps: { name: string; from: number; to: number }[];
  fired: unknown[];
}

export interface Shapes {
  time: number[];
  shapes: Shape[];
}

export type Moving = number | number[] | null;

export interface Shape {
  name: string;
  kind: string;
  length: Moving;
  width: Moving;
  height: Moving;
  extra: Moving;
  r: Moving[];
  r_shape: Moving[];
  lengthDirection: Moving[];
  widthDirection: Moving[];
  color: Moving[];
  T: Moving[];
}

/** One operation of an edit; all operations of an edit are one step to undo. */
export type Operation =
  | { op: "add"; type: string; name: string; modifiers?: string; extent: Extent; origin?: Point; rotation?: number }
  | { op: "place"; name: string; extent: Extent; origin?: Point; rotation?: number }
  | { op: "remove"; name: string }
  | { op: "rename"; name: string; to: string }
  | { op: "redeclare"; name: string; element: string; text?: string }
  | { op: "modify"; name: string; path: string; value?: string }
  | { op: "connect" | "route"; from: string; to: string; points: Point[]; color?: number[] }
  | { op: "disconnect"; from: string; to: string };

export interface RunSettings {
  start?: number;
  stop?: number;
  tolerance?: number;
  intervals?: number;
  method?: string;
  /** Simulated seconds in a second of the clock; as fast as it goes if not said. */
  pace?: number;
  /** Parameters that may be changed while the run goes on. */
  live?: string[];
  settings?: Record<string, string>;
}

interface Calls {
  project: [{}, Project];
  status: [{}, Project];
  open: [{ file: string }, Text];
  create: [{ name: string; text?: string }, Text];
  remove: [{ file: string }, Project];
  text: [{ file: string }, Text];
  set_text: [{ file: string; text: string; version?: number }, Text];
  edit: [{ class: string; operations: Operation[] }, Text];
  undo: [{ file: string }, Text & { done: boolean }];
  redo: [{ file: string }, Text & { done: boolean }];
  save: [{ file: string; anyway?: boolean }, Project];
  revert: [{ file: string }, Text];
  tree: [{ class?: string }, { children?: TreeEntry[]; project?: TreeEntry[]; libraries?: TreeEntry[] }];
  search: [{ text: string }, Found[]];
  documentation: [
    { class: string },
    { class: string; kind: string; description: string; info: string; revisions: string },
  ];
  icons: [{ classes: string[] }, Record<string, string>];
  diagram: [{ class: string; run?: number; time?: number }, Picture];
  units: [{ unit: string }, OtherUnit[]];
  icon: [{ class: string }, Picture];
  parameters: [{ class: string; component?: string }, { class: string; parameters: Parameter[]; replaceable: Replaceable[] }];
  class: [{ class: string }, ClassInfo];
  check: [{ class: string }, { diagnostics: Diagnostic[] }];
  explain: [{ class: string; variable?: string }, { text: string; diagnostics: Diagnostic[] }];
  run: [{ class: string } & RunSettings, RunStatus];
  progress: [{ run: number }, RunStatus];
  stop: [{ run: number }, RunStatus];
  tune: [{ run: number; name: string; value: string }, RunStatus];
  forget: [{ run: number }, {}];
  variables: [{ run: number }, { variables: Variable[]; from: number; to: number }];
  curves: [{ run: number; names: string[]; from?: number; to?: number; points?: number }, Curve[]];
  values: [{ run: number; names: string[]; time: number }, { name: string; value: number | null }[]];
  events: [{ run: number }, EventRecord[]];
  shapes: [{ run: number }, Shapes];
}

/** The back end with types; whoever has one can ask all that the back end answers. */
export class Api {
  constructor(readonly transport: Transport) {}

  call<M extends keyof Calls>(method: M, parameters: Calls[M][0]): Promise<Calls[M][1]> {
    return this.transport.call(method, parameters) as Promise<Calls[M][1]>;
  }
}

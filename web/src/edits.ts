// What a gesture on a diagram means for the text: pure functions from a picture to operations.

import type { Connector, Operation, Part, Picture, Wire } from "./api.ts";
import {
  type Box,
  type Extent,
  type Matrix,
  type Point,
  about,
  apply,
  boxOf,
  compose,
  corners,
  middle,
  moved,
  placementOf,
} from "./geometry.ts";
import { type End, follow, obstacles, route, wayOut } from "./routing.ts";
import { KEYWORDS } from "./words.ts";

export function partBox(part: Part): Box {
  return boxOf(corners(part.matrix, part.extent));
}

export function wireKey(wire: Wire): string {
  return `${wire.from}|${wire.to}`;
}

/** The part and the connector that a reference such as `a.b[2]` names. */
export function find(picture: Picture, reference: string): { part: Part; connector?: Connector } | undefined {
  const steps = reference.split(".").map((step) => step.replace(/\[.*$/, ""));
  const part = picture.parts.find((candidate) => candidate.name === steps[0]);
  if (!part) return undefined;
  return { part, connector: part.connectors.find((candidate) => candidate.name === steps[1]) };
}

/** Where a line meets a connector, and how it leaves. */
export function endOf(picture: Picture, reference: string): End | undefined {
  const found = find(picture, reference);
  if (!found) return undefined;
  const { part, connector } = found;
  // From a connector of the class itself a line may leave by any side.
  return connector ? { at: connector.at, out: wayOut(partBox(part), connector.at) } : { at: part.at };
}

/** A picture with some of its parts transformed. */
function transformed(picture: Picture, change: Map<string, Matrix>): Picture {
  const parts = picture.parts.map((part) => {
    const matrix = change.get(part.name);
    if (!matrix) return part;
    const at = (p: Point) => tidy(apply(matrix, p));
    const connectors = part.connectors.map((connector) => ({ ...connector, at: at(connector.at) }));
    return { ...part, matrix: compose(matrix, part.matrix), at: at(part.at), connectors };
  });
  return { ...picture, parts };
}

function tidy(p: Point): Point {
  return [Math.round(p[0] * 1e6) / 1e6 + 0, Math.round(p[1] * 1e6) / 1e6 + 0];
}

/** The new lines of the wires that hang on changed parts. */
export function rerouted(before: Picture, after: Picture, names: Set<string>): { wire: Wire; points: Point[] }[] {
  const boxes = after.parts.map(partBox);
  const list: { wire: Wire; points: Point[] }[] = [];
  for (const wire of before.wires) {
    const touches = [wire.from, wire.to].some((end) => names.has(find(before, end)?.part.name ?? ""));
    const [from, to] = [endOf(after, wire.from), endOf(after, wire.to)];
    if (wire.inherited || !touches || !from || !to || wire.points.length < 2) continue;
    // An equation may be written the other way round than its line is drawn.
    const start = endOf(before, wire.from)!.at;
    const [a, b] = [wire.points[0]!, wire.points[wire.points.length - 1]!];
    const turned = Math.hypot(a[0] - start[0], a[1] - start[1]) > Math.hypot(b[0] - start[0], b[1] - start[1]);
    const [first, last] = turned ? [to, from] : [from, to];
    const points =
      follow(wire.points, first.at, last.at) ?? route(first, last, obstacles(boxes, [first.at, last.at]), after.grid);
    list.push({ wire, points });
  }
  return list;
}

/** What some parts look like after a transformation of each: the picture, and the lines that follow. */
export function preview(picture: Picture, names: string[], matrix: (part: Part) => Matrix) {
  const own = picture.parts.filter((part) => names.includes(part.name) && !part.inherited);
  const after = transformed(picture, new Map(own.map((part) => [part.name, matrix(part)])));
  const wires = rerouted(picture, after, new Set(own.map((part) => part.name)));
  return { own, after, wires };
}

/** Operations that transform parts and let their wires follow. */
export function change(picture: Picture, names: string[], matrix: (part: Part) => Matrix): Operation[] {
  const { own, after, wires } = preview(picture, names, matrix);
  const operations: Operation[] = own.map((part) => {
    const now = after.parts.find((candidate) => candidate.name === part.name)!;
    return { op: "place", name: part.name, ...placementOf(now.matrix, now.extent) };
  });
  for (const { wire, points } of wires) operations.push({ op: "route", from: wire.from, to: wire.to, points });
  return operations;
}

export function move(picture: Picture, names: string[], by: Point): Operation[] {
  return change(picture, names, () => moved([1, 0, 0, 1, 0, 0], by));
}

/** Turns or flips each part about its own middle. */
export function turn(picture: Picture, names: string[], matrix: Matrix): Operation[] {
  return change(picture, names, (part) => about(apply(part.matrix, middle(part.extent)), matrix));
}

/** Operations that remove parts and wires; the connections of a part go with it. */
export function remove(picture: Picture, names: string[], wires: Wire[]): Operation[] {
  const own = names.filter((name) => picture.parts.some((part) => part.name === name && !part.inherited));
  const gone = (end: string) => own.includes(find(picture, end)?.part.name ?? "");
  const cut = wires.filter((wire) => !wire.inherited && !gone(wire.from) && !gone(wire.to));
  return [
    ...cut.map((wire): Operation => ({ op: "disconnect", from: wire.from, to: wire.to })),
    ...own.map((name): Operation => ({ op: "remove", name })),
  ];
}

/** The next index of an array of connectors that no line uses, or nothing for a scalar. */
export function freeIndex(picture: Picture, reference: string, lengths: string[] | undefined): number | undefined {
  if (!lengths || lengths.length !== 1) return undefined;
  const used = new Set<number>();
  for (const wire of picture.wires) {
    for (const end of [wire.from, wire.to]) {
      const match = /^(.*)\[(\d+)\]$/.exec(end);
      if (match && match[1] === reference) used.add(Number(match[2]));
    }
  }
  let k = 1;
  while (used.has(k)) k++;
  return k;
}

/** One end of a new connection as the text writes it, and the parameter that says how many there are. */
export interface NewEnd {
  reference: string;
  end: End;
  color: number[];
  part: string;
  index?: number;
  /** The parameter of the part that gives the length of the array. */
  length?: string;
}

export function newEnd(picture: Picture, part: Part, connector?: Connector): NewEnd {
  const plain = connector ? `${part.name}.${connector.name}` : part.name;
  const lengths = (connector ?? part).lengths;
  const index = freeIndex(picture, plain, lengths);
  const length = connector && /^[A-Za-z_]\w*$/.test(lengths?.[0] ?? "") ? lengths![0] : undefined;
  return {
    reference: index === undefined ? plain : `${plain}[${index}]`,
    end: endOf(picture, plain)!,
    color: (connector ?? part).color,
    part: part.name,
    index,
    length,
  };
}

/** Operations that connect two ends; arrays of connectors grow with their use. */
export function connect(picture: Picture, a: NewEnd, b: NewEnd, known: Map<string, number>): Operation[] {
  const boxes = picture.parts.map(partBox);
  const points = route(a.end, b.end, obstacles(boxes, [a.end.at, b.end.at]), picture.grid);
  const operations: Operation[] = [];
  for (const end of [a, b]) {
    if (!end.length || end.index === undefined) continue;
    const now = known.get(`${end.part}.${end.length}`);
    if (now !== undefined && end.index > now) {
      operations.push({ op: "modify", name: end.part, path: end.length, value: String(end.index) });
    }
  }
  operations.push({ op: "connect", from: a.reference, to: b.reference, points, color: a.color });
  return operations;
}

/** A name for a new part that nothing in the text has yet. */
export function freeName(text: string, className: string, taken: Set<string> = new Set()): string {
  const short = className.split(".").pop()!.replace(/\W/g, "");
  const upper = /^[A-Z0-9_]+$/.test(short);
  const base = upper ? short.toLowerCase() : short[0]!.toLowerCase() + short.slice(1);
  const used = (name: string) => KEYWORDS.has(name) || taken.has(name) || new RegExp(`\\b${name}\\b`).test(text);
  if (!used(base)) return base;
  let k = 1;
  while (used(`${base}${k}`)) k++;
  return `${base}${k}`;
}

/** A box of 20 by 20 around a point. */
export function boxAround([x, y]: Point, size = 20): Extent {
  return [
    [x - size / 2, y - size / 2],
    [x + size / 2, y + size / 2],
  ];
}

/** Parts and the wires among them, as they were copied. */
export interface Clip {
  parts: { part: Part; modifiers: string }[];
  wires: Wire[];
}

/** Operations that paste copied parts, moved aside, with new names; the names come too. */
export function paste(clip: Clip, text: string, by: Point): { operations: Operation[]; names: string[] } {
  const names = new Map<string, string>();
  for (const { part } of clip.parts) {
    const base = part.name.replace(/\d+$/, "") || part.name;
    names.set(part.name, freeName(text, base, new Set(names.values())));
  }
  const operations: Operation[] = clip.parts.map(({ part, modifiers }) => ({
    op: "add",
    type: part.class,
    name: names.get(part.name)!,
    modifiers,
    ...placementOf(moved(part.matrix, by), part.extent),
  }));
  const renamed = (end: string) => end.replace(/^\w+/, (name) => names.get(name) ?? name);
  for (const wire of clip.wires) {
    const points = wire.points.map((p): Point => [p[0] + by[0], p[1] + by[1]]);
    const color = clip.parts.find(({ part }) => part.name === wire.from.replace(/[.[].*$/, ""))?.part.connectors.find((c) => wire.from.split(".")[1]?.startsWith(c.name))?.color;
    operations.push({ op: "connect", from: renamed(wire.from), to: renamed(wire.to), points, color });
  }
  return { operations, names: [...names.values()] };
}

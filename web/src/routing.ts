// Lines between connectors: orthogonal, around the parts, with few corners.
//
// Problem: from one connector to another by horizontal and vertical pieces that cross no part, short and with few corners.
// Idea: a best line runs along the edges of the parts, a margin away from them, or through the ends. So the candidates are a
// small set of x and y values; their crossings are the nodes of a grid, in which the shortest path is sought with a price for
// each corner (the node carries the direction it is entered in).
// Invariant: the answer begins and ends at the given points, and each of its pieces is horizontal or vertical.
// Cost: with n parts near the line (2n+4)² nodes of four directions, logarithmic each; n is at most 60.
// Literature: Wybrow, Marriott, Stuckey: Orthogonal connector routing (Graph Drawing 2009).

import { type Box, type Point, contains } from "./geometry.ts";

export type Direction = 0 | 1 | 2 | 3;
const STEPS: Point[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

/** An end of a line: where, and the way out of its part, if it has one. */
export interface End {
  at: Point;
  out?: Direction;
}

const MARGIN = 4;
const CORNER = 12;
const MOST_PARTS = 60;

/** The way out of a box from a point: through the side that it lies nearest to. */
export function wayOut(box: Box, p: Point): Direction {
  const sides = [box.x + box.w - p[0], box.y + box.h - p[1], p[0] - box.x, p[1] - box.y];
  return sides.indexOf(Math.min(...sides)) as Direction;
}

/** A line between two ends that avoids the boxes. */
export function route(from: End, to: End, boxes: Box[], grid: Point = [2, 2]): Point[] {
  const [a, b] = [leave(from), leave(to)];
  const inner = search(a, b, nearest(boxes, a.at, b.at), grid) ?? dogleg(a.at, b.at, a.out);
  return simplify([from.at, ...inner, to.at]);
}

/** A step straight out of the part. */
function leave(end: End): End {
  if (end.out === undefined) return end;
  const [dx, dy] = STEPS[end.out]!;
  return { at: [end.at[0] + dx * MARGIN, end.at[1] + dy * MARGIN], out: end.out };
}

function nearest(boxes: Box[], a: Point, b: Point): Box[] {
  if (boxes.length <= MOST_PARTS) return boxes;
  const centre: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const far = (box: Box) => Math.hypot(box.x + box.w / 2 - centre[0], box.y + box.h / 2 - centre[1]);
  return [...boxes].sort((p, q) => far(p) - far(q)).slice(0, MOST_PARTS);
}

/** With one corner; the least that always works. */
function dogleg(a: Point, b: Point, out?: Direction): Point[] {
  return out === 1 || out === 3 ? [a, [a[0], b[1]], b] : [a, [b[0], a[1]], b];
}

function search(a: End, b: End, boxes: Box[], grid: Point): Point[] | undefined {
  const xs = values(a.at[0], b.at[0], boxes.flatMap((q) => [q.x - MARGIN, q.x + q.w + MARGIN]), grid[0]);
  const ys = values(a.at[1], b.at[1], boxes.flatMap((q) => [q.y - MARGIN, q.y + q.h + MARGIN]), grid[1]);
  const columns = xs.length;
  const start = ys.indexOf(a.at[1]) * columns + xs.indexOf(a.at[0]);
  const goal = ys.indexOf(b.at[1]) * columns + xs.indexOf(b.at[0]);
  const point = (node: number): Point => [xs[node % columns]!, ys[Math.floor(node / columns)]!];
  const cost = new Map<number, number>();
  const before = new Map<number, number>();
  const queue = new Heap();
  const first = start * 4 + (a.out ?? 0);
  for (let d = 0; d < 4; d++) {
    if (a.out !== undefined && d !== a.out) continue;
    cost.set(start * 4 + d, 0);
    queue.push(0, start * 4 + d);
  }
  if (a.out === undefined) cost.set(first, 0);
  while (queue.size > 0) {
    const state = queue.pop();
    const [node, direction] = [Math.floor(state / 4), state % 4];
    if (node === goal) return trace(before, state, point);
    const here = cost.get(state)!;
    const [column, row] = [node % columns, Math.floor(node / columns)];
    for (let d = 0; d < 4; d++) {
      if ((d + 2) % 4 === direction) continue;
      const [x, y] = [column + STEPS[d]![0], row + STEPS[d]![1]];
      if (x < 0 || y < 0 || x >= columns || y >= ys.length) continue;
      const next = y * columns + x;
      const [p, q] = [point(node), point(next)];
      if (boxes.some((box) => crosses(box, p, q))) continue;
      let price = here + Math.abs(p[0] - q[0]) + Math.abs(p[1] - q[1]) + (d === direction ? 0 : CORNER);
      // The last piece enters the part as the first one leaves it.
      if (next === goal && b.out !== undefined && d !== (b.out + 2) % 4) price += CORNER;
      const key = next * 4 + d;
      if (price < (cost.get(key) ?? Infinity)) {
        cost.set(key, price);
        before.set(key, state);
        queue.push(price + Math.abs(q[0] - b.at[0]) + Math.abs(q[1] - b.at[1]), key);
      }
    }
  }
  return undefined;
}

function values(a: number, b: number, edges: number[], grid: number): number[] {
  const half = Math.round((a + b) / 2 / grid) * grid;
  return [...new Set([a, b, half, ...edges])].sort((p, q) => p - q);
}

/** Whether a piece runs through the inside of a box. */
function crosses(box: Box, p: Point, q: Point): boolean {
  const little = 0.5;
  const inside = (low: number, high: number, from: number, size: number) =>
    high > from + little && low < from + size - little;
  return (
    inside(Math.min(p[0], q[0]), Math.max(p[0], q[0]), box.x, box.w) &&
    inside(Math.min(p[1], q[1]), Math.max(p[1], q[1]), box.y, box.h)
  );
}

function trace(before: Map<number, number>, last: number, point: (node: number) => Point): Point[] {
  const line: Point[] = [];
  for (let state: number | undefined = last; state !== undefined; state = before.get(state)) {
    line.push(point(Math.floor(state / 4)));
  }
  return line.reverse();
}

/** Without points that repeat or lie on the straight between their neighbours. */
export function simplify(line: Point[]): Point[] {
  const kept: Point[] = [];
  for (const p of line) {
    const last = kept[kept.length - 1];
    if (last && last[0] === p[0] && last[1] === p[1]) continue;
    const earlier = kept[kept.length - 2];
    if (last && earlier) {
      const vertical = earlier[0] === last[0] && last[0] === p[0];
      const horizontal = earlier[1] === last[1] && last[1] === p[1];
      if (vertical || horizontal) kept.pop();
    }
    kept.push(p);
  }
  if (kept.length === 1) kept.push([...line[line.length - 1]!]);
  return kept;
}

/**
 * The line after its ends have moved. Both alike: all of it moves. One of them: the corner next to it slides along its other
 * piece, so that the rest of the line stays; without such a corner the answer is `undefined` and the line is routed anew.
 */
export function follow(line: Point[], first: Point, last: Point): Point[] | undefined {
  const [a, b] = [line[0]!, line[line.length - 1]!];
  const [da, db] = [minus(first, a), minus(last, b)];
  if (da[0] === db[0] && da[1] === db[1]) return line.map((p) => [p[0] + da[0], p[1] + da[1]]);
  let result = line;
  if (da[0] !== 0 || da[1] !== 0) {
    const slid = slide(result, first);
    if (!slid) return undefined;
    result = slid;
  }
  if (db[0] !== 0 || db[1] !== 0) {
    const slid = slide([...result].reverse(), last);
    if (!slid) return undefined;
    result = slid.reverse();
  }
  return simplify(result);
}

function slide(line: Point[], first: Point): Point[] | undefined {
  if (line.length < 4) return undefined;
  const [a, b, c] = [line[0]!, line[1]!, line[2]!];
  if (a[1] === b[1] && b[0] === c[0]) return [first, [b[0], first[1]], ...line.slice(2)];
  if (a[0] === b[0] && b[1] === c[1]) return [first, [first[0], b[1]], ...line.slice(2)];
  return undefined;
}

function minus(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1]];
}

/** The line after one of its pieces has moved sideways; the ends stay, by new corners if need be. */
export function shiftSegment(line: Point[], segment: number, by: Point): Point[] {
  const [p, q] = [line[segment], line[segment + 1]];
  if (!p || !q) return line;
  const horizontal = p[1] === q[1];
  const d: Point = horizontal ? [0, by[1]] : [by[0], 0];
  const [p2, q2]: [Point, Point] = [[p[0] + d[0], p[1] + d[1]], [q[0] + d[0], q[1] + d[1]]];
  const head = segment === 0 ? [p, p2] : [...line.slice(0, segment), p2];
  const tail = segment + 2 >= line.length ? [q2, q] : [q2, ...line.slice(segment + 2)];
  return simplify([...head, ...tail]);
}

/** Boxes that a line between two ends should avoid: not those that hold an end inside. */
export function obstacles(boxes: Box[], ends: Point[]): Box[] {
  return boxes.filter((box) => !ends.some((p) => contains(box, p, -2.5)));
}

/** A binary heap of numbers by price. */
class Heap {
  private items: [number, number][] = [];

  get size(): number {
    return this.items.length;
  }

  push(price: number, item: number): void {
    const list = this.items;
    let k = list.length;
    list.push([price, item]);
    while (k > 0) {
      const up = (k - 1) >> 1;
      if (list[up]![0] <= list[k]![0]) break;
      [list[up], list[k]] = [list[k]!, list[up]!];
      k = up;
    }
  }

  pop(): number {
    const list = this.items;
    const top = list[0]!;
    const last = list.pop()!;
    if (list.length > 0) {
      list[0] = last;
      let k = 0;
      for (;;) {
        let down = 2 * k + 1;
        if (down >= list.length) break;
        if (down + 1 < list.length && list[down + 1]![0] < list[down]![0]) down++;
        if (list[k]![0] <= list[down]![0]) break;
        [list[down], list[k]] = [list[k]!, list[down]!];
        k = down;
      }
    }
    return top[1];
  }
}

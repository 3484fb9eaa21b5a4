// Points, boxes and transformations of diagrams, whose y axis points upwards.

export type Point = [number, number];
export type Extent = [Point, Point];
/** As in SVG: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = [number, number, number, number, number, number];

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Where a part stands, as its annotation writes it. */
export interface Placement {
  extent: Extent;
  origin: Point;
  rotation: number;
}

export function apply(m: Matrix, p: Point): Point {
  return [m[0] * p[0] + m[2] * p[1] + m[4], m[1] * p[0] + m[3] * p[1] + m[5]];
}

export function middle([a, b]: Extent): Point {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

/** The corners of an extent after a transformation, going around. */
export function corners(m: Matrix, [a, b]: Extent): Point[] {
  const all: Point[] = [a, [b[0], a[1]], b, [a[0], b[1]]];
  return all.map((p) => apply(m, p));
}

export function boxOf(points: Point[]): Box {
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

export function contains(box: Box, p: Point, room = 0): boolean {
  return p[0] >= box.x - room && p[0] <= box.x + box.w + room && p[1] >= box.y - room && p[1] <= box.y + box.h + room;
}

export function overlap(a: Box, b: Box): boolean {
  return a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h;
}

export function snap(value: number, grid: number): number {
  // Adding zero turns -0 into 0, which a text would show.
  return grid > 0 ? Math.round(value / grid) * grid + 0 : value;
}

export function snapPoint(p: Point, grid: Point): Point {
  return [snap(p[0], grid[0]), snap(p[1], grid[1])];
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** The distance of a point from a polyline, and the number of the nearest segment. */
export function fromLine(p: Point, line: Point[]): { distance: number; segment: number } {
  let best = { distance: Infinity, segment: -1 };
  for (let k = 0; k + 1 < line.length; k++) {
    const [a, b] = [line[k]!, line[k + 1]!];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const square = dx * dx + dy * dy;
    const s = square === 0 ? 0 : Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square));
    const d = distance(p, [a[0] + s * dx, a[1] + s * dy]);
    if (d < best.distance) best = { distance: d, segment: k };
  }
  return best;
}

function tidy(x: number): number {
  return Math.round(x * 1e6) / 1e6 + 0;
}

/**
 * The placement that a transformation comes from: its linear part is a rotation after a scaling whose signs are the flips.
 * Of the two ways to write a flip the one with the smaller angle is taken. A part that is not turned has its box written
 * out around the zero of the diagram, as most texts have it; others have it around their origin.
 */
export function placementOf(m: Matrix, extent: Extent): Placement {
  const [a, b, c, d] = m;
  const w = extent[1][0] - extent[0][0];
  const h = extent[1][1] - extent[0][1];
  let angle = (Math.atan2(b, a) * 180) / Math.PI;
  let sx = Math.hypot(a, b);
  let sy = sx === 0 ? Math.hypot(c, d) : (a * d - b * c) / sx;
  if (sy < 0 && Math.abs(angle) > 90) {
    angle += angle > 0 ? -180 : 180;
    [sx, sy] = [-sx, -sy];
  }
  const rotation = tidy(angle);
  const [x, y] = apply(m, middle(extent)).map(tidy) as Point;
  const [hw, hh] = [(sx * w) / 2, (sy * h) / 2];
  if (rotation === 0) {
    return { extent: [[tidy(x - hw), tidy(y - hh)], [tidy(x + hw), tidy(y + hh)]], origin: [0, 0], rotation };
  }
  return { extent: [[tidy(-hw), tidy(-hh)], [tidy(hw), tidy(hh)]], origin: [x, y], rotation };
}

/** First `inner`, then `outer`. */
export function compose(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function moved(m: Matrix, [dx, dy]: Point): Matrix {
  return [m[0], m[1], m[2], m[3], m[4] + dx, m[5] + dy];
}

/** Does something about a point instead of about zero. */
export function about(centre: Point, m: Matrix): Matrix {
  return compose([1, 0, 0, 1, centre[0], centre[1]], compose(m, [1, 0, 0, 1, -centre[0], -centre[1]]));
}

/** A quarter turn, counterclockwise. */
export const QUARTER: Matrix = [0, 1, -1, 0, 0, 0];
export const QUARTER_BACK: Matrix = [0, -1, 1, 0, 0, 0];
export const FLIP_HORIZONTAL: Matrix = [-1, 0, 0, 1, 0, 0];
export const FLIP_VERTICAL: Matrix = [1, 0, 0, -1, 0, 0];

// Routes: orthogonal, from end to end, around the parts, and kept as far as possible when parts move.
import assert from "node:assert/strict";
import { test } from "node:test";
import { follow, obstacles, route, shiftSegment, simplify, wayOut } from "../src/routing.ts";

function orthogonal(line) {
  for (let k = 1; k < line.length; k++) {
    const [a, b] = [line[k - 1], line[k]];
    assert.ok(a[0] === b[0] || a[1] === b[1], `${JSON.stringify(line)} is not orthogonal at ${k}`);
  }
}

function crosses(line, box) {
  for (let k = 1; k < line.length; k++) {
    const [a, b] = [line[k - 1], line[k]];
    const x = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
    const y = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
    if (x[1] > box.x + 1 && x[0] < box.x + box.w - 1 && y[1] > box.y + 1 && y[0] < box.y + box.h - 1) return true;
  }
  return false;
}

test("straight ahead is a straight line", () => {
  assert.deepEqual(route({ at: [0, 0], out: 0 }, { at: [40, 0], out: 2 }, []), [[0, 0], [40, 0]]);
});

test("around a corner takes one corner", () => {
  assert.deepEqual(route({ at: [0, 0], out: 0 }, { at: [40, 30], out: 3 }, []), [[0, 0], [40, 0], [40, 30]]);
});

test("a part in the way is gone around", () => {
  const box = { x: 15, y: -10, w: 20, h: 20 };
  const line = route({ at: [0, 0], out: 0 }, { at: [60, 0], out: 2 }, [box]);
  orthogonal(line);
  assert.ok(!crosses(line, box));
  assert.deepEqual([line[0], line[line.length - 1]], [[0, 0], [60, 0]]);
});

test("random diagrams: every route is orthogonal, joins its ends and crosses no part", () => {
  let seed = 11;
  const random = (n) => ((seed = (seed * 16807) % 2147483647), seed % n);
  for (let k = 0; k < 200; k++) {
    const boxes = [];
    for (let x = -80; x <= 80; x += 40) for (let y = -80; y <= 80; y += 40) if (random(3)) boxes.push({ x: x - 10, y: y - 10, w: 20, h: 20 });
    if (boxes.length < 2) continue;
    const [a, b] = [boxes[random(boxes.length)], boxes[random(boxes.length)]];
    if (a === b) continue;
    const from = { at: [a.x + a.w, a.y + a.h / 2], out: 0 };
    const to = { at: [b.x, b.y + b.h / 2], out: 2 };
    const line = route(from, to, obstacles(boxes, [from.at, to.at]));
    orthogonal(line);
    assert.deepEqual(line[0], from.at);
    assert.deepEqual(line[line.length - 1], to.at);
    for (const box of boxes) assert.ok(!crosses(line, box), `case ${k}: ${JSON.stringify(line)} crosses ${JSON.stringify(box)}`);
  }
});

test("a line follows its ends: all of it, or the corner beside the end", () => {
  const line = [[0, 0], [20, 0], [20, 30], [40, 30]];
  assert.deepEqual(follow(line, [2, 4], [42, 34]), [[2, 4], [22, 4], [22, 34], [42, 34]]);
  assert.deepEqual(follow(line, [-6, 8], [40, 30]), [[-6, 8], [20, 8], [20, 30], [40, 30]]);
  assert.deepEqual(follow(line, [0, 0], [50, 20]), [[0, 0], [20, 0], [20, 20], [50, 20]]);
  assert.equal(follow([[0, 0], [20, 0]], [0, 4], [20, 0]), undefined);
});

test("a piece moves sideways and the ends stay", () => {
  const line = [[0, 0], [20, 0], [20, 30], [40, 30]];
  assert.deepEqual(shiftSegment(line, 1, [6, 9]), [[0, 0], [26, 0], [26, 30], [40, 30]]);
  const end = shiftSegment(line, 0, [5, 4]);
  orthogonal(end);
  assert.deepEqual(end, [[0, 0], [0, 4], [20, 4], [20, 30], [40, 30]]);
});

test("points on a straight go, and the way out is by the nearest side", () => {
  assert.deepEqual(simplify([[0, 0], [5, 0], [9, 0], [9, 0], [9, 4]]), [[0, 0], [9, 0], [9, 4]]);
  const box = { x: -10, y: -10, w: 20, h: 20 };
  assert.deepEqual([[10, 0], [0, 10], [-10, 0], [0, -10]].map((p) => wayOut(box, p)), [0, 1, 2, 3]);
});

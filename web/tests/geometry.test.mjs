// Placements: a transformation becomes an annotation that means the same transformation again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { QUARTER, FLIP_HORIZONTAL, FLIP_VERTICAL, about, apply, boxOf, compose, corners, fromLine, middle, moved, placementOf, snap } from "../src/geometry.ts";

const ICON = [[-100, -100], [100, 100]];

/** What a placement means (Modelica specification, 18.6.2.1), written independently of the code under test. */
function meaning({ extent, origin, rotation }, icon, [x, y]) {
  const share = (v, k) => (v - icon[0][k]) / (icon[1][k] - icon[0][k]);
  const at = [0, 1].map((k) => extent[0][k] + share([x, y][k], k) * (extent[1][k] - extent[0][k]));
  const angle = (rotation * Math.PI) / 180;
  return [
    origin[0] + at[0] * Math.cos(angle) - at[1] * Math.sin(angle),
    origin[1] + at[0] * Math.sin(angle) + at[1] * Math.cos(angle),
  ];
}

function close(a, b) {
  a.forEach((x, k) => assert.ok(Math.abs(x - b[k]) < 1e-5, `${a} is not ${b}`));
}

let seed = 7;
function random() {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
}

test("a placement means the matrix it was made from", () => {
  for (let k = 0; k < 500; k++) {
    const angle = (Math.floor(random() * 24) * 15 * Math.PI) / 180;
    const [sx, sy] = [(random() < 0.5 ? -1 : 1) * (0.05 + random()), (random() < 0.5 ? -1 : 1) * (0.05 + random())];
    const m = [sx * Math.cos(angle), sx * Math.sin(angle), -sy * Math.sin(angle), sy * Math.cos(angle), random() * 100, random() * 100];
    const icon = k % 2 ? ICON : [[-60, -20], [140, 80]];
    const placement = placementOf(m, icon);
    for (const p of [[0, 0], [100, 30], [-40, 70]]) close(meaning(placement, icon, p), apply(m, p));
  }
});

test("an upright part has its box written out, a turned one around its origin", () => {
  assert.deepEqual(placementOf([0.1, 0, 0, 0.1, 20, 30], ICON), { extent: [[10, 20], [30, 40]], origin: [0, 0], rotation: 0 });
  const turned = placementOf(compose(about([20, 30], QUARTER), [0.1, 0, 0, 0.1, 20, 30]), ICON);
  assert.deepEqual(turned, { extent: [[-10, -10], [10, 10]], origin: [20, 30], rotation: 90 });
  const flipped = placementOf([-0.1, 0, 0, 0.1, 20, 30], ICON);
  assert.deepEqual(flipped, { extent: [[30, 20], [10, 40]], origin: [0, 0], rotation: 0 });
});

test("four quarter turns and two flips change nothing", () => {
  const m = [0.1, 0, 0, 0.2, 7, -3];
  let turned = m;
  for (let k = 0; k < 4; k++) turned = compose(about([7, -3], QUARTER), turned);
  close(turned, m);
  for (const flip of [FLIP_HORIZONTAL, FLIP_VERTICAL]) close(compose(about([7, -3], flip), compose(about([7, -3], flip), m)), m);
});

test("moves, middles, boxes, grids and distances", () => {
  assert.deepEqual(apply(moved([1, 0, 0, 1, 0, 0], [3, 4]), [1, 1]), [4, 5]);
  assert.deepEqual(middle([[0, 0], [10, 4]]), [5, 2]);
  assert.deepEqual(boxOf(corners([0, 1, -1, 0, 0, 0], [[0, 0], [2, 1]])), { x: -1, y: 0, w: 1, h: 2 });
  assert.equal(snap(5.1, 2), 6);
  assert.ok(Object.is(snap(-0.3, 2), 0));
  assert.deepEqual(fromLine([5, 3], [[0, 0], [10, 0], [10, 10]]), { distance: 3, segment: 0 });
});

// Gestures become operations: names, indices, moves with their wires, copies.
import assert from "node:assert/strict";
import { test } from "node:test";
import { annotationRanges } from "../src/annotations.ts";
import { connect, freeIndex, freeName, move, newEnd, paste, remove } from "../src/edits.ts";

const part = (name, x, y, more = {}) => ({
  name, class: `Lib.${name}`, matrix: [0.1, 0, 0, 0.1, x, y], extent: [[-100, -100], [100, 100]], connector: false, at: [x, y], color: [0, 0, 255],
  inherited: false, disabled: false, lengths: [],
  connectors: [
    { name: "p", class: "Pin", at: [x - 10, y], color: [0, 0, 255], lengths: [] },
    { name: "n", class: "Pin", at: [x + 10, y], color: [0, 0, 255], lengths: ["nOut"] },
  ],
  ...more,
});
const picture = {
  class: "M", svg: "", extent: [[-100, -100], [100, 100]], grid: [2, 2],
  parts: [part("a", 0, 0), part("b", 60, 0), part("c", 0, 60, { inherited: true })],
  wires: [{ from: "a.n[1]", to: "b.p", points: [[10, 0], [30, 0], [30, 0], [50, 0]], inherited: false }],
};

test("moving a part places it and routes its wire, and leaves what is inherited", () => {
  const operations = move(picture, ["a", "c"], [0, 20]);
  assert.deepEqual(operations.map((one) => one.op), ["place", "route"]);
  assert.deepEqual(operations[0], { op: "place", name: "a", extent: [[-10, 10], [10, 30]], origin: [0, 0], rotation: 0 });
  const { points } = operations[1];
  assert.deepEqual([points[0], points[points.length - 1]], [[10, 20], [50, 0]]);
});

test("moving both ends keeps the shape of the wire", () => {
  const [, , wire] = move(picture, ["a", "b"], [4, 4]);
  assert.deepEqual(wire.points[0], [14, 4]);
  assert.deepEqual(wire.points[wire.points.length - 1], [54, 4]);
});

test("removing a part does not cut its wires twice", () => {
  assert.deepEqual(remove(picture, ["a"], picture.wires), [{ op: "remove", name: "a" }]);
  assert.deepEqual(remove(picture, [], picture.wires), [{ op: "disconnect", from: "a.n[1]", to: "b.p" }]);
});

test("an array of connectors takes the next index, and grows if it is too short", () => {
  assert.equal(freeIndex(picture, "a.n", ["nOut"]), 2);
  assert.equal(freeIndex(picture, "a.p", []), undefined);
  const [a, b] = [newEnd(picture, picture.parts[0], picture.parts[0].connectors[1]), newEnd(picture, picture.parts[2], picture.parts[2].connectors[0])];
  assert.equal(a.reference, "a.n[2]");
  const grown = connect(picture, a, b, new Map([["a.nOut", 1]]));
  assert.deepEqual(grown[0], { op: "modify", name: "a", path: "nOut", value: "2" });
  assert.equal(grown[1].op, "connect");
  assert.equal(connect(picture, a, b, new Map([["a.nOut", 2]])).length, 1);
});

test("new names are free and no keywords", () => {
  assert.equal(freeName("", "Lib.Resistor"), "resistor");
  assert.equal(freeName("Resistor resistor; Resistor resistor1;", "Lib.Resistor"), "resistor2");
  assert.equal(freeName("", "Lib.Constant"), "constant1");
  assert.equal(freeName("", "Lib.GTO"), "gto");
});

test("a copy has new names, and the wires among its parts", () => {
  const clip = { parts: picture.parts.slice(0, 2).map((one) => ({ part: one, modifiers: "R=2" })), wires: picture.wires };
  const { operations, names } = paste(clip, "Lib.a a; Lib.b b;", [10, 0]);
  assert.deepEqual(names, ["a1", "b1"]);
  assert.deepEqual(operations.map((one) => one.op), ["add", "add", "connect"]);
  assert.deepEqual([operations[2].from, operations[2].to, operations[2].points[0]], ["a1.n[1]", "b1.p", [20, 0]]);
});

test("annotations are found, strings and comments are not", () => {
  const text = 'model M "annotation (no)"\n  Real x annotation (Placement(transformation(extent={{0,0},{1,1}}), a=")"));\n  // annotation (not this one either, however long)\nend M;';
  const ranges = annotationRanges(text);
  assert.equal(ranges.length, 1);
  assert.ok(text.slice(ranges[0].from, ranges[0].to).startsWith("Placement("));
  assert.equal(text.slice(ranges[0].to, ranges[0].to + 2), ");");
});

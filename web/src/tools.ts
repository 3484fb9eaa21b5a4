// Gestures on the diagram: choosing, moving, connecting, dropping, and their keys.

import type { Part, Wire } from "./api.ts";
import { askText, menu, notice } from "./dialogs.ts";
import type { DiagramView, Hit } from "./diagram.ts";
import { type Clip, boxAround, connect, find, freeName, move, newEnd, partBox, paste, preview, remove, turn, wireKey } from "./edits.ts";
import { FLIP_HORIZONTAL, FLIP_VERTICAL, type Matrix, type Point, QUARTER, QUARTER_BACK, boxOf, overlap, snapPoint } from "./geometry.ts";
import { obstacles, route, shiftSegment } from "./routing.ts";
import type { Studio } from "./studio.ts";
import { CLASS_TYPE } from "./tree.ts";

/** What other parts of the page do for the diagram. */
export interface Helpers {
  parameters(component: string): void;
  open(name: string): void;
  hover(part: Part | undefined, connector: string | undefined, x: number, y: number): void;
}

type Gesture =
  | { kind: "pan"; x: number; y: number }
  | { kind: "band"; start: Point; add: boolean }
  | { kind: "move"; start: Point; by: Point; names: string[]; begun: boolean }
  | { kind: "segment"; start: Point; wire: Wire; segment: number; points: Point[]; begun: boolean }
  | { kind: "wire"; from: Hit; to: Hit };

/** The hand that works on a diagram. */
export class Tools {
  private gesture: Gesture | null = null;
  private clip: Clip | null = null;
  private space = false;
  private pointer: Point = [0, 0];

  constructor(
    private readonly studio: Studio,
    private readonly view: DiagramView,
    private readonly helpers: Helpers,
  ) {
    const at = view.element;
    at.addEventListener("pointerdown", (event) => this.down(event));
    at.addEventListener("pointermove", (event) => this.moveTo(event));
    at.addEventListener("pointerup", (event) => void this.up(event));
    at.addEventListener("pointerleave", () => helpers.hover(undefined, undefined, 0, 0));
    at.addEventListener("dblclick", (event) => this.double(event));
    at.addEventListener("contextmenu", (event) => this.context(event));
    at.addEventListener("keydown", (event) => this.key(event));
    at.addEventListener("keyup", (event) => {
      if (event.key === " ") this.space = false;
    });
    at.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        if (event.shiftKey) view.pan(-event.deltaY, 0);
        else view.zoom(Math.exp(event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX, event.clientY);
      },
      { passive: false },
    );
    at.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes(CLASS_TYPE)) event.preventDefault();
    });
    at.addEventListener("drop", (event) => {
      const name = event.dataTransfer?.getData(CLASS_TYPE);
      if (!name) return;
      event.preventDefault();
      void this.add(name, view.toDiagram(event.clientX, event.clientY));
      at.focus();
    });
  }

  private editable(): boolean {
    return this.studio.info?.editable === true;
  }

  private grid(): Point {
    return this.view.picture?.grid ?? [2, 2];
  }

  /** Adds a part of a class at a point. */
  async add(name: string, at?: Point): Promise<void> {
    if (!this.editable() || !this.studio.text) {
      notice("This class belongs to a library: make a new model to draw in.", "error");
      return;
    }
    const box = this.view.window;
    const place = snapPoint(at ?? [box.x + box.w / 2, -(box.y + box.h / 2)], this.grid());
    const part = freeName(this.studio.text.text, name);
    if (await this.studio.edit([{ op: "add", type: name, name: part, extent: boxAround(place) }])) this.view.choose([part]);
  }

  private down(event: PointerEvent): void {
    const { view } = this;
    view.element.focus({ preventScroll: true });
    const p = view.toDiagram(event.clientX, event.clientY);
    this.pointer = p;
    if (event.button === 1 || (event.button === 0 && this.space)) {
      this.gesture = { kind: "pan", x: event.clientX, y: event.clientY };
    } else if (event.button === 0) {
      this.gesture = this.begin(view.hit(p), p, event.shiftKey);
    } else return;
    event.preventDefault();
    view.element.setPointerCapture(event.pointerId);
    this.helpers.hover(undefined, undefined, 0, 0);
  }

  private begin(hit: Hit, p: Point, shift: boolean): Gesture | null {
    const { view } = this;
    const { part, connector, wire, segment } = hit;
    const isEnd = connector || (part?.connector && !view.parts.has(part.name));
    if (part && isEnd && this.editable() && !shift) {
      if (!connector) view.choose([part.name]);
      return { kind: "wire", from: hit, to: {} };
    }
    if (part) {
      if (shift) {
        if (!view.parts.delete(part.name)) view.parts.add(part.name);
        view.select();
      } else if (!view.parts.has(part.name)) view.choose([part.name]);
      return this.editable() ? { kind: "move", start: p, by: [0, 0], names: view.own(), begun: false } : null;
    }
    if (wire) {
      const key = wireKey(wire);
      if (shift) {
        if (!view.wires.delete(key)) view.wires.add(key);
        view.select();
      } else view.choose([], [key]);
      if (!this.editable() || wire.inherited) return null;
      return { kind: "segment", start: p, wire, segment: segment ?? 0, points: wire.points, begun: false };
    }
    if (!shift) view.choose([]);
    return { kind: "band", start: p, add: shift };
  }

  private moveTo(event: PointerEvent): void {
    const { view, gesture } = this;
    const p = view.toDiagram(event.clientX, event.clientY);
    this.pointer = p;
    if (!gesture) return this.hoverAt(p, event);
    const far = (start: Point) => Math.hypot(p[0] - start[0], p[1] - start[1]) > 3 * view.unit();
    switch (gesture.kind) {
      case "pan":
        view.pan(event.clientX - gesture.x, event.clientY - gesture.y);
        [gesture.x, gesture.y] = [event.clientX, event.clientY];
        break;
      case "band":
        view.previewBox(gesture.start, p);
        break;
      case "move": {
        if (!gesture.begun && !far(gesture.start)) return;
        gesture.begun = true;
        const by = snapPoint([p[0] - gesture.start[0], p[1] - gesture.start[1]], this.grid());
        if (by[0] === gesture.by[0] && by[1] === gesture.by[1]) return;
        gesture.by = by;
        const { wires } = preview(view.picture!, gesture.names, () => [1, 0, 0, 1, by[0], by[1]]);
        view.previewMove(gesture.names, by, wires);
        break;
      }
      case "segment": {
        if (!gesture.begun && !far(gesture.start)) return;
        gesture.begun = true;
        const by = snapPoint([p[0] - gesture.start[0], p[1] - gesture.start[1]], this.grid());
        gesture.points = shiftSegment(gesture.wire.points, gesture.segment, by);
        view.previewWires([{ wire: gesture.wire, points: gesture.points }]);
        break;
      }
      case "wire":
        this.sketchWire(gesture, p);
        break;
    }
  }

  private sketchWire(gesture: Gesture & { kind: "wire" }, p: Point): void {
    const { view } = this;
    const picture = view.picture!;
    const hit = view.hit(p);
    const fits = hit.part && (hit.connector || hit.part.connector) && !same(hit, gesture.from);
    gesture.to = fits ? hit : {};
    const from = newEnd(picture, gesture.from.part!, gesture.from.connector);
    const to = fits ? newEnd(picture, hit.part!, hit.connector).end : { at: snapPoint(p, this.grid()) };
    const boxes = obstacles(picture.parts.map(partBox), [from.end.at, to.at]);
    view.previewLine(route(from.end, to, boxes, picture.grid), from.color, fits ? to.at : undefined);
  }

  private hoverAt(p: Point, event: PointerEvent): void {
    const hit = this.view.hit(p);
    const isEnd = hit.connector ?? (hit.part?.connector ? hit.part : undefined);
    this.view.hover(isEnd && this.editable() ? isEnd.at : null);
    const cursor = this.space ? "grab" : isEnd && this.editable() ? "crosshair" : hit.part || hit.wire ? "pointer" : "";
    this.view.element.style.cursor = cursor;
    this.helpers.hover(hit.part, hit.connector?.name, event.clientX, event.clientY);
  }

  private async up(event: PointerEvent): Promise<void> {
    const { view, gesture } = this;
    this.gesture = null;
    if (!gesture || !view.picture) return;
    const p = view.toDiagram(event.clientX, event.clientY);
    switch (gesture.kind) {
      case "band":
        view.clearPreview();
        this.chooseIn(gesture.start, p, gesture.add);
        break;
      case "move":
        if (gesture.begun && (gesture.by[0] !== 0 || gesture.by[1] !== 0)) {
          await this.attempt(move(view.picture, gesture.names, gesture.by));
        } else view.clearPreview();
        break;
      case "segment":
        if (gesture.begun) {
          const { from, to } = gesture.wire;
          await this.attempt([{ op: "route", from, to, points: gesture.points }]);
        }
        break;
      case "wire":
        view.clearPreview();
        if (gesture.to.part) await this.connect(gesture.from, gesture.to);
        break;
    }
  }

  /** Edits, and takes the preview back if that is refused. */
  private async attempt(operations: Parameters<Studio["edit"]>[0]): Promise<void> {
    if (!(await this.studio.edit(operations))) this.view.clearPreview();
  }

  private chooseIn(a: Point, b: Point, add: boolean): void {
    const { view } = this;
    const box = boxOf([a, b]);
    if (box.w < 3 * view.unit() && box.h < 3 * view.unit()) return;
    const parts = view.picture!.parts.filter((part) => overlap(partBox(part), box)).map((part) => part.name);
    const inside = (wire: Wire) => wire.points.length > 1 && wire.points.every((p) => overlap(boxOf([p]), box));
    const wires = view.picture!.wires.filter(inside).map(wireKey);
    view.choose(add ? [...view.parts, ...parts] : parts, add ? [...view.wires, ...wires] : wires);
  }

  /** Connects two connectors of the picture. */
  async connect(from: Hit, to: Hit): Promise<void> {
    const { picture } = this.view;
    if (!picture || !from.part || !to.part) return;
    const [a, b] = [newEnd(picture, from.part, from.connector), newEnd(picture, to.part, to.connector)];
    const known = new Map<string, number>();
    for (const end of [a, b]) {
      if (!end.length) continue;
      const answer = await this.studio.api.call("parameters", { class: picture.class, component: end.part });
      const value = answer.parameters.find((parameter) => parameter.name === end.length)?.known;
      if (typeof value === "number") known.set(`${end.part}.${end.length}`, value);
    }
    const operations = connect(picture, a, b, known);
    if (await this.studio.edit(operations)) this.view.choose([], [`${a.reference}|${b.reference}`]);
  }

  /** Connects what two references name, for those who use the keyboard. */
  async connectByName(a: string, b: string): Promise<void> {
    const { picture } = this.view;
    if (!picture) return;
    const [from, to] = [find(picture, a), find(picture, b)];
    if (from && to) await this.connect(from, to);
  }

  private double(event: MouseEvent): void {
    const hit = this.view.hit(this.view.toDiagram(event.clientX, event.clientY));
    if (hit.part) this.helpers.parameters(hit.part.name);
    else if (!hit.wire) this.helpers.parameters("");
  }

  private context(event: MouseEvent): void {
    event.preventDefault();
    const { view } = this;
    const { part, wire } = view.hit(view.toDiagram(event.clientX, event.clientY));
    if (part && !view.parts.has(part.name)) view.choose([part.name]);
    if (wire && !part && !view.wires.has(wireKey(wire))) view.choose([], [wireKey(wire)]);
    const key = (name: string, shiftKey = false) => () => this.command(name, shiftKey);
    const items = [];
    if (part) {
      items.push({ label: "Parameters…", keys: "Enter", run: () => this.helpers.parameters(part.name) });
      items.push({ label: `Open ${part.class.split(".").pop()}`, run: () => this.helpers.open(part.class) });
    }
    if (this.editable() && part && !part.inherited) {
      items.push({ label: "Rotate", keys: "R", run: key("r") });
      items.push({ label: "Flip horizontally", keys: "H", run: key("h") });
      items.push({ label: "Flip vertically", keys: "V", run: key("v") });
      items.push({ label: "Rename…", keys: "F2", run: key("F2") });
      items.push({ label: "Copy", keys: "Ctrl+C", run: () => void this.copy() });
    }
    if (this.editable() && (part || wire)) items.push({ label: "Delete", keys: "Del", run: key("Delete") });
    if (!part && !wire) {
      items.push({ label: "Parameters of the model…", run: () => this.helpers.parameters("") });
      if (this.clip) items.push({ label: "Paste", keys: "Ctrl+V", run: () => void this.paste() });
      items.push({ label: "Show everything", keys: "F", run: () => view.fit() });
    }
    if (items.length) menu(event.clientX, event.clientY, items);
  }

  private key(event: KeyboardEvent): void {
    const { view } = this;
    if (event.target !== view.element) return;
    if (event.ctrlKey || event.metaKey) {
      const name = event.key.toLowerCase();
      if (name === "a") view.choose(view.picture?.parts.map((part) => part.name) ?? []);
      else if (name === "c") void this.copy();
      else if (name === "x") void this.copy().then(() => this.command("Delete", false));
      else if (name === "v") void this.paste();
      else if (name === "d") void this.copy().then(() => this.paste());
      else return;
    } else if (!this.command(event.key, event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Does what a key stands for; false if it stands for nothing here. */
  command(key: string, shift: boolean): boolean {
    const { view, studio } = this;
    const own = view.own();
    const turned = (matrix: Matrix) => {
      if (own.length && this.editable()) void this.attempt(turn(view.picture!, own, matrix));
    };
    const step = (dx: number, dy: number) => {
      const [gx, gy] = this.grid();
      const many = shift ? 5 : 1;
      if (own.length && this.editable()) void this.attempt(move(view.picture!, own, [dx * gx * many, dy * gy * many]));
      else view.pan(-dx * 40, dy * 40);
    };
    switch (key) {
      case "Delete":
      case "Backspace":
        if (this.editable() && view.picture) void studio.edit(remove(view.picture, [...view.parts], view.chosenWires()));
        return true;
      case "r":
      case "R":
        turned(shift ? QUARTER : QUARTER_BACK);
        return true;
      case "h":
        turned(FLIP_HORIZONTAL);
        return true;
      case "v":
        turned(FLIP_VERTICAL);
        return true;
      case "f":
        view.fit();
        return true;
      case "+":
      case "-":
        this.zoomMiddle(key === "+" ? 0.8 : 1.25);
        return true;
      case "F2":
        void this.rename();
        return true;
      case "Enter":
        if (view.parts.size === 1) this.helpers.parameters([...view.parts][0]!);
        return true;
      case "Escape":
        this.gesture = null;
        view.clearPreview();
        view.choose([]);
        return true;
      case "Tab":
        return this.next(shift);
      case " ":
        this.space = true;
        return true;
      case "ArrowLeft":
        step(-1, 0);
        return true;
      case "ArrowRight":
        step(1, 0);
        return true;
      case "ArrowUp":
        step(0, 1);
        return true;
      case "ArrowDown":
        step(0, -1);
        return true;
    }
    return false;
  }

  private zoomMiddle(factor: number): void {
    const box = this.view.element.getBoundingClientRect();
    this.view.zoom(factor, box.left + box.width / 2, box.top + box.height / 2);
  }

  /** Chooses the next part; behind the last one the key leaves the diagram. */
  private next(back: boolean): boolean {
    const names = this.view.picture?.parts.map((part) => part.name) ?? [];
    const at = names.findIndex((name) => this.view.parts.has(name));
    const to = at < 0 ? (back ? names.length - 1 : 0) : at + (back ? -1 : 1);
    const name = names[to];
    this.view.choose(name ? [name] : []);
    return name !== undefined;
  }

  private async rename(): Promise<void> {
    const [name, more] = this.view.own();
    if (!name || more || !this.editable()) return;
    const to = await askText("Rename part", "Name", name, "Rename");
    if (to && to !== name && (await this.studio.edit([{ op: "rename", name, to }]))) this.view.choose([to]);
  }

  private async copy(): Promise<void> {
    const { view, studio } = this;
    if (!view.picture || !studio.info) return;
    const chosen = view.picture.parts.filter((part) => view.parts.has(part.name));
    if (chosen.length === 0) return;
    const parts = await Promise.all(
      chosen.map(async (part) => {
        const answer = await studio.api.call("parameters", { class: studio.info!.class, component: part.name });
        const given = answer.parameters.filter((one) => one.value !== null && one.value !== one.default);
        return { part, modifiers: given.map((one) => `${one.name}=${one.value}`).join(", ") };
      }),
    );
    const names = new Set(chosen.map((part) => part.name));
    const within = (end: string) => names.has(find(view.picture!, end)?.part.name ?? "");
    this.clip = { parts, wires: view.picture.wires.filter((wire) => within(wire.from) && within(wire.to)) };
  }

  private async paste(): Promise<void> {
    const { clip, studio } = this;
    if (!clip || !this.editable() || !studio.text) return;
    const box = boxOf(clip.parts.map(({ part }) => part.at));
    const centre: Point = [box.x + box.w / 2, box.y + box.h / 2];
    const grid = this.grid();
    const onto = snapPoint([this.pointer[0] - centre[0], this.pointer[1] - centre[1]], grid);
    const by: Point = onto[0] === 0 && onto[1] === 0 ? [grid[0] * 5, -grid[1] * 5] : onto;
    const { operations, names } = paste(clip, studio.text.text, by);
    if (await studio.edit(operations)) this.view.choose(names);
  }
}

function same(a: Hit, b: Hit): boolean {
  return a.part?.name === b.part?.name && a.connector?.name === b.connector?.name;
}

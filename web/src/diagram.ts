// The diagram as it is seen: the picture, the window on it, what is chosen and what lies under the pointer.

import type { Connector, Part, Picture, Wire } from "./api.ts";
import { debounce, h, parseSvg, s } from "./dom.ts";
import { find, partBox, wireKey } from "./edits.ts";
import type { Mode } from "./lights.ts";
import { type Box, type Point, contains, corners, distance, fromLine } from "./geometry.ts";

export interface Hit {
  part?: Part;
  connector?: Connector;
  wire?: Wire;
  segment?: number;
}

/** So many parts are too many to paint in every frame. */
const LARGE = 150;

/** A picture that can be zoomed, moved and chosen from. */
export class DiagramView {
  readonly element: HTMLElement;
  picture: Picture | null = null;
  readonly parts = new Set<string>();
  readonly wires = new Set<string>();
  /** The window on the page of the picture, whose y axis points downwards. */
  window: Box = { x: -100, y: -100, w: 200, h: 200 };
  private svg: SVGSVGElement = parseSvg("<svg xmlns='http://www.w3.org/2000/svg'/>");
  private marks = s("g", { class: "overlay" });
  private sketch = s("g", { class: "overlay sketch" });
  private signs = s("g", { class: "overlay signs" });
  private modes = new Map<string, Mode[]>();
  private faults = new Map<string, string>();
  /** The part of the variable that is explained. */
  private pointed = "";

  constructor() {
    this.element = h("div", {
      class: "diagram",
      tabindex: "0",
      role: "application",
      "aria-label": "Diagram: drag classes here, drag between connectors to connect; Tab steps through parts",
    });
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** Shows a picture; the window stays if it is the same class. */
  show(picture: Picture): void {
    const same = this.picture?.class === picture.class;
    this.picture = picture;
    const svg = parseSvg(picture.svg);
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("preserveAspectRatio", "xMidYMid slice");
    this.marks = s("g", { class: "overlay" });
    this.sketch = s("g", { class: "overlay sketch" });
    this.addGrid(svg, picture);
    this.signs = s("g", { class: "overlay signs" });
    svg.append(this.signs, this.marks, this.sketch);
    this.svg.remove();
    this.svg = svg;
    this.element.prepend(svg);
    this.paint();
    if (!same) {
      this.parts.clear();
      this.wires.clear();
      this.fit();
    }
    for (const name of [...this.parts]) if (!picture.parts.some((part) => part.name === name)) this.parts.delete(name);
    const keys = new Set(picture.wires.map(wireKey));
    for (const key of [...this.wires]) if (!keys.has(key)) this.wires.delete(key);
    this.paint();
    this.select();
    this.sign();
  }

  /** Shows the modes of parts beside them. */
  markModes(modes: Map<string, Mode[]>): void {
    if (modes.size === 0 && this.modes.size === 0) return;
    this.modes = modes;
    this.sign();
  }

  /** Frames the parts that errors speak of. */
  markFaults(faults: Map<string, string>): void {
    this.faults = faults;
    this.sign();
  }

  /** Frames the part that a variable belongs to. */
  point(variable: string): void {
    const inner = variable.replace(/^(?:der|pre)\(/, "");
    const whole = (name: string) => inner.startsWith(name) && /^[.[]/.test(inner.slice(name.length));
    this.pointed = this.picture?.parts.find((part) => whole(part.name))?.name ?? "";
    this.sign();
  }

  private sign(): void {
    const signs: SVGElement[] = [];
    for (const part of this.picture?.parts ?? []) {
      const fault = this.faults.get(part.name);
      const points = page(corners(part.matrix, part.extent));
      if (fault) signs.push(s("polygon", { points, class: "fault" }, s("title", {}, fault)));
      if (part.name === this.pointed) signs.push(s("polygon", { points, class: "pointed" }));
      const modes = this.modes.get(part.name) ?? [];
      const box = partBox(part);
      if (modes.some((mode) => mode.on)) signs.push(s("polygon", { points, class: "lit" }));
      modes.forEach((mode, k) => {
        const y = -box.y + 4 + k * 5;
        signs.push(
          s("circle", { cx: box.x + 1.5, cy: y, r: 1.4, class: mode.on ? "mode on" : "mode" }),
          s("text", { x: box.x + 4.5, y: y + 1.5, class: "mode-name" }, mode.text),
        );
      });
    }
    this.signs.replaceChildren(...signs);
  }

  private addGrid(svg: SVGSVGElement, picture: Picture): void {
    const frame = svg.querySelector("rect.frame");
    if (!frame) return;
    const [gx, gy] = [picture.grid[0] * 5 || 10, picture.grid[1] * 5 || 10];
    const pattern = s(
      "pattern",
      { id: "grid", width: gx, height: gy, patternUnits: "userSpaceOnUse" },
      s("path", { d: `M0 0H${gx}M0 0V${gy}`, class: "grid-line" }),
    );
    svg.querySelector("defs")?.append(pattern);
    const cover = frame.cloneNode() as SVGElement;
    cover.setAttribute("class", "grid");
    cover.setAttribute("fill", "url(#grid)");
    frame.after(cover);
  }

  /** Shows everything. */
  fit(): void {
    const box = this.content();
    const { clientWidth: w, clientHeight: height } = this.element;
    if (!box || w === 0 || height === 0) return;
    const scale = Math.max(box.w / w, box.h / height) * 1.04;
    const [ww, wh] = [w * scale, height * scale];
    this.window = { x: box.x + box.w / 2 - ww / 2, y: box.y + box.h / 2 - wh / 2, w: ww, h: wh };
    this.apply();
  }

  private content(): Box | undefined {
    const numbers = /viewBox="([^"]*)"/.exec(this.picture?.svg ?? "")?.[1]?.split(" ").map(Number);
    if (!numbers || numbers.length !== 4) return undefined;
    return { x: numbers[0]!, y: numbers[1]!, w: numbers[2]!, h: numbers[3]! };
  }

  private lastSize: [number, number] = [0, 0];

  private resize(): void {
    const { clientWidth: w, clientHeight: height } = this.element;
    if (w === 0 || height === 0) return;
    const [w0] = this.lastSize;
    this.lastSize = [w, height];
    if (w0 === 0) return this.fit();
    // The scale stays; the middle stays.
    const scale = this.window.w / w0;
    const centre: Point = [this.window.x + this.window.w / 2, this.window.y + this.window.h / 2];
    this.window = { x: centre[0] - (w * scale) / 2, y: centre[1] - (height * scale) / 2, w: w * scale, h: height * scale };
    this.apply();
  }

  /** The window that the picture was last painted for. */
  private painted: Box = this.window;
  private readonly paintLater = debounce(140, () => this.paint());

  /** A large picture is stretched while it moves, and painted anew when it rests. */
  private apply(): void {
    if ((this.picture?.parts.length ?? 0) < LARGE) return this.paint();
    const unit = this.unit();
    const [dx, dy] = [(this.painted.x - this.window.x) / unit, (this.painted.y - this.window.y) / unit];
    this.svg.style.transform = `translate(${dx}px, ${dy}px) scale(${this.painted.w / this.window.w})`;
    this.paintLater();
  }

  private paint(): void {
    this.paintLater.cancel();
    const { x, y, w, h: height } = this.window;
    this.painted = this.window;
    this.svg.style.transform = "";
    this.svg.setAttribute("viewBox", `${x} ${y} ${w} ${height}`);
    for (const layer of [this.marks, this.sketch]) layer.style.setProperty("--unit", String(this.unit()));
  }

  /** How many units of the diagram a pixel is. */
  unit(): number {
    return this.window.w / Math.max(1, this.element.clientWidth);
  }

  /** A point of the screen in the coordinates of the diagram. */
  toDiagram(x: number, y: number): Point {
    const box = this.element.getBoundingClientRect();
    const unit = this.unit();
    return [this.window.x + (x - box.left) * unit, -(this.window.y + (y - box.top) * unit)];
  }

  toScreen([x, y]: Point): Point {
    const box = this.element.getBoundingClientRect();
    const unit = this.unit();
    return [box.left + (x - this.window.x) / unit, box.top + (-y - this.window.y) / unit];
  }

  zoom(factor: number, x: number, y: number): void {
    const [px, py] = this.toDiagram(x, y);
    const least = 2;
    const most = 20000;
    const bounded = Math.max(least / this.window.w, Math.min(most / this.window.w, factor));
    const { x: wx, y: wy, w, h: height } = this.window;
    this.window = { x: px + (wx - px) * bounded, y: -py + (wy + py) * bounded, w: w * bounded, h: height * bounded };
    this.apply();
  }

  pan(dx: number, dy: number): void {
    const unit = this.unit();
    this.window = { ...this.window, x: this.window.x - dx * unit, y: this.window.y - dy * unit };
    this.apply();
  }

  /** What lies at a point: connectors before parts, small parts before large ones, wires last. */
  hit(p: Point): Hit {
    const picture = this.picture;
    if (!picture) return {};
    const unit = this.unit();
    let best: { hit: Hit; at: number } | undefined;
    const reach = Math.max(1.2, 7 * unit);
    for (const part of picture.parts) {
      if (part.disabled) continue;
      if (part.connector) {
        const box = partBox(part);
        const size = Math.max(Math.min(box.w, box.h) / 2, 5 * unit);
        const at = distance(p, part.at);
        if (at <= size && (!best || at < best.at)) best = { hit: { part }, at };
      }
      const small = Math.min(reach, Math.max(1.2, Math.min(partBox(part).w, partBox(part).h) / 5));
      for (const connector of part.connectors) {
        const at = distance(p, connector.at);
        if (at <= small && (!best || at < best.at)) best = { hit: { part, connector }, at };
      }
    }
    if (best) return best.hit;
    let smallest = Infinity;
    let found: Part | undefined;
    for (const part of picture.parts) {
      const box = partBox(part);
      if (contains(box, p) && box.w * box.h <= smallest) [found, smallest] = [part, box.w * box.h];
    }
    if (found) return { part: found };
    let near: Hit = {};
    let least = 5 * unit;
    for (const wire of picture.wires) {
      const { distance: at, segment } = fromLine(p, wire.points);
      if (at < least) [near, least] = [{ wire, segment }, at];
    }
    return near;
  }

  /** Chooses parts and wires in place of those that were chosen. */
  choose(parts: Iterable<string>, wires: Iterable<string> = []): void {
    this.parts.clear();
    this.wires.clear();
    for (const name of parts) this.parts.add(name);
    for (const key of wires) this.wires.add(key);
    this.select();
  }

  /** The parts that are chosen and can be changed. */
  own(): string[] {
    return (this.picture?.parts ?? []).filter((part) => this.parts.has(part.name) && !part.inherited).map((p) => p.name);
  }

  chosenWires(): Wire[] {
    return (this.picture?.wires ?? []).filter((wire) => this.wires.has(wireKey(wire)));
  }

  /** Draws what is chosen. */
  select(): void {
    const marks: SVGElement[] = [];
    for (const part of this.picture?.parts ?? []) {
      if (!this.parts.has(part.name)) continue;
      const points = corners(part.matrix, part.extent).map(([x, y]) => `${x},${-y}`).join(" ");
      marks.push(s("polygon", { points, class: part.inherited ? "chosen inherited" : "chosen" }));
    }
    for (const wire of this.chosenWires()) marks.push(s("polyline", { points: page(wire.points), class: "chosen-wire" }));
    this.marks.replaceChildren(...marks);
    this.element.dispatchEvent(new CustomEvent("choice"));
  }

  /** Shows moved parts and their lines before they are real. */
  previewMove(names: string[], [dx, dy]: Point, wires: { wire: Wire; points: Point[] }[]): void {
    const chosen = new Set(names);
    for (const g of this.svg.querySelectorAll<SVGElement>(":scope > g.part")) {
      if (chosen.has(g.dataset.name ?? "")) g.setAttribute("transform", `translate(${dx} ${-dy})`);
    }
    this.previewWires(wires);
    this.marks.setAttribute("transform", `translate(${dx} ${-dy})`);
  }

  previewWires(wires: { wire: Wire; points: Point[] }[]): void {
    const keys = new Set(wires.map(({ wire }) => wireKey(wire)));
    for (const g of this.svg.querySelectorAll<SVGElement>(":scope > g.wire")) {
      g.style.visibility = keys.has(`${g.dataset.from}|${g.dataset.to}`) ? "hidden" : "";
    }
    this.sketch.replaceChildren(
      ...wires.map(({ wire, points }) => {
        const found = find(this.picture!, wire.from);
        return line(points, (found?.connector ?? found?.part)?.color ?? [0, 0, 255]);
      }),
    );
  }

  /** Shows a line that is being drawn, and where it would end. */
  previewLine(points: Point[], color: number[], target?: Point): void {
    const ring = target ? s("circle", { cx: target[0], cy: -target[1], r: 6 * this.unit(), class: "target" }) : null;
    this.sketch.replaceChildren(line(points, color), ...(ring ? [ring] : []));
  }

  previewBox(a: Point, b: Point): void {
    const [x, y] = [Math.min(a[0], b[0]), Math.min(-a[1], -b[1])];
    const [width, height] = [Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])];
    this.sketch.replaceChildren(s("rect", { x, y, width, height, class: "band" }));
  }

  /** Marks a connector that a line can begin at. */
  hover(at: Point | null): void {
    const ring = at ? [s("circle", { cx: at[0], cy: -at[1], r: 6 * this.unit(), class: "target" })] : [];
    this.sketch.replaceChildren(...ring);
  }

  clearPreview(): void {
    this.sketch.replaceChildren();
    this.marks.removeAttribute("transform");
    for (const g of this.svg.querySelectorAll<SVGElement>(":scope > g.part")) g.removeAttribute("transform");
    for (const g of this.svg.querySelectorAll<SVGElement>(":scope > g.wire")) g.style.visibility = "";
  }
}

function page(points: Point[]): string {
  return points.map(([x, y]) => `${x},${-y}`).join(" ");
}

function line(points: Point[], color: number[]): SVGElement {
  return s("polyline", { points: page(points), class: "line", stroke: `rgb(${color.join(" ")})` });
}

// One pane of curves: zoomed, moved and read with the mouse, fetched as fine as it is shown.

import uPlot from "uplot";
import type { Curve, OtherUnit } from "./api.ts";
import { GLYPHS, glyph, h, shown } from "./dom.ts";
import type { Results, Run } from "./results.ts";
import type { Studio } from "./studio.ts";

/** What a pane needs to know of the others. */
export interface PaneHost {
  studio: Studio;
  results: Results;
  span(): [number, number];
  setRange(range: [number, number] | null): void;
  hover(time: number | null): void;
  close(pane: Pane): void;
  /** Units that are shown in another one. */
  units: Map<string, OtherUnit>;
  chooseUnit(unit: string, x: number, y: number): void;
  changed: () => void;
}

interface Series {
  run: Run;
  name: string;
  curve: Curve;
  /** As the model has it. */
  unit: string;
  color: string;
  dash?: number[];
  value: HTMLElement;
}

const COLORS = ["#2f6fde", "#d9822b", "#2e9e5b", "#c8385a", "#8a56c9", "#1f9aa8", "#a87b1f", "#7a7f8c"];
const DASHES: (number[] | undefined)[] = [undefined, [7, 4], [2, 3], [9, 3, 2, 3]];

/** A pane with its legend. */
export class Pane {
  readonly element: HTMLElement;
  names: string[] = [];
  /** Booleans, each in a lane of its own. */
  lanes = false;
  private readonly legend = h("div", { class: "legend" });
  private readonly canvas = h("div", { class: "canvas" });
  private series: Series[] = [];
  private plot: uPlot | null = null;
  private loading = 0;
  private shape = "";

  constructor(private readonly host: PaneHost) {
    const close = h("button", { class: "tool x", title: "Close pane", "aria-label": "Close pane", onclick: () => host.close(this) }, glyph(GLYPHS.close));
    this.element = h("section", { class: "pane", "aria-label": "Plot" }, h("div", { class: "pane-head" }, this.legend, close), this.canvas);
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.hint();
  }

  add(name: string): void {
    if (!this.names.includes(name)) this.names.push(name);
    void this.load();
  }

  remove(name: string): void {
    if (!this.names.includes(name)) return;
    this.names = this.names.filter((other) => other !== name);
    void this.load();
  }

  destroy(): void {
    this.plot?.destroy();
    this.element.remove();
  }

  private hint(): void {
    this.legend.replaceChildren(h("span", { class: "quiet" }, "Tick variables, or drag them here"));
  }

  /** Fetches the curves for the time that is shown. */
  async load(): Promise<void> {
    const turn = ++this.loading;
    const [from, to] = this.host.span();
    const runs = this.host.results.runs.filter((run) => run.visible);
    const room = (to - from) * 0.02;
    const points = Math.max(600, Math.min(6000, Math.round(this.canvas.clientWidth * 2 * (devicePixelRatio || 1))));
    const fetched = await Promise.all(
      runs.map(async (run) => {
        const names = this.names.filter((name) => run.byName.has(name));
        if (names.length === 0) return [];
        const curves = await this.host.studio.api.call("curves", { run: run.id, names, from: from - room, to: to + room, points });
        return curves.filter((curve) => !curve.missing).map((curve) => ({ run, curve }));
      }),
    ).catch(() => null);
    if (!fetched || turn !== this.loading) return;
    const all = this.host.results.runs;
    this.series = fetched.flat().map(({ run, curve }) => ({
      run,
      name: curve.name,
      unit: curve.unit,
      curve: shownIn(this.host.units.get(curve.unit), { ...curve, t: ascending(curve.t) }),
      color: run.family ? shade(this.names.indexOf(curve.name), run.family) : COLORS[this.names.indexOf(curve.name) % COLORS.length]!,
      dash: run.family ? undefined : DASHES[all.indexOf(run) % DASHES.length],
      value: h("span", { class: "value" }),
    }));
    this.series.sort((a, b) => this.names.indexOf(a.name) - this.names.indexOf(b.name));
    this.show();
  }

  private show(): void {
    const shape = this.series.map((one) => `${one.run.id}:${one.name}:${one.curve.unit}`).join() + this.lanes;
    const data = this.data();
    if (this.plot && shape === this.shape) this.plot.setData(data);
    else {
      this.plot?.destroy();
      this.plot = this.series.length ? new uPlot(this.options(), data, this.canvas) : null;
      if (this.plot) this.listen(this.plot);
      this.showLegend();
    }
    this.shape = shape;
    this.readout(null);
  }

  private data(): uPlot.AlignedData {
    const tables = this.series.map(({ curve, name }) => {
      const lane = this.names.length - 1 - this.names.indexOf(name);
      const values = this.lanes ? curve.v.map((v) => lane + 0.15 + (v ? 0.7 : 0)) : curve.v;
      return [curve.t, values] as uPlot.AlignedData;
    });
    return tables.length ? uPlot.join(tables) : [[]];
  }

  private options(): uPlot.Options {
    const ink = () => css("--muted");
    const grid = { stroke: () => css("--line"), width: 1 };
    const font = "11px system-ui, sans-serif";
    const units = [...new Set(this.series.map((one) => one.curve.unit || ""))];
    const scales: uPlot.Scales = { x: { time: false, range: () => this.host.span() } };
    const axes: uPlot.Axis[] = [{ stroke: ink, grid, ticks: grid, font, size: 28 }];
    if (this.lanes) {
      const n = this.names.length;
      scales.y = { range: [0, n] };
      const short = this.names.map((name) => (name.length > 14 ? `…${name.slice(-13)}` : name));
      axes.push({
        scale: "y", stroke: ink, grid: { ...grid, show: false }, ticks: { show: false }, font, size: 86,
        splits: () => this.names.map((_, k) => n - 0.5 - k), values: () => short,
      });
    } else {
      units.forEach((unit, k) => {
        scales[`y${unit}`] = { range: (_u, low, high) => room(low, high) };
        if (k < 2) {
          axes.push({
            scale: `y${unit}`, side: k === 0 ? 3 : 1, stroke: ink, grid: k === 0 ? grid : { show: false }, ticks: grid, font, size: 70, space: 16,
            label: unit && unit !== "1" ? unit : undefined, labelSize: 16, labelFont: font, values: (_u, list) => list.map((v) => shown(v, 5)),
          });
        }
      });
    }
    const stepped = uPlot.paths.stepped!({ align: 1 });
    const lines: uPlot.Series[] = this.series.map((one) => ({
      scale: this.lanes ? "y" : `y${one.curve.unit || ""}`,
      stroke: one.color,
      dash: one.dash,
      width: 1.5,
      paths: one.curve.discrete ? stepped : undefined,
      points: { show: false },
      fill: this.lanes ? `${one.color}33` : undefined,
      fillTo: this.lanes ? () => this.names.length - 1 - this.names.indexOf(one.name) + 0.15 : undefined,
    }));
    return {
      width: Math.max(80, this.canvas.clientWidth),
      height: Math.max(60, this.canvas.clientHeight),
      scales,
      axes,
      series: [{}, ...lines],
      padding: [10, 14, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: true, y: false, setScale: false }, sync: { key: "time" }, points: { size: 6 } },
      hooks: {
        setCursor: [(u) => {
          if (u.cursor.event) this.host.hover(u.cursor.left !== undefined && u.cursor.left >= 0 ? u.posToVal(u.cursor.left, "x") : null);
        }],
        setSelect: [(u) => this.selected(u)],
        draw: [(u) => this.marks(u)],
      },
    };
  }

  /** A drag chooses a time span, a click an instant. */
  private selected(u: uPlot): void {
    const { left, width } = u.select;
    if (width < 4) return;
    this.host.setRange([u.posToVal(left, "x"), u.posToVal(left + width, "x")]);
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  private listen(u: uPlot): void {
    const { over } = u;
    over.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const [from, to] = this.host.span();
        if (event.shiftKey) {
          const by = (Math.sign(event.deltaY || event.deltaX) * (to - from)) / 12;
          return this.host.setRange([from + by, to + by]);
        }
        const at = u.posToVal(event.offsetX, "x");
        const factor = Math.exp(event.deltaY * 0.0015);
        this.host.setRange([at + (from - at) * factor, at + (to - at) * factor]);
      },
      { passive: false },
    );
    let pressed: { x: number; span: [number, number]; pan: boolean } | null = null;
    over.addEventListener(
      "mousedown",
      (event) => {
        const pan = event.shiftKey || event.button === 1;
        pressed = { x: event.clientX, span: this.host.span(), pan };
        if (pan) {
          event.preventDefault();
          event.stopImmediatePropagation();
        }
      },
      true,
    );
    over.addEventListener("mousemove", (event) => {
      if (!pressed?.pan || event.buttons === 0) return;
      const [from, to] = pressed.span;
      const by = ((pressed.x - event.clientX) / over.clientWidth) * (to - from);
      this.host.setRange([from + by, to + by]);
    });
    over.addEventListener("mouseup", (event) => {
      if (pressed && !pressed.pan && Math.abs(event.clientX - pressed.x) < 4) {
        this.host.studio.setTime(u.posToVal(event.offsetX, "x"));
      }
      pressed = null;
    });
    over.addEventListener("dblclick", () => this.host.setRange(null));
  }

  /** Events at the upper edge, and the chosen instant. */
  private marks(u: uPlot): void {
    const { ctx } = u;
    const { left, top, width, height } = u.bbox;
    ctx.save();
    const events = this.host.results.active?.visible ? this.host.results.active.events : [];
    const [from, to] = this.host.span();
    let last = -1;
    for (const event of events) {
      if (event.time < from || event.time > to || event.kind === "initial") continue;
      const x = Math.round(u.valToPos(event.time, "x", true));
      if (x === last) continue;
      last = x;
      ctx.fillStyle = css(event.kind === "time" ? "--event-time" : "--event-state");
      ctx.fillRect(x - 1, top, 2 * devicePixelRatio, 7 * devicePixelRatio);
    }
    const { time } = this.host.studio;
    if (time !== null && time >= from && time <= to) {
      const x = Math.round(u.valToPos(time, "x", true));
      ctx.strokeStyle = css("--accent");
      ctx.lineWidth = devicePixelRatio;
      ctx.beginPath();
      ctx.moveTo(Math.max(left, Math.min(left + width, x)) + 0.5, top);
      ctx.lineTo(x + 0.5, top + height);
      ctx.stroke();
    }
    ctx.restore();
  }

  private showLegend(): void {
    if (this.series.length === 0) return this.hint();
    const several = new Set(this.series.map((one) => one.run.id)).size > 1;
    this.legend.replaceChildren(
      ...this.series.map((one) => {
        const key = h("span", { class: "key", style: `border-top:2px ${one.dash ? "dashed" : "solid"} ${one.color}` });
        const unit = one.curve.unit && one.curve.unit !== "1" ? one.curve.unit : "";
        const name = several ? `${one.name} ${one.run.family ? one.run.label.replace(/^[^(]*/, "") : `#${one.run.id}`}` : one.name;
        return h(
          "span",
          { class: "entry", title: `${one.curve.description || one.name}\n${one.run.label}` },
          key,
          h("span", { class: "name" }, name),
          one.value,
          unit
            ? h("button", { class: "unit", title: "Show in another unit", onclick: (event: MouseEvent) => this.host.chooseUnit(one.unit, event.clientX, event.clientY) }, unit)
            : null,
          h("button", { class: "x", "aria-label": `Remove ${one.name}`, onclick: () => {
            this.remove(one.name);
            this.host.changed();
          } }, "×"),
        );
      }),
    );
  }

  /** Writes the values at a time, or at the chosen instant, into the legend. */
  readout(time: number | null): void {
    const at = time ?? this.host.studio.time;
    for (const { curve, value } of this.series) {
      const now = at === null ? null : valueAt(curve, at);
      value.textContent = now === null ? "" : `= ${shown(now, 5)}`;
    }
  }

  rescale(): void {
    const [min, max] = this.host.span();
    this.plot?.setScale("x", { min, max });
  }

  redraw(): void {
    this.plot?.redraw(false);
    this.readout(null);
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width > 40 && height > 30) this.plot?.setSize({ width, height });
  }
}

/** A curve in another unit. */
function shownIn(other: OtherUnit | undefined, curve: Curve): Curve {
  if (!other) return curve;
  return { ...curve, unit: other.unit, v: curve.v.map((v) => (v === null ? null : other.factor * v + other.offset)) };
}

/** The colours of a family: from light to dark, a hue for each variable. */
function shade(variable: number, { index, count }: { index: number; count: number }): string {
  const hue = (214 + variable * 97) % 360;
  return `hsl(${Math.round(hue + (40 * index) / Math.max(1, count))} 75% ${Math.round(72 - (40 * index) / Math.max(1, count - 1))}%)`;
}

/** Times that grow strictly: the two sides of a jump stand at two instants that cannot be told apart by eye. */
export function ascending(times: number[]): number[] {
  const span = Math.abs((times[times.length - 1] ?? 0) - (times[0] ?? 0)) || 1;
  const result = times.slice();
  for (let k = 1; k < result.length; k++) {
    if (result[k]! <= result[k - 1]!) result[k] = result[k - 1]! + Math.max(span * 1e-12, Math.abs(result[k - 1]!) * 4e-16);
  }
  return result;
}

/** The value of a curve at a time: between two points for what is continuous, that before for what is not. */
export function valueAt(curve: Curve, time: number): number | null {
  const { t, v } = curve;
  let [low, high] = [0, t.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (t[mid]! <= time) low = mid + 1;
    else high = mid;
  }
  const k = low - 1;
  const [a, b] = [v[k], v[k + 1]];
  if (a === undefined || a === null) return null;
  if (curve.discrete || b === undefined || b === null) return a;
  return a + ((b - a) * (time - t[k]!)) / (t[k + 1]! - t[k]!);
}

function room(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const size = high - low || Math.abs(high) * 0.2 || 1;
  return [low - size * 0.06, high + size * 0.06];
}

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

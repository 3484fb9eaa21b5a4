// Panes of curves: several of them, one time axis, curves of several runs over each other.

import type { OtherUnit } from "./api.ts";
import { menu } from "./dialogs.ts";
import { h, GLYPHS, debounce, glyph } from "./dom.ts";
import { Pane, type PaneHost } from "./pane.ts";
import type { Results } from "./results.ts";
import type { Studio } from "./studio.ts";
import { VARIABLE_TYPE } from "./variables.ts";

/** All panes and the runs that they show. */
export class Plots implements PaneHost {
  readonly element: HTMLElement;
  range: [number, number] | null = null;
  changed: () => void = () => {};
  readonly units = new Map<string, OtherUnit>();
  private readonly column = h("div", { class: "panes" });
  private readonly chips = h("div", { class: "chips" });
  private panes: Pane[] = [];
  private current: Pane | null = null;
  private readonly refetch = debounce(90, () => this.panes.forEach((pane) => void pane.load()));

  constructor(
    readonly studio: Studio,
    readonly results: Results,
  ) {
    const button = (title: string, path: string, run: () => void) =>
      h("button", { class: "tool", title, "aria-label": title, onclick: run }, glyph(path));
    this.element = h(
      "div",
      { class: "plots" },
      h(
        "div",
        { class: "plot-bar" },
        this.chips,
        h("span", { class: "spring" }),
        button("New pane", GLYPHS.plus, () => this.select(this.addPane())),
        button("Show the whole time", GLYPHS.fit, () => this.setRange(null)),
      ),
      this.column,
    );
    let shown = "";
    results.onChange(() => {
      const now = results.runs.map((run) => `${run.id}${run.visible}${run.to}`).join() + results.active?.id;
      if (now === shown) return;
      shown = now;
      this.showRuns();
      this.panes.forEach((pane) => void pane.load());
    });
    studio.on("time", () => this.redraw());
    this.showRuns();
    this.addPane();
  }

  /** The time that the panes show. */
  span(): [number, number] {
    if (this.range) return this.range;
    const seen = this.results.runs.filter((run) => run.visible);
    if (seen.length === 0) return [0, 1];
    const [from, to] = [Math.min(...seen.map((run) => run.from)), Math.max(...seen.map((run) => run.to))];
    return to > from ? [from, to] : [from - 0.5, from + 0.5];
  }

  setRange(range: [number, number] | null): void {
    this.range = range;
    this.panes.forEach((pane) => pane.rescale());
    this.refetch();
  }

  redraw(): void {
    this.panes.forEach((pane) => pane.redraw());
  }

  plotted(name: string): boolean {
    return this.panes.some((pane) => pane.names.includes(name));
  }

  /** Puts a variable into the current pane, or takes it out of all. */
  toggle(name: string): void {
    if (this.plotted(name)) this.panes.forEach((pane) => pane.remove(name));
    else this.add(name);
    this.changed();
  }

  add(name: string, into?: Pane): void {
    const isBoolean = this.results.active?.byName.get(name)?.kind === "boolean";
    let pane = into ?? this.current ?? this.addPane();
    if (pane.names.length && pane.lanes !== isBoolean) {
      pane = this.panes.find((other) => other.lanes === isBoolean && other.names.length) ?? this.addPane();
    }
    pane.lanes = isBoolean;
    pane.add(name);
    if (!isBoolean) this.select(pane);
    this.changed();
  }

  private addPane(): Pane {
    const pane = new Pane(this);
    const box = pane.element;
    box.addEventListener("pointerdown", () => this.select(pane));
    box.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes(VARIABLE_TYPE)) event.preventDefault();
    });
    box.addEventListener("drop", (event) => {
      const name = event.dataTransfer?.getData(VARIABLE_TYPE);
      if (name) this.add(name, pane);
    });
    this.panes.push(pane);
    this.column.append(box);
    if (!this.current) this.select(pane);
    this.panes.forEach((each) => each.resize());
    return pane;
  }

  close(pane: Pane): void {
    if (this.panes.length === 1) {
      [...pane.names].forEach((name) => pane.remove(name));
    } else {
      pane.destroy();
      this.panes = this.panes.filter((each) => each !== pane);
      if (this.current === pane) this.select(this.panes[0]!);
    }
    this.changed();
  }

  private select(pane: Pane): void {
    this.current = pane;
    for (const each of this.panes) each.element.classList.toggle("current", each === pane && this.panes.length > 1);
  }

  /** Shows values in a unit in another one, in all panes. */
  async chooseUnit(unit: string, x: number, y: number): Promise<void> {
    const others = await this.studio.api.call("units", { unit });
    const take = (other: OtherUnit | null) => {
      if (other) this.units.set(unit, other);
      else this.units.delete(unit);
      this.panes.forEach((pane) => void pane.load());
    };
    menu(x, y, [{ label: unit, run: () => take(null) }, ...others.map((other) => ({ label: other.unit, run: () => take(other) }))]);
  }

  /** Moves the cursor of all panes. */
  hover(time: number | null): void {
    this.panes.forEach((pane) => pane.readout(time));
  }

  private showRuns(): void {
    const { results } = this;
    this.chips.replaceChildren(
      ...results.runs.map((run, k) => {
        const check = h("input", {
          type: "checkbox",
          "aria-label": `Show run ${run.label}`,
          onchange: () => {
            run.visible = check.checked;
            results.tell();
          },
        });
        check.checked = run.visible;
        return h(
          "span",
          { class: run === results.active ? "chip active" : "chip" },
          check,
          h("button", { class: `name dash-${k % 4}`, title: "Show variables and events of this run", onclick: () => {
            results.active = run;
            run.visible = true;
            results.tell();
          } }, run.label),
          h("button", { class: "x", "aria-label": `Forget run ${run.label}`, title: "Forget", onclick: () => void results.forget(run) }, "×"),
        );
      }),
    );
    if (results.runs.length === 0) this.chips.append(h("span", { class: "quiet" }, "No results yet"));
  }
}

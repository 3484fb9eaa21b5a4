// Sliders for inputs and parameters: they set the next run, and change a run that goes on in real time.

import { h, shown } from "./dom.ts";
import type { Results } from "./results.ts";

interface Slider {
  name: string;
  low: number;
  high: number;
  value: number;
}

/** The panel of sliders. */
export class Live {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "sliders" });
  private readonly names = h("datalist", { id: "live-names" });
  private readonly field = h("input", { type: "text", list: "live-names", placeholder: "Parameter or input", "aria-label": "Parameter or input", spellcheck: "false" });
  private sliders: Slider[] = [];

  constructor(private readonly results: Results) {
    const add = h("button", { class: "tool", onclick: () => this.add(this.field.value.trim()) }, "Add slider");
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.add(this.field.value.trim());
    });
    this.element = h("div", { class: "live" },
      h("div", { class: "live-head" }, this.field, this.names, add,
        h("span", { class: "quiet" }, "Choose a speed in the run settings: what is moved then acts at once.")),
      this.list);
    results.onChange(() => this.offer());
  }

  private offer(): void {
    const known = this.results.active?.variables ?? [];
    const names = known.filter((v) => v.kind !== "string" && typeof v.value === "number").map((v) => v.name);
    if (names.length !== this.names.childElementCount) this.names.replaceChildren(...names.map((name) => h("option", { value: name })));
  }

  /** Adds a slider around the present value. */
  add(name: string): void {
    if (name === "" || this.sliders.some((one) => one.name === name)) return;
    const known = this.results.active?.byName.get(name)?.value;
    const given = Number(this.results.settings.get(name) ?? (typeof known === "number" ? known : NaN));
    const value = Number.isFinite(given) ? given : 0;
    const size = Math.abs(value) || 1;
    this.sliders.push({ name, value, low: value < 0 ? -2 * size : 0, high: 2 * size });
    this.results.live.add(name);
    this.field.value = "";
    this.render();
  }

  private render(): void {
    this.list.replaceChildren(...this.sliders.map((one) => this.row(one)));
  }

  private row(one: Slider): HTMLElement {
    const range = h("input", { type: "range", min: "0", max: "1000", "aria-label": one.name, "data-slider": one.name });
    const value = h("input", { type: "text", class: "inline", inputmode: "decimal", "aria-label": `Value of ${one.name}` });
    const show = () => {
      range.value = String(Math.round(((one.value - one.low) / (one.high - one.low)) * 1000));
      value.value = shown(one.value, 5);
    };
    const set = (number: number) => {
      if (!Number.isFinite(number)) return show();
      one.value = number;
      one.low = Math.min(one.low, number);
      one.high = Math.max(one.high, number);
      show();
      void this.results.tune(one.name, String(number));
    };
    range.addEventListener("input", () => set(one.low + (Number(range.value) / 1000) * (one.high - one.low)));
    value.addEventListener("change", () => set(Number(value.value)));
    show();
    const remove = h("button", { class: "x", "aria-label": `Remove ${one.name}`, onclick: () => {
      this.sliders = this.sliders.filter((other) => other !== one);
      this.results.live.delete(one.name);
      this.render();
    } }, "×");
    return h("div", { class: "slider" }, h("span", { class: "label", title: one.name }, one.name), range, value, remove);
  }
}

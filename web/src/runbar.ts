// Run and stop, the settings of a run, and how far it has come.

import type { RunSettings } from "./api.ts";
import { GLYPHS, glyph, h, shown } from "./dom.ts";
import type { Results } from "./results.ts";
import type { Studio } from "./studio.ts";
import { sweepDialog } from "./sweeps.ts";

const METHODS = ["auto", "bdf", "esdirk", "radau", "rk45", "rk4", "rk2", "euler"];

/** The run controls of the toolbar. */
export class RunBar {
  readonly element: HTMLElement;
  readonly run: HTMLButtonElement;
  private readonly stopButton: HTMLButtonElement;
  private readonly bar = h("span", { class: "bar" });
  private readonly progress = h("span", { class: "progress", role: "progressbar", "aria-label": "Progress of the run" });
  private readonly words = h("span", { class: "words" });
  private readonly panel: HTMLElement;
  private readonly fields: Record<"start" | "stop" | "tolerance" | "intervals", HTMLInputElement>;
  private readonly method = h("select", { id: "run-method" }, ...METHODS.map((name) => h("option", { value: name }, name)));
  private readonly pace = h("select", { id: "run-pace" },
    h("option", { value: "" }, "as fast as it goes"),
    ...["0.1", "0.5", "1", "2", "10"].map((x) => h("option", { value: x }, x === "1" ? "real time" : `${x} × real time`)));
  private readonly own = h("div", { class: "own-settings" });

  constructor(
    private readonly studio: Studio,
    private readonly results: Results,
    private readonly begun: () => void,
  ) {
    const number = (id: string) => h("input", { type: "text", inputmode: "decimal", id: `run-${id}`, autocomplete: "off" });
    this.fields = { start: number("start"), stop: number("stop"), tolerance: number("tolerance"), intervals: number("intervals") };
    this.run = h("button", { class: "tool run", title: "Run (F5)", onclick: () => this.start() }, glyph(GLYPHS.run), h("span", {}, "Run"));
    this.stopButton = h("button", { class: "tool stop", title: "Stop (Shift+F5)", "aria-label": "Stop", onclick: () => void results.stop() }, glyph(GLYPHS.stop));
    const line = (label: string, input: HTMLElement, unit = "") =>
      h("div", { class: "setting" }, h("label", { for: input.id }, label), input, h("span", { class: "unit" }, unit));
    this.panel = h(
      "div",
      { class: "popover", hidden: true, role: "dialog", "aria-label": "Run settings" },
      line("Start time", this.fields.start, "s"),
      line("Stop time", this.fields.stop, "s"),
      line("Tolerance", this.fields.tolerance),
      line("Intervals", this.fields.intervals),
      line("Method", this.method),
      line("Speed", this.pace),
      h("button", { class: "wide-button", onclick: () => {
        this.togglePanel(false);
        void sweepDialog(results, (values) => {
          this.begun();
          void results.sweep(this.settings(), values);
        });
      } }, "Sweep a parameter…"),
      this.own,
    );
    const settings = h(
      "button",
      { class: "tool", title: "Run settings", "aria-label": "Run settings", onclick: () => this.togglePanel() },
      glyph(GLYPHS.settings),
    );
    this.progress.append(this.bar);
    this.element = h("div", { class: "runbar" }, this.run, this.stopButton, settings, this.panel, this.progress, this.words);
    this.panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.togglePanel(false);
      if (event.key === "Enter") {
        this.togglePanel(false);
        this.start();
      }
    });
    document.addEventListener("pointerdown", (event) => {
      if (!this.element.contains(event.target as Node)) this.togglePanel(false);
    });
    studio.on("opened", ({ experiment }) => {
      this.fields.start.placeholder = shown(experiment.start ?? 0);
      this.fields.stop.placeholder = shown(experiment.stop ?? 1);
      this.fields.tolerance.placeholder = experiment.tolerance === null ? "1e-6" : shown(experiment.tolerance);
      this.fields.intervals.placeholder = "500";
      for (const field of Object.values(this.fields)) field.value = "";
      results.settings.clear();
      results.tell();
    });
    results.onChange(() => this.show());
    this.show();
  }

  start(): void {
    if (this.results.running || !this.studio.info) return;
    this.begun();
    void this.results.start(this.settings());
  }

  private settings(): RunSettings {
    const number = (name: keyof RunBar["fields"]) => {
      const text = this.fields[name].value.trim();
      return text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
    };
    return {
      start: number("start"),
      stop: number("stop"),
      tolerance: number("tolerance"),
      intervals: number("intervals"),
      method: this.method.value === "auto" ? undefined : this.method.value,
      pace: this.pace.value === "" ? undefined : Number(this.pace.value),
    };
  }

  private togglePanel(open = this.panel.hidden): void {
    this.panel.hidden = !open;
    if (open) this.fields.stop.focus();
  }

  private show(): void {
    const { running, runs, settings } = this.results;
    this.run.disabled = running !== null;
    this.stopButton.disabled = running === null;
    this.progress.hidden = running === null;
    const done = running && running.stop > running.start ? (running.time - running.start) / (running.stop - running.start) : 0;
    this.bar.style.width = `${Math.round(done * 100)}%`;
    const last = runs[runs.length - 1];
    this.words.textContent = running
      ? running.phase === "simulate"
        ? `${shown(running.time, 4)} s, ${running.events} events`
        : "compiling…"
      : last
        ? `${last.status.stopped ? "stopped" : last.status.failed ? "failed" : "done"}: ${last.status.events} events`
        : "";
    this.own.replaceChildren(
      ...[...settings].map(([name, value]) =>
        h("span", { class: "chip" }, `${name} = ${value}`, h("button", { class: "x", "aria-label": `Take ${name} back`, onclick: () => {
          settings.delete(name);
          this.results.tell();
        } }, "×")),
      ),
    );
  }
}

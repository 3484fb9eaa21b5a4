// The panel of moving bodies: loads the three-dimensional scene when it is asked for, and plays it.

import { GLYPHS, glyph, h, shown } from "./dom.ts";
import type { Results } from "./results.ts";
import type { Studio } from "./studio.ts";

type Scene = import("./scene3d.ts").Scene3d;

/** The panel of animation. */
export class Animation {
  readonly element: HTMLElement;
  private readonly stage = h("div", { class: "stage", tabindex: "0", "aria-label": "Bodies; drag to turn, wheel to zoom" });
  private readonly slider = h("input", { type: "range", min: "0", max: "1000", value: "0", "aria-label": "Time" });
  private readonly speed = h("select", { "aria-label": "Speed" });
  private readonly clock = h("span", { class: "clock" });
  private readonly play: HTMLButtonElement;
  private readonly record: HTMLButtonElement;
  private recorder: MediaRecorder | null = null;
  private scene: Scene | null = null;
  private shownRun = -1;
  private playing = false;
  private time = 0;
  private last = 0;
  /** Milliseconds between frames, for those who measure. */
  frame = 0;

  constructor(
    private readonly studio: Studio,
    private readonly results: Results,
  ) {
    for (const x of ["0.01", "0.05", "0.1", "0.25", "0.5", "1", "2", "5", "10"]) this.speed.append(h("option", { value: x }, `${x}×`));
    this.speed.value = "1";
    this.play = h("button", { class: "tool", title: "Play", "aria-label": "Play", onclick: () => this.toggle() }, glyph(GLYPHS.play));
    this.slider.addEventListener("input", () => {
      const run = this.results.active;
      if (run) this.show(run.from + (Number(this.slider.value) / 1000) * (run.to - run.from), true);
    });
    const view = h("button", { class: "tool", title: "Show everything", "aria-label": "Show everything", onclick: () => this.scene?.fit() }, glyph(GLYPHS.fit));
    this.record = h("button", { class: "tool", title: "Record a film of the whole run", "aria-label": "Record", onclick: () => this.film() }, glyph(GLYPHS.record));
    this.element = h("div", { class: "animation" }, this.stage, h("div", { class: "player" }, this.play, this.slider, this.clock, this.speed, view, this.record));
    results.onChange(() => void this.load());
    studio.on("time", (time) => {
      if (time !== null && !this.playing) this.show(time, false);
    });
  }

  /** Fetches the bodies of the active run when the panel is seen. */
  async load(): Promise<void> {
    const run = this.results.active;
    if (this.element.hidden || !this.element.isConnected) return;
    if (!run) return this.say("Run a model with bodies to see them move.");
    if (run.id === this.shownRun) return;
    this.shownRun = run.id;
    this.say("Loading bodies…");
    const data = await this.studio.api.call("shapes", { run: run.id });
    if (data.shapes.length === 0) return this.say("This model has no bodies to show.");
    const { Scene3d } = await import("./scene3d.ts");
    this.scene?.dispose();
    this.stage.replaceChildren();
    this.scene = new Scene3d(this.stage, data);
    const span = run.to - run.from;
    // A run is to last some ten seconds on the screen.
    const options = [...this.speed.options].map((option) => Number(option.value));
    this.speed.value = String(options.reduce((a, b) => (Math.abs(Math.log((b * 8) / span)) < Math.abs(Math.log((a * 8) / span)) ? b : a)));
    this.show(this.studio.time ?? run.from, false);
  }

  private say(text: string): void {
    this.scene?.dispose();
    this.scene = null;
    this.stage.replaceChildren(h("p", { class: "quiet" }, text));
  }

  private show(time: number, chosen: boolean): void {
    const run = this.results.active;
    if (!run) return;
    this.time = Math.max(run.from, Math.min(run.to, time));
    this.slider.value = String(((this.time - run.from) / (run.to - run.from || 1)) * 1000);
    this.clock.textContent = `${shown(this.time, 4)} s`;
    this.scene?.show(this.time);
    if (chosen) this.studio.setTime(this.time);
  }

  private toggle(): void {
    const run = this.results.active;
    if (!run || !this.scene) return;
    this.playing = !this.playing;
    this.play.replaceChildren(glyph(this.playing ? GLYPHS.pause : GLYPHS.play));
    if (!this.playing) {
      this.recorder?.stop();
      this.recorder = null;
      this.record.classList.remove("on");
      return this.studio.setTime(this.time);
    }
    if (this.time >= run.to) this.time = run.from;
    this.last = performance.now();
    requestAnimationFrame(() => this.step());
  }

  /** Plays the run from its beginning, and hands out what was seen as a file. */
  private film(): void {
    const run = this.results.active;
    const canvas = this.stage.querySelector("canvas");
    if (!run || !canvas || this.playing) return;
    const pieces: Blob[] = [];
    const recorder = new MediaRecorder(canvas.captureStream(30));
    recorder.ondataavailable = (event) => pieces.push(event.data);
    recorder.onstop = () => {
      const link = h("a", { href: URL.createObjectURL(new Blob(pieces, { type: recorder.mimeType })), download: `${run.label}.webm` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    };
    this.recorder = recorder;
    this.record.classList.add("on");
    recorder.start();
    this.time = run.from;
    this.toggle();
  }

  private step(): void {
    const run = this.results.active;
    if (!this.playing || !run || this.element.hidden) {
      if (this.playing) this.toggle();
      return;
    }
    const now = performance.now();
    this.frame = now - this.last;
    this.show(this.time + (this.frame / 1000) * Number(this.speed.value), false);
    this.last = now;
    if (this.time >= run.to) return this.toggle();
    requestAnimationFrame(() => this.step());
  }
}

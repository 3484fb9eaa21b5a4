// How the open class is solved: the compiler's explanation of all of it, or of one variable with the way to what it is computed from.

import { debounce, h } from "./dom.ts";
import type { Studio } from "./studio.ts";
import { Refusal } from "./transport.ts";

/** The panel of explanations. */
export class Explain {
  readonly element: HTMLElement;
  /** Called with the part that the explained variable belongs to, or nothing. */
  chosen: (variable: string) => void = () => {};
  private readonly field: HTMLInputElement;
  private readonly back: HTMLButtonElement;
  private readonly text = h("pre", { class: "explanation", tabindex: "0" });
  /** The variables that were explained, the present one last; none where the whole model is. */
  private way: string[] = [];
  private whole = "";
  private key = "";

  constructor(private readonly studio: Studio) {
    this.field = h("input", { type: "search", placeholder: "Lines that speak of…", "aria-label": "Filter the explanation", oninput: debounce(120, () => this.show()) });
    this.back = h("button", { type: "button", "aria-label": "Back", title: "Back", hidden: true, onclick: () => this.go(this.way.slice(0, -1)) }, "←");
    this.element = h("div", { class: "explain" }, h("div", { class: "side-head" }, this.back, this.field), this.text);
    studio.on("text", debounce(800, () => void this.load()));
    studio.on("opened", () => this.go([]));
  }

  /** Asks for the explanation if the panel is seen and the class has changed. */
  async load(): Promise<void> {
    const { info, text } = this.studio;
    const variable = this.way.at(-1);
    const key = `${info?.class} ${text?.version} ${variable ?? ""}`;
    if (!info || this.element.hidden || key === this.key) return;
    this.key = key;
    this.text.textContent = "…";
    let whole = "";
    try {
      const answer = await this.studio.api.call("explain", { class: info.class, ...(variable ? { variable } : {}) });
      whole = answer.text || answer.diagnostics.map((message) => `${message.severity}: ${message.message}`).join("\n");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      whole = error.message;
    }
    // Another question may have been asked meanwhile.
    if (key !== this.key) return;
    this.whole = whole;
    this.show();
  }

  /** Explains a variable: which equation gives it its value, and what that reads. */
  variable(name: string): void {
    this.go([...this.way, name]);
  }

  private go(way: string[]): void {
    this.way = way;
    this.back.hidden = way.length === 0;
    this.field.value = "";
    this.chosen(way.at(-1) ?? "");
    void this.load();
  }

  private show(): void {
    const words = this.field.value.trim().toLowerCase();
    const lines = this.whole.split("\n").filter((line) => line.toLowerCase().includes(words));
    this.text.replaceChildren(...lines.flatMap((line, k) => [...(k ? ["\n"] : []), ...this.linked(line)]));
  }

  /** A line whose variables lead on to their own explanations. */
  private linked(line: string): (Node | string)[] {
    const listed = this.way.length > 0 && /^(\s*(?:is )?(?:reads|read by|and is read by|also)\s+)(.*)$/.exec(line);
    if (!listed) return [line];
    const link = (name: string) =>
      h("button", { type: "button", class: "link", "data-explains": name, onclick: () => this.variable(name) }, name);
    // Commas within subscripts do not part names.
    const names = listed[2]!.split(/,\s+(?![^[]*\])/);
    return [listed[1]!, ...names.flatMap((name, k) => [...(k ? [", "] : []), /^[\w.[\],()']+$/.test(name) ? link(name) : name])];
  }
}

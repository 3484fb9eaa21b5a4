// How the open class is solved: the compiler's explanation, with a filter for a variable.

import { debounce, h } from "./dom.ts";
import type { Studio } from "./studio.ts";
import { Refusal } from "./transport.ts";

/** The panel of explanations. */
export class Explain {
  readonly element: HTMLElement;
  private readonly field: HTMLInputElement;
  private readonly text = h("pre", { class: "explanation", tabindex: "0" });
  private whole = "";
  private key = "";

  constructor(private readonly studio: Studio) {
    this.field = h("input", { type: "search", placeholder: "Lines that speak of…", "aria-label": "Filter the explanation", oninput: debounce(120, () => this.show()) });
    this.element = h("div", { class: "explain" }, h("div", { class: "side-head" }, this.field), this.text);
    studio.on("text", debounce(800, () => void this.load()));
    studio.on("opened", () => void this.load());
  }

  /** Asks for the explanation if the panel is seen and the class has changed. */
  async load(): Promise<void> {
    const { info, text } = this.studio;
    const key = `${info?.class} ${text?.version}`;
    if (!info || this.element.hidden || key === this.key) return;
    this.key = key;
    this.text.textContent = "…";
    try {
      const answer = await this.studio.api.call("explain", { class: info.class });
      this.whole = answer.text || answer.diagnostics.map((message) => `${message.severity}: ${message.message}`).join("\n");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.whole = error.message;
    }
    this.show();
  }

  /** Looks for a variable. */
  find(name: string): void {
    this.field.value = name;
    this.show();
  }

  private show(): void {
    const words = this.field.value.trim().toLowerCase();
    const lines = this.whole.split("\n");
    this.text.textContent = (words ? lines.filter((line) => line.toLowerCase().includes(words)) : lines).join("\n");
  }
}

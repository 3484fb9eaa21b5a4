// Values of a part or a connector at the chosen time, beside the pointer.

import type { Part } from "./api.ts";
import { h, shown } from "./dom.ts";
import type { Results } from "./results.ts";
import type { Studio } from "./studio.ts";

/** The tip over the diagram. */
export class Tooltip {
  private readonly box = h("div", { class: "tooltip", role: "tooltip", hidden: true });
  private wanted = "";
  private timer = 0;

  constructor(
    private readonly studio: Studio,
    private readonly results: Results,
  ) {
    document.body.append(this.box);
    studio.on("time", () => (this.wanted = ""));
  }

  /** Shows what is known of a part or its connector, after a moment. */
  over(part: Part | undefined, connector: string | undefined, x: number, y: number): void {
    const path = part ? (connector ? `${part.name}.${connector}` : part.name) : "";
    if (path === this.wanted) return;
    this.wanted = path;
    clearTimeout(this.timer);
    this.box.hidden = true;
    if (part) this.timer = window.setTimeout(() => void this.show(path, part, connector, x, y), 250);
  }

  private async show(path: string, part: Part, connector: string | undefined, x: number, y: number): Promise<void> {
    const values = await this.results.valuesOf(path).catch(() => []);
    if (this.wanted !== path) return;
    const type = connector ? part.connectors.find((one) => one.name === connector)?.class : part.class;
    const time = this.studio.time ?? this.results.active?.to;
    const rows = values.map(({ name, value, unit }) => h("tr", {}, h("td", {}, name), h("td", {}, value), h("td", {}, unit)));
    this.box.replaceChildren(
      h("strong", {}, path),
      h("span", { class: "quiet" }, ` ${type ?? ""}`),
      ...(rows.length ? [h("table", {}, ...rows), h("span", { class: "quiet" }, `at ${shown(time, 6)} s`)] : []),
    );
    this.box.hidden = false;
    this.box.style.left = `${Math.min(x + 14, innerWidth - this.box.offsetWidth - 8)}px`;
    this.box.style.top = `${Math.min(y + 16, innerHeight - this.box.offsetHeight - 8)}px`;
  }
}

// What the diagram shows of the run: icons as they are at the chosen instant, modes of parts, and the parts that failed.

import type { Diagnostic, Part, Picture } from "./api.ts";
import type { DiagramView } from "./diagram.ts";
import type { Results } from "./results.ts";
import type { Studio } from "./studio.ts";

/** A mode of a part: a truth value or a whole number that it decides itself. */
export interface Mode {
  name: string;
  on: boolean;
  text: string;
}

/** So many modes of a part are shown; more would cover its neighbours. */
const MOST = 3;

/** Keeps the diagram at the instant that the user has chosen. */
export class Lights {
  private turn = 0;
  private busy = false;

  constructor(
    private readonly studio: Studio,
    private readonly results: Results,
    private readonly view: DiagramView,
  ) {
    studio.on("time", () => void this.update());
    studio.on("opened", () => void this.update());
    studio.on("messages", (messages) => view.markFaults(faults(messages, view.picture)));
    results.onChange(() => void this.update());
  }

  /** Shows the instant; while one is being fetched, only the last that was asked for waits. */
  async update(): Promise<void> {
    const mine = ++this.turn;
    if (this.busy) return;
    const { active } = this.results;
    const { info, time } = this.studio;
    if (!active || !info || active.status.class !== info.class || time === null) return this.view.markModes(new Map());
    this.busy = true;
    try {
      const picture = await this.studio.api.call("diagram", { class: info.class, run: active.id, time });
      if (this.studio.info === info && picture.svg !== this.view.picture?.svg) this.view.show(picture);
      this.view.markModes(await this.modes(picture.parts, active.id, time));
    } catch {
      // The run was forgotten, or the text is half typed: the diagram stays as it is.
    } finally {
      this.busy = false;
      if (mine !== this.turn) void this.update();
    }
  }

  private async modes(parts: Part[], run: number, time: number): Promise<Map<string, Mode[]>> {
    const own = new Map(parts.map((part) => [part.name, [] as string[]]));
    const kinds = this.results.active!.byName;
    for (const { name, kind, value } of kinds.values()) {
      const dot = name.lastIndexOf(".");
      const list = own.get(name.slice(0, dot));
      // Elements of arrays are data of a part, such as its colour, not its modes.
      if (list && value === null && !name.endsWith("]") && (kind === "boolean" || kind === "integer") && list.length < MOST) list.push(name);
    }
    const names = [...own.values()].flat();
    if (names.length === 0) return new Map();
    const values = await this.studio.api.call("values", { run, names, time });
    const found = new Map(values.map(({ name, value }) => [name, value]));
    const mode = (name: string): Mode => {
      const [short, value] = [name.slice(name.lastIndexOf(".") + 1), found.get(name) ?? 0];
      const counts = kinds.get(name)?.kind === "integer";
      // A part that says when it is off is lit when it is not.
      if (short === "off" && !counts) return { name: short, on: value === 0, text: value === 0 ? "on" : "off" };
      return { name: short, on: value !== 0, text: counts ? `${short} = ${value}` : short };
    };
    return new Map([...own].filter(([, list]) => list.length).map(([part, list]) => [part, list.map(mode)]));
  }
}

/** The parts that errors speak of, by the names in their words, with the first error of each. */
export function faults(messages: Diagnostic[], picture: Picture | null): Map<string, string> {
  const found = new Map<string, string>();
  const parts = new Set(picture?.parts.map((part) => part.name));
  for (const { severity, message, notes, labels } of messages) {
    if (severity !== "error") continue;
    const words = [message, ...(notes ?? []), ...labels.map((label) => label.text ?? "")].join(" ");
    for (const [, name] of words.matchAll(/([A-Za-z_]\w*)(?:\[[\d,]*\])?\./g)) {
      if (name && parts.has(name) && !found.has(name)) found.set(name, message);
    }
  }
  return found;
}

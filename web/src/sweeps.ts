// Sweeps: one model run for a list of values of a parameter, shown as a family of curves.

import { ask } from "./dialogs.ts";
import { h } from "./dom.ts";
import type { Results } from "./results.ts";

/** The values of `from, to, count`, or of a list; none if the text is neither. */
export function sweepValues(text: string): number[] {
  const range = /^\s*(\S+)\s*(?:\.\.|to)\s*(\S+)\s*(?:in|:)\s*(\d+)\s*$/.exec(text);
  if (range) {
    const [from, to, count] = range.slice(1).map(Number) as [number, number, number];
    if (![from, to].every(Number.isFinite) || count < 2 || count > 200) return [];
    return Array.from({ length: count }, (_, k) => Number((from + ((to - from) * k) / (count - 1)).toPrecision(12)));
  }
  const list = text.split(/[\s,;]+/).filter(Boolean).map(Number);
  return list.every(Number.isFinite) && list.length <= 200 ? list : [];
}

/** Asks for a parameter and its values, and runs the model for each. */
export async function sweepDialog(results: Results, run: (settings: Record<string, string>[]) => void): Promise<void> {
  const known = (results.active?.variables ?? []).filter((v) => typeof v.value === "number");
  const names = h("datalist", { id: "sweep-names" }, ...known.map((v) => h("option", { value: v.name })));
  const field = h("input", { type: "text", list: "sweep-names", id: "sweep-name", spellcheck: "false" });
  const values = h("input", { type: "text", id: "sweep-values", placeholder: "1 to 10 in 5, or 1, 2, 5", spellcheck: "false" });
  const told = h("p", { class: "quiet" }, known.length ? "Each run is kept; nothing is compiled again." : "Run the model once to choose from its parameters.");
  const line = (label: string, input: HTMLElement) => h("label", { class: "field" }, h("span", {}, label), input);
  const chosen = await ask("Sweep", [line("Parameter", field), names, line("Values", values), told], [
    { label: "Cancel", value: false },
    { label: "Run", value: true, primary: true },
  ]);
  const list = sweepValues(values.value);
  const name = field.value.trim();
  if (!chosen || name === "" || list.length === 0) return;
  run(list.map((value) => ({ [name]: String(value) })));
}

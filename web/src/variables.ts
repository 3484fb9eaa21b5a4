// The variables of a result as a tree by their names, with a filter, to be put into panes.

import type { Variable } from "./api.ts";
import { debounce, h, shown } from "./dom.ts";
import type { Results } from "./results.ts";

export const VARIABLE_TYPE = "application/x-kairos-variable";

interface Branch {
  name: string;
  path: string;
  leaf?: Variable;
  inner: Map<string, Branch>;
}

/** The steps of a name: at dots that are not inside brackets. */
export function steps(name: string): string[] {
  const der = /^der\((.*)\)$/.exec(name);
  if (der) {
    const inner = steps(der[1]!);
    const last = inner.pop()!;
    return [...inner, `der(${last})`];
  }
  return name.match(/(?:[^.[]|\[[^\]]*\])+/g) ?? [name];
}

/** The tree of variables beside the plots. */
export class VariableTree {
  readonly element: HTMLElement;
  /** Shows where a variable has its value from. */
  explain: (name: string) => void = () => {};
  private readonly list = h("div", { class: "variables", role: "tree", "aria-label": "Variables" });
  private readonly field: HTMLInputElement;
  private open = new Set<string>();
  private shownRun = -1;

  constructor(
    private readonly results: Results,
    private readonly plotted: (name: string) => boolean,
    private readonly toggle: (name: string) => void,
    private readonly rerun: () => void,
  ) {
    this.field = h("input", {
      type: "search",
      placeholder: "Filter variables",
      "aria-label": "Filter variables",
      oninput: debounce(120, () => this.render()),
    });
    this.element = h("div", { class: "variable-side" }, h("div", { class: "side-head" }, this.field), this.list);
    results.onChange(() => {
      if ((results.active?.id ?? -1) !== this.shownRun) this.render();
    });
    this.render();
  }

  render(): void {
    const run = this.results.active;
    this.shownRun = run?.id ?? -1;
    if (!run) {
      this.list.replaceChildren(h("div", { class: "tree-empty" }, "Run the model to see its variables."));
      return;
    }
    const words = this.field.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (v: Variable) => words.every((w) => v.name.toLowerCase().includes(w) || v.description.toLowerCase().includes(w));
    const found = words.length ? run.variables.filter(fits).slice(0, 300) : run.variables;
    if (words.length) {
      this.list.replaceChildren(...found.map((variable) => this.leaf(variable, variable.name, 0)));
      return;
    }
    const root: Branch = { name: "", path: "", inner: new Map() };
    for (const variable of found) {
      let at = root;
      for (const step of steps(variable.name)) {
        const path = at.path ? `${at.path}.${step}` : step;
        let next = at.inner.get(step);
        if (!next) at.inner.set(step, (next = { name: step, path, inner: new Map() }));
        at = next;
      }
      at.leaf = variable;
    }
    this.list.replaceChildren(...this.children(root, 0));
  }

  private children(branch: Branch, depth: number): HTMLElement[] {
    // What varies comes first: it is what one plots.
    const rank = (b: Branch) => (b.inner.size ? 1 : b.leaf?.value === null ? 0 : 2);
    return [...branch.inner.values()].sort((a, b) => rank(a) - rank(b)).map((inner) => this.branch(inner, depth));
  }

  private branch(branch: Branch, depth: number): HTMLElement {
    const leaf = branch.leaf ? this.leaf(branch.leaf, branch.name, depth) : null;
    if (branch.inner.size === 0) return leaf!;
    const box = h("div", { class: "node" });
    const group = h("div", { role: "group" });
    const row = h(
      "div",
      {
        class: "row",
        role: "treeitem",
        tabindex: "0",
        "aria-expanded": "false",
        style: `padding-left:${4 + depth * 13}px`,
        onclick: () => set(!this.open.has(branch.path)),
        onkeydown: (event: KeyboardEvent) => {
          if (event.key === "Enter" || event.key === " ") set(!this.open.has(branch.path));
          else if (event.key === "ArrowRight") set(true);
          else if (event.key === "ArrowLeft") set(false);
          else return walk(event, this.list);
          event.preventDefault();
        },
      },
      h("span", { class: "twist" }),
      h("span", { class: "label" }, branch.name),
    );
    const set = (open: boolean) => {
      if (open) this.open.add(branch.path);
      else this.open.delete(branch.path);
      row.setAttribute("aria-expanded", String(open));
      group.replaceChildren(...(open ? this.children(branch, depth + 1) : []));
    };
    box.append(...(leaf ? [leaf] : []), row, group);
    if (this.open.has(branch.path)) set(true);
    return box;
  }

  private leaf(variable: Variable, name: string, depth: number): HTMLElement {
    const varies = variable.value === null;
    const check = h("input", {
      type: "checkbox",
      tabindex: "-1",
      "aria-label": `Plot ${variable.name}`,
      disabled: variable.kind === "string",
      onclick: (event: Event) => {
        event.stopPropagation();
        this.toggle(variable.name);
      },
    });
    check.checked = this.plotted(variable.name);
    const own = this.results.settings.get(variable.name);
    const value = varies ? null : h("span", { class: own ? "value own" : "value" }, own ?? constant(variable.value));
    const row = h(
      "div",
      {
        class: varies ? "row leaf" : "row leaf constant",
        role: "treeitem",
        tabindex: "0",
        draggable: "true",
        "data-variable": variable.name,
        title: [variable.name, variable.description, varies ? "" : "Double click changes the value for the next runs"].filter(Boolean).join("\n"),
        style: `padding-left:${4 + depth * 13}px`,
        ondragstart: (event: DragEvent) => event.dataTransfer?.setData(VARIABLE_TYPE, variable.name),
        onclick: (event: MouseEvent) => {
          if (event.target !== value) check.click();
        },
        ondblclick: () => {
          if (value && variable.kind !== "string") this.change(variable, value);
        },
        onkeydown: (event: KeyboardEvent) => {
          if (event.target !== row) return;
          if (event.key === "Enter" || event.key === " ") check.click();
          else if (event.key === "F2" && value) this.change(variable, value);
          else if (event.key === "e" || event.key === "E") this.explain(variable.name);
          else return walk(event, this.list);
          event.preventDefault();
        },
      },
      check,
      h("span", { class: "label" }, name),
      value,
      h("span", { class: "unit" }, variable.unit === "1" ? "" : variable.unit),
      h("button", {
        type: "button",
        class: "ask",
        tabindex: "-1",
        title: "Which equation gives it its value? (E)",
        "aria-label": `Explain ${variable.name}`,
        onclick: (event: Event) => {
          event.stopPropagation();
          this.explain(variable.name);
        },
      }, "?"),
    );
    return row;
  }

  /** Lets the user give a parameter another value for the runs that follow. */
  private change(variable: Variable, place: HTMLElement): void {
    const input = h("input", { type: "text", class: "inline", value: place.textContent ?? "", "aria-label": variable.name });
    let over = false;
    const done = (keep: boolean) => {
      // Taking the field away makes it lose the focus, which ends it again.
      if (over) return;
      over = true;
      const text = input.value.trim();
      if (keep && text === "") this.results.settings.delete(variable.name);
      else if (keep && text !== constant(variable.value)) this.results.settings.set(variable.name, text);
      input.replaceWith(place);
      place.textContent = this.results.settings.get(variable.name) ?? constant(variable.value);
      place.classList.toggle("own", this.results.settings.has(variable.name));
      this.results.tell();
    };
    input.addEventListener("click", (event) => event.stopPropagation());
    input.addEventListener("blur", () => done(true));
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") {
        done(true);
        this.rerun();
      } else if (event.key === "Escape") done(false);
    });
    place.replaceWith(input);
    input.focus();
    input.select();
  }

  /** Shows which variables are plotted. */
  refresh(): void {
    for (const row of this.list.querySelectorAll<HTMLElement>("[data-variable]")) {
      const check = row.querySelector<HTMLInputElement>("input[type=checkbox]");
      if (check) check.checked = this.plotted(row.dataset.variable!);
    }
  }
}

function walk(event: KeyboardEvent, list: HTMLElement): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const rows = [...list.querySelectorAll<HTMLElement>(".row")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  event.preventDefault();
}

function constant(value: Variable["value"]): string {
  return typeof value === "number" ? shown(value) : String(value);
}

// The tree of the project and its libraries, opened as it is asked for, with icons and a search.

import type { TreeEntry } from "./api.ts";
import { debounce, h, parseSvg } from "./dom.ts";
import type { Studio } from "./studio.ts";

/** The type of what is dragged from the tree onto a diagram. */
export const CLASS_TYPE = "application/x-kairos-class";

interface Line {
  class: string;
  name: string;
  kind: string;
  description: string;
  children: boolean;
}

/** The tree at the left. */
export class Tree {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "tree", role: "tree", tabindex: "0", "aria-label": "Classes" });
  private readonly field: HTMLInputElement;
  private readonly icons = new Map<string, string>();
  private readonly wanted = new Set<string>();
  private readonly fetchIcons = debounce(30, () => void this.loadIcons());
  private projectBox = h("div", { role: "group" });
  private shownClasses = "";

  constructor(
    private readonly studio: Studio,
    private readonly opened: (name: string) => void,
    private readonly insert: (name: string) => void,
  ) {
    const search = debounce(180, () => void this.search());
    this.field = h("input", {
      type: "search",
      placeholder: "Search classes",
      "aria-label": "Search classes",
      oninput: search,
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === "Escape") {
          this.field.value = "";
          void this.search();
        } else if (event.key === "ArrowDown") {
          this.rows()[0]?.focus();
          event.preventDefault();
        }
      },
    });
    this.element = h("aside", { class: "side", "aria-label": "Library" }, h("div", { class: "side-head" }, this.field), this.list);
    this.list.addEventListener("keydown", (event) => this.key(event));
    studio.on("project", (project) => {
      const classes = project.texts.flatMap((text) => text.classes).join(" ");
      if (classes !== this.shownClasses) {
        this.shownClasses = classes;
        void this.reloadProject();
      }
    });
    studio.on("opened", () => this.mark());
  }

  focusSearch(): void {
    this.field.focus();
    this.field.select();
  }

  /** Shows the top of the tree. */
  async load(): Promise<void> {
    const top = await this.studio.api.call("tree", {});
    this.projectBox = h("div", { role: "group" });
    this.list.replaceChildren(
      h("div", { class: "tree-head" }, "Project"),
      this.projectBox,
      h("div", { class: "tree-head" }, "Libraries"),
      ...(top.libraries ?? []).map((entry) => this.node(entry, 0)),
    );
    this.showProject(top.project ?? []);
  }

  private async reloadProject(): Promise<void> {
    const top = await this.studio.api.call("tree", {});
    this.showProject(top.project ?? []);
  }

  private showProject(entries: TreeEntry[]): void {
    const empty = h("div", { class: "tree-empty" }, "No model yet: press New.");
    this.projectBox.replaceChildren(...(entries.length ? entries.map((entry) => this.node(entry, 0)) : [empty]));
    for (const entry of entries) this.icons.delete(entry.class);
    this.mark();
  }

  private async search(): Promise<void> {
    const text = this.field.value.trim();
    if (text === "") return this.load();
    const found = await this.studio.api.call("search", { text });
    if (this.field.value.trim() !== text) return;
    const lines = found.map((entry) => {
      const name = entry.class.split(".").pop()!;
      return this.node({ ...entry, name, children: false }, 0, true);
    });
    const none = h("div", { class: "tree-empty" }, "Nothing found.");
    this.list.replaceChildren(h("div", { class: "tree-head" }, `Found ${found.length}`), ...(lines.length ? lines : [none]));
  }

  private node(entry: Line, depth: number, path = false): HTMLElement {
    const box = h("div", { class: "node" });
    const twist = h("span", { class: entry.children ? "twist" : "twist none", "aria-hidden": "true" });
    const icon = h("span", { class: `icon kind-${entry.kind.split(" ").pop()}`, "data-icon": entry.class });
    const row = h(
      "div",
      {
        class: "row",
        role: "treeitem",
        tabindex: "-1",
        draggable: "true",
        title: entry.description ? `${entry.class}\n${entry.description}` : entry.class,
        "data-class": entry.class,
        style: `padding-left:${6 + depth * 14}px`,
        "aria-expanded": entry.children ? "false" : undefined,
        ondragstart: (event: DragEvent) => {
          event.dataTransfer?.setData(CLASS_TYPE, entry.class);
          event.dataTransfer?.setData("text/plain", entry.class);
          if (event.dataTransfer) event.dataTransfer.effectAllowed = "copy";
        },
        onclick: (event: MouseEvent) => {
          row.focus();
          if (entry.children && (entry.kind === "package" || event.target === twist)) void this.toggle(box, row, entry, depth);
        },
        ondblclick: () => {
          if (entry.kind !== "package") this.opened(entry.class);
        },
      },
      twist,
      icon,
      h("span", { class: "label" }, entry.name),
      path ? h("span", { class: "path" }, entry.class.split(".").slice(0, -1).join(".")) : null,
    );
    box.append(row);
    this.icon(icon, entry.class);
    return box;
  }

  private async toggle(box: HTMLElement, row: HTMLElement, entry: Line, depth: number): Promise<void> {
    const inner = box.querySelector<HTMLElement>(":scope > [role=group]");
    if (inner) {
      inner.hidden = !inner.hidden;
      row.setAttribute("aria-expanded", String(!inner.hidden));
      return;
    }
    row.setAttribute("aria-expanded", "true");
    const group = h("div", { role: "group" });
    box.append(group);
    const { children } = await this.studio.api.call("tree", { class: entry.class });
    group.append(...(children ?? []).map((child) => this.node(child, depth + 1)));
    this.mark();
  }

  private icon(place: HTMLElement, name: string): void {
    const known = this.icons.get(name);
    if (known !== undefined) {
      if (known) {
        place.replaceChildren(parseSvg(known));
        place.classList.add("drawn");
      }
      return;
    }
    this.wanted.add(name);
    this.fetchIcons();
  }

  private async loadIcons(): Promise<void> {
    // A few at a time, so that other calls come between.
    const names = [...this.wanted].slice(0, 24);
    if (names.length === 0) return;
    for (const name of names) this.wanted.delete(name);
    const icons = await this.studio.api.call("icons", { classes: names }).catch(() => ({}) as Record<string, string>);
    for (const name of names) {
      // An icon without a shape says nothing.
      const svg = icons[name] ?? "";
      const drawn = /<(path|rect|ellipse|circle|polygon|image|text)\b/.test(svg.replace(/<defs>.*?<\/defs>/s, ""));
      this.icons.set(name, drawn ? svg : "");
      if (!drawn) continue;
      for (const place of this.list.querySelectorAll<HTMLElement>(`[data-icon="${CSS.escape(name)}"]`)) {
        place.replaceChildren(parseSvg(svg));
        place.classList.add("drawn");
      }
    }
    if (this.wanted.size > 0) this.fetchIcons();
  }

  private rows(): HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>(".row")].filter((row) => row.offsetParent !== null);
  }

  private mark(): void {
    for (const row of this.list.querySelectorAll<HTMLElement>(".row")) {
      row.classList.toggle("current", row.dataset.class === this.studio.info?.class);
    }
  }

  private key(event: KeyboardEvent): void {
    const rows = this.rows();
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const row = rows[at];
    const expanded = row?.getAttribute("aria-expanded");
    switch (event.key) {
      case "ArrowDown":
        rows[Math.min(rows.length - 1, at + 1)]?.focus();
        break;
      case "ArrowUp":
        if (at <= 0) this.field.focus();
        else rows[at - 1]?.focus();
        break;
      case "ArrowRight":
        if (expanded === "false") row?.querySelector<HTMLElement>(".twist")?.click();
        else rows[at + 1]?.focus();
        break;
      case "ArrowLeft":
        if (expanded === "true") row?.querySelector<HTMLElement>(".twist")?.click();
        else row?.parentElement?.parentElement?.parentElement?.querySelector<HTMLElement>(":scope > .row")?.focus();
        break;
      case "Enter":
        if (row?.dataset.class) {
          if (event.shiftKey) this.insert(row.dataset.class);
          else if (expanded && row.querySelector(".kind-package")) row.click();
          else this.opened(row.dataset.class);
        }
        break;
      default:
        return;
    }
    event.preventDefault();
  }
}

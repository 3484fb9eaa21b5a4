// The frame of the page: panels that can be resized and shown, and tabs.

import { h } from "./dom.ts";

/** A bar between two panels that changes a size of the page's grid. */
export function splitter(name: string, vertical: boolean, least: number, most: () => number, grows: 1 | -1): HTMLElement {
  const root = document.documentElement;
  const size = () => parseFloat(getComputedStyle(root).getPropertyValue(name));
  const set = (value: number) => {
    const bounded = Math.round(Math.max(least, Math.min(most(), value)));
    root.style.setProperty(name, `${bounded}px`);
    bar.setAttribute("aria-valuenow", String(bounded));
    localStorage.setItem(`kairos${name}`, String(bounded));
  };
  const bar = h("div", {
    class: vertical ? "splitter vertical" : "splitter horizontal",
    role: "separator",
    tabindex: "0",
    "aria-orientation": vertical ? "vertical" : "horizontal",
    "aria-label": "Resize",
    onkeydown: (event: KeyboardEvent) => {
      const keys = vertical ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
      const at = keys.indexOf(event.key);
      if (at < 0) return;
      set(size() + (at === 0 ? -20 : 20) * grows);
      event.preventDefault();
    },
    onpointerdown: (event: PointerEvent) => {
      const [from, start] = [vertical ? event.clientX : event.clientY, size()];
      bar.setPointerCapture(event.pointerId);
      const move = (now: PointerEvent) => set(start + ((vertical ? now.clientX : now.clientY) - from) * grows);
      bar.addEventListener("pointermove", move);
      bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
      event.preventDefault();
    },
  });
  const kept = Number(localStorage.getItem(`kairos${name}`));
  if (kept >= least) root.style.setProperty(name, `${kept}px`);
  return bar;
}

export interface Tab {
  id: string;
  label: string;
  element: HTMLElement;
  shown?: () => void;
}

/** Tabs of which one is shown. */
export class Tabs {
  readonly head = h("div", { class: "tabs", role: "tablist" });
  private readonly buttons = new Map<string, HTMLButtonElement>();

  constructor(private readonly tabs: Tab[]) {
    for (const tab of tabs) {
      const button = h("button", { role: "tab", id: `tab-${tab.id}`, onclick: () => this.show(tab.id) }, tab.label);
      this.buttons.set(tab.id, button);
      this.head.append(button);
    }
    this.head.addEventListener("keydown", (event) => {
      const all = [...this.buttons.values()];
      const at = all.indexOf(document.activeElement as HTMLButtonElement);
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step) all[(at + step + all.length) % all.length]?.focus();
    });
  }

  show(id: string): void {
    for (const tab of this.tabs) {
      tab.element.hidden = tab.id !== id;
      this.buttons.get(tab.id)?.setAttribute("aria-selected", String(tab.id === id));
    }
    this.tabs.find((tab) => tab.id === id)?.shown?.();
  }

  label(id: string, text: string, alarm = false): void {
    const button = this.buttons.get(id);
    if (!button) return;
    button.textContent = text;
    button.classList.toggle("alarm", alarm);
  }
}

/** Light, dark, or as the system has it. */
export function theme(): { apply(): void; next(): void } {
  const root = document.documentElement;
  const kept = () => localStorage.getItem("kairos-theme");
  const apply = () => {
    const dark = kept() ? kept() === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "dark" : "light";
  };
  return {
    apply,
    next: () => {
      localStorage.setItem("kairos-theme", root.dataset.theme === "dark" ? "light" : "dark");
      apply();
    },
  };
}

// Questions in front of the page, and short notices at its edge.

import { h } from "./dom.ts";

export interface Choice<T> {
  label: string;
  value: T;
  primary?: boolean;
  danger?: boolean;
}

/** Shows a dialog and waits for a choice; Escape and a click outside give `undefined`. */
export function ask<T>(title: string, body: Node[], choices: Choice<T>[], wide = false): Promise<T | undefined> {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: wide ? "dialog wide" : "dialog", "aria-label": title });
    let answer: T | undefined;
    const buttons = choices.map((choice) =>
      h(
        "button",
        {
          type: choice.primary ? "submit" : "button",
          class: choice.primary ? "primary" : choice.danger ? "danger" : "",
          onclick: (event: Event) => {
            event.preventDefault();
            answer = choice.value;
            dialog.close();
          },
        },
        choice.label,
      ),
    );
    const main = choices.findIndex((choice) => choice.primary);
    const form = h(
      "form",
      {
        method: "dialog",
        onsubmit: (event: Event) => {
          event.preventDefault();
          buttons[main]?.click();
        },
      },
      h("h2", {}, title),
      h("div", { class: "dialog-body" }, ...body),
      h("div", { class: "dialog-buttons" }, ...buttons),
    );
    dialog.append(form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    dialog.addEventListener("pointerdown", (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.body.append(dialog);
    dialog.showModal();
    const field = dialog.querySelector<HTMLInputElement>("input:not([disabled]), select");
    field?.focus();
    if (field instanceof HTMLInputElement && field.type !== "checkbox") field.select();
  });
}

/** Asks for a line of text. */
export async function askText(title: string, label: string, value: string, ok = "OK"): Promise<string | undefined> {
  const field = h("input", { type: "text", value, spellcheck: "false", "aria-label": label });
  const line = h("label", { class: "field" }, h("span", {}, label), field);
  const chosen = await ask(title, [line], [
    { label: "Cancel", value: false },
    { label: ok, value: true, primary: true },
  ]);
  return chosen ? field.value.trim() : undefined;
}

/** Tells something for some seconds; mistakes stay longer. */
export function notice(text: string, kind: "info" | "error" = "info"): void {
  let stack = document.querySelector(".notices");
  if (!stack) {
    stack = h("div", { class: "notices", role: "status", "aria-live": "polite" });
    document.body.append(stack);
  }
  const note = h("div", { class: `notice ${kind}`, onclick: () => note.remove() }, text);
  stack.append(note);
  setTimeout(() => note.remove(), kind === "error" ? 9000 : 3500);
}

/** Shows a menu at a point of the page. */
export function menu(x: number, y: number, items: { label: string; keys?: string; run: () => void }[]): void {
  document.querySelector(".menu")?.remove();
  const close = () => {
    list.remove();
    document.removeEventListener("pointerdown", outside, true);
  };
  const outside = (event: Event) => {
    if (!list.contains(event.target as Node)) close();
  };
  const list = h(
    "div",
    {
      class: "menu",
      role: "menu",
      onkeydown: (event: KeyboardEvent) => {
        const all = [...list.querySelectorAll("button")];
        const at = all.indexOf(document.activeElement as HTMLButtonElement);
        if (event.key === "Escape") close();
        else if (event.key === "ArrowDown") all[(at + 1) % all.length]?.focus();
        else if (event.key === "ArrowUp") all[(at + all.length - 1) % all.length]?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
    ...items.map((item) =>
      h(
        "button",
        {
          role: "menuitem",
          onclick: () => {
            close();
            item.run();
          },
        },
        h("span", {}, item.label),
        item.keys ? h("kbd", {}, item.keys) : null,
      ),
    ),
  );
  document.body.append(list);
  list.style.left = `${Math.min(x, innerWidth - list.offsetWidth - 8)}px`;
  list.style.top = `${Math.min(y, innerHeight - list.offsetHeight - 8)}px`;
  document.addEventListener("pointerdown", outside, true);
  list.querySelector("button")?.focus();
}

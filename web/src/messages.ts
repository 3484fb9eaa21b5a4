// The list of messages about the open class; each leads to its line.

import type { Diagnostic } from "./api.ts";
import { h } from "./dom.ts";
import type { Studio } from "./studio.ts";

/** The panel of messages. */
export class Messages {
  readonly element = h("div", { class: "messages", role: "log", "aria-label": "Messages" });

  constructor(
    private readonly studio: Studio,
    counted: (errors: number, others: number) => void,
  ) {
    studio.on("messages", (list) => {
      this.show(list);
      const errors = list.filter((message) => message.severity === "error").length;
      counted(errors, list.length - errors);
    });
    this.show([]);
  }

  private show(list: Diagnostic[]): void {
    if (list.length === 0) {
      this.element.replaceChildren(h("p", { class: "quiet" }, "No messages."));
      return;
    }
    this.element.replaceChildren(...list.map((message) => this.line(message)));
  }

  private line(message: Diagnostic): HTMLElement {
    const label = message.labels[0];
    const where = label ? `${label.file.split("/").pop()}:${label.line}` : "";
    const go = () => {
      if (label) void this.studio.goto(label.file, label.line, label.column);
    };
    const more = [...(message.notes ?? []), ...(message.help ?? [])];
    return h(
      "button",
      { class: `message ${message.severity}`, onclick: go },
      h("span", { class: "severity" }, message.severity),
      h("span", { class: "text" }, message.message, ...more.map((line) => h("span", { class: "help" }, line))),
      h("span", { class: "code" }, message.code),
      h("span", { class: "where" }, where),
    );
  }
}

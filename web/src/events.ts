// The event log: a strip of time with a mark for each event, and the list with causes and changes.

import type { EventRecord } from "./api.ts";
import { h, s, shown } from "./dom.ts";
import type { Results } from "./results.ts";
import type { Studio } from "./studio.ts";

const ROW = 26;

/** The panel of events. */
export class EventPanel {
  readonly element: HTMLElement;
  private readonly strip = s("svg", { class: "strip", preserveAspectRatio: "none", viewBox: "0 0 1000 20" });
  private readonly list = h("div", { class: "event-rows", tabindex: "0", role: "listbox", "aria-label": "Events" });
  private readonly sheet = h("div", { class: "event-sheet" });
  private readonly detail = h("div", { class: "event-detail" });
  private readonly filter: HTMLInputElement;
  private events: EventRecord[] = [];
  private chosen = -1;

  constructor(
    private readonly studio: Studio,
    private readonly results: Results,
  ) {
    this.filter = h("input", { type: "search", placeholder: "Filter events", "aria-label": "Filter events", oninput: () => this.load() });
    this.list.append(this.sheet);
    this.element = h(
      "div",
      { class: "events" },
      h("div", { class: "event-left" }, h("div", { class: "side-head" }, this.filter), this.strip, this.list),
      this.detail,
    );
    this.list.addEventListener("scroll", () => this.render());
    new ResizeObserver(() => this.render()).observe(this.list);
    this.list.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
      if (step) this.choose(Math.max(0, Math.min(this.events.length - 1, this.chosen + step)));
      else if (event.key === "Home") this.choose(0);
      else return;
      event.preventDefault();
    });
    this.strip.addEventListener("click", (event) => {
      const run = this.results.active;
      if (!run) return;
      const time = run.from + ((event as MouseEvent).offsetX / this.strip.clientWidth) * (run.to - run.from);
      let best = 0;
      this.events.forEach((one, k) => {
        if (Math.abs(one.time - time) < Math.abs(this.events[best]!.time - time)) best = k;
      });
      this.choose(best);
    });
    let shownRun: unknown = undefined;
    results.onChange(() => {
      if (results.active === shownRun) return;
      shownRun = results.active;
      this.load();
    });
    studio.on("time", () => this.drawStrip());
    this.load();
  }

  private load(): void {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = this.results.active?.events ?? [];
    this.events = words.length
      ? all.filter((event) => {
          const text = `${event.kind} ${cause(event)} ${event.changes.map((c) => c.name).join(" ")}`.toLowerCase();
          return words.every((word) => text.includes(word));
        })
      : all;
    this.chosen = -1;
    this.sheet.style.height = `${this.events.length * ROW}px`;
    const empty = this.results.active ? "No events." : "Run the model to see its events.";
    this.detail.replaceChildren(h("p", { class: "quiet" }, this.events.length ? "Choose an event to see why it happened and what it changed." : empty));
    this.render();
    this.drawStrip();
  }

  private drawStrip(): void {
    const run = this.results.active;
    if (!run) return this.strip.replaceChildren();
    const scale = 1000 / (run.to - run.from || 1);
    let last = -1;
    const path = { time: "", state: "" };
    for (const event of this.events) {
      const x = Math.round((event.time - run.from) * scale);
      if (x === last) continue;
      last = x;
      path[event.kind === "time" ? "time" : "state"] += `M${x} 3V17`;
    }
    const { time } = this.studio;
    this.strip.replaceChildren(
      s("path", { d: path.state, class: "mark state" }),
      s("path", { d: path.time, class: "mark time" }),
      ...(time === null ? [] : [s("path", { d: `M${(time - run.from) * scale} 0V20`, class: "mark now" })]),
    );
  }

  /** Only the rows that can be seen are made. */
  private render(): void {
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - 4);
    const count = Math.ceil((this.list.clientHeight || 300) / ROW) + 8;
    this.sheet.replaceChildren(
      ...this.events.slice(first, first + count).map((event, k) => {
        const at = first + k;
        return h(
          "div",
          {
            class: at === this.chosen ? "event-row chosen" : "event-row",
            role: "option",
            "aria-selected": String(at === this.chosen),
            style: `top:${at * ROW}px`,
            onclick: () => this.choose(at),
          },
          h("span", { class: "when" }, shown(event.time, 8)),
          h("span", { class: `kind ${event.kind}` }, event.kind),
          h("span", { class: "why" }, cause(event)),
        );
      }),
    );
  }

  private choose(k: number): void {
    const event = this.events[k];
    if (!event) return;
    this.chosen = k;
    const top = k * ROW;
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    else if (top + ROW > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = top + ROW - this.list.clientHeight;
    this.render();
    this.studio.setTime(event.time);
    this.showDetail(event);
  }

  private showDetail(event: EventRecord): void {
    const causes = event.causes.map((one) => {
      const place = /^(.*):(\d+):(\d+)$/.exec(one.at ?? "");
      const link = place
        ? h(
            "button",
            { class: "link", onclick: () => void this.studio.goto(place[1]!, Number(place[2]), Number(place[3])) },
            `${place[1]!.split("/").pop()}:${place[2]}`,
          )
        : null;
      return h("li", {}, h("code", {}, one.expression), one.became ? ` became ${one.became} ` : " ", link);
    });
    const change = (one: { name: string; from: number; to: number }) =>
      h("tr", {}, h("td", {}, one.name), h("td", {}, shown(one.from)), h("td", {}, "→"), h("td", {}, shown(one.to)));
    const table = (title: string, list: EventRecord["changes"]) =>
      list.length ? [h("h4", {}, title), h("table", {}, ...list.slice(0, 100).map(change))] : [];
    this.detail.replaceChildren(
      h("h3", {}, `${event.kind} event at ${shown(event.time, 10)} s`),
      ...(causes.length ? [h("h4", {}, "Why"), h("ul", {}, ...causes)] : []),
      ...table("Changed", event.changes),
      ...table("Jumped", event.jumps),
      h("p", { class: "quiet" }, `${event.iterations} iteration${event.iterations === 1 ? "" : "s"}`),
    );
  }
}

function cause(event: EventRecord): string {
  const causes = event.causes.map((one) => (one.became ? `${one.expression} → ${one.became}` : one.expression));
  if (causes.length) return causes.join(", ");
  return event.changes.map((one) => one.name).slice(0, 4).join(", ");
}

// Runs and what they yield: started, watched, kept and compared.

import type { EventRecord, RunSettings, RunStatus, Variable } from "./api.ts";
import { notice } from "./dialogs.ts";
import { shown } from "./dom.ts";
import type { Studio } from "./studio.ts";

export interface Run {
  id: number;
  label: string;
  status: RunStatus;
  variables: Variable[];
  byName: Map<string, Variable>;
  from: number;
  to: number;
  visible: boolean;
  events: EventRecord[];
}

/** All runs of the page. */
export class Results {
  readonly runs: Run[] = [];
  /** The run whose variables, events and values are shown. */
  active: Run | null = null;
  running: RunStatus | null = null;
  /** Parameters that runs use in place of what the text says. */
  readonly settings = new Map<string, string>();
  private listeners: (() => void)[] = [];

  constructor(private readonly studio: Studio) {}

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  tell(): void {
    for (const listener of this.listeners) listener();
  }

  /** Runs the open class. */
  async start(settings: RunSettings): Promise<void> {
    const { studio } = this;
    if (!studio.info || this.running) return;
    await studio.flush();
    await studio.settled();
    const name = studio.info.class;
    const own = Object.fromEntries(this.settings);
    try {
      this.running = await studio.api.call("run", { class: name, ...settings, settings: own });
      this.tell();
      while (!this.running.finished) {
        await new Promise((resolve) => setTimeout(resolve, 120));
        this.running = await studio.api.call("progress", { run: this.running.run });
        this.tell();
      }
      await this.finish(this.running, own);
    } catch (error) {
      notice(error instanceof Error ? error.message : String(error), "error");
    } finally {
      this.running = null;
      this.tell();
    }
  }

  async stop(): Promise<void> {
    if (this.running) await this.studio.api.call("stop", { run: this.running.run });
  }

  private async finish(status: RunStatus, own: Record<string, string>): Promise<void> {
    const { api } = this.studio;
    if (status.diagnostics.length) {
      this.studio.messages = status.diagnostics;
      this.studio.emit("messages", status.diagnostics);
    }
    if (status.failed && !status.stopped) {
      const first = status.diagnostics.find((message) => message.severity === "error");
      notice(first ? first.message : "The run failed.", "error");
    }
    const { variables, from, to } = await api.call("variables", { run: status.run });
    if (variables.length === 0) return;
    const events = await api.call("events", { run: status.run });
    const changes = Object.entries(own).map(([name, value]) => `${name}=${value}`).join(" ");
    const short = status.class.split(".").pop()!;
    const run: Run = {
      id: status.run,
      label: `${status.run} ${short}${changes ? ` (${changes})` : ""}`,
      status,
      variables,
      byName: new Map(variables.map((variable) => [variable.name, variable])),
      from,
      to,
      visible: true,
      events,
    };
    for (const other of this.runs) if (other.status.class !== status.class) other.visible = false;
    this.runs.push(run);
    this.active = run;
    if (this.studio.time !== null && (this.studio.time < from || this.studio.time > to)) this.studio.setTime(null);
  }

  async forget(run: Run): Promise<void> {
    this.runs.splice(this.runs.indexOf(run), 1);
    if (this.active === run) this.active = this.runs[this.runs.length - 1] ?? null;
    await this.studio.api.call("forget", { run: run.id });
    this.tell();
  }

  /** The values of the variables of a part or a connector at the chosen time. */
  async valuesOf(prefix: string): Promise<{ name: string; value: string; unit: string }[]> {
    const run = this.active;
    if (!run || run.status.class !== this.studio.info?.class) return [];
    const inside = run.variables.filter((variable) => {
      if (!variable.name.startsWith(prefix)) return false;
      const rest = variable.name.slice(prefix.length);
      return /^(\[[\d,]+\])?\.[^.]+$/.test(rest) || /^(\[[\d,]+\])?$/.test(rest);
    });
    const some = inside.filter((variable) => variable.kind !== "string").slice(0, 14);
    if (some.length === 0) return [];
    const time = this.studio.time ?? run.to;
    const values = await this.studio.api.call("values", { run: run.id, names: some.map((v) => v.name), time });
    return some.map((variable, k) => {
      const value = values[k]?.value ?? null;
      const text = variable.kind === "boolean" ? (value ? "true" : "false") : shown(value, 5);
      const name = variable.name.slice(prefix.length).replace(/^\./, "") || variable.name;
      return { name, value: text, unit: variable.unit === "1" ? "" : variable.unit };
    });
  }
}

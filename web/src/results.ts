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
  /** Which of how many runs of a sweep it is. */
  family?: { index: number; count: number };
}

/** All runs of the page. */
export class Results {
  readonly runs: Run[] = [];
  /** The run whose variables, events and values are shown. */
  active: Run | null = null;
  running: RunStatus | null = null;
  /** Parameters that runs use in place of what the text says. */
  readonly settings = new Map<string, string>();
  /** Variables that have sliders. */
  readonly live = new Set<string>();
  private listeners: (() => void)[] = [];

  constructor(private readonly studio: Studio) {}

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  tell(): void {
    for (const listener of this.listeners) listener();
  }

  /** Runs the open class for each of these values, one after the other. */
  async sweep(settings: RunSettings, values: Record<string, string>[]): Promise<void> {
    for (const run of this.runs) run.visible = false;
    for (const [index, own] of values.entries()) {
      const before = this.runs.length;
      await this.start(settings, own, { index, count: values.length });
      if (this.runs.length === before || this.runs[before]!.status.stopped) return;
    }
  }

  /** Runs the open class. */
  async start(settings: RunSettings, swept: Record<string, string> = {}, family?: Run["family"]): Promise<void> {
    const { studio } = this;
    if (!studio.info || this.running) return;
    await studio.flush();
    await studio.settled();
    const name = studio.info.class;
    const own = { ...Object.fromEntries(this.settings), ...swept };
    const live = settings.pace ? [...this.live] : undefined;
    try {
      this.running = await studio.api.call("run", { class: name, ...settings, live, settings: own });
      this.tell();
      // Short runs are over at once.
      let wait = 20;
      let run: Run | null = null;
      while (!this.running.finished) {
        await new Promise((resolve) => setTimeout(resolve, wait));
        wait = Math.min(120, wait * 1.5);
        this.running = await studio.api.call("progress", { run: this.running.run });
        if (settings.pace && this.running.phase === "simulate") run = await this.follow(run, this.running, own);
        this.tell();
      }
      await this.finish(run, this.running, own, family);
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

  /** Changes a value: of the run that goes on, if it takes it, and of those that follow. */
  async tune(name: string, value: string): Promise<void> {
    this.settings.set(name, value);
    this.tell();
    if (this.running?.phase === "simulate") await this.studio.api.call("tune", { run: this.running.run, name, value });
  }

  /** Shows how far a run in real time has come. */
  private async follow(known: Run | null, status: RunStatus, own: Record<string, string>): Promise<Run | null> {
    if (!known) return this.adopt(status, own);
    known.status = status;
    known.to = status.time;
    return known;
  }

  private async finish(known: Run | null, status: RunStatus, own: Record<string, string>, family?: Run["family"]): Promise<void> {
    const { api } = this.studio;
    if (this.studio.info?.class === status.class) this.studio.tellRun(status.diagnostics);
    if (status.failed && !status.stopped) {
      const first = status.diagnostics.find((message) => message.severity === "error");
      notice(first ? first.message : "The run failed.", "error");
    }
    const run = known ?? (await this.adopt(status, own));
    if (!run) return;
    run.status = status;
    run.to = status.time;
    run.family = family;
    run.events = await api.call("events", { run: status.run });
    if (this.studio.time !== null && (this.studio.time < run.from || this.studio.time > run.to)) this.studio.setTime(null);
  }

  /** Takes a run among those that are shown, as soon as it has variables. */
  private async adopt(status: RunStatus, own: Record<string, string>): Promise<Run | null> {
    const { api } = this.studio;
    const { variables, from, to } = await api.call("variables", { run: status.run });
    if (variables.length === 0) return null;
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
    return run;
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

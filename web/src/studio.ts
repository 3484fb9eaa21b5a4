// What is open: the class that is looked at, its text and version, and the one queue through which all changes go.

import type { Api, ClassInfo, Diagnostic, Operation, Project, Text } from "./api.ts";
import { notice } from "./dialogs.ts";
import { debounce } from "./dom.ts";
import { Refusal } from "./transport.ts";

/** Parts of the page that want to know. */
export interface Events {
  /** Another class is shown. */
  opened: ClassInfo;
  /** The text of the open class has changed, by whatever. */
  text: { text: string; version: number; typed: boolean };
  /** Files, versions or what can be undone have changed. */
  project: Project;
  /** Messages about the open class. */
  messages: Diagnostic[];
  /** The user has chosen an instant. */
  time: number | null;
  /** A line of the text is to be shown. */
  line: { line: number; column: number };
}

type Listener<T> = (value: T) => void;

/** The state that all parts of the page share. */
export class Studio {
  info: ClassInfo | null = null;
  project: Project | null = null;
  text: Text | null = null;
  time: number | null = null;
  messages: Diagnostic[] = [];
  /** What the last run had to say; it holds until the text changes. */
  private told: Diagnostic[] = [];
  /** Sends text that was typed and not sent yet. */
  flush: () => Promise<void> = async () => {};
  private listeners = new Map<keyof Events, Listener<never>[]>();
  private queue: Promise<unknown> = Promise.resolve();
  private readonly recheck = debounce(600, () => void this.check());

  constructor(readonly api: Api) {}

  on<K extends keyof Events>(event: K, listener: Listener<Events[K]>): void {
    const list = this.listeners.get(event) ?? [];
    list.push(listener as Listener<never>);
    this.listeners.set(event, list);
  }

  emit<K extends keyof Events>(event: K, value: Events[K]): void {
    for (const listener of this.listeners.get(event) ?? []) (listener as Listener<Events[K]>)(value);
  }

  /** Does one thing after the other, and tells the user what was refused. */
  enqueue<T>(work: () => Promise<T>): Promise<T | undefined> {
    const next = this.queue.then(work).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      notice(error.message, "error");
      return undefined;
    });
    this.queue = next.catch(() => undefined);
    return next;
  }

  /** Waits until all changes that were asked for are done. */
  settled(): Promise<unknown> {
    return this.queue;
  }

  /** Shows a class. */
  async open(name: string): Promise<boolean> {
    await this.flush();
    const done = await this.enqueue(async () => {
      const info = await this.api.call("class", { class: name });
      this.text = info.editable
        ? await this.api.call("text", { file: info.file })
        : { file: info.file, text: info.text, version: 0 };
      this.info = info;
      this.messages = this.told = [];
      this.emit("opened", info);
      this.emit("messages", []);
      if (info.editable) this.recheck();
      return true;
    });
    return done === true;
  }

  /** Edits the open class; one step to undo. */
  async edit(operations: Operation[]): Promise<boolean> {
    if (operations.length === 0) return false;
    await this.flush();
    const done = await this.enqueue(async () => {
      if (!this.info) return false;
      this.take(await this.api.call("edit", { class: this.info.class, operations }), false);
      await this.refresh();
      return true;
    });
    return done === true;
  }

  /** Sends a text that the user has typed. */
  async typed(text: string): Promise<void> {
    await this.enqueue(async () => {
      if (!this.text || !this.info?.editable) return;
      const { file, version } = this.text;
      const taken = await this.api.call("set_text", { file, text, version });
      this.take(taken, true);
      await this.refresh();
    });
  }

  async turn(back: boolean): Promise<void> {
    await this.flush();
    await this.enqueue(async () => {
      if (!this.text || !this.info?.editable) return;
      const answer = await this.api.call(back ? "undo" : "redo", { file: this.text.file });
      if (!answer.done) return;
      this.take(answer, false);
      await this.refresh();
    });
  }

  /** Takes a new text of the open file. */
  take(text: Text, typed: boolean): void {
    this.text = { file: text.file, text: text.text, version: text.version };
    this.told = [];
    this.emit("text", { text: text.text, version: text.version, typed });
    this.recheck();
  }

  /** Reads the state of the project anew. */
  async refresh(): Promise<void> {
    this.setProject(await this.api.call("project", {}));
  }

  setProject(project: Project): void {
    this.project = project;
    this.emit("project", project);
  }

  /** Checks the open class and tells what is wrong. */
  async check(): Promise<Diagnostic[]> {
    this.recheck.cancel();
    const info = this.info;
    if (!info) return [];
    try {
      const { diagnostics } = await this.api.call("check", { class: info.class });
      if (this.info !== info) return [];
      this.say(diagnostics);
      return diagnostics;
    } catch (error) {
      if (error instanceof Refusal) notice(error.message, "error");
      return [];
    }
  }

  /** Takes what a run had to say in place of what the last one said. */
  tellRun(messages: Diagnostic[]): void {
    const before = new Set(this.told);
    this.told = messages;
    this.say(this.messages.filter((message) => !before.has(message)));
  }

  /** Shows what the check found and the last run said, each once. */
  private say(found: Diagnostic[]): void {
    const key = (one: Diagnostic) => `${one.code} ${one.message}`;
    const told = new Set(this.told.map(key));
    this.messages = [...this.told, ...found.filter((one) => !told.has(key(one)))];
    this.emit("messages", this.messages);
  }

  /** Chooses an instant of the results. */
  setTime(time: number | null): void {
    this.time = time;
    this.emit("time", time);
  }

  /** The state of the file of the open class. */
  state() {
    return this.project?.texts.find((text) => text.file === this.text?.file);
  }

  /** Shows a place of a source: in the open text, or in the class that its file holds. */
  async goto(file: string, line: number, column = 1): Promise<void> {
    if (this.text?.file !== file) {
      const known = this.project?.texts.find((text) => text.file === file);
      const name = known ? known.classes[0] : this.classOfFile(file);
      if (!name || !(await this.open(name))) return;
    }
    const offset = this.info?.editable ? 0 : (this.info?.line ?? 1) - 1;
    this.emit("line", { line: Math.max(1, line - offset), column });
  }

  /** The class that a file of a library holds, by the folders it lies in. */
  private classOfFile(file: string): string | undefined {
    const steps = file.replace(/\.mo$/, "").split("/").map((step) => step.split(" ")[0]!);
    const top = steps.findIndex((step) => this.project?.libraries.includes(step));
    if (top < 0) return undefined;
    const path = steps.slice(top);
    if (path[path.length - 1] === "package") path.pop();
    return path.join(".");
  }
}

// The transport of a page without a server: one worker keeps the project, and every model that runs has one of its own.
//
// A worker that compiles cannot listen; one that runs can between its slices. So a run that is stopped while it compiles ends with
// its worker, and any other stops by itself. A worker whose model runs again with other values compiles nothing.

import type { Project, RunStatus, Text } from "./api.ts";
import { Refusal, type Transport } from "./transport.ts";
import type { Message } from "./worker.ts";

type Answer = { result?: unknown; error?: { code: string; message: string } };
type Asked = Message extends infer M ? (M extends { id: number } ? Omit<M, "id"> : never) : never;

/** A worker with the compiler in it. */
class Compiler {
  /** Why it answers no more. */
  broken: string | null = null;
  private readonly worker = new Worker("worker.js", { type: "module" });
  private readonly waiting = new Map<number, { done: (result: unknown) => void; fail: (error: Error) => void }>();
  private next = 1;

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<{ id: number; answer: string } | { broken: string }>) => {
      if ("broken" in data) return this.end(data.broken);
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      const { error, result } = JSON.parse(data.answer) as Answer;
      if (error) waiting?.fail(new Refusal(error.code, error.message));
      else waiting?.done(result);
    };
    this.worker.onerror = (event) => this.end(event.message);
  }

  ask(message: Asked, transfer: Transferable[] = []): Promise<unknown> {
    if (this.broken !== null) return Promise.reject(new Refusal("no-such-run", "the run was ended"));
    const id = this.next++;
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail });
      this.worker.postMessage({ id, ...message }, transfer);
    });
  }

  call(method: string, parameters: unknown): Promise<unknown> {
    return this.ask({ method, parameters });
  }

  end(why: string): void {
    this.broken = why;
    this.worker.terminate();
    for (const { fail } of this.waiting.values()) fail(new Refusal("no-such-run", "the run was ended"));
    this.waiting.clear();
  }
}

/** A run and the worker that has it. */
interface Known {
  runner: Runner;
  inner: number;
  status: RunStatus;
}

/** A worker that runs one model, as its texts were. */
interface Runner {
  compiler: Compiler;
  class: string;
  texts: string;
  runs: Set<number>;
}

/** How long a run that is to stop may take to hear it, in milliseconds. */
const PATIENCE = 1500;

/** Calls that belong to a run, answered by the worker that has it. */
const OF_RUNS = new Set(["progress", "stop", "tune", "forget", "variables", "curves", "values", "events", "shapes"]);

export class BrowserTransport implements Transport {
  private readonly main: Promise<Compiler>;
  private readonly module: Promise<WebAssembly.Module>;
  private readonly runs = new Map<number, Known>();
  private last: Runner | null = null;
  private nextRun = 1;

  constructor(address: string) {
    this.module = compiled(address);
    this.main = this.begin();
  }

  private async begin(texts?: Record<string, string>): Promise<Compiler> {
    const compiler = new Compiler();
    await compiler.ask({ begin: { module: await this.module, texts } });
    return compiler;
  }

  async call(method: string, parameters: unknown): Promise<unknown> {
    const main = await this.main;
    if (method === "run") return this.run(main, parameters as { class: string });
    const asked = parameters as { run: number };
    // A diagram at an instant needs the result, which only the worker of the run has.
    const shows = method === "diagram" && asked.run !== undefined;
    if (!OF_RUNS.has(method) && !shows) return main.call(method, parameters);
    const known = this.runs.get(asked.run);
    if (!known) throw new Refusal("no-such-run", `there is no run ${asked.run}`);
    if (method === "forget") return this.forget(asked.run, known);
    if (method === "stop") return this.stop(asked.run, known);
    if (known.runner.compiler.broken !== null && method === "progress") return ended(known.status);
    const answer = await known.runner.compiler.call(method, { ...asked, run: known.inner });
    return method === "progress" || method === "tune" ? this.note(asked.run, known, answer as RunStatus) : answer;
  }

  /** Adds the libraries of a zip. */
  async library(name: string, bytes: ArrayBuffer): Promise<void> {
    const main = await this.main;
    await main.ask({ library: name, bytes });
    // Models that run next see them, too.
    this.last = null;
  }

  private async run(main: Compiler, parameters: { class: string }): Promise<RunStatus> {
    const project = (await main.call("project", {})) as Project;
    const texts: Record<string, string> = {};
    for (const { file } of project.texts) texts[file] = ((await main.call("text", { file })) as Text).text;
    const same = JSON.stringify(texts);
    let runner = this.last;
    if (!runner || runner.compiler.broken !== null || runner.class !== parameters.class || runner.texts !== same) {
      const compiler = await this.begin(texts);
      runner = { compiler, class: parameters.class, texts: same, runs: new Set() };
      this.release();
      this.last = runner;
    }
    const id = this.nextRun++;
    const status = (await runner.compiler.call("run", parameters)) as RunStatus;
    const known: Known = { runner, inner: status.run, status };
    this.runs.set(id, known);
    runner.runs.add(id);
    return this.note(id, known, status);
  }

  private note(id: number, known: Known, status: RunStatus): RunStatus {
    known.status = { ...status, run: id };
    return known.status;
  }

  private async stop(id: number, known: Known): Promise<RunStatus> {
    const { compiler, runs } = known.runner;
    known.status = { ...known.status, stopped: true };
    const stopped = compiler.call("stop", { run: known.inner }) as Promise<RunStatus>;
    const patient = new Promise<null>((done) => setTimeout(() => done(null), PATIENCE));
    const heard = await Promise.race([stopped.catch(() => null), patient]);
    if (heard) return this.note(id, known, heard);
    compiler.end("stopped");
    for (const run of runs) if (run !== id) this.runs.delete(run);
    return ended(known.status);
  }

  private forget(id: number, known: Known): object {
    this.runs.delete(id);
    known.runner.runs.delete(id);
    if (known.runner !== this.last && known.runner.runs.size === 0) known.runner.compiler.end("forgotten");
    else void known.runner.compiler.call("forget", { run: known.inner }).catch(() => undefined);
    return {};
  }

  /** Ends the last runner if nobody has a result of it. */
  private release(): void {
    if (this.last && this.last.runs.size === 0) this.last.compiler.end("unused");
  }
}

function ended(status: RunStatus): RunStatus {
  return { ...status, finished: true, failed: true, phase: "done" };
}

/** The compiler's code: packed, because not every web server packs what it hands out. */
async function compiled(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Refusal("no-answer", `The compiler cannot be loaded: ${address} is missing.`);
  const unpacked = response.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "Content-Type": "application/wasm" } }));
}

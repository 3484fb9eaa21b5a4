// The compiler in a worker of the page: takes calls one after the other, and lets runs go on between them.

import { files, keepFiles, keepLibrary, libraries } from "./keeping.ts";

/** What the compiled module offers (`crates/kairos-web`). */
interface Module {
  memory: WebAssembly.Memory;
  room(length: number): number;
  answer(): number;
  begin(): number;
  put(): void;
  library(): number;
  call(): number;
  step(): number;
  changes(): number;
}

export interface Begin {
  module: WebAssembly.Module;
  /** The files of the project for a worker that runs one model; one that keeps the project reads them itself. */
  texts?: Record<string, string>;
}

export type Message = { id: number } & (
  | { begin: Begin }
  | { method: string; parameters: unknown }
  | { library: string; bytes: ArrayBuffer }
);

const scope = self as unknown as { postMessage(message: unknown): void; onmessage: (event: MessageEvent<Message>) => void };
let begun: Begin;
let module: Module;
let waiting: ReturnType<typeof setTimeout> | undefined;

function put(text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const at = module.room(bytes.length);
  new Uint8Array(module.memory.buffer, at, bytes.length).set(bytes);
}

function taken(length: number): string {
  return new TextDecoder().decode(new Uint8Array(module.memory.buffer, module.answer(), length));
}

/** Starts the module anew from what is kept. */
async function begin(): Promise<string> {
  const instance = await WebAssembly.instantiate(begun.module, {
    env: {
      now: () => performance.now(),
      tell: (at: number, length: number) => console.warn(new TextDecoder().decode(new Uint8Array(module.memory.buffer, at, length))),
    },
  });
  module = instance.exports as unknown as Module;
  put(JSON.stringify(begun.texts ?? (await files())));
  const answer = taken(module.begin());
  for (const [name, bytes] of Object.entries(await libraries())) add(name, bytes);
  return answer;
}

function add(name: string, bytes: ArrayBuffer): string {
  put(name);
  put(new Uint8Array(bytes));
  return taken(module.library());
}

/** Writes what has changed, before the page is told that it is done. */
async function keep(): Promise<void> {
  const length = module.changes();
  if (length > 0 && !begun.texts) await keepFiles(JSON.parse(taken(length)) as Record<string, string | null>);
}

async function answer(message: Message): Promise<string> {
  if ("begin" in message) {
    begun = message.begin;
    return begin();
  }
  if ("library" in message) {
    const told = add(message.library, message.bytes);
    if ("result" in (JSON.parse(told) as object)) await keepLibrary(message.library, message.bytes);
    return told;
  }
  if (!begun.texts && (message.method === "status" || message.method === "save")) {
    // Another page may have saved meanwhile.
    put(JSON.stringify(await files()));
    module.put();
  }
  put(JSON.stringify([message.method, message.parameters]));
  const told = taken(module.call());
  await keep();
  return told;
}

/** Lets the runs go on; messages of the page come between. */
function goOn(): void {
  waiting = undefined;
  let wait: number;
  try {
    wait = module.step();
  } catch (error) {
    scope.postMessage({ broken: String(error) });
    return;
  }
  if (wait >= 0) waiting = setTimeout(goOn, wait);
}

let queue: Promise<unknown> = Promise.resolve();

scope.onmessage = ({ data }) => {
  queue = queue.then(async () => {
    let told: string;
    try {
      told = await answer(data);
    } catch (error) {
      // The module is not to be trusted any more; what was edited is in the journal.
      console.warn(error);
      await begin();
      told = JSON.stringify({ error: { code: "bug", message: "this is a bug in Kairos: please report what you did" } });
    }
    scope.postMessage({ id: data.id, answer: told });
    if (waiting === undefined) waiting = setTimeout(goOn, 0);
  });
};

// How the page asks its back end: one call from JSON to JSON, whoever answers it.

/** A refusal of the back end, in words for the user. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The one way to the back end: a local server, or a worker with the compiler in it (`browser.ts`). */
export interface Transport {
  call(method: string, parameters: unknown): Promise<unknown>;
  /** Adds the libraries of a zip, where files of the user's disk come only through the page. */
  library?(name: string, bytes: ArrayBuffer): Promise<void>;
}

/** The transport to the server that handed out the page. */
export class HttpTransport implements Transport {
  constructor(private readonly token: string) {}

  async call(method: string, parameters: unknown): Promise<unknown> {
    let answer: { result?: unknown; error?: { code: string; message: string } };
    try {
      const response = await fetch(`/api/${method}`, {
        method: "POST",
        headers: { "X-Kairos-Token": this.token },
        body: JSON.stringify(parameters),
      });
      answer = await response.json();
    } catch {
      throw new Refusal("no-answer", "The studio does not answer. Is `kairos studio` still running?");
    }
    if (answer.error) throw new Refusal(answer.error.code, answer.error.message);
    return answer.result;
  }
}

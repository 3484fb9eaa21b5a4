// Starts a studio on a project of its own and a browser on its page, on either transport; used by all browser tests.
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const root = resolve(new URL("../..", import.meta.url).pathname);
export const KAIROS = process.env.KAIROS ?? join(root, "target/release/kairos");
export const ASSETS = join(root, "crates/kairos-studio/assets");

/** Which back end the page has: the local server, or the compiler in the browser. */
export const TRANSPORT = process.env.TRANSPORT ?? "server";

/** A studio with its page in a browser; `close` ends both. */
export async function studio(options = {}) {
  const { folder, width = 1280, height = 800, dark = false, query = "" } = options;
  const own = folder ?? mkdtempSync(join(tmpdir(), "kairos-studio-"));
  const back = await (TRANSPORT === "browser" ? playground(options) : server(own, options));
  const profile = options.profile ?? mkdtempSync(join(tmpdir(), "kairos-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const mistakes = [];
  page.on("pageerror", (error) => mistakes.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") mistakes.push(message.text());
  });
  if (TRANSPORT === "browser" && folder) await seed(page, back.address, folder);
  await page.goto(back.address + query);
  await page.waitForFunction(() => window.kairos !== undefined, undefined, { timeout: 60000 });
  const close = async () => {
    await context.close().catch(() => {});
    await back.close();
    if (!options.profile) rmSync(profile, { recursive: true, force: true });
    if (!folder) rmSync(own, { recursive: true, force: true });
  };
  return { page, folder: own, address: back.address, mistakes, close, hand: new Hand(page) };
}

/** The local server on a folder. */
async function server(folder, { libraries = [] }) {
  const libs = libraries.flatMap((path) => ["--lib", path]);
  const process = spawn(KAIROS, ["studio", folder, ...libs, "--no-open", "--page", ASSETS], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done, fail) => {
    let text = "";
    process.stdout.on("data", (bytes) => {
      text += bytes;
      const match = /http:\S+/.exec(text);
      if (match) done(match[0]);
    });
    process.on("exit", () => fail(new Error("the studio ended")));
  });
  const close = async () => {
    process.removeAllListeners("exit");
    process.kill();
  };
  return { address, close };
}

const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", bin: "application/octet-stream" };

/** The exported page, handed out by a web server that knows nothing of it. */
async function playground({ port = 0 }) {
  const out = mkdtempSync(join(tmpdir(), "kairos-export-"));
  execFileSync(KAIROS, ["studio", "--export", out], { stdio: ["ignore", "ignore", "inherit"] });
  // The page as it was bundled last, as `--page` shows it.
  for (const name of readdirSync(ASSETS)) if (name !== "index.html") copyFileSync(join(ASSETS, name), join(out, name));
  const http = createServer((request, response) => {
    const name = request.url.split("?")[0].slice(1) || "index.html";
    try {
      const bytes = readFileSync(join(out, name));
      response.writeHead(200, { "Content-Type": TYPES[name.split(".").pop()] ?? "text/plain" });
      response.end(bytes);
    } catch {
      response.writeHead(name === "favicon.ico" ? 204 : 404);
      response.end();
    }
  });
  await new Promise((done) => http.listen(port, "127.0.0.1", done));
  const close = async () => {
    http.closeAllConnections();
    await new Promise((done) => http.close(done));
    rmSync(out, { recursive: true, force: true });
  };
  return { address: `http://127.0.0.1:${http.address().port}/?`, close };
}

/** Puts the files of a folder into the browser, as if they had been saved there; what is there already stays. */
async function seed(page, address, folder) {
  await page.goto(new URL("studio.css", address).href);
  const known = Object.keys(await kept(page, {}));
  const names = readdirSync(folder).filter((name) => name.endsWith(".mo") && !known.includes(`project/${name}`));
  await kept(page, Object.fromEntries(names.map((name) => [`project/${name}`, readFileSync(join(folder, name), "utf8")])));
}

/** Writes files into the browser's storage; gives all that are there. */
function kept(page, texts) {
  return page.evaluate(
    (files) =>
      new Promise((done, fail) => {
        const request = indexedDB.open("kairos", 1);
        request.onupgradeneeded = () => ["files", "libraries"].forEach((name) => request.result.createObjectStore(name));
        request.onerror = () => fail(request.error);
        request.onsuccess = () => {
          const transaction = request.result.transaction("files", "readwrite");
          const store = transaction.objectStore("files");
          for (const [path, text] of Object.entries(files)) store.put(text, path);
          const [names, values] = [store.getAllKeys(), store.getAll()];
          transaction.oncomplete = () => {
            request.result.close();
            done(Object.fromEntries(names.result.map((name, k) => [name, values.result[k]])));
          };
        };
      }),
    texts,
  );
}

/** The text of a file as it is saved. */
export async function savedText({ page, folder }, name) {
  if (TRANSPORT === "server") return readFileSync(join(folder, name), "utf8");
  return (await kept(page, {}))[`project/${name}`];
}

/** Another program, or another page, writes a file. */
export async function writeOutside({ page, folder }, name, text) {
  if (TRANSPORT === "server") writeFileSync(join(folder, name), text);
  else await kept(page, { [`project/${name}`]: text });
}

/** What a user does with mouse and keys. */
class Hand {
  constructor(page) {
    this.page = page;
  }

  async newModel(name) {
    await this.page.click("#new");
    await this.page.fill("dialog input", name);
    await this.page.keyboard.press("Enter");
    await this.page.waitForFunction((n) => window.kairos.view.picture?.class === n, name);
  }

  /** The screen coordinates of a point of the diagram. */
  at(x, y) {
    return this.page.evaluate(([a, b]) => window.kairos.view.toScreen([a, b]), [x, y]);
  }

  /** Waits until all edits are done and the diagram shows them. */
  async settle() {
    await this.page.evaluate(async () => {
      await window.kairos.studio.flush();
      await window.kairos.studio.settled();
    });
    await this.page.waitForTimeout(150);
  }

  /** Drags a class that a search finds to a point of the diagram; gives the name of the new part. */
  async drop(className, x, y) {
    const before = await this.parts();
    const field = this.page.locator(".side input[type=search]").first();
    await field.fill(className.split(".").slice(-2).join("."));
    const row = this.page.locator(`.tree .row[data-class="${className}"]`);
    await row.waitFor();
    const from = await row.boundingBox();
    const to = await this.at(x, y);
    await this.page.mouse.move(from.x + 60, from.y + 10);
    await this.page.mouse.down();
    await this.page.mouse.move(from.x + 90, from.y + 14, { steps: 2 });
    await this.page.mouse.move(to[0], to[1], { steps: 4 });
    await this.page.mouse.up();
    await this.page.waitForFunction((n) => window.kairos.view.picture.parts.length > n, before.length);
    const after = await this.parts();
    return after.find((name) => !before.includes(name));
  }

  parts() {
    return this.page.evaluate(() => window.kairos.view.picture.parts.map((part) => part.name));
  }

  wires() {
    return this.page.evaluate(() => window.kairos.view.picture.wires.map((wire) => [wire.from, wire.to]));
  }

  text() {
    return this.page.evaluate(() => window.kairos.studio.text.text);
  }

  async connector(path) {
    const at = await this.page.evaluate((name) => {
      const [part, connector] = name.split(".");
      const found = window.kairos.view.picture.parts.find((one) => one.name === part);
      const at = connector ? found.connectors.find((one) => one.name === connector).at : found.at;
      return window.kairos.view.toScreen(at);
    }, path);
    return at;
  }

  async drag(from, to) {
    await this.page.mouse.move(...from);
    await this.page.mouse.down();
    await this.page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
    await this.page.mouse.move(...to, { steps: 3 });
    await this.page.mouse.up();
  }

  /** Connects two connectors by dragging. */
  async connect(a, b) {
    const before = (await this.wires()).length;
    await this.drag(await this.connector(a), await this.connector(b));
    await this.page.waitForFunction((n) => window.kairos.view.picture.wires.length > n, before);
  }

  async middle(part) {
    return this.connector(part);
  }

  /** Sets parameters in the dialog of a part. */
  async set(part, values) {
    await this.page.mouse.dblclick(...(await this.middle(part)));
    await this.page.waitForSelector("dialog[open] .parameter");
    for (const [name, value] of Object.entries(values)) {
      const field = this.page.locator(`dialog [id="parameter-${name}"]`);
      if ((await field.evaluate((e) => e.tagName)) === "SELECT") await field.selectOption(value);
      else await field.fill(value);
    }
    await this.page.click("dialog button.primary");
    await this.page.waitForSelector("dialog", { state: "detached" });
    await this.settle();
  }

  /** Runs the model and waits for the result. */
  async run() {
    const before = await this.page.evaluate(() => window.kairos.results.runs.length);
    await this.page.click(".tool.run");
    await this.page.waitForFunction((n) => !window.kairos.results.running && window.kairos.results.runs.length > n, before, { timeout: 60000 });
  }

  /** Ticks a variable. */
  async plot(name) {
    await this.page.fill(".variable-side input[type=search]", name);
    const row = this.page.locator(`[data-variable="${name}"]`);
    await row.waitFor();
    await row.click();
    await this.page.fill(".variable-side input[type=search]", "");
    await this.page.waitForTimeout(200);
  }

  /** The value of a variable at a time, as the page has it. */
  value(name, time) {
    return this.page.evaluate(async ([n, t]) => {
      const { studio, results } = window.kairos;
      const answer = await studio.api.call("values", { run: results.active.id, names: [n], time: t ?? results.active.to });
      return answer[0].value;
    }, [name, time]);
  }
}

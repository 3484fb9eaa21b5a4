// Starts a studio on a folder of its own and a browser on its page; used by all browser tests.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const root = resolve(new URL("../..", import.meta.url).pathname);
export const KAIROS = process.env.KAIROS ?? join(root, "target/release/kairos");
export const ASSETS = join(root, "crates/kairos-studio/assets");

/** A studio with its page in a browser; `close` ends both. */
export async function studio({ folder, libraries = [], width = 1280, height = 800, dark = false, query = "" } = {}) {
  const own = folder ?? mkdtempSync(join(tmpdir(), "kairos-studio-"));
  const libs = libraries.flatMap((path) => ["--lib", path]);
  const server = spawn(KAIROS, ["studio", own, ...libs, "--no-open", "--page", ASSETS], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done, fail) => {
    let text = "";
    server.stdout.on("data", (bytes) => {
      text += bytes;
      const match = /http:\S+/.exec(text);
      if (match) done(match[0]);
    });
    server.on("exit", () => fail(new Error("the studio ended")));
  });
  const profile = mkdtempSync(join(tmpdir(), "kairos-chromium-"));
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
  await page.goto(address + query);
  await page.waitForFunction(() => window.kairos !== undefined);
  const close = async () => {
    await context.close().catch(() => {});
    server.removeAllListeners("exit");
    server.kill();
    rmSync(profile, { recursive: true, force: true });
    if (!folder) rmSync(own, { recursive: true, force: true });
  };
  return { page, folder: own, address, mistakes, close, hand: new Hand(page) };
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

// Models drawn by mouse from an empty page: they run, and the saved text gives the same numbers on the command line.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { KAIROS, savedText, studio } from "./harness.mjs";

/** Runs a saved file on the command line; gives the last row by names. */
function commandLine(folder, file) {
  const table = join(folder, "result.csv");
  execFileSync(KAIROS, ["run", join(folder, file), "-o", table, "--quiet"]);
  const lines = readFileSync(table, "utf8").trim().split("\n");
  const names = [...lines[0].matchAll(/"([^"]*)"|([^,]+)/g)].map((match) => (match[1] ?? match[2]).trim());
  const values = lines[lines.length - 1].split(",").map(Number);
  return Object.fromEntries(names.map((name, k) => [name.split(" [")[0], values[k]]));
}

/** Saves, and checks that the file has the text of the page. */
async function saved({ page, hand, folder }, file) {
  await page.click("#save");
  await page.waitForFunction(() => !window.kairos.studio.project.texts.some((text) => text.dirty));
  const text = await savedText({ page, folder }, file);
  assert.equal(text, await hand.text());
  // A browser's file is not where the command line finds it.
  writeFileSync(join(folder, file), text);
}

/** Types another stop time into the text. */
async function stopTime({ page, hand }, value) {
  await page.locator(".cm-line", { hasText: "StopTime=1)" }).click();
  await page.keyboard.press("End");
  for (let k = 0; k < 3; k++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Backspace");
  await page.keyboard.type(value);
  await hand.settle();
  assert.match(await hand.text(), new RegExp(`StopTime=${value}\\)`));
}

function near(a, b, tolerance, what) {
  assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a} is not ${b}`);
}

test("a rectifier: draw, connect, set, run, plot, find the event, save", { timeout: 120000 }, async () => {
  const at = await studio();
  const { page, hand, mistakes } = at;
  try {
    await hand.newModel("Rectifier");
    const source = await hand.drop("Kairos.Electrical.Sources.SineVoltage", -60, 0);
    const resistor = await hand.drop("Kairos.Electrical.Basic.Resistor", -30, 40);
    const diode = await hand.drop("Kairos.Electrical.Ideal.Diode", 10, 40);
    const capacitor = await hand.drop("Kairos.Electrical.Basic.Capacitor", 50, 0);
    const ground = await hand.drop("Kairos.Electrical.Basic.Ground", -60, -50);
    for (const part of [source, capacitor]) {
      await page.mouse.click(...(await hand.middle(part)));
      await page.keyboard.press("r");
      await hand.settle();
    }
    await hand.connect(`${source}.p`, `${resistor}.p`);
    await hand.connect(`${resistor}.n`, `${diode}.p`);
    await hand.connect(`${diode}.n`, `${capacitor}.p`);
    await hand.connect(`${capacitor}.n`, `${source}.n`);
    await hand.connect(`${ground}.p`, `${source}.n`);
    await hand.set(source, { V: "10" });
    await hand.set(resistor, { R: "0.1" });
    await hand.set(capacitor, { C: "1e-4" });
    await stopTime(at, "0.1");
    await hand.run();
    await hand.plot(`${capacitor}.u`);
    assert.equal(await page.locator(".legend .entry").count(), 1);
    // The capacitor follows the source up to its peak with the lag of RC = 10 µs; then the diode blocks.
    await page.click("#tab-events");
    const events = await page.evaluate(() => window.kairos.results.active.events.filter((event) => event.kind === "state").map((event) => event.time));
    assert.ok(events.some((time) => time > 0.005 && time < 0.00503), `no event at the peak: ${events.slice(0, 5)}`);
    const row = page.locator(".event-row", { has: page.locator(".kind.state") }).first();
    await row.click();
    near(await page.evaluate(() => window.kairos.studio.time), events[0], 1e-12, "the cursor at the event");
    assert.match(await page.locator(".event-detail").innerText(), /Why/);
    const u = await hand.value(`${capacitor}.u`);
    near(u, 10, 0.01, "the voltage of the capacitor");
    await saved(at, "Rectifier.mo");
    near(commandLine(at.folder, "Rectifier.mo")[`${capacitor}.u`], u, 1e-6, "the command line");
    assert.deepEqual(mistakes, []);
  } finally {
    await at.close();
  }
});

/** The speed of the load of the motor drive: PI controller, armature, rigid gear; integrated by hand. */
function speedOfLoad(stop, begin) {
  const [k, Ti, R, L, flux, ratio, inertia] = [50, 0.5, 0.5, 0.05, 1, 100, 1e-3 + 10 / 100 ** 2];
  const slope = ([x, i, w]) => {
    const error = 1 - w / ratio;
    return [error / Ti, (k * (error + x) - R * i - flux * w) / L, (flux * i) / inertia];
  };
  let state = [0, 0, 0];
  const steps = 40000;
  const h = (stop - begin) / steps;
  for (let n = 0; n < steps; n++) {
    const add = (d, f) => state.map((x, m) => x + f * d[m]);
    const a = slope(state);
    const b = slope(add(a, h / 2));
    const c = slope(add(b, h / 2));
    const d = slope(add(c, h));
    state = state.map((x, m) => x + (h / 6) * (a[m] + 2 * b[m] + 2 * c[m] + d[m]));
  }
  return state[2] / ratio;
}

test("the motor drive: draw, connect, set, run, plot, find the event, save", { timeout: 180000 }, async () => {
  const at = await studio();
  const { page, hand, mistakes } = at;
  try {
    await hand.newModel("Drive");
    const reference = await hand.drop("Kairos.Blocks.Sources.Step", -80, 60);
    const error = await hand.drop("Kairos.Blocks.Math.Feedback", -40, 60);
    const controller = await hand.drop("Kairos.Blocks.Continuous.PI", 0, 60);
    const amplifier = await hand.drop("Kairos.Electrical.Sources.SignalVoltage", 40, 40);
    const motor = await hand.drop("Kairos.Electrical.Machines.DCMachine", 80, 0);
    const ground = await hand.drop("Kairos.Electrical.Basic.Ground", 80, 60);
    const gear = await hand.drop("Kairos.Mechanics.Rotational.Parts.IdealGear", 40, -40);
    const load = await hand.drop("Kairos.Mechanics.Rotational.Parts.Inertia", 0, -40);
    const tachometer = await hand.drop("Kairos.Mechanics.Rotational.Sensors.SpeedSensor", -60, -40);
    await hand.connect(`${reference}.y`, `${error}.u1`);
    await hand.connect(`${tachometer}.w`, `${error}.u2`);
    await hand.connect(`${error}.y`, `${controller}.u`);
    await hand.connect(`${controller}.y`, `${amplifier}.V`);
    await hand.connect(`${amplifier}.p`, `${motor}.p`);
    await hand.connect(`${amplifier}.n`, `${motor}.n`);
    await hand.connect(`${ground}.p`, `${motor}.n`);
    await hand.connect(`${motor}.flange`, `${gear}.flange_a`);
    await hand.connect(`${gear}.flange_b`, `${load}.flange_a`);
    await hand.connect(`${load}.flange_b`, `${tachometer}.flange`);
    await hand.set(reference, { startTime: "0.5" });
    await hand.set(controller, { k: "50", Ti: "0.5" });
    await hand.set(motor, { R: "0.5", L: "0.05", k: "1", J: "1e-3" });
    await hand.set(gear, { ratio: "100" });
    await hand.set(load, { J: "10" });
    await stopTime(at, "2");
    await hand.run();
    await hand.plot(`${load}.w`);
    const speed = await hand.value(`${load}.w`);
    near(speed, speedOfLoad(2, 0.5), 1e-4, "the speed of the load");
    near(await hand.value(`${load}.w`, 0.4), 0, 1e-9, "the load rests before the step");
    await page.click("#tab-events");
    const row = page.locator(".event-row", { has: page.locator(".kind.time") }).first();
    await row.click();
    near(await page.evaluate(() => window.kairos.studio.time), 0.5, 1e-9, "the cursor at the step");
    assert.match(await page.locator(".event-detail").innerText(), new RegExp(`${reference}.*time|time.*startTime`));
    await saved(at, "Drive.mo");
    near(commandLine(at.folder, "Drive.mo")[`${load}.w`], speed, 1e-7, "the command line");
    assert.deepEqual(mistakes, []);
  } finally {
    await at.close();
  }
});

test("a Petri net", { timeout: 120000 }, async () => {
  const at = await studio();
  const { hand, mistakes } = at;
  try {
    await hand.newModel("Net");
    const first = await hand.drop("Kairos.PetriNets.Parts.Place", -60, 20);
    const there = await hand.drop("Kairos.PetriNets.Parts.Transition", -20, 20);
    const second = await hand.drop("Kairos.PetriNets.Parts.Place", 20, 20);
    const back = await hand.drop("Kairos.PetriNets.Parts.Transition", 60, 20);
    await hand.set(first, { startToken: "true" });
    await hand.set(there, { delay: "1" });
    await hand.set(back, { delay: "2" });
    await hand.connect(`${first}.leave`, `${there}.from`);
    await hand.connect(`${there}.to`, `${second}.enter`);
    await hand.connect(`${second}.leave`, `${back}.from`);
    await hand.connect(`${back}.to`, `${first}.enter`);
    await stopTime(at, "9.5");
    await hand.run();
    // A round takes three seconds: the first fires at 1, 4, 7, the second at 3, 6, 9.
    assert.equal(await hand.value(`${there}.fired`), 3);
    assert.equal(await hand.value(`${back}.fired`), 3);
    assert.equal(await hand.value(`${there}.fired`, 6.9), 2);
    await hand.plot(`${first}.token`);
    await saved(at, "Net.mo");
    const result = commandLine(at.folder, "Net.mo");
    assert.equal(result[`${back}.fired`], 3);
    assert.deepEqual(mistakes, []);
  } finally {
    await at.close();
  }
});

test("a bond graph, whose junction grows with its bonds", { timeout: 120000 }, async () => {
  const at = await studio();
  const { hand, mistakes } = at;
  try {
    await hand.newModel("Bonds");
    const source = await hand.drop("Kairos.BondGraphs.Parts.Se", -60, 0);
    const junction = await hand.drop("Kairos.BondGraphs.Parts.J1", -20, 0);
    const inertia = await hand.drop("Kairos.BondGraphs.Parts.I", 40, 30);
    const resistance = await hand.drop("Kairos.BondGraphs.Parts.R", 40, -30);
    await hand.set(source, { e0: "2" });
    await hand.set(resistance, { R: "0.5" });
    await hand.connect(`${source}.p`, `${junction}.enter`);
    await hand.connect(`${junction}.leave`, `${inertia}.p`);
    await hand.connect(`${junction}.leave`, `${resistance}.p`);
    assert.match(await hand.text(), /nOut=2/);
    await hand.run();
    // I df/dt = e - R f from rest.
    const expected = (2 / 0.5) * (1 - Math.exp(-0.5));
    const f = await hand.value(`${inertia}.f`);
    near(Math.abs(f), expected, 1e-4, "the flow");
    await saved(at, "Bonds.mo");
    near(commandLine(at.folder, "Bonds.mo")[`${inertia}.f`], f, 1e-6, "the command line");
    assert.deepEqual(mistakes, []);
  } finally {
    await at.close();
  }
});

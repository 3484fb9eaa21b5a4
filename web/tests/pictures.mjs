// Takes the pictures of docs/studio.md: node tests/pictures.mjs [FOLDER OF THE STANDARD LIBRARY]
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { studio } from "./harness.mjs";
import { shrink } from "./png.mjs";

const images = resolve(new URL("../../docs/images", import.meta.url).pathname);
const library = process.argv[2];

async function take(page, name) {
  await page.waitForTimeout(700);
  const small = shrink(await page.screenshot());
  writeFileSync(join(images, name), small);
  console.log(`${name}: ${(small.length / 1000).toFixed(0)} kB`);
}

async function rectifier(dark) {
  const at = await studio({ dark });
  const { page, hand } = at;
  await hand.newModel("Rectifier");
  const source = await hand.drop("Kairos.Electrical.Sources.SineVoltage", -60, 0);
  const resistor = await hand.drop("Kairos.Electrical.Basic.Resistor", -30, 40);
  const diode = await hand.drop("Kairos.Electrical.Ideal.Diode", 10, 40);
  const capacitor = await hand.drop("Kairos.Electrical.Basic.Capacitor", 50, 0);
  const ground = await hand.drop("Kairos.Electrical.Basic.Ground", -60, -50);
  const load = await hand.drop("Kairos.Electrical.Basic.Resistor", 80, 0);
  for (const part of [source, capacitor, load]) {
    await page.mouse.click(...(await hand.middle(part)));
    await page.keyboard.press("r");
    await hand.settle();
  }
  const wires = [["p", resistor, "p"], ["n", capacitor, "n"]].map(([a, part, b]) => [`${source}.${a}`, `${part}.${b}`]);
  wires.push([`${resistor}.n`, `${diode}.p`], [`${diode}.n`, `${capacitor}.p`], [`${ground}.p`, `${source}.n`], [`${load}.p`, `${diode}.n`], [`${load}.n`, `${capacitor}.n`]);
  for (const [a, b] of wires) await hand.connect(a, b);
  await hand.set(source, { V: "10" });
  await hand.set(resistor, { R: "2" });
  await hand.set(capacitor, { C: "2e-3" });
  await hand.set(load, { R: "40" });
  await page.locator(".side input[type=search]").first().fill("");
  await page.waitForTimeout(600);
  for (const name of ["Kairos", "Kairos.Electrical", "Kairos.Electrical.Ideal", "Kairos.Electrical.Basic"]) {
    await page.click(`.row[data-class="${name}"] .twist`);
    await page.waitForTimeout(500);
  }
  await page.click('[aria-label="Run settings"]');
  await page.fill("#run-stop", "0.1");
  await page.keyboard.press("Escape");
  await hand.run();
  await hand.plot(`${capacitor}.u`);
  await hand.plot(`${source}.u`);
  await hand.plot(`${diode}.off`);
  return { ...at, diode, source };
}

const light = await rectifier(false);
await take(light.page, "studio.png");
await light.page.mouse.dblclick(...(await light.hand.middle(light.source)));
await take(light.page, "studio-parameters.png");
await light.close();

const dark = await rectifier(true);
await dark.page.click("#tab-events");
await dark.page.locator(".event-row").nth(2).click();
const at = await dark.hand.connector(`${dark.diode}.p`);
await dark.page.mouse.move(at[0] - 4, at[1] - 4);
await dark.page.mouse.move(...at);
await take(dark.page, "studio-events.png");
await dark.close();

const family = await studio({ query: "&class=Kairos.Examples.BridgeRectifier" });
await family.page.waitForFunction(() => window.kairos.view.picture);
await family.hand.run();
await family.hand.plot("c.u");
await family.page.evaluate(() => window.kairos.results.sweep({}, ["2e-4", "5e-4", "1e-3", "2e-3", "4e-3"].map((C) => ({ "c.C": C }))));
await family.page.evaluate(() => window.kairos.studio.setTime(0.0145));
await take(family.page, "studio-family.png");
await family.close();

const first = await studio();
await first.page.waitForTimeout(2500);
await take(first.page, "studio-playground.png");
await first.close();

if (library) {
  const name = "Modelica.Mechanics.MultiBody.Examples.Loops.EngineV6";
  const { page, hand, close } = await studio({ libraries: [library], query: `&class=${name}` });
  await page.waitForFunction(() => window.kairos.view.picture);
  await hand.run();
  await page.click("#tab-animation");
  await page.waitForSelector(".stage canvas");
  await take(page, "studio-bodies.png");
  await close();
}

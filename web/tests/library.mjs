// Measures the page with a large library: node tests/library.mjs FOLDER OF THE STANDARD LIBRARY [FOLDER OF PLANARMECHANICS] [FOLDER FOR PICTURES]
//
// The time from a click on a class to its diagram, frames of an animation while it plays, a film of it, and a whole library in the tree.
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { studio } from "./harness.mjs";

const [library, planar, pictures] = process.argv.slice(2);
const show = async (page, name) => pictures && writeFileSync(join(pictures, `${name}.png`), await page.screenshot());

/** Frames of a page within a time, in milliseconds, in order of size. */
const frames = (page, time) =>
  page.evaluate(
    (time) =>
      new Promise((done) => {
        const list = [];
        const begun = performance.now();
        let last = begun;
        const step = (now) => {
          list.push(now - last);
          last = now;
          if (now - begun < time) requestAnimationFrame(step);
          else done(list.slice(1).sort((a, b) => a - b));
        };
        requestAnimationFrame(step);
      }),
    time,
  );

async function diagram(name) {
  const { page, close } = await studio({ libraries: [library] });
  await page.waitForFunction(() => window.kairos.studio);
  await page.waitForTimeout(2000);
  const times = [];
  for (const one of [name, "Modelica.Electrical.Analog.Examples.CauerLowPassAnalog", name]) {
    times.push(await page.evaluate(async (name) => {
      const begun = performance.now();
      await window.kairos.studio.open(name);
      await new Promise((done) => {
        const look = () => (window.kairos.view.picture && document.querySelectorAll(".diagram g.part").length > 3 && window.kairos.studio.info?.class === name ? requestAnimationFrame(() => done()) : setTimeout(look, 5));
        look();
      });
      return performance.now() - begun;
    }, one));
  }
  const parts = await page.evaluate(() => document.querySelectorAll(".diagram g.part").length);
  console.log(`${name}: its diagram with ${parts} parts ${times[0].toFixed(0)} ms after it was chosen, ${times[2].toFixed(0)} ms the second time`);
  await show(page, "diagram");
  await close();
}

async function animation(lib, name, word) {
  const { page, hand, close, mistakes } = await studio({ libraries: [library, lib], query: `&class=${name}` });
  await page.waitForFunction(() => window.kairos.view.picture);
  await hand.run();
  await page.click("#tab-animation");
  await page.waitForSelector(".stage canvas");
  await page.waitForTimeout(1500);
  await page.click(".player .tool");
  const list = await frames(page, 4000);
  const bodies = await page.evaluate(() => window.kairos.animation.scene.bodies.length);
  const at = (share) => list[Math.floor(share * (list.length - 1))];
  const second = (1000 * list.length) / list.reduce((a, b) => a + b, 0);
  console.log(`${name}: ${bodies} bodies, ${second.toFixed(1)} frames a second, median ${at(0.5).toFixed(1)} ms, 95 % ${at(0.95).toFixed(1)} ms`);
  await show(page, word);
  if (await page.evaluate(() => window.kairos.animation.playing)) await page.click(".player .tool");
  const wait = page.waitForEvent("download", { timeout: 120000 });
  await page.click('.player [aria-label="Record"]');
  const film = await (await wait).path();
  console.log(`${name}: a film of ${(statSync(film).size / 1e6).toFixed(2)} MB`);
  if (mistakes.length) console.log(`${name}: ${mistakes.join("; ")}`);
  await close();
}

await diagram("Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot");
await animation(library, "Modelica.Mechanics.MultiBody.Examples.Loops.EngineV6", "engine");
if (planar) await animation(planar, "PlanarMechanics.Examples.PistonEngine", "planar");

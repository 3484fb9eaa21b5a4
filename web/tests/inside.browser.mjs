// Looking into runs: sweeps, units, runs in real time, the diagram at an instant, and failures on it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { studio } from "./harness.mjs";

const PLACE = (x) => `annotation (Placement(transformation(extent={{${x - 20},-20},{${x + 20},20}})))`;
const LAMP = `model Lamp
  model Bulb "Lights after half of the time"
    Boolean lit = time > 0.5;
    Real power = if lit then 2*time else 0;
    annotation (Icon(graphics={
      Ellipse(extent={{-80,-80},{80,80}}, fillPattern=FillPattern.Solid,
        fillColor=DynamicSelect({255,255,255}, if lit then {255,200,0} else {90,90,90})),
      Text(extent={{-60,-20},{60,20}}, textString=DynamicSelect("-", String(power, significantDigits=3)))}));
  end Bulb;
  Bulb bulb ${PLACE(0)};
  parameter Real k = 1;
  Real angle(unit="rad") = k*time;
  annotation (experiment(StopTime=1));
end Lamp;
`;
const CHARGE = `model Charge
  parameter Real R = 1;
  parameter Real C = 1;
  Real v(start=0, fixed=true);
equation
  R*C*der(v) = 1 - v;
  annotation (experiment(StopTime=2));
end Charge;
`;
const BROKEN = `model Broken
  model Tank
    Real level(start=1, fixed=true);
    Real rate = -1;
  initial equation
    level = 2;
  equation
    der(level) = rate;
    annotation (Icon(graphics={Rectangle(extent={{-100,-100},{100,100}})}));
  end Tank;
  Tank good(level(fixed=false)) ${PLACE(-50)};
  Tank bad ${PLACE(50)};
end Broken;
`;

async function opened(texts, name) {
  const folder = mkdtempSync(join(tmpdir(), "kairos-inside-"));
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text);
  const at = await studio({ folder, query: `&class=${name}` });
  await at.page.waitForFunction((n) => window.kairos.view.picture?.class === n, name);
  const close = async () => {
    await at.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...at, close };
}

const fill = (page) => page.evaluate(() => document.querySelector('.diagram g.part[data-name="bulb"]').innerHTML);

test("the diagram shows the chosen instant: dynamic attributes, and modes beside their parts", { timeout: 120000 }, async () => {
  const { page, hand, close, mistakes } = await opened({ "Lamp.mo": LAMP }, "Lamp");
  try {
    assert.match(await fill(page), /#fff/i);
    await hand.run();
    await page.evaluate(() => window.kairos.studio.setTime(0.75));
    await page.waitForFunction(() => /ffc800/i.test(document.querySelector('.diagram g.part[data-name="bulb"]').innerHTML));
    assert.match(await fill(page), />1\.5</);
    assert.match(await page.locator(".signs .mode.on + .mode-name").first().textContent(), /lit/);
    await page.evaluate(() => window.kairos.studio.setTime(0.25));
    await page.waitForFunction(() => /5a5a5a/i.test(document.querySelector('.diagram g.part[data-name="bulb"]').innerHTML));
    await page.waitForFunction(() => document.querySelectorAll(".signs .mode").length === 1 && !document.querySelector(".signs .mode.on"));
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
  }
});

test("a unit can be switched, and a sweep gives a family without compiling again", { timeout: 120000 }, async () => {
  const { page, hand, close, mistakes } = await opened({ "Lamp.mo": LAMP }, "Lamp");
  try {
    await hand.run();
    await hand.plot("angle");
    await page.click(".entry button.unit");
    await page.click(".menu >> text=deg");
    await page.waitForFunction(() => document.querySelector(".entry .unit")?.textContent === "deg");
    await page.evaluate(() => window.kairos.studio.setTime(1));
    await page.waitForFunction(() => /57\.29/.test(document.querySelector(".entry .value").textContent));
    await page.click('[aria-label="Run settings"]');
    await page.click("text=Sweep a parameter");
    await page.fill("#sweep-name", "k");
    await page.fill("#sweep-values", "2 to 5 in 4");
    await page.click("dialog .primary");
    await page.waitForFunction(() => window.kairos.results.runs.length === 5 && !window.kairos.results.running);
    await page.waitForFunction(() => document.querySelectorAll(".entry").length === 4);
    const runs = await page.evaluate(() => window.kairos.results.runs.slice(1).map((run) => run.status));
    assert.deepEqual(runs.map((status) => status.again), [true, true, true, true]);
    console.log(`compiled ${runs.map((status) => status.compiled.toFixed(1)).join(", ")} ms, simulated ${runs.map((status) => status.simulated.toFixed(1)).join(", ")} ms`);
    assert.equal(await hand.value("angle"), 5);
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
  }
});

test("a slider changes a run in real time", { timeout: 120000 }, async () => {
  const { page, hand, close, mistakes } = await opened({ "Charge.mo": CHARGE }, "Charge");
  try {
    await hand.run();
    await page.click("#tab-live");
    await page.fill('[aria-label="Parameter or input"]', "R");
    await page.click("text=Add slider");
    await page.click('[aria-label="Run settings"]');
    await page.selectOption("#run-pace", "1");
    await page.keyboard.press("Escape");
    const begun = Date.now();
    await page.click(".tool.run");
    await page.waitForFunction(() => window.kairos.results.running?.time > 0.6);
    await page.fill('[aria-label="Value of R"]', "0.1");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !window.kairos.results.running && window.kairos.results.runs.length === 2);
    assert.ok(Date.now() - begun > 1900, "it took as long as the clock says");
    const event = await page.evaluate(() => window.kairos.results.active.events.find((one) => one.kind !== "initial" && one.causes.some((cause) => cause.expression === "R")));
    assert.ok(event && event.time > 0.6 && event.time < 1.5, `changed at ${event?.time}`);
    // With ten times less resistance the rest decays ten times faster from then on.
    const expected = 1 - Math.exp(-event.time) * Math.exp(-(2 - event.time) / 0.1);
    const v = await hand.value("v");
    assert.ok(Math.abs(v - expected) < 1e-4, `${v} is not ${expected}`);
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
  }
});

test("an initialisation that fails is shown at the part that it concerns", { timeout: 120000 }, async () => {
  const { page, close, mistakes } = await opened({ "Broken.mo": BROKEN }, "Broken");
  try {
    await page.click(".tool.run");
    await page.waitForSelector(".message.error");
    await page.waitForSelector(".signs .fault", { state: "attached" });
    const at = await page.evaluate(() => {
      const [x] = document.querySelector(".signs .fault").getAttribute("points").split(",").map(Number);
      return x;
    });
    assert.ok(at > 0, "the part at the right is framed");
    assert.equal(await page.locator(".signs .fault").count(), 1);
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
  }
});

const CHOICE = `package Choice
  package Laws
    partial model Law "What all laws have"
      Real y;
    end Law;
    model Constant "Stays"
      extends Law;
    equation
      y = 1;
    end Constant;
    model Growing "Grows"
      extends Law;
    equation
      y = time;
    end Growing;
  end Laws;
  model Plant
    replaceable Laws.Constant law constrainedby Laws.Law "The law" annotation (choicesAllMatching=true);
    annotation (Icon(graphics={Rectangle(extent={{-100,-100},{100,100}})}));
  end Plant;
  model Top
    Plant plant ${PLACE(0)};
    annotation (experiment(StopTime=3));
  end Top;
end Choice;
`;

test("a replaceable part is chosen in the dialog", { timeout: 120000 }, async () => {
  const { page, hand, close, mistakes } = await opened({ "Choice.mo": CHOICE }, "Choice.Top");
  try {
    const dialog = async (choice) => {
      await page.mouse.dblclick(...(await hand.middle("plant")));
      await page.waitForSelector("dialog[open] #replaceable-law");
      const labels = await page.locator("#replaceable-law option").allInnerTexts();
      assert.deepEqual(labels, ["Laws.Constant (default)", "Laws.Constant", "Laws.Growing"]);
      await page.selectOption("#replaceable-law", { label: choice });
      await page.click("dialog button.primary");
      await page.waitForSelector("dialog", { state: "detached" });
      await hand.settle();
    };
    await dialog("Laws.Growing");
    assert.match(await hand.text(), /Plant plant\(redeclare Choice\.Laws\.Growing law\) annotation/);
    await hand.run();
    assert.equal(await hand.value("plant.law.y"), 3);
    await dialog("Laws.Constant (default)");
    assert.equal(await hand.text(), CHOICE);
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
  }
});

test("a chosen variable is explained, and what it reads leads on", { timeout: 120000 }, async () => {
  const at = await opened({ "Lamp.mo": LAMP }, "Lamp");
  const { page } = at;
  await page.keyboard.press("F5");
  const row = (name) => page.locator(`.variables [data-variable="${name}"]`);
  await page.waitForSelector('.variables [data-variable="angle"]');
  await row("angle").focus();
  await page.keyboard.press("e");
  const text = () => page.locator(".explanation").textContent();
  await page.waitForFunction(() => document.querySelector(".explanation").textContent.includes("[angle] = k*time"));
  assert.match(await text(), /angle in rad, declared at/);
  await page.click('.explanation [data-explains="k"]');
  await page.waitForFunction(() => /^k\b/.test(document.querySelector(".explanation").textContent));
  await page.click(".explain button[aria-label=Back]");
  await page.waitForFunction(() => document.querySelector(".explanation").textContent.includes("[angle] = k*time"));
  // The part of the variable is framed on the diagram.
  await page.fill(".variable-side input[type=search]", "bulb.power");
  await row("bulb.power").hover();
  await row("bulb.power").locator(".ask").click();
  await page.waitForSelector(".signs .pointed");
  await page.waitForFunction(() => document.querySelector(".explanation").textContent.includes("bulb.power"));
  await at.close();
});

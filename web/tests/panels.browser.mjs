// The panels around the diagram: keys alone, documentation, values at connectors, bodies, and texts after a crash.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { studio, savedText } from "./harness.mjs";

function folderWith(files) {
  const folder = mkdtempSync(join(tmpdir(), "kairos-panels-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test("a circuit without a mouse", { timeout: 120000 }, async () => {
  const { page, hand, close, mistakes } = await studio();
  try {
    await page.focus("#new");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.type("Keys");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.kairos.view.picture?.class === "Keys");
    for (const name of ["Electrical.Sources.ConstantVoltage", "Electrical.Basic.Resistor", "Electrical.Basic.Ground"]) {
      const before = (await hand.parts()).length;
      await page.keyboard.press("Control+p");
      await page.keyboard.type(name.split(".").slice(-2).join("."));
      await page.waitForSelector(`.tree .row[data-class="Kairos.${name}"]`);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Shift+Enter");
      await page.waitForFunction((n) => window.kairos.view.picture.parts.length > n, before);
      await page.focus(".diagram");
      // Out of the way of the next one.
      for (let k = 0; k <= before; k++) {
        await page.keyboard.press("Shift+ArrowUp");
        await page.keyboard.press("Shift+ArrowUp");
        await page.keyboard.press("Shift+ArrowUp");
      }
      await hand.settle();
    }
    const connect = async (from, to) => {
      await page.focus('[aria-label="Keys and help"]');
      await page.keyboard.press("Enter");
      await page.click("text=Connect by name");
      await page.selectOption('dialog [aria-label="From"]', from);
      await page.selectOption('dialog [aria-label="To"]', to);
      await page.focus("dialog .primary");
      await page.keyboard.press("Enter");
      await hand.settle();
    };
    await connect("constantVoltage.p", "resistor.p");
    await connect("constantVoltage.n", "resistor.n");
    await connect("ground.p", "constantVoltage.n");
    assert.deepEqual(await hand.wires(), [["constantVoltage.p", "resistor.p"], ["constantVoltage.n", "resistor.n"], ["ground.p", "constantVoltage.n"]]);
    await page.focus(".diagram");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open] .parameter");
    await page.keyboard.press("Escape");
    await page.keyboard.press("F5");
    await page.waitForFunction(() => window.kairos.results.runs.length === 1);
    // One volt across the default resistance.
    const [u, i, r] = [await hand.value("resistor.u"), await hand.value("resistor.i"), await hand.value("resistor.R")];
    assert.ok(Math.abs(u - r * i) < 1e-9 && Math.abs(u) > 0.1, `${u} is not ${r} times ${i}`);
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
  }
});

test("values at a connector follow the chosen instant", { timeout: 120000 }, async () => {
  const folder = folderWith({
    "Ramp.mo": `model Ramp
  connector Out = output Real annotation (Icon(graphics={Rectangle(extent={{-100,-100},{100,100}})}));
  block Clock
    Out y annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  equation
    y = 10*time;
    annotation (Icon(graphics={Rectangle(extent={{-100,-100},{100,100}})}));
  end Clock;
  Clock clock annotation (Placement(transformation(extent={{-20,-20},{20,20}})));
  Boolean late = time > 0.5;
  annotation (experiment(StopTime=1));
end Ramp;
`,
  });
  const { page, hand, close, mistakes } = await studio({ folder, query: "&class=Ramp" });
  try {
    await page.waitForFunction(() => window.kairos.view.picture?.parts.length === 1);
    await hand.run();
    await page.click("#tab-events");
    const row = page.locator(".event-row", { hasText: "time" }).last();
    await row.click();
    const at = await hand.connector("clock.y");
    await page.mouse.move(at[0] - 30, at[1] - 60);
    await page.mouse.move(...at);
    const tip = page.locator(".tooltip");
    await tip.waitFor();
    assert.match(await tip.innerText(), /clock\.y[\s\S]*\b5\b[\s\S]*at 0\.5 s/);
    await page.click(".event-detail .link");
    assert.match(await page.locator(".cm-activeLine").innerText(), /late = time > 0.5/);
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("documentation is shown, and its links open classes", { timeout: 120000 }, async () => {
  const folder = folderWith({
    "Told.mo": `package Told
  model First "The first of two"
    annotation (Documentation(info="<html><p>See <a href=\\"modelica://Told.Second\\">the second</a>.</p><script>window.broken = 1</script></html>"));
  end First;
  model Second "The second of two"
  end Second;
end Told;
`,
  });
  const { page, close, mistakes } = await studio({ folder, query: "&class=Told.First" });
  try {
    await page.waitForFunction(() => window.kairos.studio.info?.class === "Told.First");
    await page.click(".views >> text=Documentation");
    await page.click(".documentation >> text=the second");
    await page.waitForFunction(() => window.kairos.studio.info.class === "Told.Second");
    await page.waitForSelector(".documentation >> text=The second of two");
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
});

const BODIES = `package Bodies
  record Orientation
    Real T[3,3];
  end Orientation;
  model Shape "What a visualiser declares"
    parameter String shapeType = "box";
    Orientation R(T=identity(3));
    input Real r[3] = {0,0,0};
    parameter Real r_shape[3] = {0,0,0};
    parameter Real lengthDirection[3] = {1,0,0};
    parameter Real widthDirection[3] = {0,1,0};
    parameter Real length = 1;
    parameter Real width = 0.3;
    parameter Real height = 0.3;
    parameter Real extra = 0;
    parameter Real color[3] = {0,120,200};
  end Shape;
  model All
    Shape box(r={cos(6*time), 0, 0});
    Shape sphere(shapeType="sphere", r={0,sin(6*time),0}, length=0.4, width=0.4, height=0.4);
    Shape cylinder(shapeType="cylinder", r={0,1,0});
    Shape cone(shapeType="cone", r={0,2,0});
    Shape pipe(shapeType="pipe", r={0,-1,0}, extra=0.6);
    Shape beam(shapeType="beam", r={0,-2,0});
    Shape spring(shapeType="spring", r={2,0,0}, extra=6);
    Shape gearwheel(shapeType="gearwheel", r={2,1,0}, extra=12);
    annotation (experiment(StopTime=1));
  end All;
end Bodies;
`;

test("bodies of all kinds are shown and move", { timeout: 120000 }, async () => {
  const folder = folderWith({ "Bodies.mo": BODIES });
  const { page, hand, close, mistakes } = await studio({ folder, query: "&class=Bodies.All" });
  try {
    await page.waitForFunction(() => window.kairos.studio.info?.class === "Bodies.All");
    await hand.run();
    await page.click("#tab-animation");
    await page.waitForSelector(".stage canvas");
    await page.waitForTimeout(400);
    const bodies = await page.evaluate(() => window.kairos.animation.scene.bodies.filter((body) => body.mesh.visible).length);
    assert.equal(bodies, 8);
    const x = () => page.evaluate(() => window.kairos.animation.scene.bodies[0].mesh.matrix.elements[12]);
    for (const [time, expected] of [[0, 1], [0.25, Math.cos(1.5)]]) {
      await page.evaluate((t) => window.kairos.studio.setTime(t), time);
      assert.ok(Math.abs((await x()) - expected) < 2e-3, `at ${time}: ${await x()} is not ${expected}`);
    }
    const seen = () => page.locator(".stage canvas").screenshot();
    const before = await seen();
    await page.click(".player .tool");
    await page.waitForTimeout(700);
    assert.ok(!before.equals(await seen()), "the picture moves");
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("what was not saved is there again after a crash, and a failed run tells why", { timeout: 120000 }, async () => {
  const folder = folderWith({ "Kept.mo": "model Kept\n  annotation (experiment(StopTime=1));\nend Kept;\n" });
  const saved = readFileSync(join(folder, "Kept.mo"), "utf8");
  // The same browser and the same address twice: what a browser keeps belongs to both.
  const again = { folder, profile: mkdtempSync(join(tmpdir(), "kairos-kept-")), port: 38121 };
  let at = await studio(again);
  try {
    await at.page.waitForFunction(() => window.kairos.view.picture);
    await at.hand.drop("Kairos.Electrical.Basic.Ground", 0, 0);
    const text = await at.hand.text();
    assert.equal(await savedText(at, "Kept.mo"), saved);
    await at.close();
    at = await studio(again);
    await at.page.waitForSelector(".notice >> text=recovered");
    await at.page.waitForFunction(() => window.kairos.view.picture?.parts.length === 1);
    assert.equal(await at.hand.text(), text);
    await at.page.locator(".cm-line").first().click();
    await at.page.keyboard.press("End");
    await at.page.keyboard.type("\nReal x = 1/(time - 2*time);\nReal y(start=1, fixed=true) = sin(x);\n");
    await at.page.click(".tool.run");
    await at.page.waitForSelector(".message.error");
    await at.page.waitForSelector(".notice.error");
  } finally {
    await at.close();
    rmSync(again.profile, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
});

// Text and diagram in step: one hunk for one move, undo to the byte, messages while typing, conflicts on save.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { studio, savedText, writeOutside } from "./harness.mjs";

/** A model of about five thousand lines: a field of resistors with comments between. */
function large() {
  const lines = ["model Large \"A field of resistors\""];
  for (let k = 0; k < 1000; k++) {
    const [x, y] = [(k % 40) * 40 - 780, Math.floor(k / 40) * 40 - 480];
    lines.push(`  // Resistor number ${k},`, `  //   as somebody   wrote it.`, `  Kairos.Electrical.Basic.Resistor r${k}(R = ${k + 1}.0)  "No. ${k}"`);
    lines.push(`    annotation(Placement(transformation(extent={{${x - 10},${y - 10}},{${x + 10},${y + 10}}})));`, "");
  }
  lines.push("equation", "  connect(r0.n,r1.p) annotation(Line(points={{-770,-480},{-750,-480}}));", "end Large;", "");
  return lines.join("\n");
}

/** The hunks in which two texts of equally many lines differ. */
function hunks(a, b) {
  const [x, y] = [a.split("\n"), b.split("\n")];
  assert.equal(x.length, y.length);
  let count = 0;
  for (let k = 0; k < x.length; k++) if (x[k] !== y[k] && (k === 0 || x[k - 1] === y[k - 1])) count++;
  return count;
}

test("moving a part of five thousand lines changes one hunk, and undo gives back the bytes", { timeout: 120000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kairos-large-"));
  const text = large();
  writeFileSync(join(folder, "Large.mo"), text);
  const { page, hand, close, mistakes } = await studio({ folder });
  try {
    await page.waitForFunction(() => window.kairos.view.picture?.parts.length === 1000);
    const from = await hand.at(20, 0);
    for (let k = 0; k < 12; k++) {
      await page.mouse.move(...from);
      await page.mouse.wheel(0, -200);
    }
    await page.waitForTimeout(200);
    const name = await page.evaluate(() => {
      const { view } = window.kairos;
      const box = view.element.getBoundingClientRect();
      const [x, y] = view.toDiagram(box.left + box.width / 2, box.top + box.height / 2);
      const far = (part) => Math.hypot(part.at[0] - x, part.at[1] - y);
      return view.picture.parts.reduce((a, b) => (far(a) < far(b) ? a : b)).name;
    });
    const at = await hand.middle(name);
    await hand.drag(at, [at[0] + 40, at[1] + 30]);
    await page.waitForFunction((old) => window.kairos.studio.text.text !== old, text);
    const moved = await hand.text();
    assert.equal(hunks(text, moved), 1);
    await page.keyboard.press("Control+z");
    await page.waitForFunction((old) => window.kairos.studio.text.text === old, text);
    await page.keyboard.press("Control+y");
    await page.waitForFunction((now) => window.kairos.studio.text.text === now, moved);
    assert.equal(await savedText({ page, folder }, "Large.mo"), text, "the file changes on save only");
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("many edits by mouse and keys, and as many undos, give back the bytes", { timeout: 120000 }, async () => {
  const { page, hand, close, mistakes } = await studio();
  try {
    await hand.newModel("Play");
    const empty = await hand.text();
    const a = await hand.drop("Kairos.Electrical.Basic.Resistor", -40, 0);
    const b = await hand.drop("Kairos.Electrical.Basic.Capacitor", 20, 0);
    await hand.connect(`${a}.n`, `${b}.p`);
    await page.mouse.click(...(await hand.middle(b)));
    for (const key of ["r", "h", "v", "ArrowUp", "Shift+ArrowRight"]) {
      await page.keyboard.press(key);
      await hand.settle();
    }
    // Both parts and the wire between them are copied.
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    await page.waitForTimeout(200);
    await page.mouse.move(...(await hand.at(0, -60)));
    await page.keyboard.press("Control+v");
    await page.waitForFunction(() => window.kairos.view.picture.parts.length === 4 && window.kairos.view.picture.wires.length === 2);
    await page.keyboard.press("Delete");
    await page.waitForFunction(() => window.kairos.view.picture.parts.length === 2);
    await page.mouse.click(...(await hand.middle(a)));
    await page.keyboard.press("F2");
    await page.fill("dialog input", "load");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.kairos.view.picture.parts.some((part) => part.name === "load"));
    assert.deepEqual((await hand.wires())[0][0], "load.n", "connections are renamed with their part");
    for (let k = 0; k < 40 && (await page.isEnabled("#undo")); k++) {
      await page.click("#undo");
      await hand.settle();
    }
    assert.equal(await hand.text(), empty);
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
  }
});

test("typing draws, mistakes are marked and listed, and the list leads to the line", { timeout: 120000 }, async () => {
  const { page, hand, close } = await studio();
  try {
    await hand.newModel("Typed");
    await page.locator(".cm-line").first().click();
    await page.keyboard.press("End");
    await page.keyboard.type("\nKairos.Electrical.Basic.Resistor r annotation (Placement(transformation(extent={{-10,-10},{10,10}})));");
    await page.waitForFunction(() => window.kairos.view.picture.parts.length === 1);
    await page.keyboard.type("\nReal wrong = nothing;");
    await page.waitForSelector("#tab-messages.alarm", { timeout: 10000 });
    await page.waitForSelector(".cm-lintRange-error");
    await page.click("#tab-messages");
    await page.locator(".message.error").first().click();
    const line = await page.locator(".cm-activeLine").innerText();
    assert.match(line, /nothing/);
  } finally {
    await close();
  }
});

test("a file that another program has changed is not overwritten without a question", { timeout: 120000 }, async () => {
  const { page, hand, folder, close } = await studio();
  try {
    await hand.newModel("Shared");
    await hand.drop("Kairos.Electrical.Basic.Ground", 0, 0);
    await writeOutside({ page, folder }, "Shared.mo", "model Shared \"theirs\"\nend Shared;\n");
    await page.click("#save");
    await page.waitForSelector("dialog[open] >> text=Whose text");
    assert.match(await savedText({ page, folder }, "Shared.mo"), /theirs/);
    await page.click("dialog >> text=Take theirs");
    await page.waitForFunction(() => /theirs/.test(window.kairos.studio.text.text));
  } finally {
    await close();
  }
});

// What only a page without a server does: libraries from zips, files from the user's disk, and stopping what cannot listen.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crc32, deflateRawSync } from "node:zlib";
import { TRANSPORT, studio } from "./harness.mjs";

const only = { skip: TRANSPORT !== "browser", timeout: 120000 };

/** A zip of some texts, every second one packed. */
function zip(files) {
  const [parts, directory] = [[], []];
  let at = 0;
  Object.entries(files).forEach(([name, text], k) => {
    const [bytes, label] = [Buffer.from(text), Buffer.from(name)];
    const packed = k % 2 ? deflateRawSync(bytes) : bytes;
    const numbers = Buffer.alloc(26);
    numbers.writeUInt16LE(20, 0);
    numbers.writeUInt16LE(k % 2 ? 8 : 0, 4);
    numbers.writeUInt32LE(crc32 ? crc32(bytes) : 0, 10);
    numbers.writeUInt32LE(packed.length, 14);
    numbers.writeUInt32LE(bytes.length, 18);
    numbers.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), numbers, label, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), numbers, rest, label]));
    parts.push(local);
    at += local.length;
  });
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}

async function choose(page, files) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#open")]);
  await chooser.setFiles(files);
}

test("libraries come from a zip and stay; files come from the disk", only, async () => {
  const again = { profile: mkdtempSync(join(tmpdir(), "kairos-zip-")), port: 38123 };
  let at = await studio(again);
  try {
    const library = zip({
      "Parts-1.0/Parts/package.mo": 'package Parts "Parts of others"\nend Parts;\n',
      "Parts-1.0/Parts/package.order": "Decay\n",
      "Parts-1.0/Parts/Decay.mo": "within Parts;\nmodel Decay\n  parameter Real k = 1;\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -k*x;\nend Decay;\n",
    });
    await choose(at.page, [{ name: "Parts-1.0.zip", mimeType: "application/zip", buffer: library }]);
    await at.page.waitForSelector('.row[data-class="Parts"]');
    await choose(at.page, [{ name: "no.zip", mimeType: "application/zip", buffer: Buffer.from("no zip at all") }]);
    await at.page.waitForSelector(".notice.error >> text=no zip");
    const mine = Buffer.from("model Mine\n  extends Parts.Decay(k = 2);\nend Mine;\n");
    await choose(at.page, [{ name: "Mine.mo", mimeType: "text/plain", buffer: mine }]);
    await at.page.waitForFunction(() => window.kairos.studio.info?.class === "Mine");
    await at.close();
    at = await studio(again);
    await at.page.waitForSelector('.row[data-class="Parts"]');
    await at.page.waitForFunction(() => window.kairos.studio.info?.class === "Mine");
    await at.hand.run();
    const x = await at.hand.value("x");
    assert.ok(Math.abs(x - Math.exp(-2)) < 1e-5, `${x}`);
    assert.deepEqual(at.mistakes, []);
  } finally {
    await at.close();
    rmSync(again.profile, { recursive: true, force: true });
  }
});

test("a long run is stopped and keeps what it has, while the page answers", only, async () => {
  const at = await studio();
  const { page, hand, mistakes } = at;
  try {
    await hand.newModel("Long");
    await page.evaluate(async () => {
      const { studio } = window.kairos;
      await studio.typed("model Long\n  Real x(start=0, fixed=true);\nequation\n  der(x) = cos(1000*time);\n  annotation (experiment(StopTime=100000));\nend Long;\n");
    });
    await page.click(".tool.run");
    await page.waitForFunction(() => window.kairos.results.running?.time > 0);
    const begun = Date.now();
    await page.evaluate(() => window.kairos.studio.api.call("tree", {}));
    assert.ok(Date.now() - begun < 2000, "the page is answered while the model runs");
    await page.click(".tool.stop");
    await page.waitForFunction(() => !window.kairos.results.running && window.kairos.results.runs.length === 1);
    assert.ok(await page.evaluate(() => window.kairos.results.active.status.stopped && window.kairos.results.active.to > 0));
    assert.deepEqual(mistakes, []);
  } finally {
    await at.close();
  }
});

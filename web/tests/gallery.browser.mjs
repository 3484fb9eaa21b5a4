// Every example of the carried library opens in the page and runs there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { studio } from "./harness.mjs";

test("the gallery runs", { timeout: 600000 }, async () => {
  const { page, hand, close, mistakes } = await studio();
  try {
    const names = await page.evaluate(async () => {
      const { api } = window.kairos.studio;
      const found = [];
      const walk = async (name) => {
        const { children } = await api.call("tree", { class: name });
        for (const child of children) {
          if (child.runs) found.push(child.class);
          else if (child.kind === "package") await walk(child.class);
        }
      };
      await walk("Kairos.Examples");
      return found;
    });
    assert.ok(names.length >= 20, `only ${names.length} examples`);
    for (const name of names) {
      await page.evaluate((n) => window.kairos.studio.open(n), name);
      await page.waitForFunction((n) => window.kairos.view.picture?.class === n, name);
      const begun = Date.now();
      await hand.run();
      const { failed, to, variables, compiled, simulated } = await page.evaluate(() => {
        const { status, to, variables } = window.kairos.results.active;
        return { ...status, to, variables: variables.length };
      });
      const told = `${compiled.toFixed(0)} ms compiled, ${simulated.toFixed(0)} ms simulated, ${Date.now() - begun} ms in all`;
      console.log(`${name.padEnd(60)} ${told}`);
      assert.ok(!failed && variables > 0 && to > 0, `${name}: ${JSON.stringify({ failed, to, variables })}`);
    }
    assert.deepEqual(mistakes, []);
  } finally {
    await close();
  }
});

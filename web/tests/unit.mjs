// Bundles the unit tests, whose subjects are TypeScript, and runs them.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const here = new URL(".", import.meta.url).pathname;
const out = mkdtempSync(join(tmpdir(), "kairos-unit-"));
const names = readdirSync(here).filter((name) => name.endsWith(".test.mjs"));
await build({ entryPoints: names.map((name) => join(here, name)), outdir: out, outExtension: { ".js": ".mjs" }, bundle: true, platform: "node", format: "esm" });
const files = names.map((name) => join(out, name));
const { status } = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" });
rmSync(out, { recursive: true, force: true });
process.exit(status ?? 1);

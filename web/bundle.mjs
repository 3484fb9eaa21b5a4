// Bundles the page into the assets of the studio's crate: one script, the scene of bodies and the worker apart, one style sheet.
import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const here = new URL(".", import.meta.url).pathname;
const out = process.argv[2] ?? `${here}../crates/kairos-studio/assets`;
const common = { bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", logLevel: "warning" };

// The scene is an asset of its own, which the page imports only when bodies are to be seen.
const apart = {
  name: "apart",
  setup(b) {
    b.onResolve({ filter: /^\.\/scene3d\.ts$/ }, (args) =>
      args.kind === "dynamic-import" ? { path: "./scene3d.js", external: true } : undefined,
    );
  },
};
await build({ ...common, entryPoints: [`${here}src/main.ts`], outfile: `${out}/studio.js`, plugins: [apart] });
await build({ ...common, entryPoints: [`${here}src/scene3d.ts`], outfile: `${out}/scene3d.js` });
await build({ ...common, entryPoints: [`${here}src/worker.ts`], outfile: `${out}/worker.js` });
await build({ ...common, entryPoints: [`${here}src/style.css`], outfile: `${out}/studio.css` });
const page = readFileSync(`${here}src/index.html`, "utf8");
writeFileSync(`${out}/index.html`, page.replace("<title>", `<meta name="built-from" content="${digest()}">\n<title>`));

const sizes = ["index.html", "studio.js", "studio.css", "scene3d.js", "worker.js"].map((name) => [name, gzipSync(readFileSync(`${out}/${name}`)).length]);
const total = sizes.reduce((sum, [, size]) => sum + size, 0);
for (const [name, size] of sizes) console.log(`${name.padEnd(12)} ${(size / 1000).toFixed(1).padStart(7)} kB compressed`);
if (total > 1_000_000) {
  console.error(`the page has ${total} bytes compressed: more than a megabyte`);
  process.exit(1);
}

/** FNV-1a over the sources, by which a test without Node sees whether the assets are theirs. */
function digest() {
  const files = readdirSync(`${here}src`).map((name) => [name, `${here}src/${name}`]);
  files.push(["package-lock.json", `${here}package-lock.json`]);
  files.sort(([a], [b]) => (a < b ? -1 : 1));
  let hash = 0xcbf29ce484222325n;
  for (const [name, path] of files) {
    for (const byte of Buffer.concat([Buffer.from(name), readFileSync(path)])) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    }
  }
  return hash.toString(16).padStart(16, "0");
}

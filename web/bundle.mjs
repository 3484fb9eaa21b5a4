// Bundles the page into the assets of the studio's crate: one script, the scene of bodies apart, one style sheet.
import { build } from "esbuild";
import { copyFileSync, readFileSync } from "node:fs";
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
await build({ ...common, entryPoints: [`${here}src/style.css`], outfile: `${out}/studio.css` });
copyFileSync(`${here}src/index.html`, `${out}/index.html`);

const sizes = ["index.html", "studio.js", "studio.css", "scene3d.js"].map((name) => [name, gzipSync(readFileSync(`${out}/${name}`)).length]);
const total = sizes.reduce((sum, [, size]) => sum + size, 0);
for (const [name, size] of sizes) console.log(`${name.padEnd(12)} ${(size / 1000).toFixed(1).padStart(7)} kB compressed`);
if (total > 1_000_000) {
  console.error(`the page has ${total} bytes compressed: more than a megabyte`);
  process.exit(1);
}

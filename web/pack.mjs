// Packs the compiler for browsers, and tells whether it stays under its bar.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [, , from, to] = process.argv;
const bytes = readFileSync(from);
const packed = gzipSync(bytes, { level: 9 });
writeFileSync(to, packed);
console.log(`compiler     ${(packed.length / 1000).toFixed(1).padStart(7)} kB compressed, ${(bytes.length / 1e6).toFixed(1)} MB in memory`);
if (packed.length > 3_000_000) {
  console.error("page and compiler together are to stay under 4 MB: the compiler has more than 3 MB");
  process.exit(1);
}

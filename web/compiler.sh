#!/bin/sh
# Builds the compiler for browsers: WebAssembly, made smaller, packed, put beside the program for `kairos studio --export`.
set -eu
cd "$(dirname "$0")/../crates/kairos-web"
target=wasm32-unknown-unknown
if ! [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
  rustup target add "$target"
fi
cargo build --release --target "$target" --target-dir ../../target/web
mkdir -p ../../target/release
wasm="../../target/web/$target/release/kairos_web.wasm"
packed=../../target/release/kairos-web.wasm.gz
node ../../web/pack.mjs "$wasm" "$packed"

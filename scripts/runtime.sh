#!/bin/sh
# Builds the runtime of FMUs for another platform and installs it for `kairos fmu export --platform`.
# usage: runtime.sh PLATFORM     as FMI 3.0 names them: x86_64-windows, aarch64-linux, x86_64-darwin, aarch64-darwin
# The Rust target is installed with rustup; a linker for it has to be there (Debian: gcc-mingw-w64-x86-64,
# gcc-aarch64-linux-gnu; for darwin build on a Mac).
set -e
cd "$(dirname "$0")/.."
case "$1" in
  x86_64-windows) target=x86_64-pc-windows-gnu; file=kairos_fmu.dll ;;
  aarch64-linux) target=aarch64-unknown-linux-gnu; file=libkairos_fmu.so
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER="${CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER:-aarch64-linux-gnu-gcc}" ;;
  x86_64-linux) target=x86_64-unknown-linux-gnu; file=libkairos_fmu.so ;;
  x86_64-darwin) target=x86_64-apple-darwin; file=libkairos_fmu.dylib ;;
  aarch64-darwin) target=aarch64-apple-darwin; file=libkairos_fmu.dylib ;;
  *) echo "usage: $0 x86_64-windows|x86_64-linux|aarch64-linux|x86_64-darwin|aarch64-darwin" >&2; exit 2 ;;
esac
rustup target add "$target"
cargo build --release --lib -p kairos-cli --target "$target"
home="${KAIROS_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/kairos}"
mkdir -p "$home/runtimes"
cp "target/$target/release/$file" "$home/runtimes/$1"
echo "$home/runtimes/$1"

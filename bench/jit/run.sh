#!/bin/sh
# Evaluations of the derivatives: interpreter, native code, and the same operations compiled by the C compiler.
set -e
cd "$(dirname "$0")/../.."
cargo build --release --quiet -p kairos --example derivatives
program="${CARGO_TARGET_DIR:-target}/release/examples/derivatives"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%-12s %9s %11s %11s %11s %11s %12s %11s\n' \
    model equations operations interpreted native 'cc -O2' interp/native native/cc
for case in Springs:40 Springs:200 Springs:1000 Waves:40 Waves:200 Waves:1000; do
    model=${case%:*}
    "$program" "bench/jit/$model.mo" "n=${case#*:}" "$work/f.c" > "$work/ours"
    ${CC:-cc} -O2 -o "$work/f" "$work/f.c" -lm
    "$work/f" > "$work/theirs"
    paste -d' ' "$work/ours" "$work/theirs" | awk -v model="$model" '{
        printf "%-12s %9d %11d %8.3f us %8.3f us %8.3f us %12.1f %11.2f\n",
            model, $1, $2, $3, $4, $5, $3/$4, $4/$5 }'
done

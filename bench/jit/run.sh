#!/bin/sh
# Evaluations of the derivatives: interpreter, native code, and the same operations compiled by the C compiler.
# usage: run.sh [ROUNDS]: each is timed in turn that many times (5), and its best time counts.
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
    : > "$work/times"
    for round in $(seq "${1:-5}"); do
        "$program" "bench/jit/$model.mo" "n=${case#*:}" "$work/f.c" > "$work/ours"
        [ -x "$work/$model" ] && [ "$round" != 1 ] || ${CC:-cc} -O2 -o "$work/$model" "$work/f.c" -lm
        "$work/$model" > "$work/theirs"
        paste -d' ' "$work/ours" "$work/theirs" >> "$work/times"
    done
    awk -v model="$model" '
        function least(a, b) { return a == "" || b < a ? b : a }
        { ours = least(ours, $4 + 0); slow = least(slow, $3 + 0); theirs = least(theirs, $5 + 0); n = $1; ops = $2 }
        END { printf "%-12s %9d %11d %8.3f us %8.3f us %8.3f us %12.1f %11.2f\n",
              model, n, ops, slow, ours, theirs, slow/ours, ours/theirs }' "$work/times"
done

#!/usr/bin/env bash
# Draws the images of the documentation with the command as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

kairos=${KAIROS:-$PWD/${CARGO_TARGET_DIR:-target}/release/kairos}
images=$PWD/docs/images
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp examples/*.mo "$work"
cd "$work"

draw() { # NAME FILE MODEL VARS...
  local name=$1 file=$2 model=$3
  shift 3
  "$kairos" run "$file" --model "$model" --output "$name.mat" --quiet
  "$kairos" plot "$name.mat" "$@" --title "$model" --output "$images/$name.svg"
}

draw circuit Circuit.mo Circuit u,v i
draw heater Heater.mo Heater T,measured power
draw bouncing-ball BouncingBall.mo BouncingBall h v
draw rectifier Electric.mo Electric.Rectifier source.v,smooth.v d1.i,d2.i
draw friction Friction.mo Friction push,f v motion
draw packing Petri.mo Petri.Packing buffer.tokens pack.count

# The drive of the last chapter uses the standard library: KAIROS_DOCS_LIB names the folder that holds it.
if [ -n "${KAIROS_DOCS_LIB:-}" ]; then
  sed -n '/^model Drive/,/^end Drive/p' "$images/../tutorial.md" > Drive.mo
  MODELICAPATH=$KAIROS_DOCS_LIB draw drive Drive.mo Drive load.w,motor.w coil.i
fi

"$kairos" sweep Circuit.mo --vary 'R=lin(1,30,200)' --outcome 'max(v),max(i)' --output sweep.parquet --quiet
"$kairos" plot sweep.parquet 'max(v)' 'max(i)' --x R --title Circuit --output "$images/sweep.svg"

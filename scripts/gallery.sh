#!/bin/sh
# Runs every example of the library and draws the pictures of docs/gallery.md.
#
#     scripts/gallery.sh [KAIROS]
#
# KAIROS is the command to use, `cargo run --release --quiet --bin kairos --` by default.
set -eu
cd "$(dirname "$0")/.."
kairos=${1:-cargo run --release --quiet --bin kairos --}
images=docs/images/gallery
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$images"

# The example, then one group of variables for each pane.
draw() {
    example=$1
    shift
    $kairos run "Kairos.Examples.$example" --quiet --output "$work/result.csv"
    $kairos plot "$work/result.csv" --output "$images/$example.svg" --quiet "$@"
    echo "$images/$example.svg"
}

grep -v '^#' docs/gallery.txt | while read -r example panes; do
    # shellcheck disable=SC2086 # The panes are words.
    draw "$example" $panes
done

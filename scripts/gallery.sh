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

failed=
while read -r example panes; do
    case $example in '#'*) continue ;; esac
    # shellcheck disable=SC2086 # The panes are words.
    if $kairos run "Kairos.Examples.$example" --quiet --output "$work/result.mat" &&
        $kairos plot "$work/result.mat" --title "$example" --output "$images/$example.svg" --quiet $panes; then
        echo "$images/$example.svg"
    else
        failed="$failed $example"
    fi
done <docs/gallery.txt
[ -z "$failed" ] || { echo "not drawn:$failed" >&2; exit 1; }

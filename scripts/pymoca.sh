#!/bin/sh
# Parses every file of the library with another tool, pymoca, to see that it is plain Modelica.
#
#     scripts/pymoca.sh [FOLDER FOR THE VIRTUAL ENVIRONMENT]
#
# Without Python or a network the test is skipped, with a message. Pymoca only parses here: it has no events, no when-equations
# with several branches and no algorithms in its own translation, so it cannot go further with most of these parts.
set -eu
cd "$(dirname "$0")/.."
venv=${1:-target/pymoca}
if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c 'import pymoca' 2>/dev/null; then
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --timeout 10 --retries 1 'pymoca==0.12.0'; } >/dev/null 2>&1; then
        echo "skipped: pymoca cannot be installed here"
        exit 0
    fi
fi
"$venv/bin/python" - <<'PYTHON'
import pathlib, sys
from pymoca import parser

files = sorted(pathlib.Path("library").rglob("*.mo"))
refused = []
for file in files:
    try:
        if parser.parse(file.read_text()) is None:
            refused.append(f"{file}: syntax error")
    except Exception as error:
        refused.append(f"{file}: {error}")
print("\n".join(refused + [f"{len(files) - len(refused)} of {len(files)} files parse"]))
sys.exit(bool(refused))
PYTHON

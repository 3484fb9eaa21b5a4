#!/usr/bin/env python3
"""Runs the Modelica compliance suite and prints the share of right verdicts per directory.

usage: compliance.py SUITE_DIR [--kairos CMD] [--lib DIR] [--jobs 2] [--show]

SUITE_DIR holds the package ModelicaCompliance. A test that should pass must simulate; one that should fail must be
rejected with a diagnostic. Diagnostics that say "unsupported" count as wrong. The suite's C code is trusted.
"""
import argparse, collections, pathlib, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

OPEN = re.compile(r"^\s*(?:(?:encapsulated|partial|final|replaceable|redeclare|inner|outer|pure|impure|operator|expandable)\s+)*"
                  r"(?:model|class|block|package|record|connector|function|type|operator)\s+(?:extends\s+)?(?!(?:record|function)\b)([A-Za-z_]\w*\b|'[^']*')(?!\w)(?!\s*=)")
CLOSE = re.compile(r"^\s*end\s+([A-Za-z_]\w*|'[^']*')\s*;")
CASE = re.compile(r"TestCase\s*\(\s*shouldPass\s*=\s*(true|false)")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.S)


def tests(folder):
    for path in sorted(folder.rglob("*.mo")):
        text = STRING.sub('""', path.read_text(encoding="utf-8-sig", errors="replace"))
        within = re.search(r"^\s*within\s+([\w.']*)\s*;", text, re.M)
        stack = [within.group(1)] if within and within.group(1) else []
        for line in text.splitlines():
            opened = OPEN.match(line)
            if opened:
                stack.append(opened.group(1))
            case = CASE.search(line)
            if case:
                yield ".".join(stack), case.group(1) == "true", path.relative_to(folder).parts[0]
            closed = CLOSE.match(line)
            if closed and stack and stack[-1].split(".")[-1] == closed.group(1):
                stack.pop()


def verdict(kairos, libs, name):
    argv = [*kairos.split(), "run", name, "--output", "result.csv", "--trust", "all"]
    for lib in libs:
        argv += ["--lib", str(lib)]
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, errors="replace", timeout=20)
        except subprocess.TimeoutExpired:
            return None, "timeout"
    said = done.stderr
    if "unsupported" in said or done.returncode not in (0, 1):
        return None, said.strip().splitlines()[0] if said.strip() else "no message"
    found = re.search(r"^error\[[^\n]*", said, re.M)
    return done.returncode == 0, found.group(0) if found else ""


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("suite", type=pathlib.Path)
    ask.add_argument("--kairos", default="target/release/kairos")
    ask.add_argument("--lib", type=pathlib.Path, action="append", default=[])
    ask.add_argument("--jobs", type=int, default=2)
    ask.add_argument("--show", action="store_true")
    given = ask.parse_args()
    kairos = str(pathlib.Path(given.kairos).resolve())
    libs = [given.suite.resolve(), *[lib.resolve() for lib in given.lib]]
    cases = [c for c in tests(given.suite / "ModelicaCompliance") if "Template" not in c[0]]
    with ThreadPoolExecutor(given.jobs) as pool:
        answers = list(pool.map(lambda c: verdict(kairos, libs, c[0]), cases))
    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    for (name, should, folder), (passed, why) in zip(cases, answers):
        row = table[folder]
        row[0 if should else 2] += 1
        row[1 if should else 3] += passed == should
        if given.show and passed != should:
            print(f"{'pass' if should else 'fail'} expected: {name}: {why}")
    print("| directory | should pass | right | should fail | right |\n|---|---|---|---|---|")
    for folder, row in sorted(table.items()):
        print(f"| {folder} | {row[0]} | {row[1]} | {row[2]} | {row[3]} |")
    total = [sum(row[k] for row in table.values()) for k in range(4)]
    right = total[1] + total[3]
    print(f"| **total** | {total[0]} | {total[1]} | {total[2]} | {total[3]} |\n")
    print(f"{right} of {len(cases)} verdicts right ({100 * right / max(len(cases), 1):.1f} %)")


if __name__ == "__main__":
    sys.exit(main())

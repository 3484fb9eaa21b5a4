#!/usr/bin/env python3
"""Plants unit errors into models of a library and counts how many `kairos check` finds.

An error is a changed operator, a wrong declared unit or a missing factor, in an equation or declaration of a file that an
example of the library uses. What is an error is decided here, from the declared types in the file, not by Kairos:
a changed or missing operand always has a unit other than 1. Whether an example uses the place is found out by
planting an unknown name there first.

    seed.py --kairos target/release/kairos --lib FOLDER --manifest EXAMPLES.json [--count 100] [--seed 1]

The manifest is a list of objects with the key `model`. The library is copied, never changed.
"""
import argparse, json, os, random, re, shutil, subprocess, sys, tempfile

PARTS = ["Electrical/Analog", "Electrical/Machines", "Electrical/QuasiStatic", "Mechanics", "Thermal", "Magnetic", "Fluid"]


def types_of(lib):
    """SI types with their unit strings, by a reading of the library's own table."""
    text = open(os.path.join(lib, "Modelica", "Units.mo")).read()
    units = {}
    for name, body in re.findall(r"type (\w+) = Real\s*\(([^;]*?)\)\s*;", text, re.S):
        unit = re.search(r'(?:final )?unit\s*=\s*"([^"]*)"', body)
        if unit:
            units[name] = unit.group(1)
    for _ in range(4):
        for name, base in re.findall(r"type (\w+) = (\w+)\b", text):
            if base in units:
                units.setdefault(name, units[base])
    return units


def has_dimension(unit):
    return unit not in (None, "", "1", "rad", "deg", "sr", "rev")


# Pairs whose dimensions differ, to choose a wrong type from.
WRONG = ["Voltage", "Mass", "Time", "Length", "Temperature", "Pressure", "Force", "Energy"]


def candidates(path, units):
    """Planted texts of a file: (kind, offset, old text, new text)."""
    text = open(path, encoding="utf-8").read()
    if re.search(r"^\s*(encapsulated |partial |pure |impure )*function ", text, re.M):
        return text, []
    plain = re.sub(r'"(?:\\.|[^"\\])*"', lambda m: " " * len(m.group()), text)
    plain = re.sub(r"//[^\n]*", lambda m: " " * len(m.group()), plain)
    declared = {}
    for m in re.finditer(r"\bSI\.(\w+)\s+(\w+)\s*(\[[^\]]*\])?", plain):
        declared[m.group(2)] = (units.get(m.group(1)), m.group(1), m.start(1), m.end(1))
    sections = [m.start() for m in re.finditer(r"^equation\b", plain, re.M)]
    if not sections:
        return text, []
    found = []
    end = plain.find("annotation", sections[0])
    body = (sections[0] + len("equation"), end if end > 0 else len(plain))
    for m in re.finditer(r"[^;]+=[^;]+;", plain[body[0]:body[1]]):
        start, equation = body[0] + m.start(), m.group()
        if re.search(r"\b(if|for|when|connect|assert|function|Complex\w*|smooth|else|then)\b", equation):
            continue
        for name, (unit, *_) in declared.items():
            if not has_dimension(unit):
                continue
            for use in re.finditer(r"(?<![\w.])" + name + r"(?![\w.\[(])", equation):
                before = equation[:use.start()].rstrip()
                after = equation[use.end():].lstrip()
                at = start + len(before) - 1
                if before.endswith("*") and not after.startswith("^"):
                    found.append(("operator", at, "*", "/"))
                    left_over(found, at, text[at:start + use.end()], equation, before, after)
                elif before.endswith("/") and not after.startswith("^"):
                    found.append(("operator", at, "/", "*"))
                    left_over(found, at, text[at:start + use.end()], equation, before, after)
                elif re.search(r"[\w)\]]\s*[+-]$", before) and not after.startswith(("*", "/", "^")):
                    found.append(("operator", at, text[at], "*"))
    equations = plain[body[0]:body[1]]
    for name, (unit, kind, start, stop) in declared.items():
        uses = len(re.findall(r"(?<![\w.])" + name + r"(?![\w.(])", equations))
        if uses >= 2 or (uses and has_dimension(unit)):
            same = {"N.m": "J", "J": "N.m"}
            wrong = [w for w in WRONG if units.get(w) not in (unit, same.get(unit)) and w != kind]
            found.append(("type", start, text[start:stop], wrong[start % len(wrong)]))
    return text, found


def left_over(found, at, old, equation, before, after):
    """A missing factor, unless only literals are left on its side or its bracket: these may have any unit."""
    side = (before.split("=")[-1][:-1] + after.split("=")[0]).replace("pi", "").replace("pre(", "")
    if re.search(r"[A-Za-z]", re.sub(r"\d[eE]", "", before[:-1].split("(")[-1].split("=")[-1])) and re.search(r"[A-Za-z]", side):
        found.append(("factor", at, old, ""))


def messages(kairos, model, lib):
    command = [kairos, "flat", model, "--lib", lib, "--message-format", "json"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kairos", required=True)
    parser.add_argument("--lib", required=True)
    parser.add_argument("--manifest", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    models = [entry["model"] for entry in json.load(open(options.manifest))]
    units = types_of(options.lib)
    rng = random.Random(options.seed)
    folder = tempfile.mkdtemp(prefix="seeded-")
    try:
        for entry in os.listdir(options.lib):
            if entry != "Modelica":
                os.symlink(os.path.join(os.path.abspath(options.lib), entry), os.path.join(folder, entry))
        source = os.path.join(os.path.abspath(options.lib), "Modelica")
        shutil.copytree(source, os.path.join(folder, "Modelica"), ignore=shutil.ignore_patterns("Resources"))
        os.symlink(os.path.join(source, "Resources"), os.path.join(folder, "Modelica", "Resources"))
        files = []
        for part in PARTS:
            for base, _, names in os.walk(os.path.join(folder, "Modelica", part)):
                files += [os.path.join(base, n) for n in names if n.endswith(".mo") and n != "package.mo"]
        files.sort()
        pool = []
        for path in files:
            text, list_of = candidates(path, units)
            pool += [(path, *c) for c in list_of]
        rng.shuffle(pool)
        # As many of each kind as there are, in turn, and no file twice for the same kind.
        planted, found, used = 0, 0, set()
        missed = []
        kinds = ["operator", "type", "factor"]
        queues = {k: [c for c in pool if c[1] == k] for k in kinds}
        turn = 0
        while planted < options.count and any(queues.values()):
            kind = kinds[turn % 3]
            turn += 1
            while queues[kind]:
                path, _, at, old, new = queues[kind].pop()
                if (kind, path) in used:
                    continue
                text = open(path, encoding="utf-8").read()
                relative = os.path.relpath(path, folder)[:-3].split(os.sep)
                example = user_of(options.kairos, models, folder, path, text, at, old, kind, relative)
                if example is None:
                    continue
                used.add((kind, path))
                changed = text[:at] + new + text[at + len(old):]
                open(path, "w", encoding="utf-8").write(changed)
                said = messages(options.kairos, example, folder)
                open(path, "w", encoding="utf-8").write(text)
                if any(d["severity"] == "error" for d in said):
                    continue
                planted += 1
                line = text.count("\n", 0, at) + 1
                if any(d["code"] == "unit-mismatch" for d in said):
                    found += 1
                else:
                    row = changed.splitlines()[line - 1].strip()
                    missed.append(f"{kind}: {os.path.relpath(path, folder)}:{line}: {row} ({example})")
                    print(f"{found} of {planted}, missed {missed[-1]}", flush=True)
                break
        print(f"{found} of {planted} planted unit errors found", flush=True)
    finally:
        shutil.rmtree(folder)


def user_of(kairos, models, folder, path, text, at, old, kind, relative):
    """An example that uses the place: one that stumbles over an unknown name there."""
    name = "notKnownAnywhere"
    broken = text[:at] + name + text[at + len(old):] if kind == "type" else text[:at] + "*" + name + text[at:]
    prefix = ".".join(relative[:3]) + "."
    near = [m for m in models if m.startswith(prefix)] or [m for m in models if m.startswith(".".join(relative[:2]) + ".")]
    random.Random(at).shuffle(near)
    open(path, "w", encoding="utf-8").write(broken)
    try:
        for model in near[:14]:
            if any(name in d["message"] for d in messages(kairos, model, folder)):
                return model
    finally:
        open(path, "w", encoding="utf-8").write(text)
    return None


if __name__ == "__main__":
    sys.exit(main())

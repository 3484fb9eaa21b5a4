#!/usr/bin/env python3
"""Runs models in every way that must not matter and compares the results byte by byte.

usage: determinism.py [--kairos CMD] [--runs N] [--lib DIR --manifest FILE [--every N]] [--timeout S] [NAME ...]

Ways: the interpreter; native code; the change from one to the other while a run goes on, with an empty cache and with a
full one, and on one processor, where the change comes late.
Without a library the cases of tests/suite/hybrid and the models of examples/ are run; with one every n-th example that its
manifest names (a list of objects with "model"). NAME: only those that contain it.
"""

import argparse
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile


def models(args):
    """What to run: a name, and the arguments that say it."""
    if args.manifest:
        for entry in json.load(open(args.manifest))[:: args.every]:
            yield entry["model"], [entry["model"], "--lib", args.lib]
        return
    for path in sorted(glob.glob("tests/suite/hybrid/*.json")):
        text = json.load(open(path))
        for case in text if isinstance(text, list) else [text]:
            file = path[:-5] + ".mo"
            if os.path.exists(file):
                yield case["model"], [file, "--model", case["model"], "--stop", str(case["stop"])]
    for file in sorted(glob.glob("examples/*.mo")):
        yield file, [file]


def digest(command, folder, cache, timeout, processors=None):
    """The digest of a result and how the run ended."""
    out = os.path.join(folder, "r.csv")
    for left in glob.glob(out + "*"):
        os.remove(left)
    pin = None if processors is None else lambda: os.sched_setaffinity(0, processors)
    environment = dict(os.environ, KAIROS_CACHE=cache)
    # Models may write beside their results.
    command = [os.path.abspath(word) if os.path.exists(word) else word for word in command]
    try:
        done = subprocess.run(command + ["-o", out, "--quiet"], capture_output=True, timeout=timeout, env=environment,
                              preexec_fn=pin, cwd=folder)
    except subprocess.TimeoutExpired:
        return "too long"
    kept = out if os.path.exists(out) else out + ".part"
    content = open(kept, "rb").read() if os.path.exists(kept) else b""
    return hashlib.sha256(content).hexdigest()[:16] + f" {done.returncode}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kairos", default="target/release/kairos")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--lib")
    parser.add_argument("--manifest")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    all_of_them = sorted(os.sched_getaffinity(0))
    count = differ = slow = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, words in models(args):
            if args.names and not any(part in name for part in args.names):
                continue
            base = [args.kairos, "run"] + words
            found = {}

            def note(way, command, cache, processors=None):
                found.setdefault(digest(command, folder, cache, args.timeout, processors), []).append(way)

            note("interpreter", base + ["--machine", "interpreter"], "")
            note("native", base + ["--machine", "jit"], "")
            for k in range(max(args.runs - 2, 1)):
                cache = os.path.join(folder, "cache")
                if k % 4 == 0:
                    shutil.rmtree(cache, ignore_errors=True)
                processors = all_of_them[:1] if k % 2 else None
                note(f"auto, run {k}", base, cache if k % 4 < 3 else "", processors)
            shutil.rmtree(os.path.join(folder, "cache"), ignore_errors=True)
            count += 1
            slow += "too long" in found
            if len([one for one in found if one != "too long"]) > 1:
                differ += 1
                print(f"{name}: {found}", flush=True)
    print(f"{count} models, {args.runs} runs each: {differ} with several results, {slow} that took too long at least once")
    sys.exit(differ > 0)


main()

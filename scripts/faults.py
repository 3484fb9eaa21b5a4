#!/usr/bin/env python3
"""Kills commands at random instants and lets their writes fail, and looks whether anything was lost or only looks whole.

usage: faults.py [--kairos CMD] [--kills N] [--writes N] [--seed S] [PART ...]

Parts: run, sweep, fmt, install, studio. A killed command leaves under the name of a result the former one or a whole new one;
a sweep goes on to the dataset that it would have had; a formatted file is the old or the new text; an installed library is
there whole or not at all; what the studio has answered is in its journal or in the file. A write fails by a limit of the
size of files at a random byte: the command says which file and ends with 1, and the former result is still there.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

MODEL = """model Long
  parameter Real a = 1;
  Real x(start = 1, fixed = true), y = 2*x, z[20] = {k*x for k in 1:20};
equation
  der(x) = a*cos(time);
end Long;
"""
SMALL = "model  Tidy Real x(start=1,fixed=true);\nequation\nder(x)=-x;// fast\nend Tidy;\n"


class Wrong(Exception):
    """Something was lost, or looks whole and is not."""


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


class Campaign:
    def __init__(self, args, folder):
        self.kairos, self.folder, self.dice = os.path.abspath(args.kairos), folder, random.Random(args.seed)
        self.environment = dict(os.environ, KAIROS_HOME=os.path.join(folder, "home"))
        self.longest = {}

    def start(self, words, limit=None):
        def prepare():
            if limit is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        return subprocess.Popen([self.kairos] + words, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, preexec_fn=prepare)

    def whole(self, words):
        """Lets a command end, and remembers how long it takes."""
        begun = time.monotonic()
        process = self.start(words)
        _, said = process.communicate(timeout=120)
        self.longest[words[0]] = max(time.monotonic() - begun, 0.01)
        if process.returncode != 0:
            raise Wrong(f"{' '.join(words)} ended with {process.returncode}: {said.decode()}")

    def killed(self, words):
        """Kills a command at a random instant; true if it had ended before."""
        process = self.start(words)
        time.sleep(self.dice.random() * self.longest[words[0]])
        process.kill()
        process.communicate()
        return process.returncode == 0

    def failing(self, words, limit, file):
        """Lets writes beyond a size fail: told with the file's name and status 1, or not needed."""
        process = self.start(words, limit)
        _, said = process.communicate(timeout=120)
        said = said.decode(errors="replace")
        if process.returncode == 0:
            return False
        if process.returncode != 1 or file not in said:
            raise Wrong(f"a limit of {limit} bytes: {' '.join(words)} ended with {process.returncode}: {said[:300]}")
        return True


class Run:
    """`kairos run` into each format, over a result that was there before."""

    def __init__(self, campaign):
        self.c, self.whole = campaign, {}
        write(os.path.join(campaign.folder, "Long.mo"), MODEL.encode())
        for end in ("csv", "mat", "parquet"):
            campaign.whole(self.words(end))
            self.whole[end] = read(os.path.join(campaign.folder, f"r.{end}"))

    def words(self, end):
        return ["run", "Long.mo", "--stop", "100", "--interval", "0.02", "-o", f"r.{end}", "--quiet"]

    def look(self, end, former, finished):
        out = os.path.join(self.c.folder, f"r.{end}")
        now = read(out)
        if now not in (self.whole[end], former) or finished and now != self.whole[end]:
            raise Wrong(f"r.{end} is neither the former result nor the whole new one")

    def one(self, limit=None):
        end = self.c.dice.choice(["csv", "mat", "parquet"])
        out = os.path.join(self.c.folder, f"r.{end}")
        former = b"a former result"
        write(out, former)
        if limit is None:
            self.look(end, former, self.c.killed(self.words(end)))
        else:
            failed = self.c.failing(self.words(end), int(limit * 1.05 * len(self.whole[end])), f"r.{end}")
            self.look(end, former, not failed)


class Sweep:
    """`kairos sweep`, killed and gone on with until it ends."""

    WORDS = ["sweep", "Long.mo", "--vary", "a=1:0.01:4", "--outcome", "max(x)", "--stop", "100", "--quiet"]

    def __init__(self, campaign):
        self.c = campaign
        write(os.path.join(campaign.folder, "Long.mo"), MODEL.encode())
        campaign.whole(self.WORDS)
        self.out = os.path.join(campaign.folder, "Long-sweep.parquet")
        self.whole = read(self.out)

    def one(self, limit=None):
        for name in os.listdir(self.c.folder):
            if name.startswith("Long-sweep"):
                os.remove(os.path.join(self.c.folder, name))
        if limit is None:
            for _ in range(self.c.dice.randrange(1, 4)):
                self.c.killed(self.WORDS)
                if os.path.exists(self.out) and read(self.out) != self.whole:
                    raise Wrong("the dataset is there and not whole")
        else:
            self.c.failing(self.WORDS, int(limit * 1.2 * len(self.whole)), "Long-sweep")
        self.c.whole(self.WORDS)
        if read(self.out) != self.whole:
            raise Wrong("a sweep that went on has another dataset")


class Fmt:
    """`kairos fmt` of a folder with files of different lengths."""

    def __init__(self, campaign):
        self.c = campaign
        self.old = {f"T{k}.mo": (SMALL * (1 + 40 * k)).replace("Tidy", f"T{k}").encode() for k in range(12)}
        self.put()
        campaign.whole(["fmt", "texts"])
        self.new = {name: read(os.path.join(campaign.folder, "texts", name)) for name in self.old}

    def put(self):
        folder = os.path.join(self.c.folder, "texts")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        for name, text in self.old.items():
            write(os.path.join(folder, name), text)

    def one(self, limit=None):
        self.put()
        if limit is None:
            self.c.killed(["fmt", "texts"])
        else:
            self.c.failing(["fmt", "texts"], int(limit * max(map(len, self.new.values()))), "T")
        for name in self.old:
            if read(os.path.join(self.c.folder, "texts", name)) not in (self.old[name], self.new[name]):
                raise Wrong(f"{name} is neither the old nor the new text")


class Install:
    """`kairos install` of a folder; what `kairos check` finds afterwards is whole."""

    def __init__(self, campaign):
        self.c = campaign
        folder = os.path.join(campaign.folder, "source", "Parts")
        os.makedirs(folder)
        write(os.path.join(folder, "package.mo"), b'package Parts annotation(version="1.0.0"); end Parts;\n')
        names = [f"P{k}" for k in range(150)]
        write(os.path.join(folder, "package.order"), "\n".join(names).encode())
        for name in names:
            write(os.path.join(folder, f"{name}.mo"), f"within Parts;\nmodel {name} Real x = time; end {name};\n".encode())
        self.source = {name: read(os.path.join(folder, name)) for name in os.listdir(folder)}
        write(os.path.join(campaign.folder, "Uses.mo"), b"model Uses Parts.P149 p; end Uses;\n")
        self.words = ["install", "Parts", "--from", folder, "--quiet"]
        campaign.whole(self.words)

    def one(self, limit=None):
        home = os.path.join(self.c.folder, "home")
        shutil.rmtree(home, ignore_errors=True)
        if limit is None:
            finished = self.c.killed(self.words)
        else:
            finished = not self.c.failing(self.words, int(limit * 800), "")
        listed = subprocess.run([self.c.kairos, "libraries"], cwd=self.c.folder, env=self.c.environment, capture_output=True)
        there = b"Parts" in listed.stdout
        if finished and not there:
            raise Wrong("installed, and not there")
        for folder, _, files in os.walk(home) if there else []:
            if os.path.basename(folder).startswith("Parts") and "package.mo" in files:
                for name, text in self.source.items():
                    path = os.path.join(folder, name)
                    if not os.path.exists(path) or read(path) != text:
                        raise Wrong(f"the library is listed, and {name} is not whole")


class Studio:
    """Texts set and saved through the studio's server, killed between or within calls."""

    def __init__(self, campaign):
        self.c = campaign
        self.folder = os.path.join(campaign.folder, "project")
        os.makedirs(self.folder)
        self.file = os.path.join(self.folder, "Draft.mo")

    def serve(self, limit=None):
        process = self.c.start(["studio", self.file, "--no-open"], limit)
        said = b""
        while b"#" not in said and b"http" not in said or not said.endswith(b"\n"):
            byte = process.stdout.read(1)
            if not byte:
                raise Wrong(f"the studio does not start: {process.stderr.read().decode()[:300]}")
            said += byte
        address = re.search(rb"http://[^\s]+", said).group().decode()
        base, token = re.match(r"(http://[^/]+/).*?[#?=](?:token=)?([0-9A-Za-z_-]+)$", address).groups()

        def call(method, **parameters):
            request = urllib.request.Request(f"{base}api/{method}", json.dumps(parameters).encode(),
                                             {"X-Kairos-Token": token, "Content-Type": "application/json"})
            return json.loads(urllib.request.urlopen(request, timeout=20).read())

        return process, call

    def one(self, limit=None):
        shutil.rmtree(self.folder)
        os.mkdir(self.folder)
        texts = [f"model Draft\n  Real x = {k}*time;{'  // more' * self.c.dice.randrange(2000)}\nend Draft;\n" for k in range(40)]
        write(self.file, texts[0].encode())
        process, call = self.serve(None if limit is None else int(40_000 * limit))
        kill_at = time.monotonic() + self.c.dice.random() * 0.3
        told = saved = texts[0]
        try:
            for text in texts[1:]:
                answer = call("set_text", file=self.file, text=text)
                if "error" in answer:
                    break
                told = text
                if self.c.dice.random() < 0.4:
                    answer = call("save", file=self.file)
                    if "error" not in answer:
                        saved = text
                if limit is None and time.monotonic() > kill_at:
                    break
        except OSError:
            pass
        process.kill()
        process.communicate()
        now = read(self.file).decode()
        if now != saved and now not in texts:
            raise Wrong("the file of the studio is no text that it was given")
        # Where nothing fails, what was answered comes back from the journal.
        if limit is None:
            process, call = self.serve()
            found = call("text", file=self.file)["result"]["text"]
            process.kill()
            process.communicate()
            if found != told:
                raise Wrong("a text that the studio had taken is lost")


PARTS = {"run": Run, "sweep": Sweep, "fmt": Fmt, "install": Install, "studio": Studio}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kairos", default="target/release/kairos")
    parser.add_argument("--kills", type=int, default=200, help="for each part")
    parser.add_argument("--writes", type=int, default=200, help="for each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("parts", nargs="*", default=list(PARTS))
    args = parser.parse_args()
    wrong = 0
    for name in args.parts or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            campaign = Campaign(args, folder)
            part = PARTS[name](campaign)
            for kind, count in (("kills", args.kills), ("failing writes", args.writes)):
                found = []
                for _ in range(count):
                    try:
                        part.one(None if kind == "kills" else campaign.dice.random())
                    except Wrong as fault:
                        found.append(str(fault))
                wrong += len(found)
                print(f"{name}: {count} {kind}, {len(found)} wrong", *found[:3], sep="\n  ", flush=True)
    sys.exit(wrong > 0)


main()

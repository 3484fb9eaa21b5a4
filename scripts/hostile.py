#!/usr/bin/env python3
"""Checks 200 models that try to do harm, and watches the system calls of `check`, `flat` and `explain` with strace.

usage: hostile.py [--kairos CMD]      needs strace

A command may read below the folder of the model and what the program and the system's libraries need to start; it may not write
a file, start a process, open a connection, or read anything else.
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile

# What a function does, and how it is called.
EFFECTS = {
    "command": ('external "C" r = system(text);', "input String text; output Integer r;", '"touch {mark}"'),
    "exit": ('external "C" exit(7);', "input String text; output Integer r;", '"x"'),
    "memory": ('external "C" r = memset(4096, 1, 100);', "input String text; output Integer r;", '"x"'),
    "library": ('external "C" r = evil(text) annotation(Library="{mark}", LibraryDirectory="file://{folder}/..");',
                "input String text; output Integer r;", '"x"'),
    "source": ('external "C" r = evil(text) annotation(Include="int evil(const char*t) {{ return system(t); }}");',
               "input String text; output Integer r;", '"touch {mark}"'),
    "remove": ('external "C" ModelicaInternal_removeFile(text);', "input String text; output Integer r;", '"{victim}"'),
    "folder": ('external "C" ModelicaInternal_mkdir(text);', "input String text; output Integer r;", '"{mark}"'),
    "print": ('external "C" ModelicaInternal_print(text, "{mark}");', "input String text; output Integer r;", '"harm"'),
    "variable": ('external "C" ModelicaInternal_setenv("PATH", text, 1);', "input String text; output Integer r;", '"/nowhere"'),
    "secret": ('external "C" r = ModelicaInternal_countLines(text);', "input String text; output Integer r;", '"/etc/passwd"'),
}
# Where the call stands.
PLACES = {
    "parameter": "parameter Integer n = f({call}); Real x = n*time;",
    "constant": "constant Integer n = f({call}); Real x = n*time;",
    "size": "Real x[f({call})]; equation x = fill(time, size(x, 1));",
    "condition": "Real x if f({call}) > 0;",
    "branch": "Real x = if f({call}) > 0 then time else 1;",
    "start": "Real x(start = f({call}), fixed = true); equation der(x) = -x;",
    "initial": "Real x; initial equation x = f({call}); equation der(x) = -x;",
    "equation": "Real x = f({call})*time;",
    "when": "discrete Real x(start = 0, fixed = true); equation when time > 0.5 then x = f({call}); end when;",
    "resource": 'parameter String s = loadResource("modelica://M/../../../etc/passwd"); parameter Integer n = f({call}); Real x = n*time;',
}
COMMANDS = (["check"], ["flat"], ["explain"])
# What a program reads to start.
SYSTEM = re.compile(r"^(/lib|/usr/lib|/etc/ld|/proc/self|/proc/sys/vm|/sys/|/dev/null|/dev/tty|/proc/cpuinfo|/etc/localtime)")


def calls(trace):
    """Name, first path or address, and the whole line of each system call that succeeded."""
    for line in trace.splitlines():
        found = re.match(r"^(?:\[pid +\d+\] )?(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)", line)
        if found and int(found.group(3)) >= 0:
            path = re.search(r'"([^"]*)"', found.group(2))
            yield found.group(1), path.group(1) if path else "", line


def judge(trace, folder, kairos):
    for name, path, line in calls(trace):
        if name in ("execve", "fork", "vfork") and path != kairos:
            return f"starts a process: {line}"
        if name in ("connect", "bind", "sendto", "listen"):
            return f"reaches out: {line}"
        if name in ("unlink", "unlinkat", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir", "chmod", "fchmodat",
                    "symlink", "symlinkat", "link", "linkat", "truncate", "creat"):
            return f"changes a file: {line}"
        if name in ("open", "openat") and re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", line) and not path.startswith("/dev/"):
            return f"writes: {line}"
        if name in ("open", "openat") and not SYSTEM.match(path):
            real = os.path.realpath(os.path.join(folder, path))
            if not (real == folder or real.startswith(folder + os.sep) or real == os.path.realpath(kairos)):
                return f"reads elsewhere: {line}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kairos", default="target/release/kairos")
    args = parser.parse_args()
    kairos = os.path.abspath(args.kairos)
    count = wrong = 0
    with tempfile.TemporaryDirectory() as outer:
        outer = os.path.realpath(outer)
        folder, victim = os.path.join(outer, "models"), os.path.join(outer, "victim")
        os.mkdir(folder)
        home = os.path.join(folder, "home")
        for (effect, (body, interface, argument)), (place, text) in itertools.product(EFFECTS.items(), PLACES.items()):
            for impure in ("", "impure "):
                mark = os.path.join(outer, "mark")
                names = {"mark": mark, "victim": victim, "folder": folder}
                open(victim, "w").write("still here")
                model = (f"model M\n  {impure}function f {interface} {body.format(**names)} end f;\n"
                         f"  {text.format(call=argument.format(**names))}\nend M;\n")
                path = os.path.join(folder, "M.mo")
                open(path, "w").write(model)
                for command in COMMANDS:
                    trace = os.path.join(outer, "trace")
                    done = subprocess.run(["strace", "-f", "-o", trace, "-e", "trace=file,process,network,desc", kairos] + command + [path],
                                          capture_output=True, text=True, timeout=60, cwd=folder,
                                          env={"KAIROS_HOME": home, "PATH": os.environ["PATH"]})
                    count += 1
                    fault = judge(open(trace).read(), folder, kairos)
                    if done.returncode not in (0, 1, 2):
                        fault = f"ended with {done.returncode}: {done.stderr[-200:]}"
                    if os.path.exists(mark) or open(victim).read() != "still here":
                        fault = "harm was done"
                    if fault:
                        wrong += 1
                        print(f"{effect} in {place} {impure}{command[0]}: {fault}", flush=True)
    print(f"{count} commands over {count // len(COMMANDS)} models, {wrong} wrong")
    sys.exit(wrong > 0)


main()

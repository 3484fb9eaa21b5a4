//! Times evaluations of a model's derivatives on both machines, and writes the same operations as a C program.
//!
//! `derivatives FILE NAME=VALUE OUT.c` prints equations, operations, and microseconds on the interpreter and in native
//! code; the C program prints its own. `bench/jit/run.sh` puts them side by side.

use kairos::{Disk, Engine, Goal, Machine, Request};
use kairos_expr::{BinOp, Builtin, UnOp};
use kairos_program::Program;
use kairos_program::program::Code;
use kairos_program::tape::{Op, Slot};
use std::fmt::Write;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, setting, out] = &arguments[..] else { panic!("usage: derivatives FILE NAME=VALUE OUT.c") };
    let (name, value) = setting.split_once('=').expect("NAME=VALUE");
    let mut times = Vec::new();
    for engine in [Engine::Interpreter, Engine::Jit] {
        let request = Request {
            file: Some(file.clone()),
            settings: vec![(name.to_string(), value.to_string())],
            engine,
            ..Request::default()
        };
        let mut compiled = kairos::compile(&Disk, &request, Goal::Machine);
        let machine = compiled.machine.as_deref_mut().expect("a model that compiles");
        times.push(time(machine));
        if engine == Engine::Jit {
            let program = compiled.program.as_ref().expect("a program");
            std::fs::write(out, c_program(program, machine.values())).expect("the C program");
            let ops: usize = tapes(program).map(<[Op]>::len).sum();
            let equations = program.definitions.len() + program.info.states.len();
            println!("{equations} {ops} {} {}", times[0], times[1]);
        }
    }
}

/// Microseconds for one evaluation: the best of some rounds.
fn time(machine: &mut dyn Machine) -> f64 {
    machine.initialise().expect("an initial state");
    let n = machine.info().states.len();
    let (mut x, mut dx) = (vec![0.0; n], vec![0.0; n]);
    machine.get_states(&mut x);
    let mut best = f64::INFINITY;
    let mut count = 10;
    for _ in 0..12 {
        let begun = Instant::now();
        for k in 0..count {
            x[k % n] += 1e-9;
            machine.set_states(&x);
            machine.derivatives(&mut dx).expect("derivatives");
        }
        let spent = begun.elapsed().as_secs_f64();
        best = best.min(spent / count as f64);
        if spent < 0.05 {
            count *= 4;
        }
    }
    best * 1e6
}

fn tapes(program: &Program) -> impl Iterator<Item = &[Op]> {
    program.derivatives.codes.iter().map(|code| match code {
        Code::Tape(tape) => &tape.ops[..],
        _ => panic!("the C program knows no systems of equations"),
    })
}

fn c_program(program: &Program, values: &[f64]) -> String {
    let mut text = String::from(
        "#include <math.h>\n#include <stdio.h>\n#include <time.h>\n\
         static double power(double a, double b) { return pow(a, b); }\n",
    );
    let _ = writeln!(text, "static double v[{}] = {{", values.len());
    for value in values {
        let _ = writeln!(text, "{value:?},");
    }
    text.push_str("};\n");
    let slots = &program.memory.slots;
    let place = |slot: Slot| match (slots.value(slot), slots.is_scratch(slot)) {
        (Some(value), _) => format!("({value:?})"),
        (None, true) => format!("t{slot}"),
        (None, false) => format!("m[{slot}]"),
    };
    let mut functions = 0;
    for ops in tapes(program) {
        // In pieces, as a careful author of C would: one function of a megabyte takes minutes to compile.
        let pieces: Vec<&[Op]> =
            if ops.len() > 4000 && !ops.iter().any(is_jump) { ops.chunks(2000).collect() } else { vec![ops] };
        let shared = shared(&pieces, &|slot| slots.value(slot).is_none() && slots.is_scratch(slot));
        for ops in pieces {
            let _ = writeln!(text, "__attribute__((noinline)) static void f{functions}(double *m) {{");
            functions += 1;
            let place = |slot: Slot| if shared.contains(&slot) { format!("m[{slot}]") } else { place(slot) };
            let mut scratch = std::collections::BTreeSet::new();
            for op in ops {
                kairos_program::tape::Tape::rename(&mut op.clone(), &mut |slot| {
                    if place(slot).starts_with('t') {
                        scratch.insert(slot);
                    }
                    slot
                });
            }
            for slot in scratch {
                let _ = writeln!(text, "double t{slot} = 0;");
            }
            for (at, op) in ops.iter().enumerate() {
                let _ = writeln!(text, "L{at}: {};", statement(op, &place));
            }
            let _ = writeln!(text, "L{}: ;\n}}", ops.len());
        }
    }
    let (states, derivatives) = (&program.info.states, &program.info.derivatives);
    let n = states.len();
    let list = |slots: &[Slot]| slots.iter().map(|s| s.to_string()).collect::<Vec<_>>().join(",");
    let _ =
        writeln!(text, "static int states[] = {{{}}}, slopes[] = {{{}}};", list(states), list(derivatives));
    let calls: String = (0..functions).map(|k| format!("f{k}(v);")).collect();
    let _ = writeln!(
        text,
        "static double x[{n}], dx[{n}];
         int main(void) {{
           for (int i = 0; i < {n}; i++) x[i] = v[states[i]];
           double best = 1e30; long count = 10;
           for (int round = 0; round < 12; round++) {{
             struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a);
             for (long k = 0; k < count; k++) {{
               x[k % {n}] += 1e-9;
               for (int i = 0; i < {n}; i++) v[states[i]] = x[i];
               {calls}
               for (int i = 0; i < {n}; i++) {{ dx[i] = v[slopes[i]]; if (!isfinite(dx[i])) return 1; }}
             }}
             clock_gettime(CLOCK_MONOTONIC, &b);
             double spent = (b.tv_sec - a.tv_sec) + 1e-9*(b.tv_nsec - a.tv_nsec);
             if (spent/count < best) best = spent/count;
             if (spent < 0.05) count *= 4;
           }}
           printf(\"%g\\n\", best*1e6); return 0;
         }}"
    );
    text
}

fn is_jump(op: &Op) -> bool {
    matches!(op, Op::Jump { .. } | Op::JumpUnless { .. })
}

fn shared(pieces: &[&[Op]], is_scratch: &dyn Fn(Slot) -> bool) -> std::collections::BTreeSet<Slot> {
    let mut first = std::collections::BTreeMap::new();
    let mut out = std::collections::BTreeSet::new();
    for (piece, ops) in pieces.iter().enumerate() {
        for op in *ops {
            kairos_program::tape::Tape::rename(&mut op.clone(), &mut |slot| {
                if is_scratch(slot) && *first.entry(slot).or_insert(piece) != piece {
                    out.insert(slot);
                }
                slot
            });
        }
    }
    out
}

fn statement(op: &Op, place: &dyn Fn(Slot) -> String) -> String {
    match *op {
        Op::Copy { to, a } => format!("{} = {}", place(to), place(a)),
        Op::Unary { op: UnOp::Neg, to, a } => format!("{} = -{}", place(to), place(a)),
        Op::Unary { op: UnOp::Not, to, a } => format!("{} = {} == 0", place(to), place(a)),
        Op::Binary { op: BinOp::Pow, to, a, b } => {
            let exponent: f64 = place(b).trim_matches(['(', ')']).parse().unwrap_or(f64::NAN);
            match exponent {
                2.0 => format!("{} = {1}*{1}", place(to), place(a)),
                3.0 => format!("{} = {1}*({1}*{1})", place(to), place(a)),
                4.0 => format!("{{ double s = {1}*{1}; {0} = s*s; }}", place(to), place(a)),
                5.0 => format!("{{ double s = {1}*{1}; {0} = {1}*(s*s); }}", place(to), place(a)),
                _ => format!("{} = power({}, {})", place(to), place(a), place(b)),
            }
        }
        Op::Binary { op, to, a, b } => {
            let symbol = match op {
                BinOp::Ne => "!=",
                BinOp::And => "&&",
                BinOp::Or => "||",
                other => other.symbol(),
            };
            format!("{} = {} {symbol} {}", place(to), place(a), place(b))
        }
        Op::Function1 { f, to, a } => {
            let name = match f {
                Builtin::Abs => "fabs",
                other => other.name(),
            };
            format!("{} = {name}({})", place(to), place(a))
        }
        Op::Jump { target } => format!("goto L{target}"),
        Op::JumpUnless { condition, target } => format!("if ({} == 0) goto L{target}", place(condition)),
        _ => panic!("the C program does not know {op:?}"),
    }
}

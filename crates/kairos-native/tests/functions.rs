//! Random numbers, strings and the Fourier transform against values from independent implementations.

mod support;

use kairos_native::{Arg, functions, lookup};
use support::{call, call_in, failure, int, near, real, reals, text, trusted};

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = functions().map(|function| function.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(lookup("ModelicaStandardTables_CombiTable1D_init3").is_some() && lookup("nothing").is_none());
}

fn draws(name: &str, mut state: Vec<i64>, count: usize) -> (Vec<i64>, Vec<f64>) {
    let mut numbers = Vec::new();
    for _ in 0..count {
        let (_, out) =
            call(name, vec![Arg::ints(state.clone()), Arg::ints(vec![0; state.len()]), Arg::Real(0.0)]);
        let Arg::IntArray { data, .. } = &out[1] else { panic!() };
        state = data.to_vec();
        numbers.push(real(&Some(out[2].clone())));
    }
    (state, numbers)
}

#[test]
fn generators_are_exact() {
    let (state, numbers) = draws("ModelicaRandom_xorshift64star", vec![614657, 30020], 3);
    assert_eq!(state, [-1823216932, -1972635656]);
    assert_eq!(numbers, [0.9858986064932712, 0.18621502638451531, 0.04070997065294052]);
    let (state, numbers) = draws("ModelicaRandom_xorshift128plus", vec![614657, 30020, -1, 77], 3);
    assert_eq!(state, [2142192025, 654307049, 370681437, 777783354]);
    assert_eq!(numbers, [0.13281446864816643, 0.6523427314820625, 0.6810917989551802]);
    let mut seed: Vec<i64> = (0..32).map(|i| (i * 7919 + 13) * if i % 2 == 1 { 1 } else { -1 }).collect();
    seed.push(15);
    let expected = [0.4237036625914993, 0.9865587973704653, 0.5419451284168589, 0.44794293521103173];
    let (state, numbers) = draws("ModelicaRandom_xorshift1024star", seed.clone(), 4);
    assert_eq!((state[0], state[1], state[32]), (-1599953914, 2146672647, 3));
    assert_eq!(numbers, expected);
    // The generator with hidden state draws the same numbers.
    let mut context = trusted();
    call_in(
        &mut context,
        "ModelicaRandom_setInternalState_xorshift1024star",
        vec![Arg::ints(seed), Arg::Int(33), Arg::Int(7)],
    );
    for number in expected {
        assert_eq!(
            real(&call_in(&mut context, "ModelicaRandom_impureRandom_xorshift1024star", vec![Arg::Int(7)]).0),
            number
        );
    }
    assert!(
        failure("ModelicaRandom_impureRandom_xorshift1024star", vec![Arg::Int(1)])
            .contains("initializeImpureRandom")
    );
    assert!(int(&call("ModelicaRandom_automaticGlobalSeed", vec![Arg::Real(0.0)]).0.unwrap()) > 0);
}

#[test]
fn hashes() {
    for (word, hash) in [
        ("", -1431655766),
        ("a", -357913953),
        ("Kairos", 753231700),
        ("Model.noise.uniform", 145512742),
        ("The quick brown fox jumps over the lazy dog", -1584615741),
    ] {
        assert_eq!(call("ModelicaStrings_hashString", vec![Arg::str(word)]).0, Some(Arg::Int(hash)));
    }
}

#[test]
fn strings() {
    let substring = |start, end| {
        text(
            &call("ModelicaStrings_substring", vec![Arg::str("Modelica"), Arg::Int(start), Arg::Int(end)])
                .0
                .unwrap(),
        )
    };
    assert_eq!(
        (substring(2, 4), substring(7, 99), substring(9, 9), substring(3, 2)),
        ("ode".into(), "ca".into(), "".into(), "".into())
    );
    let compare = |a, b, case| {
        int(&call("ModelicaStrings_compare", vec![Arg::str(a), Arg::str(b), Arg::Bool(case)]).0.unwrap())
    };
    assert_eq!((compare("a", "b", true), compare("b", "B", true), compare("b", "B", false)), (1, 3, 2));
    assert_eq!(call("ModelicaStrings_length", vec![Arg::str("abc")]).0, Some(Arg::Int(3)));
    assert_eq!(
        call("ModelicaStrings_skipWhiteSpace", vec![Arg::str(" \t x"), Arg::Int(1)]).0,
        Some(Arg::Int(4))
    );
    assert!(
        failure("ModelicaStrings_skipWhiteSpace", vec![Arg::str("x"), Arg::Int(0)]).contains("begin with 1")
    );
}

#[test]
fn scanners() {
    let scan = |name: &str, input: &str, start: i64, unsigned: Option<bool>| {
        let mut arguments = vec![Arg::str(input), Arg::Int(start)];
        arguments.extend(unsigned.map(Arg::Bool));
        arguments.extend([Arg::Int(0), Arg::Int(0)]);
        let (_, mut out) = call(name, arguments);
        let value = out.pop().unwrap();
        (int(&out.pop().unwrap()), value)
    };
    let real = |input, unsigned| scan("ModelicaStrings_scanReal", input, 1, Some(unsigned));
    assert_eq!(real("  -2.5e+1x", false), (10, Arg::Real(-25.0)));
    assert_eq!(real("3.", false), (3, Arg::Real(3.0)));
    assert_eq!(real(".5 ", true), (3, Arg::Real(0.5)));
    assert_eq!(real("-1", true), (1, Arg::Real(0.0)));
    assert_eq!(real("1e", false), (1, Arg::Real(0.0)));
    let integer = |input, unsigned| scan("ModelicaStrings_scanInteger", input, 1, Some(unsigned));
    assert_eq!(integer(" -12,", false), (5, Arg::Int(-12)));
    assert_eq!(integer("12.5", false), (1, Arg::Int(0)));
    assert_eq!(integer("+12", true), (1, Arg::Int(0)));
    let identifier = |input, start| scan("ModelicaStrings_scanIdentifier", input, start, None);
    assert_eq!(identifier("x = y_1;", 4), (8, Arg::str("y_1")));
    assert_eq!(identifier("1x", 1), (1, Arg::str("")));
    let string = |input| scan("ModelicaStrings_scanString", input, 1, None);
    assert_eq!(string(r#" "a\"b" "#), (8, Arg::str(r#"a\"b"#)));
    assert_eq!(string("\"open"), (1, Arg::str("")));
}

fn fft(samples: &[f64]) -> (i64, Vec<f64>, Vec<f64>) {
    let n = samples.len();
    let nf = n / 2 + 1;
    let work = 3 * n + 2 * nf;
    let zeros = Arg::reals(vec![0.0; nf]);
    let arguments = vec![
        Arg::reals(samples.to_vec()),
        Arg::Int(n as i64),
        Arg::reals(vec![0.0; work]),
        Arg::Int(work as i64),
        zeros.clone(),
        zeros,
    ];
    let (info, out) = call("ModelicaFFT_kiss_fftr", arguments);
    (int(&info.unwrap()), reals(&out[4]), reals(&out[5]))
}

#[test]
fn fourier_transform() {
    assert_eq!(fft(&[1.0, 2.0, 3.0]).0, 1);
    let (info, amplitudes, phases) = fft(&[1.0, 2.0, -1.0, 0.5, 3.0, -2.0]);
    assert_eq!(info, 0);
    let expected =
        [(0.875, 0.0), (0.125, std::f64::consts::PI), (1.73655549868123, -1.4987524460834), (0.625, 0.0)];
    for (k, (amplitude, phase)) in expected.into_iter().enumerate() {
        assert!(near(amplitudes[k], amplitude, 1e-13) && near(phases[k].abs(), f64::abs(phase), 1e-12));
    }
    // A cosine and a sine in 2 * 3 * 5 * 7 samples: one line each, n/2 high before scaling.
    let n = 210;
    let angle = |i: usize, k: f64| std::f64::consts::TAU * k * i as f64 / n as f64;
    let samples: Vec<f64> = (0..n).map(|i| 2.0 * angle(i, 3.0).cos() + angle(i, 50.0).sin()).collect();
    let (_, amplitudes, phases) = fft(&samples);
    for (k, amplitude) in amplitudes.iter().enumerate() {
        let expected = match k {
            3 => 210.0 / 106.0,
            50 => 105.0 / 106.0,
            _ => 0.0,
        };
        assert!(near(*amplitude, expected, 1e-12));
    }
    assert!(near(phases[50], -std::f64::consts::FRAC_PI_2, 1e-10));
}

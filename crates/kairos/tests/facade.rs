//! The façade as a program sees it: models, runs, trajectories, errors.

use kairos::{Error, Files, Inputs, Model, Options, Request, Simulation, Stop, Trajectory};

const DECAY: &str = "model Decay \"Falls to nothing\"
  parameter Real k(unit = \"1/s\") = 1 \"Rate\";
  parameter Real double = 2*k;
  parameter Integer n = 1;
  input Real u;
  Real x[n](each start = 1, each fixed = true, each unit = \"V\");
  output Real y = sum(x);
  Boolean low(start = false, fixed = true);
equation
  for j in 1:n loop
    der(x[j]) = -k*x[j] + u;
  end for;
  low = x[1] < 0.5;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Decay;";

fn near(found: f64, expected: f64, by: f64) {
    assert!((found - expected).abs() <= by, "{found}, expected {expected}");
}

#[test]
fn models_are_shared_by_threads() {
    fn shared<T: Send + Sync + Clone>() {}
    fn sent<T: Send>() {}
    shared::<Model>();
    shared::<Trajectory>();
    shared::<Error>();
    sent::<Simulation>();
}

#[test]
fn a_model_describes_itself() -> Result<(), Error> {
    let model = Model::from_text(DECAY)?;
    assert_eq!(model.name(), "Decay");
    let names = |list: Vec<&kairos::VarInfo>| list.iter().map(|var| var.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(model.parameters().collect()), ["k", "double", "n"]);
    assert_eq!(names(model.inputs().collect()), ["u"]);
    assert_eq!(names(model.outputs().collect()), ["y"]);
    assert_eq!(model.variable("k")?.unit, "1/s");
    assert_eq!(model.experiment().stop, Some(2.0));
    assert_eq!((model.get("k")?, model.get("double")?), (1.0, 2.0));
    assert_eq!(model.set("k", 3.0)?.get("double")?, 6.0);
    Ok(())
}

#[test]
fn values_are_set_without_compiling_and_sizes_with_it() -> Result<(), Error> {
    let model = Model::from_text(DECAY)?;
    let faster = model.set("k", "2/s").or_else(|_| model.set("k", 2))?;
    let two = faster.set("n", 2)?;
    let options = Options::default();
    near(model.simulate(&options)?.at("x[1]", 1.0)?, (-1.0_f64).exp(), 1e-7);
    near(faster.simulate(&options)?.at("x[1]", 1.0)?, (-2.0_f64).exp(), 1e-7);
    near(two.simulate(&options)?.at("y", 1.0)?, 2.0 * (-2.0_f64).exp(), 1e-7);
    let started = model.set_all([("x[1].start", 3.0), ("u", 1.0)])?;
    near(started.simulate(&options)?.at("y", 1.0)?, 1.0 + 2.0 * (-1.0_f64).exp(), 1e-7);
    Ok(())
}

#[test]
fn trajectories_have_values_between_rows() -> Result<(), Error> {
    let model = Model::from_text(DECAY)?;
    let result = model.simulate(&Options::default().intervals(40).tolerance(1e-10))?;
    for k in 0..=200 {
        let t = f64::from(k) * 0.01;
        // A row every 0.05: the error of a cubic is its fourth power over 384.
        near(result.at("x[1]", t)?, (-t).exp(), 5e-8);
        near(result.at("y", t)?, (-t).exp(), 1e-6);
        near(result.at("low", t)?, f64::from(u8::from(t >= 2.0_f64.ln())), 0.0);
    }
    assert_eq!(result.at("k", 0.3)?, 1.0);
    let event = 2.0_f64.ln();
    let pair: Vec<usize> =
        (0..result.time().len()).filter(|&k| (result.time()[k] - event).abs() < 1e-7).collect();
    assert_eq!(pair.len(), 2);
    assert_eq!((result.values("low")?[pair[0]], result.values("low")?[pair[1]]), (0.0, 1.0));
    assert_eq!(result.find("x[1]")?.unit, "V");
    let kinds: Vec<&str> = result.events().iter().map(|event| event.kind.name()).collect();
    assert_eq!(kinds, ["initial", "state", "terminal"]);
    assert_eq!(result.at("x[1]", 2.5).expect_err("outside").code(), "outside-result");
    Ok(())
}

#[test]
fn results_are_written_and_read_again() -> Result<(), Error> {
    let result = Model::from_text(DECAY)?.simulate(&Options::default().intervals(10))?;
    let folder = std::env::temp_dir().join(format!("kairos-facade-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("decay.csv");
    result.write(&path)?;
    let file = std::io::BufReader::new(std::fs::File::open(&path).expect("the file"));
    let table = kairos::results::read_csv(file, None).expect("a table");
    assert_eq!(table.time, result.time());
    for name in ["x[1]", "y", "low"] {
        assert_eq!(table.values(name), Some(result.values(name)?));
    }
    result.write(folder.join("decay.mat"))?;
    let mat = std::fs::read(folder.join("decay.mat")).expect("the file");
    assert_eq!(
        kairos::results::read_mat(&mat).expect("a table").values("x[1]"),
        Some(result.values("x[1]")?)
    );
    assert_eq!(result.write(folder.join("decay.xyz")).expect_err("no format").code(), "unknown-format");
    std::fs::remove_dir_all(&folder).expect("removed");
    Ok(())
}

#[test]
fn errors_say_where_and_what_to_do() {
    let wrong =
        Model::from_text("model M\n  Real x;\nequation\n  der(x) = y;\nend M;").expect_err("a mistake");
    let place = wrong.place().expect("a place");
    assert_eq!((place.file.as_str(), place.line, place.column), ("text.mo", 4, 12));
    assert!(wrong.to_string().contains("error[") && wrong.to_string().contains("der(x) = y"), "{wrong}");
    let model = Model::from_text(DECAY).expect("a model");
    let wrong = model.set("kk", 1.0).expect_err("no such name");
    assert_eq!((wrong.code(), wrong.help().len()), ("unknown-variable", 1));
    assert_eq!(model.set("k", "fast").expect_err("no number").code(), "wrong-setting");
    assert_eq!(
        model.simulate(&Options::default().tolerance(-1.0)).expect_err("wrong").code(),
        "wrong-option"
    );
    let stuck = Model::from_text("model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;");
    let failed = stuck.expect("a model").simulate(&Options::default().stop(2.0)).expect_err("it explodes");
    near(failed.time().expect("a time"), 1.0, 1e-3);
}

#[test]
fn runs_are_advanced_set_and_forked() -> Result<(), Error> {
    let model = Model::from_text(DECAY)?;
    let mut sim = model.start(&Options::default().tolerance(1e-10))?;
    assert_eq!(sim.run_to_event(2.0)?, Stop::Event);
    near(sim.time(), 2.0_f64.ln(), 1e-8);
    assert_eq!(sim.get("low")?, 1.0);
    let mut fork = sim.fork()?;
    fork.set("u", 1.0)?;
    near(fork.get("der(x[1])")?, 0.5, 1e-8);
    assert_eq!(fork.step(1.0)?, Stop::Reached);
    near(fork.get("x[1]")?, 1.0 - 0.5 * (-1.0_f64).exp(), 1e-8);
    assert_eq!(sim.run_to(5.0)?, Stop::Ended);
    near(sim.get("x[1]")?, (-2.0_f64).exp(), 1e-8);
    assert_eq!(sim.take_events().len(), 3);
    assert_eq!(sim.set("x[1]", 1.0).expect_err("no input").code(), "wrong-input");
    let driven = Options::default().inputs(Inputs::default().function("u", |t| t, &[]));
    // x' = -x + t has the solution t - 1 + 2 exp(-t).
    near(model.simulate(&driven.tolerance(1e-10))?.at("x[1]", 1.5)?, 0.5 + 2.0 * (-1.5_f64).exp(), 1e-8);
    Ok(())
}

#[test]
fn worlds_are_in_memory() -> Result<(), Error> {
    let files = Files::default()
        .with("lib/P/package.mo", "package P model A parameter Real a = 2; Real x = a*time; end A; end P;")
        .with("./Use.mo", "model Use extends P.A(a = 5); end Use;");
    let request =
        Request { file: Some("Use.mo".into()), libraries: vec!["lib".into()], ..Request::default() };
    let model = Model::compile(files, request)?;
    near(model.simulate(&Options::default())?.at("x", 0.5)?, 2.5, 1e-12);
    Ok(())
}

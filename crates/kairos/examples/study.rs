//! A study on all cores: one compiled model, shared by threads that each set a parameter of their own.

use kairos::{Error, Model, Options};

const CIRCUIT: &str = "model Circuit
  parameter Real R(unit = \"Ohm\") = 10, L(unit = \"H\") = 0.1, C(unit = \"F\") = 1e-3;
  Real v(start = 1, fixed = true, unit = \"V\"), i(start = 0, fixed = true, unit = \"A\");
equation
  C*der(v) = -i;
  L*der(i) = v - R*i;
end Circuit;";

fn main() -> Result<(), Error> {
    let model = Model::from_text(CIRCUIT)?;
    let options = Options::default().stop(0.2).keep(&["v"]).events(false);
    let resistances: Vec<f64> = (0..8).map(|k| 2.0 * 1.8_f64.powi(k)).collect();
    let lowest = std::thread::scope(|scope| {
        let run = |r: f64| {
            let (model, options) = (&model, &options);
            scope.spawn(move || {
                let result = model.set("R", r)?.simulate(options)?;
                Ok(result.values("v")?.into_iter().fold(f64::INFINITY, f64::min))
            })
        };
        let threads: Vec<_> = resistances.iter().map(|&r| run(r)).collect();
        let joined = threads.into_iter().map(|thread| thread.join().expect("a thread that does not panic"));
        joined.collect::<Result<Vec<f64>, Error>>()
    })?;
    for (resistance, lowest) in resistances.iter().zip(lowest) {
        println!("R = {resistance:8.3} Ohm: v falls to {lowest:.4} V");
    }
    Ok(())
}

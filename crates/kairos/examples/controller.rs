//! A model in a loop with a program: a controller in Rust drives a motor, and tries what would happen if it did not.

use kairos::{Model, Options};

const MOTOR: &str = "model Motor
  input Real voltage(unit = \"V\");
  output Real speed(unit = \"rad/s\") = w;
  parameter Real J = 0.01, k = 0.1, R = 0.5, load = 0.2;
protected
  Real w(start = 0, fixed = true), i;
equation
  J*der(w) = k*i - (if w > 20 then load else 0);
  voltage = R*i + k*w;
end Motor;";

fn main() -> Result<(), kairos::Error> {
    let model = Model::from_text(MOTOR)?;
    let mut sim = model.start(&Options::default().stop(10.0))?;
    let (wanted, mut sum) = (50.0, 0.0);
    while sim.time() < 5.0 {
        let error = wanted - sim.get("speed")?;
        sum += 0.01 * error;
        sim.set("voltage", (0.5 * error + 2.0 * sum).clamp(-12.0, 12.0))?;
        sim.step(0.01)?;
    }
    let mut coasting = sim.fork()?;
    coasting.set("voltage", 0.0)?;
    coasting.step(0.5)?;
    println!(
        "speed {:.3}, and without voltage for half a second {:.3}",
        sim.get("speed")?,
        coasting.get("speed")?
    );
    let found = sim.take_events().into_iter().filter(|event| event.kind == kairos::EventKind::State);
    for event in found {
        print!("{}", event.text(model.sources()));
    }
    Ok(())
}

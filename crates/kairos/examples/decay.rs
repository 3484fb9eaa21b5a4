//! The smallest program: compile a text, set a parameter, simulate, ask for a value between the stored points.

fn main() -> Result<(), kairos::Error> {
    let model = kairos::Model::from_text(
        "model Decay
           parameter Real k = 1;
           Real x(start = 1, fixed = true);
         equation
           der(x) = -k*x;
         end Decay;",
    )?;
    let options = kairos::Options::default().stop(1.0).tolerance(1e-9);
    let result = model.set("k", 2.0)?.simulate(&options)?;
    println!("{}", result.at("x", 0.5)?);
    Ok(())
}

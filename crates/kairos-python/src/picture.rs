//! A drawing of a result: shown in notebooks, saved to files.

use crate::errors::{misuse, raise};
use kairos::Trajectory;
use kairos_analysis::Linear;
use kairos_plot::{Drawing, Form, Pane, Series, render, render_text};
use pyo3::prelude::*;
use std::path::PathBuf;

/// At most so many variables are drawn that nobody has named.
const FEW: usize = 6;

/// A drawing of variables over time.
#[pyclass(frozen, module = "kairos")]
pub struct Picture {
    drawing: Drawing,
}

/// A linear model as the package in Python asks for it.
#[pyclass(frozen, module = "kairos")]
pub struct Around(pub Linear);

#[pymethods]
impl Around {
    fn json(&self) -> String {
        self.0.json()
    }

    #[pyo3(signature = (low=None, high=None))]
    fn bode(&self, low: Option<f64>, high: Option<f64>) -> PyResult<Picture> {
        if self.0.inputs.is_empty() || self.0.outputs.is_empty() {
            return Err(misuse("a Bode diagram goes from inputs to outputs, and there are none: name some"));
        }
        let range = low.zip(high);
        if range.is_some_and(|(low, high)| !(0.0 < low && low < high && high.is_finite())) {
            return Err(misuse(
                "the frequencies of a Bode diagram are two positive numbers, the smaller one first",
            ));
        }
        Ok(Picture { drawing: self.0.bode(range) })
    }

    fn poles(&self) -> Picture {
        Picture { drawing: self.0.pole_diagram() }
    }
}

/// A drawing of panes; without any, of the states, or else of the first variables that vary.
pub fn drawing(result: &Trajectory, panes: Vec<Vec<String>>, title: String) -> PyResult<Picture> {
    let panes = match panes.is_empty() {
        false => panes,
        true => {
            let varying = || result.series().iter().filter(|series| series.varies());
            let is_state = |name: &str| result.find(&format!("der({name})")).is_ok();
            let states: Vec<String> =
                varying().filter(|series| is_state(&series.name)).map(|series| series.name.clone()).collect();
            let shown = match states.is_empty() {
                false => states,
                true => varying().map(|series| series.name.clone()).collect(),
            };
            shown.into_iter().take(FEW).map(|name| vec![name]).collect()
        }
    };
    let series = |name: &String| {
        let values = result.values(name).map_err(|error| raise(&error))?;
        let found = result.find(name).map_err(|error| raise(&error))?;
        let mut series = Series::new(name, &found.unit, result.time(), &values);
        series.stepped |= found.is_discrete;
        Ok(series)
    };
    let pane = |names: &Vec<String>| Ok(Pane { series: names.iter().map(series).collect::<PyResult<_>>()? });
    let panes = panes.iter().map(pane).collect::<PyResult<_>>()?;
    let mut marks: Vec<f64> = result.time().windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
    marks.dedup();
    Ok(Picture { drawing: Drawing { title, panes, marks, ..Drawing::default() } })
}

#[pymethods]
impl Picture {
    /// The drawing as SVG.
    #[getter]
    pub fn svg(&self) -> String {
        String::from_utf8_lossy(&render(&self.drawing, Form::Svg)).into_owned()
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    /// Saves the drawing as `.svg`, `.png`, `.pdf` or `.html`, by the end of the name.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let form = Form::of(&path.to_string_lossy());
        let form = form.ok_or_else(|| misuse("end the name in .svg, .png, .pdf or .html"))?;
        Ok(std::fs::write(path, render(&self.drawing, form))?)
    }

    fn __str__(&self) -> String {
        render_text(&self.drawing, false)
    }
}

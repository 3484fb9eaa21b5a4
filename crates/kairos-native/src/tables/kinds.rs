//! The options of table interpolation, as the enumerations of `Modelica.Blocks.Types` number them.

/// How values between table points are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothness {
    Linear,
    /// Akima 1970.
    Akima,
    Constant,
    /// Fritsch and Butland 1984, monotone.
    FritschButland,
    /// Steffen 1990, monotone.
    Steffen,
    /// Akima with the modified weights that avoid overshoot at flat stretches.
    ModifiedAkima,
}

/// What happens outside of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extrapolation {
    Hold,
    LastTwoPoints,
    Periodic,
    /// An error.
    Forbidden,
}

/// Where a time table interrupts the integrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeEvents {
    Always,
    AtDiscontinuities,
    Never,
}

impl Smoothness {
    pub fn from_index(index: i64) -> Result<Smoothness, String> {
        Ok(match index {
            1 => Smoothness::Linear,
            2 => Smoothness::Akima,
            3 => Smoothness::Constant,
            4 => Smoothness::FritschButland,
            5 => Smoothness::Steffen,
            6 => Smoothness::ModifiedAkima,
            _ => {
                return Err(format!(
                    "smoothness {index} is unknown: expected 1 to 6 (Modelica.Blocks.Types.Smoothness)"
                ));
            }
        })
    }

    pub(super) fn is_spline(self) -> bool {
        !matches!(self, Smoothness::Linear | Smoothness::Constant)
    }
}

impl Extrapolation {
    pub fn from_index(index: i64) -> Result<Extrapolation, String> {
        Ok(match index {
            1 => Extrapolation::Hold,
            2 => Extrapolation::LastTwoPoints,
            3 => Extrapolation::Periodic,
            4 => Extrapolation::Forbidden,
            _ => {
                return Err(format!(
                    "extrapolation {index} is unknown: expected 1 to 4 (Modelica.Blocks.Types.Extrapolation)"
                ));
            }
        })
    }
}

impl TimeEvents {
    pub fn from_index(index: i64) -> Result<TimeEvents, String> {
        Ok(match index {
            1 => TimeEvents::Always,
            2 => TimeEvents::AtDiscontinuities,
            3 => TimeEvents::Never,
            _ => {
                return Err(format!(
                    "timeEvents {index} is unknown: expected 1 to 3 (Modelica.Blocks.Types.TimeEvents)"
                ));
            }
        })
    }
}

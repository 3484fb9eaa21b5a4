// compile:
// A misspelt setting of the experiment, which would have no effect. The help has the nearest one.
model MisspeltSetting
  Real x = time;
  annotation(experiment(StopTim = 2)); //~ warning[unknown-setting] `experiment` has no setting `StopTim`
end MisspeltSetting;

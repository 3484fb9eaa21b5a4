"""Results as tables of other packages, which are imported when they are asked for."""


def _columns(result, names):
    chosen = result.varying if names is None else names
    return {name: result[name] for name in chosen}


def to_pandas(self, names=None):
    """The variables that vary, or those named, as a pandas.DataFrame over time; units are in `attrs["units"]`."""
    import pandas

    frame = pandas.DataFrame(_columns(self, names), index=pandas.Index(self.time, name="time"))
    frame.attrs["units"] = {name: unit for name, unit in self.units.items() if name in frame.columns}
    return frame


def to_polars(self, names=None):
    """The variables that vary, or those named, as a polars.DataFrame with a column `time`."""
    import polars

    return polars.DataFrame({"time": self.time, **_columns(self, names)})


def to_xarray(self, names=None):
    """The variables that vary, or those named, as an xarray.Dataset over time, with units and descriptions."""
    import xarray

    units, descriptions = self.units, self.descriptions
    variables = {
        name: ("time", values, {"units": units[name], "long_name": descriptions[name]})
        for name, values in _columns(self, names).items()
    }
    return xarray.Dataset(variables, coords={"time": ("time", self.time, {"units": "s"})})


def to_arrow(self, names=None):
    """The variables that vary, or those named, as a pyarrow.Table; the numbers are not copied."""
    import pyarrow

    columns = {"time": self.time, **_columns(self, names)}
    units = self.units
    fields = [
        pyarrow.field(name, pyarrow.float64(), metadata={"unit": "s" if name == "time" else units[name]})
        for name in columns
    ]
    arrays = [pyarrow.array(values, type=pyarrow.float64()) for values in columns.values()]
    return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))


def arrow_stream(self, requested_schema=None):
    """The Arrow PyCapsule interface: polars, pandas, duckdb and others take a result as it is."""
    return to_arrow(self).__arrow_c_stream__(requested_schema)

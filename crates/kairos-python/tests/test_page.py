"""The page on Python and the notebook: every block of them runs."""

import json
import os
import pathlib
import re

import pytest

PAGE = pathlib.Path(os.environ.get("KAIROS_PAGE", pathlib.Path(__file__).parents[3] / "docs" / "python.md"))


@pytest.mark.skipif(not PAGE.exists(), reason="the page is not here")
def test_every_block_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert len(blocks) >= 8
    scope = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), scope)
    assert scope["result"].at("v", 0.1) == pytest.approx(5 * (1 - 2.718281828459045 ** (-0.1 / 0.02)), abs=1e-6)
    assert (tmp_path / "charging.svg").exists()


@pytest.mark.skipif(not PAGE.with_name("ball.ipynb").exists(), reason="the notebook is not here")
def test_the_notebook_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = json.loads(PAGE.with_name("ball.ipynb").read_text(encoding="utf-8"))["cells"]
    scope = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "ball.ipynb", "exec"), scope)
    assert abs(scope["fit"].values["e"] - 0.7) < 2 * scope["fit"].confidence["e"] < 0.05
    # The first bounce is when a fall from one metre ends.
    bounces = [event["time"] for event in scope["result"].events if event["time"] > 0]
    assert bounces[0] == pytest.approx((2 / 9.81) ** 0.5, abs=1e-7)

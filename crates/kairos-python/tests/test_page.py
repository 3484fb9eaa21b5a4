"""The page on Python: every block of it runs."""

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

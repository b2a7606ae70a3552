"""Playthroughs: whole races as they are told in the terminal, line by line as in tests/playthroughs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playthroughs.make import FILES, played

AGAIN = "if the change is meant: python -m tests.playthroughs.make, and read the difference"


def test_there_are_playthroughs():
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_race_is_told_as_it_was(path: Path):
    now, before = played(path).splitlines(), path.read_text("utf-8").splitlines()
    for number, (one, other) in enumerate(zip(now, before, strict=False), 1):
        assert one == other, f"line {number}; {AGAIN}"
    assert len(now) == len(before), AGAIN

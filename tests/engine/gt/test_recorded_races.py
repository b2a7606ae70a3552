"""Recorded races, one per way of ending (tests/races/make.py): they replay, to the byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.core.log import Race, decode_record, encode_record, replay, replay_steps
from engine.core.registry import find_game
from engine.core.rng import commitment
from engine.gt.events import CarFinished, CarRetired, RaceEnded

FOLDER = Path(__file__).parents[2] / "races/gt"
FILES = sorted(FOLDER.glob("*.json"))
# Every value that `engine.gt.game` gives to `Result.way`.
WAYS = {"all", "first", "podium", "stopped", "walkover", "retired", "solo"}

each_race = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def driven(path: Path) -> Race[Any, Any, Any, Any]:
    return replay(decode_record(path.read_bytes(), path.name))


def test_there_is_a_race_for_every_way_of_ending():
    assert {path.stem for path in FILES} == WAYS


@each_race
def test_it_ends_that_way_with_the_classification_it_says(path: Path):
    race = driven(path)
    result = find_game("gt").result(race.state)
    assert result is not None
    assert result.way == path.stem
    events = [event for entry in race.entries for event in entry.events]
    (ended,) = [event for event in events if isinstance(event, RaceEnded)]
    assert [place.seat for place in result.places] == list(ended.order)
    assert [place.place for place in result.places] == list(range(1, len(race.header.entrants) + 1))
    finished = [event.seat for event in events if isinstance(event, CarFinished)]
    retired = {event.seat for event in events if isinstance(event, CarRetired)}
    assert [place.seat for place in result.places if place.status == "finished"] == finished
    assert {place.seat for place in result.places if place.status == "retired"} == retired
    assert all(place.score > 0 for place in result.places) == (result.way == "solo")


@each_race
def test_its_dice_are_those_that_were_promised(path: Path):
    header = decode_record(path.read_bytes(), path.name).header
    assert header.seed is not None
    assert commitment(bytes.fromhex(header.seed)) == header.commitment


@each_race
def test_writing_it_again_gives_the_same_bytes(path: Path):
    assert encode_record(driven(path), reveal=True) == path.read_bytes()


@each_race
def test_a_decision_is_owed_until_the_last_entry(path: Path):
    game = find_game("gt")
    *running, last = replay_steps(decode_record(path.read_bytes(), path.name))
    assert all(game.decisions(race.state) and game.result(race.state) is None for race in running)
    assert not game.decisions(last.state)


def test_the_races_together_have_seen_a_lot():
    records = [decode_record(path.read_bytes(), path.name) for path in FILES]
    assert {entry.actor for record in records for entry in record.entries} == {
        "driver",
        "order",
        "ai",
        "clock",
        "steward",
    }
    assert any(entry.undo_to is not None for record in records for entry in record.entries)

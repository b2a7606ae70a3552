"""The log that solo drivers post: writing, reading, adding up (rules, section 10; docs/notation.md)."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import NotationError, Rejected
from engine.core.game import Entrant, Setup
from engine.core.log import Race, start_race
from engine.core.model import Seat
from engine.core.options import make_options
from engine.gt.actions import ChooseSpace
from engine.gt.events import BoxTicked
from engine.gt.game import GAME
from engine.gt.material import OFF_ROAD, material
from engine.gt.meta import META, Options
from engine.gt.notation import ILLEGAL, MALFORMED, play
from engine.gt.solo import clock_time, sheet
from engine.gt.solo_log import LogTurn, SoloLog, format_log, log_of, parse_log, turns_of
from tests.engine.laws.walk import SETUPS, walk

PAGE = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")
EXAMPLE = "1234(4):56c(3):3bb2100(-1)!G"

SoloRace = Race[Any, Any, Any, Any]


def alone(seed: int, **chosen: Any) -> SoloRace:
    """A solo race at its start, its options drawn from the whole range of what can be agreed."""
    chance = random.Random(f"solo/{seed}")
    setup = SETUPS["gt"](chance)
    drawn = msgspec.structs.replace(
        setup.options, solo_00=chance.choice((30, 120)), finish_in_control=chance.random() < 0.2, **chosen
    )
    return start_race(GAME, Setup(setup.track, drawn, (Entrant("Ann", car="GT5"),), setup.seed))


def driven(seed: int, **chosen: Any) -> SoloRace:
    """A whole solo race at random."""
    return list(walk(alone(seed, **chosen), random.Random(f"run/{seed}")))[-1]


def read(race: SoloRace, text: str) -> SoloLog:
    """The log, read with what the header of the race says."""
    options = race.state.options
    return parse_log(text, car_class=race.state.cars[0].car_class, seconds_00=options.solo_00)


def blocks(kind: str) -> list[str]:
    found = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.S | re.M)
    assert found, f"the page has no block {kind}"
    return found


def error(text: str, **more: Any) -> NotationError:
    with pytest.raises(NotationError) as caught:
        parse_log(text, **more)
    return caught.value


# --- reading --------------------------------------------------------------------------------------------------------


def test_the_example_of_the_rules() -> None:
    log = parse_log(EXAMPLE)
    assert log.turns == (
        LogTurn(("1", "2", "3", "4"), 4, 20, 4),
        LogTurn(("5", "6", "c"), 6, 10, 3),
        LogTurn(("3bb", "2", "1"), OFF_ROAD, 90, -1, True, "G"),
    )
    assert (log.finished, log.car_class) == (True, "GT6")
    # 20 + 10 + 90 (crashed over the line, GT-SOLO-8), six tokens left.
    assert (log.driving_time, log.credit, log.total) == (120, 6, 114)
    assert format_log(log.turns) == EXAMPLE


def test_example_31_adds_up() -> None:
    # Turns that end in 6, 3, 5, 5, 5, 5, 6, 6, with 23 focus left (only the last gear of each turn counts).
    text = "123456(6):3bb(1):45(2):5c(2):5c(2):5c(2):56(2):6cc(6)"
    log = parse_log(text)
    assert [tick.gear for tick in log.ticks] == [6, 3, 5, 5, 5, 5, 6, 6]
    assert (log.driving_time, log.credit, log.total) == (120, 23, 97)
    assert clock_time(log.total) == "1:37"


def test_capitals_and_blanks_mean_nothing() -> None:
    assert parse_log(" 1 2 3 4 ( 4 ) : 5 6 C (+3) : 3 B B 2 1 00 ( -1 ) ! g ") == parse_log(EXAMPLE)


def test_boost_and_red_zone() -> None:
    assert parse_log("13a4(3)").car_class == "GT5"
    red_zone = parse_log("12345(5):6bb4b")
    assert red_zone.turns[1].dice == ("6", "b", "b", "4b")
    assert error("13a4(3)", car_class="GT6").column == 2


def test_a_flying_start_is_possible_from_gear_0_only_at_the_start_of_a_turn() -> None:
    assert parse_log("23(2)").turns[0].dice == ("2", "3")
    assert error("3").column == 1


@pytest.mark.parametrize(
    ("text", "gears"),
    [
        ("12:3200!:0:12", [2, OFF_ROAD, 0, 2]),
        # A pit stop for tyres, and one for repairs with its turn of waiting.
        ("1:c0:1", [1, 0, 1]),
        ("1:c00:0:1", [1, OFF_ROAD, 0, 1]),
        # No die left: straight to the repairs; or, where there are no pits, a gearbox token goes back.
        ("120!GGGGGG:00:0:1", [0, OFF_ROAD, 0, 1]),
        ("120!GGGGGG:-:1", [0, 0, 1]),
    ],
)
def test_turns_without_a_step_and_pit_stops(text: str, gears: list[int]) -> None:
    log = parse_log(text)
    assert [turn.gear for turn in log.turns] == gears
    assert format_log(log.turns) == text


def test_damage_takes_dice_away_until_it_is_repaired() -> None:
    assert parse_log("1cc").turns[0].dice == ("1", "c", "c")
    refused = error("120!C:1cc", car_class="GT6")
    assert (refused.column, refused.code) == (9, ILLEGAL)
    assert parse_log("120!C:1:c00:0:1cc", car_class="GT6").turns[-1].dice == ("1", "c", "c")


def test_a_race_that_did_not_finish_is_marked_and_its_last_loss_costs_no_way_back() -> None:
    finished, not_finished = parse_log("1234:300!B"), parse_log("1234:300!B:...")
    assert (finished.finished, not_finished.finished) == (True, False)
    assert (finished.turns[-1].seconds, not_finished.turns[-1].seconds) == (90, 30)
    assert parse_log("...").turns == ()


@pytest.mark.parametrize(("seconds_00", "crash"), [(30, 90), (120, 180)])
def test_the_seconds_of_00_are_an_option(seconds_00: int, crash: int) -> None:
    log = parse_log("1234:300!:0:1:2:300!", seconds_00=seconds_00)
    assert [turn.seconds for turn in log.turns] == [20, seconds_00, 60, 50, 40, crash]


def test_the_class_is_the_first_whose_dice_allow_the_log() -> None:
    assert parse_log("1234").car_class == "GT6"
    assert parse_log("1ccc").car_class == "GT4"
    with pytest.raises(Rejected) as refusal:
        parse_log("1234", car_class="GT7")
    assert refusal.value.code == "setup/class"


# --- errors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "column", "code"),
    [
        ("", 1, MALFORMED),
        ("  ", 3, MALFORMED),
        (":", 1, MALFORMED),
        ("12:", 4, MALFORMED),
        ("12::3", 4, MALFORMED),
        ("12;3", 3, MALFORMED),
        ("17", 2, MALFORMED),
        ("12(", 4, MALFORMED),
        ("12(x)", 4, MALFORMED),
        ("12(2", 5, MALFORMED),
        ("12()", 4, MALFORMED),
        ("12(1234567)", 10, MALFORMED),
        ("12!X", 4, MALFORMED),
        ("12000", 5, MALFORMED),
        ("...12", 4, MALFORMED),
        ("12...", 3, MALFORMED),
        ("12:...:3", 7, MALFORMED),
        ("3", 1, ILLEGAL),
        ("11", 2, ILLEGAL),
        ("13", 2, ILLEGAL),
        ("1b", 2, ILLEGAL),
        ("123456:3b", 8, ILLEGAL),
        ("12(2):3(-3)", 8, ILLEGAL),
        ("12(-1)", 3, ILLEGAL),
        ("120", 3, ILLEGAL),
        ("12!", 3, ILLEGAL),
        ("1234:300!:12", 11, ILLEGAL),
        ("1234:300!:00", 11, ILLEGAL),
        ("12:0", 4, ILLEGAL),
        ("1:c00:0(1)", 8, ILLEGAL),
        ("1ccc:2", 4, ILLEGAL),
    ],
)
def test_errors_point_at_the_first_wrong_character(text: str, column: int, code: str) -> None:
    refused = error(text, car_class="GT6")
    assert (refused.column, refused.code) == (column, code)
    assert refused.pointed() == f"{text}\n{' ' * (column - 1)}^ {refused.reason}"


def test_illegal_turns_are_numbered() -> None:
    assert error("12(2):34(-3)").reason == "turn 2: 3 focus are spent, but there are only 2"


# --- the page for players -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [line for block in blocks("log") for line in block.splitlines()])
def test_the_logs_of_the_page_can_be_read_and_written_again(text: str) -> None:
    log = parse_log(text)
    assert format_log(log.turns, "" if log.finished else "...") == text


def test_the_errors_of_the_page_are_what_is_said() -> None:
    lines = [line for block in blocks("log errors") for line in block.splitlines()]
    for text, expected in zip(lines[::2], lines[1::2], strict=True):
        assert error(text).pointed() == f"{text}\n{expected}"


# --- round trips ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_the_log_of_a_race_is_read_as_what_happened(seed: int) -> None:
    race = driven(seed)
    text = log_of(race)
    log = read(race, text)
    assert log.turns == tuple(turns_of(race))
    assert log.finished is bool(race.state.finished)
    assert format_log(log.turns, "" if log.finished else "...") == text
    # It adds up to what the sheet says.
    written = sheet(race.state)
    assert (log.driving_time, log.credit, log.total) == (written.driving_time, written.credit, written.total)
    assert [(tick.gear, tick.seconds) for tick in log.ticks] == [(t.gear, t.seconds) for t in race.state.ticks]


def test_random_races_show_every_part_of_a_log() -> None:
    texts = [log_of(driven(seed)) for seed in range(30)]
    together = ":".join(texts)
    for part in ("(", "(-", "!", "00", "c", "b", "a", "...", "G", "B", "C"):
        assert part in together, part


@pytest.mark.parametrize("seed", range(4))
def test_the_log_of_a_race_still_running_ends_in_dots(seed: int) -> None:
    for number, race in enumerate(walk(alone(seed), random.Random(f"run/{seed}"))):
        if race.state.stage == "over":
            break
        text = log_of(race)
        assert text.endswith("...")
        if number % 5 == 0:
            log = read(race, text)
            assert log.turns == tuple(turns_of(race))
            assert len(log.turns) == len(race.state.ticks)


def test_the_log_of_a_race_says_exactly_what_was_driven() -> None:
    options = make_options(META, "solo")
    race = start_race(GAME, Setup("C2", options, (Entrant("Ann"),), bytes(16)))
    for text in ("1 2 3 ; flat", "4 1bb ; one r ."):
        for action in play(race.state, Seat(0), text).actions:
            race = race.act(action)
    assert log_of(race) == "123(3):4:..."
    assert sum(isinstance(event, BoxTicked) for entry in race.entries for event in entry.events) == 2


def test_what_was_taken_back_is_not_in_the_log() -> None:
    race = start_race(GAME, Setup("C2", Options(), (Entrant("Ann"),), bytes(16)))
    space = next(action.space for action in GAME.legal(race.state, Seat(0)) if isinstance(action, ChooseSpace))
    race = race.act(ChooseSpace(Seat(0), space)).undo(Seat(0))
    for action in play(race.state, Seat(0), "1 ; one r").actions:
        race = race.act(action)
    assert log_of(race) == "1:..."


def test_a_race_in_company_has_no_solo_log() -> None:
    race = start_race(GAME, Setup("C2", Options(), (Entrant("Ann"), Entrant("Ben")), bytes(16)))
    with pytest.raises(ValueError, match="one driver"):
        log_of(race)


# --- arbitrary text -------------------------------------------------------------------------------------------------

signs = st.lists(st.sampled_from([*"123456cba0:()!-+.GBC 789xü", "00", "(4)", "(-1)", "!G", "...", "\t", "²", "K"]))
classes = st.sampled_from([None, *material().classes])


def refusal_of(carry_out: Callable[[], object]) -> NotationError | None:
    try:
        carry_out()
    except NotationError as refused:
        return refused
    return None


@settings(max_examples=500)
@given(st.one_of(st.text(max_size=40), signs.map("".join)), classes)
def test_any_text_is_a_log_or_refused_with_its_place(text: str, car_class: str | None) -> None:
    refused = refusal_of(lambda: parse_log(text, car_class=car_class))
    if refused is not None:
        assert refused.code in (MALFORMED, ILLEGAL)
        assert 1 <= refused.column <= len(text) + 1
        return
    # What can be read can be written, and means the same again.
    log = parse_log(text, car_class=car_class)
    written = format_log(log.turns, "" if log.finished else "...")
    assert parse_log(written, car_class=car_class) == log


@settings(max_examples=100)
@given(st.integers(0, 9), st.data())
def test_a_damaged_log_is_refused_or_still_a_log(seed: int, data: st.DataObject) -> None:
    text = LOGS[seed]
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.sampled_from(["", text[at] * 2, *"x7(:!."])) + text[at + 1 :]
    refused = refusal_of(lambda: parse_log(damaged))
    if refused is not None:
        assert 1 <= refused.column <= len(damaged) + 1


LOGS = [log_of(driven(seed)) for seed in range(10)]

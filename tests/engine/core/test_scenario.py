"""Scenario files: ours pass, a wrong expectation is told as a difference, a malformed file is refused."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.errors import ScenarioError
from engine.core.registry import find_game, game_ids
from engine.core.scenario import Report, find_hooks, run_scenario
from engine.core.scenario_file import Changes, Do, Scenario, load_scenario
from engine.gt.arrange import CarSetup, Chance, Position
from engine.gt.reasons import REASONS

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "tests/scenarios").rglob("*.toml"))
PAGE = (ROOT / "docs/scenarios.md").read_text("utf-8")

HEAD = """
title = "a straight step"
game = "gt"
track = "C2"
rules = ["GT-MOVE-1"]
"""
CAR = """
[state.cars]
Red = { space = "10.L1", gear = 3 }
"""
STEP = """
[[do]]
by = "Red"
play = "4@10.L2 ; one r"
"""
GOOD = HEAD + CAR + '[chance]\ndice = ["4"]\n' + STEP


@pytest.fixture
def scenario(tmp_path: Path):
    """Run a text as a file called case.toml."""

    def run(text: str) -> Report:
        path = tmp_path / "case.toml"
        path.write_text(text, "utf-8")
        return run_scenario(path)

    return run


# --- ours ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scenario_file(path: Path):
    report = run_scenario(path)
    assert report.passed, "\n".join(report.differences)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_rules_a_file_names_exist(path: Path):
    found = load_scenario(path)
    assert found.rules
    assert path.parent.name == found.game
    reference = (ROOT / f"docs/rules/{found.game}.md").read_text("utf-8")
    assert [rule for rule in found.rules if not re.search(rf"\b{re.escape(rule)}\b", reference)] == []


# EX-32 is a table of chances, not a position: tests/engine/gt/test_odds.py.
def test_every_worked_example_of_gt_has_a_file():
    sources = {load_scenario(path).source for path in FILES if path.parent.name == "gt"}
    assert {f"EX-{number}" for number in range(1, 34)} - {"EX-32"} <= sources


# --- the page that explains them ----------------------------------------------------------------------------------


def test_the_example_of_the_page_passes(scenario: Any):
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert scenario(example).differences == []


def _names(kind: Any) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(kind)}


def _facts(path: Path) -> set[str]:
    """The names of all facts; tables by driver, space or number are looked into at one entry."""
    scenario = load_scenario(path)
    hooks = find_hooks(scenario.game)
    state, _ = hooks.start(scenario.given())
    found: set[str] = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict) and value and not re.fullmatch(r"[A-Z].*|\d+(\.\w+)?", next(iter(value))):
            found.update(value)
            for part in value.values():
                walk(part)
        elif isinstance(value, dict | list) and value:
            walk(next(iter(value.values() if isinstance(value, dict) else value)))

    walk(dict(hooks.facts(state)))
    return found


def test_the_page_names_every_field_fact_event_action_and_code():
    types = find_game("gt").types
    events, actions = get_args(types.event), get_args(types.action)
    wanted = _names(Scenario) | _names(Do) | _names(Changes) | _names(CarSetup) | _names(Position) | _names(Chance)
    # Undoing and the clock belong to the record, not to a scenario.
    wanted |= {code for code in REASONS if not code.startswith(("undo/", "clock/"))}
    wanted |= {kind.__struct_config__.tag for kind in (*events, *actions)}
    wanted |= set().union(*map(_names, (*events, *actions)))
    wanted |= _facts(ROOT / "tests/scenarios/gt/ex-21-laid-out-again.toml")
    said = set(re.findall(r"[a-z][a-z_]*(?:/[a-z_]+)?", " ".join(re.findall(r"`+[^`]+`+|\[\w+\]", PAGE))))
    assert sorted(wanted - said) == []


def test_every_game_has_its_section():
    for game_id in game_ids():
        assert f"\n## {find_game(game_id).meta.title}\n" in PAGE


# --- what did not come out as written -----------------------------------------------------------------------------


def test_what_comes_out_as_written_passes(scenario: Any):
    report = scenario(GOOD + 'expect = { turn = "Red", cars.Red = { space = "10.L2", gear = 4 } }')
    assert report == Report(True, "a straight step", "", [])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (GOOD + "expect.cars.Red.gear = 5", "do[1].expect.cars.Red.gear: expected 5, found 4"),
        (GOOD + '[expect]\ncars.Red.space = "10.M2"', 'expect.cars.Red.space: expected "10.M2", found "10.L2"'),
        (GOOD + '[expect]\nround = "2"', 'expect.round: expected "2", found 2'),
        (GOOD + "[expect]\nround = true", "expect.round: expected true, found 2"),
        (GOOD + '[expect]\norder = ["Red", "Blue"]', 'expect.order: expected ["Red", "Blue"], found ["Red"]'),
        (
            GOOD + 'events = [{ event = "car_moved", gear = 5 }]',
            'do[1].events[1]: expected {event = "car_moved", gear = 5}, found {event = "car_moved", seat = "Red", '
            'source = "10.L1", target = "10.L2", gear = 4, hazards = 0, seen_by = ""}',
        ),
        (
            GOOD + 'events = [{ event = "turn_ended" }, { event = "car_moved" }]',
            'do[1].events[2]: expected {event = "car_moved"}, found no such event among those that remain: '
            "box_ticked, round_started, turn_started",
        ),
        (
            GOOD + 'no_events = ["turn_ended"]',
            'do[1].no_events[1]: expected no turn_ended, found {event = "turn_ended", seat = "Red", gear = 4, '
            'seen_by = ""}',
        ),
        (
            GOOD + 'rejected = "plan/dice"',
            'do[1].rejected: expected "plan/dice", found that it happened: step_laid, plan_fixed, dice_rolled, '
            "car_moved, turn_ended, box_ticked, round_started, turn_started",
        ),
        (
            HEAD + CAR + STEP.replace("4@", "6@"),
            "do[1].play: expected that it is legal, found plan/dice (dice=6, space=10.L2)",
        ),
        (
            HEAD + CAR + STEP.replace("4@", "6@") + 'rejected = "plan/occupied"',
            'do[1].rejected: expected "plan/occupied", found plan/dice (dice=6, space=10.L2)',
        ),
        (
            GOOD.replace("one r", "one r s"),
            'do[1].play: expected that all of it is played, found that "s" is too late',
        ),
        (
            HEAD + CAR + '[[do]]\nby = "Red"\nlegal = ["@10.L2"]',
            'do[1].legal: expected no more than ["@10.L2"], found also ["@10.M2", "retire"]',
        ),
        (
            HEAD + CAR + '[[do]]\nby = "Red"\nlegal_includes = ["@11.L1"]',
            'do[1].legal_includes[1]: expected "@11.L1" to be legal, found ["@10.L2", "@10.M2", "retire"]',
        ),
        (
            HEAD + CAR + '[[do]]\nby = "Red"\nlegal_excludes = [{ do = "choose_space", space = "10.M2" }]',
            'do[1].legal_excludes[1]: expected {do = "choose_space", space = "10.M2"} not to be legal, '
            'found ["@10.L2", "@10.M2", "retire"]',
        ),
        (
            GOOD.replace('["4"]', "[]"),
            "do[1]: not enough chance is written down: dice: 1 more wanted, 0 left",
        ),
        (
            GOOD.replace('["4"]', '["4", "5"]'),
            "do[1]: chance.dice: 1 of the outcomes written down were never asked for",
        ),
        (
            GOOD.replace('["4"]', '["c"]'),
            "do[1]: chance.dice[1]: 'c' is written down, but gear die 4 was rolled",
        ),
    ],
)
def test_a_wrong_expectation_fails_with_a_difference(scenario: Any, text: str, line: str):
    report = scenario(text)
    assert not report.passed
    assert report.differences == [line]


def test_all_differences_of_all_steps_are_told(scenario: Any):
    more = "[[do]]\ngiven.chance.dice = []\nexpect = { round = 7, weather = 'wet' }\n[expect]\nlaps = 3\n"
    report = scenario(GOOD + "expect.round = 9\n" + more)
    assert report.differences == [
        "do[1].expect.round: expected 9, found 2",
        "do[2].expect.round: expected 7, found 1",
        'do[2].expect.weather: expected "wet", found "dry"',
        "expect.laps: expected 3, found 1",
    ]


def test_a_new_set_up_starts_from_the_file_with_its_changes(scenario: Any):
    again = '[[do]]\ngiven = { track = "C0", state.cars.Red.space = "3.M1", chance.dice = [] }\n'
    report = scenario(GOOD + again + 'expect = { circuit.id = "C0", cars.Red = { space = "3.M1", gear = 3 } }')
    assert report.differences == []


def test_a_step_sees_only_its_own_events(scenario: Any):
    report = scenario(GOOD + '[[do]]\nno_events = ["car_moved"]\n')
    assert report.differences == []


# --- what cannot be read ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # Unknown fields, at every level.
        ('titel = "x"' + GOOD, "titel: there is no such field; there are: title, game, track, rules"),
        (GOOD + "plays = 3", "do[1].plays: there is no such field; there are: given, by, play"),
        (GOOD + "given.car = 3", "do[1].given.car: there is no such field; there are: track, options, state"),
        (GOOD + "[state.wind]\nx = 1", "state.wind: there is no such field; there are: cars, turn"),
        (GOOD.replace("gear = 3", "gear = 3, wing = 1"), "state.cars.Red.wing: there is no such field"),
        (GOOD.replace("gear = 3", "gear = 3, damage = { horn = 1 }"), "state.cars.Red.damage.horn: Invalid enum value"),
        (GOOD.replace("dice =", "dices ="), "chance.dices: there is no such field; there are: dice, bag"),
        (GOOD + "[options]\nlapse = 2", "options.lapse: no such option; gt knows: laps"),
        (GOOD + "[expect]\ncars.Red.geer = 2", "expect.cars.Red.geer: there is no such field; there are: space"),
        (GOOD + "[expect]\ncars.Blue.gear = 2", "expect.cars.Blue: there is no such field; there are: Red"),
        (GOOD + "expect.plan.stepps = []", "do[1].expect.plan.stepps: there is no such field"),
        (
            GOOD + 'events = [{ event = "car_flew" }]',
            'do[1].events[1].event: "car_flew" is none; there are: grid_drawn',
        ),
        (GOOD + "events = [{ gear = 4 }]", "do[1].events[1].event: it is missing; there are: grid_drawn"),
        (GOOD + 'events = [{ event = "car_moved", geer = 4 }]', "do[1].events[1].geer: there is no such field"),
        (
            GOOD + 'events = [{ event = "dice_rolled", dice = [{ dye = "4" }] }]',
            "do[1].events[1].dice[1].dye: there is no such field; there are: die, hazard",
        ),
        (GOOD + 'no_events = ["car_flew"]', 'do[1].no_events[1].event: "car_flew" is none'),
        (GOOD + 'legal = [{ do = "fly" }]', 'do[1].legal[1].do: "fly" is none; there are: choose_tyres'),
        (GOOD + 'legal_excludes = ["r"]', 'do[1].legal_excludes[1]: no action is ever called "r"'),
        # Wrong kinds of values.
        (GOOD.replace('"a straight step"', "7"), "title: Expected `str`, got `int`"),
        (GOOD.replace('["GT-MOVE-1"]', '"GT-MOVE-1"'), "rules: Expected `array`, got `str`"),
        (GOOD.replace('["GT-MOVE-1"]', "[1]"), "rules[1]: Expected `str`, got `int`"),
        (GOOD.replace('rules = ["GT-MOVE-1"]', ""), "Object missing required field `rules`"),
        (GOOD.replace("gear = 3", "gear = 3.5"), "state.cars.Red.gear: Expected `int | str`, got `float`"),
        (GOOD.replace("gear = 3", 'gear = "3"'), "state.cars.Red.gear: Invalid enum value '3'; choose one of: 00, a"),
        (GOOD.replace('["4"]', '"4"'), "chance.dice: Expected `array | null`, got `str`"),
        (GOOD + "events = 3", "do[1].events: Expected `array`, got `int`"),
        (GOOD + "[options]\nlaps = 99", "options.laps: Expected `int` <= 5"),
        (GOOD + "[options]\nclass = 'GT9'", "options.class: Invalid enum value 'GT9'; choose one of: GT6, GT6 BOP"),
        # Values that make no sense.
        (GOOD.replace('"gt"', '"chess"'), "game: there is no such game; choose one of: gt"),
        (GOOD.replace('"C2"', '"C99"'), "track: c99: there is no such circuit"),
        (GOOD.replace('"a straight step"', '" "'), "title: the title is empty"),
        (GOOD.replace("10.L1", "99.L1"), "state.cars.Red.space: there is no space '99.L1' on this circuit"),
        (GOOD.replace("gear = 3", "gear = 7"), "state.cars.Red.gear: a car on the road cannot be in gear 7"),
        (GOOD.replace("gear = 3", "gear = 3, focus = -1"), "state.cars.Red.focus: -1 is not a number from 0 to 999"),
        (GOOD.replace('["4"]', '["7"]'), "chance.dice[1]: '7' is no die: write 1 to 6, c, b or a"),
        (GOOD.replace('by = "Red"', 'by = "Blue"'), "do[1].by: there is no driver 'Blue'; there are: Red"),
        (GOOD.replace('by = "Red"', ""), "do[1].by: whose step is it? give the driver's name"),
        (GOOD.replace("one r", "one zz"), "do[1].play: column 15: expected "),
        (GOOD + "[[do]]\nrejected = 'plan/dice'", "do[2].rejected: nothing is played that could be rejected"),
        (
            GOOD + "rejected = 'plan/dice'\nevents = [{ event = 'car_moved' }]",
            "do[1].events: what is rejected has no events",
        ),
        (HEAD + CAR, "nothing is played and nothing is expected"),
        (HEAD + STEP, "state: give either a [state] or, for a fresh race, drivers"),
        ('drivers = ["Ann"]' + GOOD, "state: give either a [state] or, for a fresh race, drivers"),
        ('drivers = ["Ann", "Ann"]' + HEAD + "[expect]\nround = 1", "drivers: 'Ann' is there more than once"),
        (GOOD + "given.drivers = ['Ann']", "do[1].given: this file starts from a position with a state"),
        (GOOD + "given.track = 'C99'", "do[1].given.track: c99: there is no such circuit"),
        (GOOD + "given.state.cars.Red.space = 'x'", "do[1].given.state.cars.Red.space: there is no space 'x'"),
        # Not even TOML.
        (GOOD + "expect = [", "line 15: Invalid value"),
        ("title = 'x'\ngame gt\n", "line 2, column 6: Expected '=' after a key in a key/value pair"),
        ("title = 'x'\ntitle = 'y'\n", "line 2, column 12: Cannot overwrite a value"),
        ("x = " + "[" * 50 + "]" * 50, "the file is nested too deeply"),
        ("x = " + "[" * 5000 + "]" * 5000, "the file is nested too deeply"),
    ],
)
def test_a_malformed_file_is_refused_with_file_place_and_reason(scenario: Any, tmp_path: Path, text: str, message: str):
    with pytest.raises(ScenarioError) as caught:
        scenario(text)
    assert str(caught.value).startswith(f"{tmp_path / 'case.toml'}: {message}")
    assert "\n" not in str(caught.value)


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path):
    with pytest.raises(ScenarioError, match=r"none\.toml: there is no such file"):
        run_scenario(tmp_path / "none.toml")
    with pytest.raises(ScenarioError, match="the file cannot be read"):
        run_scenario(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'title = "\xe9t\xe9"')
    with pytest.raises(ScenarioError, match=r"latin\.toml: byte 10: the file is not UTF-8"):
        run_scenario(tmp_path / "latin.toml")


# --- fuzzed -------------------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.booleans()
    | st.integers()
    | st.floats()
    | st.dates()
    | st.text(max_size=6)
    | st.sampled_from(["Red", "10.L1", "00"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
TEXTS = [path.read_text("utf-8") for path in FILES]


def _run_any(path: Path) -> None:
    """Only a report or a `ScenarioError` with the file's name may come of it."""
    try:
        report = run_scenario(path)
    except ScenarioError as error:
        refused = error
    else:
        assert report.passed == (not report.differences)
        return
    assert refused.source == str(path)
    assert refused.reason


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_refused(tmp_path: Path, data: bytes):
    path = tmp_path / "case.toml"
    path.write_bytes(data)
    with pytest.raises(ScenarioError):
        run_scenario(path)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.sampled_from(TEXTS), start=st.integers(0, 3000), length=st.integers(0, 12), put=st.text(max_size=4))
def test_a_damaged_file_is_played_or_refused(tmp_path: Path, text: str, start: int, length: int, put: str):
    at = start % len(text)
    path = tmp_path / "case.toml"
    path.write_bytes((text[:at] + put + text[at + length :]).encode("utf-8", "replace"))
    _run_any(path)


def _spots(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(spot for key, part in parts for spot in _spots(part, (*at, key)))]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.sampled_from(TEXTS), spot=st.integers(0, 10_000), value=VALUES)
def test_a_file_with_any_one_value_changed_is_played_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, spot: int, value: Any
):
    table = tomllib.loads(text)
    *way, last = (spots := _spots(table)[1:])[spot % len(spots)]
    place: Any = table
    for key in way:
        place = place[key]
    place[last] = value
    # Python reads TOML but does not write it: the changed tables are put in the reader's hands.
    with monkeypatch.context() as patch:
        patch.setattr("engine.core.scenario_file.tomllib.loads", lambda _: table)
        path = tmp_path / "case.toml"
        path.touch()
        _run_any(path)

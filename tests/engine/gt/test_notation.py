"""One line for a plan or a turn: reading, printing, and errors that point at their place (docs/notation.md)."""

from __future__ import annotations

import ast
import contextlib
import random
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import NotationError, Rejected
from engine.core.model import Seat
from engine.gt import reasons
from engine.gt.actions import (
    ChooseGrid,
    ChooseSpace,
    ChooseTyres,
    ConfirmLoss,
    FinishPlan,
    FitTyres,
    FlatOut,
    GtAction,
    LayDice,
    LoseControlAt,
    LoseControlIn,
    OneByOne,
    PitStop,
    Retire,
    Roll,
    Secure,
    StayOut,
    Stop,
    StopRace,
    TakeBack,
)
from engine.gt.arrange import Chance, Position, arrange
from engine.gt.events import CarMoved, ControlLost, PlanFixed
from engine.gt.game import GAME
from engine.gt.notation import (
    AMBIGUOUS,
    ILLEGAL,
    MALFORMED,
    direction,
    format_plan,
    format_turn,
    parse,
    play,
    read,
    signed,
)
from engine.gt.state import Phase, State, road
from tests.engine.gt.table import Table, on, put, start
from tests.engine.laws.walk import some_race, walk

ROOT = Path(__file__).parents[3]
RED = Seat(0)


def straight(gear: int = 3, options: dict[str, Any] | None = None, **more: Any) -> Table:
    """Where the examples of docs/notation.md begin: red on 10.M1 of C2, blue far away."""
    return put("C2", red=on("10.M1", gear, **more), blue=on("0.L1"), options=options)


def rolling(dice: str, bag: str = "", options: dict[str, Any] | None = None, **more: Any) -> Table:
    return put("C2", red=on("10.M1", 3, **more), blue=on("0.L1"), dice=dice, bag=bag, options=options)


def laid(table: Table, text: str) -> list[tuple[str, str]]:
    """The plan after a line, as spaces and dice."""
    turn = play(table.state, RED, text).state.turn
    assert turn is not None
    return [(step.space, step.dice) for step in turn.steps]


def error(state: State, text: str, seat: Seat = RED) -> NotationError:
    """The error with which a line is refused."""
    with pytest.raises(NotationError) as caught:
        play(state, seat, text)
    with pytest.raises(NotationError) as parsed:
        parse(state, seat, text)
    assert parsed.value.args == caught.value.args
    return caught.value


# --- plans ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "3 4< 5 c",
        "3, 4<, 5, c",
        "3 4<5 c",
        "  3   4<  5  c ",
        "3 4< 5 C",
        "3@10.M2 4@10.L3 5@11.L1 c@11.L2",
        "3 4<,5,c",
    ],
)
def test_the_same_plan_can_be_written_in_many_ways(text: str) -> None:
    assert laid(straight(), text) == [("10.M2", "3"), ("10.L3", "4"), ("11.L1", "5"), ("11.L2", "c")]


def test_all_kinds_of_dice() -> None:
    assert laid(straight(6, {"red_zone": True}), "b 4b> 2b") == [("10.M2", "b"), ("10.R3", "4b"), ("11.R1", "2b")]
    assert laid(straight(1, {"class": "GT5"}), "3A 4 1BB<") == [("10.M2", "3a"), ("10.M3", "4"), ("11.L1", "1bb")]


def test_a_line_goes_on_where_the_plan_stands() -> None:
    table = straight().lay(("10.M2", "3"))
    assert laid(table, "4<") == [("10.M2", "3"), ("10.L3", "4")]
    table.do(ChooseSpace, "10.R3")
    # The space is chosen, only its dice are missing ...
    assert laid(table, "4") == [("10.M2", "3"), ("10.R3", "4")]
    # ... unless another space is named.
    assert laid(table, "4<") == [("10.M2", "3"), ("10.L3", "4")]
    assert laid(table, "4@10.R3") == [("10.M2", "3"), ("10.R3", "4")]


def test_planning_choices_one_by_one() -> None:
    table = straight()
    assert parse(table.state, RED, "@10.L2") == [ChooseSpace(RED, "10.L2")]
    assert parse(table.state, RED, "4 back 3") == [
        ChooseSpace(RED, "10.M2"),
        LayDice(RED, "4"),
        TakeBack(RED),
        ChooseSpace(RED, "10.M2"),
        LayDice(RED, "3"),
    ]
    done = [ChooseSpace(RED, "10.M2"), LayDice(RED, "4"), FinishPlan(RED)]
    assert parse(table.state, RED, "4 done") == done
    assert parse(table.state, RED, "4 ;") == done
    assert parse(table.state, RED, "4/") == done
    assert parse(table.lay(("10.M2", "3")).state, RED, ";") == [FinishPlan(RED)]


def test_a_certain_loss_needs_its_exclamation_mark() -> None:
    table = put("C2", red=on("3.L3", 3), blue=on("0.L1"))
    assert parse(table.state, RED, "3!")[-1] == ConfirmLoss(RED)
    assert parse(table.state, RED, "3 !")[-1] == ConfirmLoss(RED)
    assert parse(table.state, RED, "3 back")[-1] == TakeBack(RED)
    refused = error(table.state, "3")
    assert (refused.code, refused.column) == (ILLEGAL, 1)
    assert "certain loss of control" in refused.reason
    # Behind a harmless step it means nothing.
    assert parse(table.state, RED, "2!") == parse(table.state, RED, "2")


# --- directions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("track", ["C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8"])
def test_every_step_of_every_circuit_can_be_written(track: str) -> None:
    circuit = road(start(track, "ann").state)
    for space, steps in circuit.steps.items():
        written = [direction(circuit, space, step.to) for step in steps]
        assert len(set(written)) == len(steps)
        for step, sign in zip(steps, written, strict=True):
            if not sign.startswith("@"):
                found = signed(steps, sign)  # type: ignore[arg-type]
                assert found is not None
                assert found.to == step.to


@pytest.mark.parametrize(
    ("track", "space", "plain", "left", "right"),
    [
        ("C2", "10.M1", "10.M2", "10.L2", "10.R2"),
        ("C2", "10.L1", "10.L2", None, "10.M2"),
        # Two straight ahead and a third beside them: nothing means the middle one.
        ("C2", "4.I", "5.M1", "5.L1", "5.R1"),
        ("C2", "9.O2", "9.M3", "9.L3", "9.R3"),
        # A merged lane that splits: the signs must choose.
        ("C5", "3.M1", None, "3.I", "3.O1"),
        # The only way there is.
        ("C2", "2.R1", "2.I", None, None),
    ],
)
def test_what_the_signs_mean(track: str, space: str, plain: str | None, left: str | None, right: str | None) -> None:
    steps = road(start(track, "ann").state).steps[space]
    meant = [signed(steps, sign) for sign in ("", "<", ">")]  # type: ignore[arg-type]
    assert [step and step.to for step in meant] == [plain, left, right]


def test_where_two_spaces_lie_straight_on_the_line_is_ambiguous() -> None:
    table = put("C5", red=on("3.M1", 1), blue=on("0.L1"))
    refused = error(table.state, "  2")
    assert (refused.code, refused.column) == (AMBIGUOUS, 3)
    assert refused.reason == "straight on may be 3.I or 3.O1: write < or > behind the dice"
    assert laid(table, "2<") == [("3.I", "2")]


# --- whole turns ----------------------------------------------------------------------------------------------------


def test_a_turn_one_by_one_with_focus_and_a_stop() -> None:
    table = rolling("3 5", focus=1)
    played = play(table.state, RED, "3 4< 5 c ; one r s r .")
    assert [type(action) for action in played.actions[-5:]] == [OneByOne, Roll, Secure, Roll, Stop]
    assert [event.target for event in played.events if isinstance(event, CarMoved)] == ["10.M2", "10.L3", "11.L1"]
    assert played.unused == ""
    assert play(table.state, RED, "3 4< 5 c / 1by1 rsr.").actions == played.actions
    assert play(table.state, RED, "3 4< 5 c ; ONE BY ONE Roll, Secure, Roll, Stop").actions == played.actions


@pytest.mark.parametrize("word", ["flat", "flat out", "f", "FLAT OUT"])
def test_a_turn_flat_out(word: str) -> None:
    played = play(rolling("4 5").state, RED, f"4 5 ; {word}")
    assert played.actions[-2:] == [FinishPlan(RED), FlatOut(RED)]
    assert played.state.cars[RED].focus == 2


def test_a_loss_of_control_and_the_side_of_the_road() -> None:
    text = "4 5 6 c ; flat ; lose 11.M2 6 ; right"
    played = play(rolling("4! 5! 6 c!", "brakes brakes", {"ask_side": True}).state, RED, text)
    assert [event.space for event in played.events if isinstance(event, ControlLost)] == ["11.M2"]
    assert played.state.cars[RED].side == "right"


def test_losing_control_in_one_of_several_gears() -> None:
    table = put("C0", red=on("3.M1", 4), blue=on("0.L1"), dice="5! c! 6! c!", bag="green_flag green_flag")
    table.flat_out(("3.M2", "5"), ("3.M3", "c"), ("4.M1", "6"), ("4.M2", "c"))
    assert parse(table.state, RED, "lose 4.M1 6") == [LoseControlAt(RED, "4.M1"), LoseControlIn(RED, 6)]
    asked = play(table.state, RED, "lose 4.M1").state
    assert parse(asked, RED, "lose 6") == [LoseControlIn(RED, 6)]
    refused = error(table.state, "lose 4.M1 4")
    assert (refused.code, refused.column) == (ILLEGAL, 11)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("pit tyres", [PitStop(RED, "tyres")]),
        ("pit tyres rain", [PitStop(RED, "tyres")]),
        ("pit repairs", [PitStop(RED, "repairs")]),
        ("pit both", [PitStop(RED, "repairs and tyres")]),
        ("pit both rain", [PitStop(RED, "repairs and tyres"), FitTyres(RED, "rain")]),
        ("pit both keep", [PitStop(RED, "repairs and tyres"), FitTyres(RED, "asphalt")]),
        ("stay", [StayOut(RED)]),
    ],
)
def test_pit_stops(text: str, actions: list[GtAction]) -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("0.L1"), dice="1").drive(("10.L2", "1"))
    assert play(table.state, RED, text).actions == actions


@pytest.mark.parametrize(("text", "column"), [("pit tyres asphalt", 11), ("pit tyres keep", 11), ("pit both soft", 10)])
def test_tyres_that_cannot_be_fitted_are_refused_without_a_pit_stop(text: str, column: int) -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("0.L1"), dice="1").drive(("10.L2", "1"))
    assert error(table.state, text).column == column


def test_tyres_at_the_exit_are_not_named_at_the_entry() -> None:
    late = {"pit_tyres": "exit"}
    table = put("C2", red=on("10.L1", 1), blue=on("0.L1"), dice="1", options=late).drive(("10.L2", "1"))
    assert "when the car leaves the pits" in error(table.state, "pit both rain").reason


def test_before_the_race_and_besides() -> None:
    tyres = start("C2", "ann", "ben", tyre_choice="free")
    assert parse(tyres.state, Seat(1), "tyres rain") == [ChooseTyres(Seat(1), "rain")]
    assert error(tyres.state, "tyres keep").code == ILLEGAL
    grid = start("C2", "ann", "ben", grid="choose")
    first = grid.state.order[0]
    assert parse(grid.state, first, "grid 0.l3") == [ChooseGrid(first, "0.L3")]
    table = put("C2", red=on("10.M1", 3), blue=on("5.M1", 1), green=on("3.L1", 1), finished=["zoe"])
    assert parse(table.state, Seat(1), "retire") == [Retire(Seat(1))]
    assert parse(table.state, RED, "stop race") == [StopRace(RED)]


def test_what_comes_too_late_is_left_unused() -> None:
    # Control is lost at the third roll.
    played = play(rolling("4! 5! 6!", "brakes brakes brakes").state, RED, "4 5 6 c ; one r r r r ; pit both")
    assert [type(action) for action in played.actions[-3:]] == [Roll, Roll, Roll]
    assert played.unused == "r pit both"


def test_once_dice_are_rolled_a_refusal_ends_the_line_but_is_no_error() -> None:
    table = rolling("4")
    played = play(table.state, RED, "4 5 ; one r s .")
    # Securing costs focus that red does not have: the line ends there, what was rolled stays.
    assert played.unused == "s ."
    assert played.state.cars[RED].space == "10.M2"
    with pytest.raises(Rejected) as refusal:
        play(table.state, RED, "4 5 ; one r s .", raw=True)
    assert refusal.value.code == "secure/focus"


def test_parsing_stops_where_chance_begins() -> None:
    actions = parse(rolling("4").state, RED, "4 5 ; one r r ; pit both")
    assert [type(action) for action in actions] == [
        *[ChooseSpace, LayDice] * 2,
        FinishPlan,
        OneByOne,
        Roll,
    ]


def test_a_refused_line_changes_nothing() -> None:
    table = straight()
    before = table.state
    assert error(before, "3 4 6").code == ILLEGAL
    assert table.state == before
    assert before.turn is not None
    assert before.turn.steps == ()


# --- round trips ----------------------------------------------------------------------------------------------------


def turns_of(seed: int) -> Iterator[tuple[State, list[GtAction]]]:
    """The turns of a random race without AI: the state at the start of each, and all that its driver did in it."""
    before: State | None = None
    began: State | None = None
    actions: list[GtAction] = []
    for race in walk(some_race("gt", seed), random.Random(f"notation/{seed}")):
        if before is not None:
            action = race.entries[-1].action
            actions.append(action)
            over = race.state.turns != before.turns or race.state.stage != before.stage or before.stage != "race"
            if over:
                assert began is not None
                yield began, actions
                began, actions = race.state, []
        began = began or race.state
        before = race.state


def by_one_driver(actions: list[GtAction]) -> bool:
    return len({action.seat for action in actions}) == 1


@pytest.mark.parametrize("seed", range(24))
def test_every_turn_can_be_written_down_and_played_again(seed: int) -> None:
    chance = random.Random(seed)
    seen = 0
    for state, actions in turns_of(seed):
        if not by_one_driver(actions):
            continue  # somebody else retired in the middle of it
        text = format_turn(state, actions)
        played = play(state, actions[0].seat, text, raw=True)
        assert played.actions == actions, text
        assert played.unused == ""
        # A line may also begin in the middle of a turn.
        cut = chance.randrange(len(actions))
        for action in actions[:cut]:
            state, _ = GAME.apply(state, action)
        rest = format_turn(state, actions[cut:])
        assert play(state, actions[0].seat, rest, raw=True).actions == actions[cut:], rest
        # Capitals mean the same.
        assert play(state, actions[0].seat, rest.upper(), raw=True).actions == actions[cut:]
        seen += 1
    assert seen > 0


@pytest.mark.parametrize("seed", range(6))
def test_every_plan_that_was_fixed_can_be_written_down_and_laid_again(seed: int) -> None:
    for state, actions in turns_of(seed):
        if not by_one_driver(actions):
            continue
        begun = state
        for action in actions:
            if state.turn is not None and (state.turn.phase, state.turn.steps) == ("space", ()):
                begun = state
            state, events = GAME.apply(state, action)
            fixed = next((event for event in events if isinstance(event, PlanFixed)), None)
            if fixed is None:
                continue
            if isinstance(action, OneByOne) and any(
                isinstance(past, Roll) for past in actions[: actions.index(action)]
            ):
                break  # laid anew after the first roll (option replan)
            text = format_plan(road(begun), fixed.start, fixed.steps)
            laid_again = play(begun, fixed.seat, text).state.turn
            assert laid_again is not None
            assert laid_again.steps == fixed.steps, text
            break


# --- errors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "column", "code"),
    [
        ("", 1, MALFORMED),
        ("   ", 4, MALFORMED),
        ("x", 1, MALFORMED),
        ("3 4 x", 5, MALFORMED),
        ("7", 1, MALFORMED),
        ("34", 2, MALFORMED),
        ("3c", 2, MALFORMED),
        ("cc", 2, MALFORMED),
        ("4 <", 3, MALFORMED),
        ("4<<", 3, MALFORMED),
        ("4@", 3, MALFORMED),
        ("4@10", 3, MALFORMED),
        ("@", 2, MALFORMED),
        ("3,,4", 3, MALFORMED),
        ("3 4 ; ; one", 7, MALFORMED),
        ("1bbbbb", 1, MALFORMED),
        ("3 ; one by", 11, MALFORMED),
        ("3 ; pit", 8, MALFORMED),
        ("3 ; pit wheels", 9, MALFORMED),
        ("tyres", 6, MALFORMED),
        ("tyres slick", 7, MALFORMED),
        ("grid", 5, MALFORMED),
        ("grid pole", 6, MALFORMED),
        ("lose", 5, MALFORMED),
        ("lose here", 6, MALFORMED),
        ("3 4 6", 5, ILLEGAL),
        ("3 3", 3, ILLEGAL),
        ("6", 1, ILLEGAL),
        ("4< 3<", 5, ILLEGAL),
        ("4@12.I", 2, ILLEGAL),
        ("4 back back", 8, ILLEGAL),
        ("back", 1, ILLEGAL),
        ("one", 1, ILLEGAL),
        ("done", 1, ILLEGAL),
        ("3 ; one .", 9, ILLEGAL),
        ("3 ; one s", 9, ILLEGAL),
        ("3 ; one 4", 9, ILLEGAL),
        ("r", 1, ILLEGAL),
        ("replan", 1, ILLEGAL),
        ("3 ; left", 5, ILLEGAL),
        ("3 ; stay", 5, ILLEGAL),
        ("lose 4.M1", 1, ILLEGAL),
        ("tyres rain", 1, ILLEGAL),
        ("grid 0.L3", 1, ILLEGAL),
        ("stop race", 1, ILLEGAL),
        ("3 ; !", 5, ILLEGAL),
    ],
)
def test_errors_point_at_the_first_wrong_character(text: str, column: int, code: str) -> None:
    refused = error(straight().state, text)
    assert (refused.column, refused.code) == (column, code)
    assert refused.pointed().splitlines()[-1] == " " * (column - 1) + "^ " + refused.reason


def test_errors_say_what_would_have_been_possible() -> None:
    table = straight()
    assert error(table.state, "6").reason == "6 cannot be laid on 10.M2; possible: 4 3 2 c 1b"
    assert "10.L2, 10.M2 and 10.R2" in error(table.state, "4@12.I").reason
    standing = put("C2", red=on("10.M1", 0), blue=on("0.L1"))
    assert error(standing.state, "c").reason == "c cannot be laid on 10.M2; possible: 1"


def test_errors_about_other_cars_name_the_reason() -> None:
    occupied = put("C2", red=on("10.M1", 4), blue=on("10.M2", 1))
    assert error(occupied.state, "4").reason == "another car stands on 10.M2"
    blocked = put("C2", red=on("10.M1", 2), blue=on("10.R3", 5))
    assert error(blocked.state, "2 3").reason == "other cars leave no way on from here"
    # 2.I ends level with 2.O2, where blue stands; 2.O1 is free.
    faster = put("C2", red=on("2.L1", 1), blue=on("2.O2", 3))
    assert error(faster.state, "1>").reason == "a car beside 2.I is in a higher gear than you can reach"
    flagged = put("C2", red=on("2.L1", 1), blue=on("2.O2", 1, flags=(2,)))
    assert error(flagged.state, "1>").reason == "under a yellow flag 2.I may not be entered beside another car"


def test_a_driver_who_is_not_on_turn_is_told_so() -> None:
    state = straight().state
    for text in ("4", "one", "r", "back"):
        refused = error(state, text, Seat(1))
        assert (refused.code, refused.column, refused.reason) == (ILLEGAL, 1, "it is not your turn")
    assert error(state, "4", Seat(7)).reason == "there is no such driver in this race"
    assert error(state, "4", Seat(-1)).reason == "there is no such driver in this race"


# --- the page for players -------------------------------------------------------------------------------------------

PAGE = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    """The fenced blocks of that kind on the page."""
    found = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.S | re.M)
    assert found, f"the page has no block {kind}"
    return found


def unscripted(options: dict[str, Any], seed: bytes = bytes(16), **red: Any) -> State:
    """As `straight`, with real chance."""
    position = Position(cars={"red": on("10.M1", 3, **red), "blue": on("0.L1")}, turn="red")
    return arrange("C2", position, options, Chance())[0]


@pytest.mark.parametrize("line", [line for block in blocks("plan") for line in block.splitlines()])
def test_the_plans_of_the_page_can_be_laid(line: str) -> None:
    assert len(laid(straight(), line)) == len(re.findall(r"[1-6cb]\w*(?:@[\w.]+)?", line))


@pytest.mark.parametrize("line", [line for block in blocks("turn") for line in block.splitlines()])
def test_the_turns_of_the_page_can_be_driven(line: str) -> None:
    state = unscripted({"replan": True, "ask_side": True}, focus=3)
    played = play(state, RED, line)
    assert any(isinstance(event, CarMoved) for event in played.events)


@pytest.mark.parametrize(
    ("block", "state"),
    list(zip(blocks("errors"), [straight().state, put("C5", red=on("3.M1", 1), blue=on("0.L1")).state], strict=True)),
)
def test_the_errors_of_the_page_are_what_is_said(block: str, state: State) -> None:
    lines = block.splitlines()
    for text, expected in zip(lines[::2], lines[1::2], strict=True):
        assert error(state, text).pointed() == f"{text}\n{expected}"


# --- a sentence for every refusal -----------------------------------------------------------------------------------


def refusals() -> dict[str, list[set[str]]]:
    """Every code with which the engine refuses, and the parameters given each time, out of its source."""
    found: dict[str, list[set[str]]] = {}
    for path in sorted((ROOT / "engine").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Rejected"):
                continue
            given_ = {keyword.arg or "" for keyword in node.keywords}
            for code in codes_in(node.args[0], functions):
                found.setdefault(code, []).append(given_)
    return found


def codes_in(code: ast.expr, functions: dict[str, ast.FunctionDef]) -> list[str]:
    """The code itself, or those that the function called for it can return."""
    if isinstance(code, ast.Constant):
        return [code.value]
    assert isinstance(code, ast.Call), f"line {code.lineno}: write the code as a string, or call a function for it"
    assert isinstance(code.func, ast.Name)
    returned = [node.value for node in ast.walk(functions[code.func.id]) if isinstance(node, ast.Return)]
    strings = [n.value for value in returned if value for n in ast.walk(value) if isinstance(n, ast.Constant)]
    return [value for value in strings if isinstance(value, str)]


REFUSALS = refusals()


def test_the_source_is_searched_as_it_should_be() -> None:
    assert {"plan/occupied", "plan/yellow_flag", "setup/seats", "undo/revealed", "pit/lane"} <= set(REFUSALS)


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_every_refusal_has_a_sentence_and_the_parameters_it_needs(code: str) -> None:
    sentence = reasons.REASONS[code]
    wanted = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
    for given_ in REFUSALS[code]:
        assert wanted <= given_, f"{code} is raised without {wanted - given_}"


def test_no_sentence_is_for_nothing() -> None:
    assert set(reasons.REASONS) <= set(REFUSALS)


def test_every_phase_and_every_stage_has_its_words() -> None:
    assert set(reasons.PHASES) == set(get_args(Phase))
    assert set(reasons.STAGES) == {"tyres", "grid", "race", "over"}


def test_sentences_are_friendly() -> None:
    for sentence in (*reasons.REASONS.values(), *reasons.PHASES.values(), *reasons.STAGES.values()):
        assert sentence[0].islower() or sentence[0] == "{"
        assert not sentence.endswith(".")
        assert "_" not in re.sub(r"\{\w+\}", "", sentence)


def test_an_unknown_code_speaks_for_itself() -> None:
    assert reasons.explain(Rejected("new/code", what=3)) == "new/code (what=3)"
    assert reasons.explain(Rejected("plan/occupied")) == "another car stands on that space"
    assert reasons.explain(Rejected("turn/phase", phase="roll")) == "not now: the next step waits: roll, secure or stop"


# --- arbitrary text -------------------------------------------------------------------------------------------------

WORDS = (
    *"123456cba<>!@;/,.rsf",
    *(
        "2bb",
        "5a",
        "3b",
        "@10.M2",
        "@3.I",
        "rs",
        "rr.",
        "roll",
        "secure",
        "stop",
        "back",
        "done",
        "one",
        "flat",
        "1by1",
    ),
    *("by", "out", "replan", "lose", "lose 4.M1 5", "left", "right", "pit", "tyres", "repairs", "both", "rain", "soft"),
    *("keep", "stay", "grid", "0.L3", "retire", "race"),
    *("  ", "\t", "00", "7", "ü", "½", "İ", "K", "\N{ARABIC-INDIC DIGIT THREE}"),
)


def states() -> list[State]:
    """One state of every kind: all phases and stages."""
    found: dict[str, State] = {}
    for seed in range(40):
        for race in walk(some_race("gt", seed), random.Random(f"fuzz/{seed}")):
            turn = race.state.turn
            found.setdefault(turn.phase if turn else race.state.stage, race.state)
        if len(found) == len(get_args(Phase)) + 3:
            break
    return list(found.values())


STATES = states()

lines = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=8).map("".join),
)


def test_there_is_a_state_of_every_kind() -> None:
    assert {state.turn.phase for state in STATES if state.turn} == set(get_args(Phase))
    assert {state.stage for state in STATES} == {"tyres", "grid", "race", "over"}


def refusal_of(carry_out: Callable[[], object]) -> NotationError | None:
    """The error with which a line is refused, if it is; any other exception gets through."""
    try:
        carry_out()
    except NotationError as refused:
        return refused
    return None


@given(lines)
def test_any_text_is_read_or_malformed(text: str) -> None:
    refused = refusal_of(lambda: read(text))
    if refused is None:
        assert all(0 <= item.at < len(text) for item in read(text))
        assert read(text)
    else:
        assert refused.code == MALFORMED
        assert 1 <= refused.column <= len(text) + 1


@settings(max_examples=400)
@given(lines, st.sampled_from(STATES), st.integers(-1, 6))
def test_any_text_is_played_or_refused_with_its_place(text: str, state: State, seat: int) -> None:
    for carry_out in (play, parse):
        refused = refusal_of(lambda carry_out=carry_out: carry_out(state, Seat(seat), text))  # type: ignore[misc]
        if refused is not None:
            assert refused.code in (MALFORMED, ILLEGAL, AMBIGUOUS)
            assert 1 <= refused.column <= len(text) + 1
            assert refused.reason
    with contextlib.suppress(Rejected):
        refusal_of(lambda: play(state, Seat(seat), text, raw=True))


@settings(max_examples=200)
@given(st.data())
def test_a_damaged_line_is_refused_with_its_place_or_means_something(data: st.DataObject) -> None:
    """One character of a good line replaced, dropped or doubled."""
    good = data.draw(
        st.sampled_from(["3 4< 5@11.L1 c ; one r s . ; pit both rain", "3 4 5 c c 6! ; flat ; lose 12.I 6"])
    )
    at = data.draw(st.integers(0, len(good) - 1))
    instead = data.draw(st.sampled_from(["", good[at] * 2, *"x9@<!;,. "]))
    text = good[:at] + instead + good[at + 1 :]
    refused = refusal_of(lambda: play(unscripted({}), RED, text))
    if refused is not None:
        assert 1 <= refused.column <= len(text) + 1
        # Nothing before the damage can be wrong; a word is pointed at by its beginning.
        assert refused.column > good.rfind(" ", 0, at)

"""What a seat may know: views without seed, bag order, drafts and sealed tyres; events that only one driver sees."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.game import Entrant, Setup
from engine.core.log import record_for, start_race
from engine.core.model import Seat, visible
from engine.core.options import decode_options
from engine.core.rng import Rng
from engine.gt.actions import (
    ChooseSpace,
    ChooseTyres,
    FinishPlan,
    FlatOut,
    LayDice,
    OneByOne,
    Replan,
    Roll,
    TakeBack,
)
from engine.gt.events import PlanFixed, StepLaid, StepTakenBack, TyresRevealed, TyresSealed
from engine.gt.game import GAME
from engine.gt.meta import META
from engine.gt.state import State
from tests.engine.gt.table import Table, on, put, start

RED, BLUE = Seat(0), Seat(1)
SEED = bytes(range(16))


def planning() -> Table:
    """Red plans, blue waits."""
    return put("C2", red=on("10.M1", 3), blue=on("0.L1"), dice="4 c 5", bag="gearbox weather")


def with_chance(state: State, rng: Rng) -> State:
    return msgspec.structs.replace(state, rng=rng)


# --- seed and bag -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [RED, BLUE, None])
def test_no_view_holds_the_seed(seat: Seat | None) -> None:
    table = start("C2", "ann", "ben", seed=SEED)
    assert table.state.rng.seed == SEED
    assert GAME.view(table.state, seat).rng == Rng(b"")


@pytest.mark.parametrize("seat", [RED, BLUE, None])
def test_what_is_sent_of_a_view_does_not_contain_the_seed(seat: Seat | None) -> None:
    state = start("C2", "ann", "ben", seed=SEED).state
    secret = msgspec.json.encode(SEED).strip(b'"')
    assert secret in msgspec.json.encode(state)
    assert secret not in msgspec.json.encode(GAME.view(state, seat))


@pytest.mark.parametrize("seat", [RED, BLUE, None])
def test_races_that_differ_only_in_the_chance_to_come_look_alike(seat: Seat | None) -> None:
    state = planning().state
    one = with_chance(state, Rng(SEED))
    other = with_chance(state, Rng(bytes(16), (("bag", 3), ("dice/0", 8))))
    assert one != other
    assert GAME.view(one, seat) == GAME.view(other, seat)


def test_the_order_in_which_tokens_will_come_is_in_no_view_but_their_number_is() -> None:
    state = planning().state
    one = with_chance(state, Rng(SEED, script=(("bag", (0, 1)),)))
    other = with_chance(state, Rng(SEED, script=(("bag", (1, 0)),)))
    assert GAME.view(one, RED) == GAME.view(other, RED)
    assert GAME.view(one, RED).bag == (6, 6, 6, 6, 6, 12)


# --- drafts -------------------------------------------------------------------------------------------------------


def drafts() -> list[State]:
    """The same turn at every stage of planning: nothing laid, a space chosen, a step laid, done, and certain loss."""
    table = planning()
    states = [table.state]
    table.do(ChooseSpace, "10.M2")
    states.append(table.state)
    table.do(LayDice, "4")
    states.append(table.state)
    table.do(FinishPlan)
    states.append(table.state)
    assert [state.turn.phase for state in states if state.turn] == ["space", "dice", "space", "mode"]
    return states


@pytest.mark.parametrize("seat", [BLUE, None])
def test_others_cannot_tell_what_a_driver_plans_nor_how_far_he_is(seat: Seat | None) -> None:
    nothing_laid, aimed, laid, done = (GAME.view(state, seat) for state in drafts())
    assert nothing_laid == aimed == laid == done
    assert nothing_laid.turn is not None
    assert (nothing_laid.turn.seat, nothing_laid.turn.steps) == (RED, ())


def test_others_cannot_tell_that_a_driver_ponders_a_certain_loss() -> None:
    table = put("C2", red=on("12.R1", 4), blue=on("0.L1"))
    before = table.state
    table.do(ChooseSpace, "12.I")
    table.do(LayDice, "4")
    assert table.phase == "confirm"
    assert GAME.view(table.state, BLUE) == GAME.view(before, BLUE)


def test_a_driver_sees_his_own_draft() -> None:
    _, aimed, laid, done = (GAME.view(state, RED).turn for state in drafts())
    assert aimed is not None
    assert (aimed.phase, aimed.aim) == ("dice", "10.M2")
    assert laid is not None
    assert [(step.space, step.dice) for step in laid.steps] == [("10.M2", "4")]
    assert done is not None
    assert done.phase == "mode"


@pytest.mark.parametrize("seat", [BLUE, None])
def test_a_fixed_plan_is_seen_by_everybody(seat: Seat | None) -> None:
    table = planning()
    table.one_by_one(("10.M2", "4"), ("10.M3", "c"))
    turn = GAME.view(table.state, seat).turn
    assert turn is not None
    assert [(step.space, step.dice) for step in turn.steps] == [("10.M2", "4"), ("10.M3", "c")]


def test_a_plan_reopened_is_hidden_again_but_what_was_driven_is_not() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("0.L1"), dice="4", options={"replan": True})
    table.one_by_one(("10.M2", "4"), ("10.M3", "c"))
    table.do(Roll)
    table.do(Replan)
    table.lay(("10.L3", "5"))
    turn = GAME.view(table.state, BLUE).turn
    assert turn is not None
    assert [step.space for step in turn.steps] == ["10.M2"]
    own = GAME.view(table.state, RED).turn
    assert own is not None
    assert [step.space for step in own.steps] == ["10.M2", "10.L3"]


def test_a_failed_roll_waiting_to_be_laid_out_again_is_seen_by_everybody() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("0.L1"), weather="wet", dice="4! c!")
    table.flat_out(("10.M2", "4"), ("10.M3", "c"))
    assert table.phase == "relay"
    assert GAME.view(table.state, BLUE).turn == table.state.turn


# --- sealed tyres -------------------------------------------------------------------------------------------------


def sealed(tyres: str) -> State:
    """Ann has chosen, Ben has not."""
    table = start("C2", "ann", "ben", tyre_choice="free")
    table.do(ChooseTyres, tyres, by="ann")
    return table.state


@pytest.mark.parametrize("seat", [BLUE, None])
def test_sealed_tyres_are_hidden_from_the_others(seat: Seat | None) -> None:
    assert sealed("asphalt") != sealed("rain")
    assert GAME.view(sealed("asphalt"), seat) == GAME.view(sealed("rain"), seat)


def test_a_driver_sees_his_own_sealed_tyres() -> None:
    assert GAME.view(sealed("rain"), RED).sealed_tyres == ("rain", None)


def test_revealed_tyres_are_seen_by_everybody() -> None:
    table = start("C2", "ann", "ben", tyre_choice="free")
    table.do(ChooseTyres, "rain", by="ann")
    table.do(ChooseTyres, "asphalt", by="ben")
    assert [car.tyres for car in GAME.view(table.state, None).cars] == ["rain", "asphalt"]


# --- views are enough to go by ------------------------------------------------------------------------------------


def test_a_driver_can_ask_his_own_view_what_he_may_do() -> None:
    table = planning()
    table.lay(("10.M2", "4"))
    assert list(GAME.legal(GAME.view(table.state, RED), RED)) == table.legal()


def test_a_view_cannot_change_the_race() -> None:
    table = planning()
    before = msgspec.json.encode(table.state)
    GAME.apply(GAME.view(table.state, RED), ChooseSpace(RED, "10.M2"))
    assert msgspec.json.encode(table.state) == before


# --- events -------------------------------------------------------------------------------------------------------


def test_only_the_driver_sees_steps_being_laid_and_taken_back() -> None:
    table = planning()
    table.lay(("10.M2", "4"))
    table.do(TakeBack)
    laid, taken_back = table.only(StepLaid), table.only(StepTakenBack)
    assert laid.seen_by == taken_back.seen_by == (RED,)
    assert visible([laid, taken_back], RED) == (laid, taken_back)
    assert visible([laid, taken_back], BLUE) == visible([laid, taken_back], None) == ()


@pytest.mark.parametrize("mode", [OneByOne, FlatOut])
def test_from_the_fixed_plan_on_everything_is_seen_by_everybody(mode: type[OneByOne] | type[FlatOut]) -> None:
    table = planning()
    table.lay(("10.M2", "4"), ("10.M3", "c")).do(FinishPlan)
    events = list(table.do(mode))
    assert isinstance(events[0], PlanFixed)
    while table.phase == "roll":
        events += table.do(Roll)
    assert visible(events, None) == tuple(events)


def test_the_event_of_a_sealed_choice_does_not_say_what_was_chosen() -> None:
    table = start("C2", "ann", "ben", tyre_choice="free")
    asphalt, _ = GAME.apply(table.state, ChooseTyres(RED, "asphalt"))
    events = [tuple(GAME.apply(table.state, ChooseTyres(RED, tyres))[1]) for tyres in ("asphalt", "rain")]
    assert events[0] == events[1] == (TyresSealed(seat=RED),)
    _, both = GAME.apply(asphalt, ChooseTyres(BLUE, "rain"))
    assert TyresRevealed(tyres=("asphalt", "rain")) in both


# --- the record ---------------------------------------------------------------------------------------------------


def test_the_record_keeps_drafts_to_their_driver_and_tyres_until_they_are_revealed() -> None:
    options = decode_options(META, {"tyre_choice": "free"})
    race = start_race(GAME, Setup("C2", options, (Entrant("ann"), Entrant("ben")), SEED))
    race = race.act(ChooseTyres(RED, "rain"))
    assert record_for(race, BLUE)[0].action is None
    assert record_for(race, RED)[0].action == ChooseTyres(RED, "rain")
    race = race.act(ChooseTyres(BLUE, "asphalt"))
    assert record_for(race, BLUE)[0].action == ChooseTyres(RED, "rain")
    assert race.state.turn is not None
    first = race.state.turn.seat
    other = Seat(1 - first)
    race = race.act(ChooseSpace(first, "0.R4"))
    assert record_for(race, first)[2].action == ChooseSpace(first, "0.R4")
    assert record_for(race, other)[2].action is None
    assert record_for(race, other)[2].events == ()

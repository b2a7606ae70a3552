"""Every decision point of the game: who is asked, what is offered, and what the clock answers (section 5)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.game import Entrant, Setup
from engine.core.log import start_race
from engine.core.model import Seat
from engine.core.options import make_options
from engine.core.orders import run_clock_out
from engine.gt.actions import (
    ChooseGrid,
    ChooseSide,
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
from engine.gt.arrange import CarSetup
from engine.gt.events import CarMoved, CarReturned, ControlLost, DiceRolled, LeftRoad, TurnEnded, TyresFitted
from engine.gt.game import GAME
from engine.gt.material import OFF_ROAD
from engine.gt.meta import META, Options
from engine.gt.rules.relay import outcomes
from engine.gt.rules.safe import safe_plan
from tests.engine.gt.table import Table, on, put, start


def asked(table: Table) -> str:
    """The kind of the one decision that is owed; by whom is checked on the way."""
    decision = table.decision()
    assert decision.seat == table.turn.seat
    assert not decision.interrupts
    return decision.kind


def offered(table: Table, but: tuple[type[Any], ...] = (Retire, StopRace)) -> list[GtAction]:
    """What the driver on turn may answer."""
    return [action for action in table.legal() if not isinstance(action, but)]


def clock_drives(table: Table) -> list[str]:
    """Let the clock play the whole turn; the spaces it drives to."""
    seat, before = table.turn.seat, table.state.turns
    moves = len(table.all(CarMoved))
    while table.state.turn is not None and table.state.turns == before and table.turn.seat == seat:
        table.default()
    return [event.target for event in table.all(CarMoved)[moves:]]


# --- before the race ----------------------------------------------------------------------------------------------


@pytest.mark.rule("DEC-SETUP")
def test_set_up_without_a_word_everything_has_its_default() -> None:
    assert META.default_track == "C2"
    assert make_options(META) == Options()
    assert start("C2", "ann", "ben").state.options == Options()


@pytest.mark.rule("DEC-COLOUR")
def test_who_names_no_colour_gets_the_first_free_one() -> None:
    entrants = (Entrant("ann"), Entrant("ben", "blue"), Entrant("cid"))
    state, _ = GAME.new(Setup("C2", Options(), entrants, bytes(16)))
    assert [entrant.colour for entrant in state.entrants] == ["red", "blue", "yellow"]


@pytest.mark.rule("DEC-TYRES")
@pytest.mark.parametrize(("weather", "tyres"), [("dry", "asphalt"), ("wet", "rain")])
def test_the_tyres_for_the_start_are_asked_of_all_at_once_and_the_clock_fits_the_weather(
    weather: str, tyres: str
) -> None:
    table = start("C2", "ann", "ben", tyre_choice="free", weather_start=weather, soft_tyres=True)
    decisions = GAME.decisions(table.state)
    assert [(d.seat, d.kind, d.sealed, d.clock) for d in decisions] == [
        (0, "tyres", True, "start"),
        (1, "tyres", True, "start"),
    ]
    assert [d.default for d in decisions] == [ChooseTyres(Seat(0), tyres), ChooseTyres(Seat(1), tyres)]
    assert [action.tyres for action in table.legal("ann") if isinstance(action, ChooseTyres)] == [
        "asphalt",
        "rain",
        "soft",
    ]


@pytest.mark.rule("DEC-TYRES")
def test_without_free_tyres_nobody_is_asked() -> None:
    assert start("C2", "ann", "ben").state.stage == "race"


@pytest.mark.rule("DEC-GRID")
def test_the_grid_is_chosen_in_drawn_order_and_the_clock_takes_the_foremost_place() -> None:
    table = start("C2", "ann", "ben", "cid", grid="choose")
    assert table.state.stage == "grid"
    drawn = table.state.order
    first = table.decision()
    assert (first.seat, first.kind) == (drawn[0], "grid")
    name = table.state.entrants[drawn[0]].name
    places = ["0.R3", "0.L3", "0.R2", "0.L2", "0.R1", "0.L1"]
    assert table.legal(name) == [ChooseGrid(drawn[0], space) for space in places]
    assert first.default == ChooseGrid(drawn[0], "0.R3")
    table.do(ChooseGrid, "0.L3", by=name)
    # Who was drawn first need not take the pole; the next finds it free.
    second = table.decision()
    assert (second.seat, second.default) == (drawn[1], ChooseGrid(drawn[1], "0.R3"))
    after = table.state.entrants[drawn[1]].name
    assert table.refused(ChooseGrid, "0.L3", by=after) == "grid/not_free"
    assert table.refused(ChooseGrid, "0.M3", by=after) == "grid/not_free"
    assert table.refused(ChooseGrid, "0.R3", by=name) == "turn/not_yours"
    table.do(ChooseGrid, "0.L1", by=after)
    table.do(ChooseGrid, "0.R3", by=table.state.entrants[drawn[2]].name)
    assert [table.state.cars[seat].space for seat in drawn] == ["0.L3", "0.L1", "0.R3"]
    assert table.state.stage == "race"


@pytest.mark.rule("DEC-GRID")
def test_with_the_grid_drawn_nobody_is_asked() -> None:
    table = start("C2", "ann", "ben", grid="draw")
    assert table.state.stage == "race"
    assert table.refused(ChooseGrid, "0.R3", by="ann") == "race/stage"


# --- planning -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEC-STEP-SPACE")
def test_planning_offers_the_next_spaces_and_after_the_first_step_also_done_and_take_back() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("0.L1"))
    seat = table.turn.seat
    assert asked(table) == "space"
    assert offered(table) == [ChooseSpace(seat, space) for space in ("10.L2", "10.M2", "10.R2")]
    table.lay(("10.L2", "4"))
    assert offered(table) == [
        ChooseSpace(seat, "10.L3"),
        ChooseSpace(seat, "10.M3"),
        FinishPlan(seat),
        TakeBack(seat),
    ]
    table.do(TakeBack)
    assert table.turn.steps == ()
    assert table.refused(TakeBack) == "plan/nothing_laid"


@pytest.mark.rule("DEC-STEP-SPACE")
def test_the_clock_drives_the_safe_plan_to_its_end() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("0.L1"), dice="4! 5!")
    assert safe_plan(table.state) == (("10.M2", "4"), ("10.M3", "5"))
    assert clock_drives(table) == ["10.M2", "10.M3"]
    assert (table.car("red").gear, table.all(ControlLost)) == (5, [])
    assert table.car("red").focus == 0  # one by one


@pytest.mark.rule("DEC-STEP-SPACE")
@pytest.mark.parametrize(
    ("track", "car", "weather", "plan"),
    [
        # Limit 3: two dice at the most, as fast as possible at the end.
        ("C2", on("10.M1", 0), "dry", (("10.M2", "1"), ("10.M3", "2"))),
        # Limit 2: one die.
        ("C2", on("10.M1", 3), "wet", (("10.M2", "4"),)),
        # The hazard of the line and that of the die: nothing can follow.
        ("C6", on("3.L2", 1), "dry", (("3.I", "1"),)),
        # In front of a corner with limit 2 in gear 4: two dice for braking, and then nothing more.
        ("C2", on("3.M3", 4), "dry", (("4.I", "2b"),)),
        # Straight ahead rather than diagonally, although the inside is on the right.
        ("C2", on("11.L1", 5), "wet", (("11.L2", "6"),)),
        # Two ways lead straight ahead; the next corner turns left.
        ("C6", on("5.LM3", 3), "wet", (("6.L1", "4"),)),
    ],
    ids=["from a standstill", "in the wet", "a hazard line", "braking for a corner", "straight on", "inside"],
)
def test_the_safe_plan(track: str, car: CarSetup, weather: str, plan: tuple[tuple[str, str], ...]) -> None:
    table = put(track, red=car, blue=on("0.L1"), weather=weather)
    assert safe_plan(table.state) == plan


@pytest.mark.rule("DEC-STEP-SPACE")
def test_where_no_plan_is_safe_the_clock_makes_the_slowest_step() -> None:
    # Two gears too fast and without brake dice: every step is a certain loss (GT-BLOCK-5).
    table = put("C2", red=on("3.R3", 4, damage={"brakes": 3}), blue=on("0.L1"))
    assert safe_plan(table.state) == (("4.I", "3"),)
    assert clock_drives(table) == ["4.I"]
    assert table.only(ControlLost).gear == 3


@pytest.mark.rule("DEC-STEP-SPACE")
def test_the_clock_takes_back_what_does_not_belong_to_the_safe_plan() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("0.L1"), dice="4 5").lay(("10.L2", "c"))
    assert table.decision().default == TakeBack(table.turn.seat)
    assert clock_drives(table) == ["10.M2", "10.M3"]


@pytest.mark.rule("DEC-STEP-SPACE")
def test_all_of_a_turn_runs_on_one_clock() -> None:
    settings = make_options(META, "standard", {"grid": "given"})
    race = start_race(GAME, Setup("C2", settings, (Entrant("ann"), Entrant("ben")), bytes(16)))
    after = run_clock_out(race, Seat(0))
    assert {entry.actor for entry in after.entries} == {"clock"}
    assert GAME.decisions(after.state)[0].seat == Seat(1)
    assert [type(entry.action) for entry in after.entries][-3:] == [OneByOne, Roll, Roll]


@pytest.mark.rule("DEC-STEP-DICE")
def test_after_the_space_the_dice_are_asked_for_where_several_sets_fit() -> None:
    table = put("C2", red=on("10.M1", 5), blue=on("0.L1"))
    table.do(ChooseSpace, "10.M2")
    seat = table.turn.seat
    assert asked(table) == "dice"
    sets = ["6", "5", "4", "c", "3b", "2bb", "1bbb"]
    assert offered(table) == [*(LayDice(seat, dice) for dice in sets), TakeBack(seat)]
    assert table.refused(LayDice, "2b") == "plan/dice"
    # Taking back frees the space, too.
    table.do(TakeBack)
    assert (asked(table), table.turn.aim) == ("space", None)


@pytest.mark.rule("DEC-STEP-DICE")
def test_where_only_one_set_fits_nobody_is_asked() -> None:
    table = put("C2", red=on("10.M1", 0), blue=on("0.L1"))
    table.do(ChooseSpace, "10.M2")
    assert asked(table) == "space"
    assert [step.dice for step in table.turn.steps] == ["1"]


@pytest.mark.rule("DEC-STEP-DICE")
@pytest.mark.parametrize("car_class", ["GT6", "GT6 BOP", "GT5", "GT5 BOP", "GT4"])
def test_there_are_never_more_than_nine_sets_of_dice(car_class: str) -> None:
    counts = []
    for gear in range(7 if car_class.startswith("GT6") else int(car_class[2]) + 1):
        options = {"class": car_class, "red_zone": True, "flying_start": True}
        counts.append(len(put("C2", red=on("10.M1", gear), blue=on("0.L1"), options=options).dice_for("10.M2")))
    assert counts[0] == 2
    assert 4 <= max(counts) <= 9


@pytest.mark.rule("DEC-STEP-DICE")
def test_the_clock_lays_the_dice_of_the_safe_plan_or_leaves_the_space() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("0.L1"))
    table.do(ChooseSpace, "10.M2")
    assert table.decision().default == LayDice(table.turn.seat, "4")
    table.do(TakeBack)
    table.do(ChooseSpace, "10.L2")
    assert table.decision().default == TakeBack(table.turn.seat)


@pytest.mark.rule("DEC-FLY")
def test_from_a_standstill_a_flying_start_is_offered_and_the_clock_declines() -> None:
    flying = {"flying_start": True}
    table = put("C2", red=on("10.M1", 0), blue=on("0.L1"), options=flying, dice="1 2")
    table.do(ChooseSpace, "10.M2")
    seat = table.turn.seat
    assert offered(table) == [LayDice(seat, "1"), LayDice(seat, "2"), TakeBack(seat)]
    assert table.decision().default == LayDice(seat, "1")
    assert clock_drives(table) == ["10.M2", "10.M3"]
    assert table.car("red").gear == 2


@pytest.mark.rule("DEC-FLY")
def test_the_clock_flies_only_where_nothing_else_gets_the_car_off() -> None:
    # Both ways on lead beside blue, who is in gear 2.
    flying = {"flying_start": True}
    table = put("C7", red=on("1.L1", 0), blue=on("1.R2", 2), options=flying)
    assert table.dice_for("1.L2") == ["2"]
    assert safe_plan(table.state)[0] == ("1.L2", "2")


@pytest.mark.rule("DEC-CONFIRM")
def test_a_certain_loss_has_to_be_confirmed_and_the_clock_takes_it_back() -> None:
    table = put("C2", red=on("3.L3", 3), blue=on("0.L1"))
    table.do(ChooseSpace, "4.O1")
    table.do(LayDice, "3")
    seat = table.turn.seat
    assert asked(table) == "confirm"
    assert offered(table) == [ConfirmLoss(seat), TakeBack(seat)]
    assert table.decision().default == TakeBack(seat)
    assert table.refused(FinishPlan) == "turn/phase"
    table.default()
    assert table.turn.steps == ()


@pytest.mark.rule("DEC-CONFIRM")
def test_the_clock_confirms_only_a_loss_that_nobody_could_avoid() -> None:
    table = put("C2", red=on("3.R3", 4, damage={"brakes": 3}), blue=on("0.L1"))
    table.do(ChooseSpace, "4.I")
    table.do(LayDice, "5")
    # Not the slowest step there is ...
    assert table.decision().default == TakeBack(table.turn.seat)
    table.do(TakeBack)
    table.do(ChooseSpace, "4.I")
    table.do(LayDice, "3")
    # ... but this one.
    assert table.decision().default == ConfirmLoss(table.turn.seat)


@pytest.mark.rule("DEC-MODE")
def test_a_plan_that_is_done_asks_for_the_mode_and_the_clock_rolls_one_by_one() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("0.L1")).lay(("10.L2", "c"))
    table.do(FinishPlan)
    seat = table.turn.seat
    assert asked(table) == "mode"
    assert offered(table) == [OneByOne(seat), FlatOut(seat), TakeBack(seat)]
    assert table.decision().default == OneByOne(seat)
    table.do(TakeBack)
    # Back to planning, with the plan as it was.
    assert (asked(table), len(table.turn.steps)) == ("space", 1)


# --- rolling ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEC-ROLL")
def test_before_the_first_step_the_clock_rolls_and_then_it_stops() -> None:
    plan = (("10.M2", "4"), ("10.M3", "5"), ("11.M1", "6"))
    table = put("C2", red=on("10.M1", 3, focus=1), blue=on("0.L1"), dice="4").one_by_one(*plan)
    seat = table.turn.seat
    assert asked(table) == "roll"
    assert offered(table) == [Roll(seat), Secure(seat)]
    assert table.decision().default == Roll(seat)
    table.default()
    assert offered(table) == [Roll(seat), Secure(seat), Stop(seat)]
    assert table.decision().default == Stop(seat)
    table.default()
    assert (table.car("red").space, table.car("red").gear) == ("10.M2", 4)
    assert len(table.all(DiceRolled)) == 1


@pytest.mark.rule("DEC-ROLL")
def test_a_plan_that_cannot_fail_is_driven_to_its_end_by_the_clock() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("0.L1"), dice="3! c!").one_by_one(("10.L2", "3"), ("10.M3", "c"))
    assert clock_drives(table) == ["10.L2", "10.M3"]


@pytest.mark.rule("DEC-ROLL")
def test_a_plan_that_can_fail_is_broken_off_even_if_nothing_has_happened_so_far() -> None:
    # Two dice, and a hazard on the line: three hazards are possible.
    table = put("C6", red=on("3.L1", 1), blue=on("8.M1"), dice="c").one_by_one(("3.L2", "c"), ("3.I", "c"))
    assert clock_drives(table) == ["3.L2"]


@pytest.mark.rule("DEC-ROLL")
@pytest.mark.parametrize(("focus", "secure"), [(2, False), (3, True)])
def test_securing_is_offered_to_those_who_can_pay(focus: int, secure: bool) -> None:
    table = put("C2", red=on("10.M1", 4, focus=focus), blue=on("0.L1")).one_by_one(("10.M2", "2b"))
    assert (Secure(table.turn.seat) in offered(table)) is secure


def failed(dice: str, bag: str = "", **options: Any) -> Table:
    """EX-21: flat out from 3.M1 on C0 in gear 4, and one hazard too many."""
    table = put("C0", red=on("3.M1", 4), blue=on("0.L1"), dice=dice, bag=bag, options=options)
    return table.flat_out(("3.M2", "5"), ("3.M3", "c"), ("4.M1", "6"), ("4.M2", "c"))


@pytest.mark.rule("DEC-RELAY")
def test_after_a_failed_roll_the_driver_chooses_where_and_how_control_is_lost() -> None:
    table = failed("5! c! 6 c!", bag="green_flag")
    assert asked(table) == "relay"
    spaces = [action.space for action in offered(table) if isinstance(action, LoseControlAt)]
    assert len(spaces) == len(offered(table))
    assert set(spaces) == {"4.L1", "4.M1", "4.R1", "4.L2", "4.M2", "4.R2"}
    assert table.refused(LoseControlAt, "3.M3") == "relay/not_possible"
    table.do(LoseControlAt, "4.R1")
    assert (table.only(ControlLost).space, table.only(ControlLost).gear) == ("4.R1", 5)


@pytest.mark.rule("DEC-RELAY")
def test_where_several_gears_are_possible_the_gear_is_asked_for() -> None:
    # Every die shows a hazard, so it is the third step, whichever dice are laid: gear 5 (5 c c) or gear 6.
    table = failed("5! c! 6! c!", bag="green_flag")
    table.do(LoseControlAt, "4.M1")
    seat = table.turn.seat
    assert asked(table) == "relay_gear"
    assert set(offered(table)) == {LoseControlIn(seat, 5), LoseControlIn(seat, 6)}
    # Fewer tokens in the lower gear.
    assert table.decision().default == LoseControlIn(seat, 5)
    assert table.refused(LoseControlIn, 4) == "relay/not_possible"
    table.do(LoseControlIn, 5)
    assert table.only(ControlLost).gear == 5


@pytest.mark.rule("DEC-RELAY")
def test_the_clock_takes_the_fewest_tokens_then_the_furthest_then_the_inside() -> None:
    table = failed("5! c! 6 c!", bag="green_flag")
    # Gear 5 on yellow costs one token, gear 6 two. The next corner of C0 turns left, so 4.L1 is the inside.
    assert table.decision().default == LoseControlAt(table.turn.seat, "4.L1")
    ranks = [(o.tokens, o.new_gear == OFF_ROAD, o.space) for o in outcomes(table.state)]
    assert ranks[:3] == [(1, True, "4.L1"), (1, True, "4.M1"), (1, True, "4.R1")]


@pytest.mark.rule("DEC-RELAY")
def test_at_equal_cost_the_clock_takes_new_gear_0_before_00_even_if_that_is_nearer() -> None:
    # Limit 2 in the wet. Control is lost in gear 2 on row 3 of tile 3, or in gear 3 in the corner behind it.
    table = put("C2", red=on("3.L1", 2), blue=on("0.L1"), weather="wet", dice="c! c! 3")
    table.flat_out(("3.O", "c"), ("3.L3", "c"), ("4.O1", "3"))
    free_of_charge = {(o.space, o.gear, o.new_gear) for o in outcomes(table.state) if o.tokens == 0}
    assert {("3.R3", 2, 0), ("4.O1", 3, OFF_ROAD)} <= free_of_charge
    # The inside is on the right.
    assert table.decision().default == LoseControlAt(table.turn.seat, "3.R3")


@pytest.mark.rule("DEC-RELAY")
def test_with_equal_gears_the_clock_takes_the_furthest_space() -> None:
    # On the orange tile 5 of C0 gear 2 costs nothing; one harmless die may come before the last hazard.
    table = put("C0", red=on("3.M3", 3), blue=on("0.L1"), dice="3! c 2! c!")
    table.flat_out(("4.M1", "3"), ("4.M2", "c"), ("5.M1", "2"), ("5.M2", "c"))
    free_of_charge = {(o.space, o.gear, o.new_gear) for o in outcomes(table.state) if o.tokens == 0}
    assert {("5.L1", 2, 0), ("5.L2", 2, 0), ("5.L2", 3, OFF_ROAD)} <= free_of_charge
    assert table.decision().default == LoseControlAt(table.turn.seat, "5.L2")
    table.default()
    assert table.decision().default == LoseControlIn(table.turn.seat, 2)


@pytest.mark.rule("DEC-SIDE")
def test_the_side_of_the_road_is_asked_for_and_the_clock_goes_left() -> None:
    table = put("C0", red=on("0.M4", 3), blue=on("0.L1"), dice="3! c! c!", options={"ask_side": True})
    table.drive(("1.M1", "3"), ("1.M2", "c"), ("2.M1", "c"))
    seat = table.turn.seat
    assert asked(table) == "side"
    assert offered(table) == [ChooseSide(seat, "left"), ChooseSide(seat, "right")]
    assert table.decision().default == ChooseSide(seat, "left")
    table.default()
    assert table.only(LeftRoad).side == "left"


@pytest.mark.rule("DEC-SIDE")
def test_without_the_option_nobody_is_asked_and_the_car_goes_left() -> None:
    table = put("C0", red=on("0.M4", 3), blue=on("0.L1"), dice="3! c! c!")
    table.drive(("1.M1", "3"), ("1.M2", "c"), ("2.M1", "c"))
    assert table.only(LeftRoad).side == "left"
    assert table.driver == "blue"


# --- the pits -----------------------------------------------------------------------------------------------------


def at_the_pits(weather: str = "dry", **more: Any) -> Table:
    """Red has ended his turn in gear 1 at the edge of the road."""
    options = more.pop("options", None)
    table = put("C2", red=on("10.L1", 1, **more), blue=on("7.M1"), dice="1", options=options, weather=weather)
    return table.drive(("10.L2", "1"))


@pytest.mark.rule("DEC-PIT")
def test_a_pit_stop_is_offered_and_the_clock_stays_out() -> None:
    table = at_the_pits()
    seat = table.turn.seat
    assert asked(table) == "pit"
    assert offered(table) == [
        StayOut(seat),
        PitStop(seat, "tyres"),
        PitStop(seat, "repairs"),
        PitStop(seat, "repairs and tyres"),
    ]
    assert table.decision().default == StayOut(seat)
    table.default()
    assert table.only(TurnEnded) == TurnEnded(seat=seat, gear=1)
    assert (table.car("red").where, table.driver) == ("road", "blue")


@pytest.mark.rule("DEC-PIT")
def test_with_pit_stops_off_nobody_is_asked() -> None:
    assert at_the_pits(options={"pit_stops": False}).driver == "blue"


@pytest.mark.rule("DEC-PIT-TYRES")
def test_with_one_other_type_in_play_the_lane_tyres_does_not_ask() -> None:
    table = at_the_pits()
    table.do(PitStop, "tyres")
    assert table.only(TyresFitted).tyres == "rain"
    assert table.driver == "blue"


@pytest.mark.rule("DEC-PIT-TYRES")
@pytest.mark.parametrize(
    ("fitted", "weather", "lane", "choices", "default"),
    [
        ("asphalt", "dry", "tyres", ["rain", "soft"], "soft"),
        ("asphalt", "wet", "tyres", ["rain", "soft"], "rain"),
        ("rain", "dry", "tyres", ["asphalt", "soft"], "asphalt"),
        ("rain", "wet", "tyres", ["asphalt", "soft"], "asphalt"),
        ("soft", "dry", "tyres", ["asphalt", "rain"], "asphalt"),
        ("asphalt", "dry", "repairs and tyres", ["rain", "soft", "asphalt"], "asphalt"),
        ("asphalt", "wet", "repairs and tyres", ["rain", "soft", "asphalt"], "rain"),
        ("rain", "wet", "repairs and tyres", ["asphalt", "soft", "rain"], "rain"),
    ],
)
def test_the_tyres_to_fit_are_asked_for_and_the_clock_fits_the_weather(
    fitted: str, weather: str, lane: str, choices: list[str], default: str
) -> None:
    table = at_the_pits(weather=weather, tyres=fitted, options={"soft_tyres": True})
    table.do(PitStop, lane)
    seat = table.turn.seat
    assert asked(table) == "pit_tyres"
    assert offered(table) == [FitTyres(seat, tyres) for tyres in choices]
    assert table.decision().default == FitTyres(seat, default)
    table.default()
    assert table.car("red").tyres == default


@pytest.mark.rule("DEC-PIT-TYRES")
def test_without_soft_tyres_only_repairs_and_tyres_asks() -> None:
    table = at_the_pits(weather="wet")
    table.do(PitStop, "repairs and tyres")
    seat = table.turn.seat
    assert offered(table) == [FitTyres(seat, "rain"), FitTyres(seat, "asphalt")]
    table.do(FitTyres, "asphalt")
    assert table.all(TyresFitted) == []
    assert table.car("red").tyres == "asphalt"


@pytest.mark.rule("DEC-PIT-TYRES")
def test_with_tyres_at_the_exit_the_question_comes_at_the_return() -> None:
    waiting = on("10.L2", 0, where="pits", lane="tyres", tyres_due=True)
    table = put("C2", red=waiting, blue=on("7.M1"), options={"pit_tyres": "exit", "soft_tyres": True}, weather="wet")
    assert table.only(CarReturned).source == "pits"
    seat = table.turn.seat
    assert asked(table) == "pit_tyres"
    assert offered(table) == [FitTyres(seat, "rain"), FitTyres(seat, "soft")]
    assert table.decision().default == FitTyres(seat, "rain")
    table.default()
    # He drives on in the same turn, on the new tyres (GT-PIT-3).
    assert (table.driver, table.phase, table.car("red").tyres) == ("red", "space", "rain")
    assert table.spaces() == {"10.L3", "10.M3"}


# --- besides ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEC-RETIRE")
def test_any_driver_may_retire_between_turns_but_nobody_owes_an_answer() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("5.M1", 1), green=on("3.L1", 1))
    assert [Retire(table.seat(name)) in table.legal(name) for name in ("red", "blue", "green")] == [True] * 3
    assert [decision.seat for decision in GAME.decisions(table.state)] == [table.seat("red")]
    table.do(Retire, by="green")
    assert table.car("green").where == "retired"


@pytest.mark.rule("DEC-GO-ON")
def test_the_host_may_stop_the_race_but_the_clock_never_does() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("5.M1", 1), finished=["zoe"], host="blue")
    assert StopRace(table.seat("blue")) in table.legal("blue")
    assert StopRace(table.seat("red")) not in table.legal("red")
    # Nobody waits for the host: the race goes on as `continue_places` says.
    assert [decision.seat for decision in GAME.decisions(table.state)] == [table.seat("red")]
    assert not isinstance(table.decision().default, StopRace)
    table.do(StopRace, by="blue")
    assert table.state.stage == "over"

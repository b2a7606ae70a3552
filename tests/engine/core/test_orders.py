"""Standing orders before defaults, and the log says who moved."""

from __future__ import annotations

import pytest

from engine.core.errors import Rejected
from engine.core.game import Entrant, Setup
from engine.core.log import start_race
from engine.core.model import Seat
from engine.core.options import make_options
from engine.core.orders import StandingOrder, answer, run_clock_out
from engine.core.registry import find_game
from engine.gt.actions import ChooseGrid, ChooseTyres

GT = find_game("gt")
ANN, BEN = Seat(0), Seat(1)


def lobby(**settings: object):
    options = make_options(GT.meta, "standard", settings)
    return start_race(GT, Setup("C2", options, (Entrant("Ann"), Entrant("Ben")), bytes(16)))


def test_the_first_order_that_is_legal_is_played():
    race = lobby(tyre_choice="free")
    orders = [StandingOrder(ANN, "tyres", (ChooseTyres(ANN, "soft"), ChooseTyres(ANN, "rain")))]
    decision = race.game.decisions(race.state)[0]
    assert answer(race.game, race.state, decision, orders) == (ChooseTyres(ANN, "rain"), "order")


def test_without_a_fitting_order_the_default_is_played():
    race = lobby(tyre_choice="free")
    orders = [
        StandingOrder(BEN, "tyres", (ChooseTyres(BEN, "rain"),)),
        StandingOrder(ANN, "grid", (ChooseTyres(ANN, "rain"),)),
    ]
    decision = race.game.decisions(race.state)[0]
    assert answer(race.game, race.state, decision, orders) == (ChooseTyres(ANN, "asphalt"), "clock")


def test_running_the_clock_out_names_order_or_clock_in_the_log():
    race = lobby(grid="choose", grid_order=(0, 1))
    first = race.game.decisions(race.state)[0].seat
    order = StandingOrder(first, "grid", (ChooseGrid(first, race.game.legal(race.state, first)[-1].space),))
    after = run_clock_out(race, first, [order])
    assert [entry.actor for entry in after.entries] == ["order"]
    other = after.game.decisions(after.state)[0].seat
    assert run_clock_out(after, other).entries[-1].actor == "clock"


def test_a_seat_that_owes_nothing_has_no_clock():
    race = lobby(grid="given")
    with pytest.raises(Rejected, match="clock/nothing_owed"):
        run_clock_out(race, BEN)

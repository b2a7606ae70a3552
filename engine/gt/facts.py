"""Everything about a GT race that a scenario can expect, as tables with drivers by name (docs/scenarios.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from engine.core.model import Seat
from engine.gt.circuit import Circuit
from engine.gt.material import OFF_ROAD, TOKENS, Gear, Tokens
from engine.gt.rules.ahead import dice_ahead, flag_zone, outlook, table_for, tip_of
from engine.gt.rules.drive import securing_cost
from engine.gt.rules.order import classification, distance
from engine.gt.rules.pits import may_pit
from engine.gt.rules.relay import outcomes
from engine.gt.solo import clock_time, driving_time, total_time
from engine.gt.state import Car, State, Turn, allowance_of, laps, road, round_colour, solo

Facts = dict[str, Any]

DICE_KINDS = ("gear", "coast", "brake", "boost")


def gear_fact(gear: Gear) -> int | str:
    """A gear as a file writes it: a number, or "00"."""
    return "00" if gear == OFF_ROAD else gear


def facts(state: State) -> Facts:
    """The whole race between two actions."""
    names = [entrant.name for entrant in state.entrants]
    turn = state.turn
    colour = round_colour(state.round)
    yet_to_play = [s for s in state.order if state.cars[s].racing and state.cars[s].marker == colour]
    return {
        "stage": state.stage,
        "phase": turn.phase if turn else "",
        "turn": names[turn.seat] if turn else "",
        "round": state.round,
        "colour": colour,
        "order": [names[seat] for seat in state.order],
        "yet_to_play": [names[seat] for seat in yet_to_play] if state.stage == "race" else [],
        "weather": state.weather,
        "laps": laps(state),
        "bag": _tokens(state.bag),
        "flag_zone": sorted(flag_zone(road(state), {tile for car in state.cars for tile in car.flags})),
        "cars": {name: _car(state, Seat(seat)) for seat, name in enumerate(names)},
        "plan": _plan(state, turn) if turn else {},
        "outcomes": _outcomes(state),
        "finished": [names[seat] for seat in state.finished],
        "retired": [names[seat] for seat in state.retired],
        "winner": names[state.finished[0]] if state.finished else "",
        "classification": [names[seat] for seat in classification(state)] if state.stage in ("race", "over") else [],
        "solo": _solo(state) if solo(state) else {},
        "circuit": circuit_facts(road(state)),
    }


def _car(state: State, seat: Seat) -> Facts:
    car, allowed = state.cars[seat], allowance_of(state, state.cars[seat])
    return {
        "space": car.space,
        "gear": gear_fact(car.gear),
        "where": car.where,
        "marker": car.marker,
        "crossings": car.crossings,
        "distance": distance(road(state), car) if car.space else 0,
        "focus": car.focus,
        "damage": _tokens(car.tokens),
        "class": car.car_class,
        "tyres": car.tyres,
        "tyre_turns": car.tyre_turns,
        "dice": {kind: getattr(allowed, kind) for kind in DICE_KINDS},
        "hazard_limit": allowed.limit,
        "flags": list(car.flags),
        "side": car.side or "",
        "lane": car.lane or "",
        "spun": car.spun,
        "pit_possible": _pit_possible(state, seat, car),
    }


def _pit_possible(state: State, seat: Seat, car: Car) -> bool:
    return bool(car.space) and may_pit(state, seat)


def _tokens(tokens: Tokens) -> Facts:
    return dict(zip(TOKENS, tokens, strict=True))


def _plan(state: State, turn: Turn) -> Facts:
    """The running turn: what is laid, what has been driven, and what may come next."""
    table, tip = table_for(state, turn.seat), tip_of(state)
    planning = turn.phase in ("space", "dice")
    ahead = outlook(table, tip) if planning else None
    steps: dict[str, list[str]] = {}
    for candidate in ahead.candidates if ahead else ():
        steps.setdefault(candidate.step.to, []).append(candidate.dice)
    allowed, used = table.allowed, tip.used
    return {
        "space": tip.space,
        "gear": tip.gear,
        "steps": [
            {"space": s.space, "dice": s.dice, "gear": s.gear, "auto": s.auto, "over": s.over, "crosses": s.crosses}
            for s in turn.steps
        ],
        "driven": turn.driven,
        "hazards": turn.hazards,
        # Hazards so far and those that the rest of the plan adds by itself.
        "automatic": tip.hazards,
        "certain_loss": any(step.sure_loss for step in turn.steps),
        "dice_left": {kind: getattr(allowed, kind) - getattr(used, kind) for kind in DICE_KINDS},
        "dice_used": {kind: getattr(used, kind) for kind in DICE_KINDS},
        "fitting_dice": list(dice_ahead(table, tip)) if planning else [],
        "next": [{"space": space, "dice": dice} for space, dice in steps.items()],
        "blocked": ahead.blocked if ahead else False,
        "mode": turn.mode or "",
        "secured": turn.secured,
        "securing_cost": securing_cost(turn) if turn.phase == "roll" else 0,
    }


def _outcomes(state: State) -> list[Facts]:
    """The ways to lose control after a failed flat-out roll, the clock's choice first (DEC-RELAY)."""
    if state.turn is None or state.turn.phase not in ("relay", "relay_gear"):
        return []
    return [
        {
            "space": outcome.space,
            "gear": outcome.gear,
            "level": road(state).spaces[outcome.space].level,
            "new_gear": gear_fact(outcome.new_gear),
            "tokens": outcome.tokens,
            "finishes": outcome.finishes,
        }
        for outcome in outcomes(state)
    ]


def _solo(state: State) -> Facts:
    """The score sheet (GT-SOLO-3 to 7)."""
    ticks, focus = state.ticks, state.cars[0].focus
    return {
        "turns": len(ticks),
        "ticks": [gear_fact(tick.gear) for tick in ticks],
        "seconds": [tick.seconds for tick in ticks],
        "driving_time": driving_time(ticks),
        "credit": focus,
        "total": total_time(ticks, focus),
        "clock": clock_time(total_time(ticks, focus)),
    }


@lru_cache(maxsize=16)
def circuit_facts(circuit: Circuit) -> Mapping[str, Any]:
    """The circuit itself: spaces, the steps between them, what lies beside what."""
    return {
        "id": circuit.id,
        "code": circuit.code,
        "length": circuit.length,
        "line": circuit.line,
        "grid": list(circuit.grid),
        # By number, so that an expectation can be about one of them.
        "tiles": {str(number): msgspec.to_builtins(tile) for number, tile in enumerate(circuit.tiles)},
        "spaces": {space.id: msgspec.to_builtins(space) for space in circuit.spaces.values()},
        "steps": {space: [msgspec.to_builtins(step) for step in steps] for space, steps in circuit.steps.items()},
        "beside": {space: sorted(others) for space, others in circuit.beside.items()},
    }

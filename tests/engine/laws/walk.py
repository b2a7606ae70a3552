"""Random walks through any registered game: where the laws get their states from."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from engine.core.game import AnyGame, Entrant, Setup
from engine.core.log import Race, start_race
from engine.core.model import tag_of
from engine.core.options import make_options
from engine.core.registry import find_game, game_ids

# Taking choices back and giving up are legal, but a walker who does little else sees little of the race.
SHY_OF = {"take_back", "retire", "stop_race"}
LONGEST_WALK = 20_000


def gt_setup(chance: random.Random) -> Setup[Any]:
    """A GT race with options drawn from the whole range of what can be agreed."""
    seats = chance.choice((1, 2, 2, 3, 4, 6))
    options = {
        "stock": chance.choice(("box", "free")),
        "reverse": chance.random() < 0.3,
        "grid": chance.choice(("draw", "draw", "choose", "given")),
        "weather_start": chance.choice(("dry", "wet", "random")),
        "tyre_choice": chance.choice(("asphalt", "rain", "free", "free")),
        "weather_changes": chance.choice((None, True, False)),
        "flying_start": chance.random() < 0.5,
        "red_zone": chance.random() < 0.5,
        "pit_stops": chance.choice((None, True, False)),
        "pit_tyres": chance.choice(("entry", "exit")),
        "continue_places": chance.choice(("first", "podium", "all")),
        "class": chance.choice(("GT6", "GT6 BOP", "GT5", "GT5 BOP", "GT4", "mixed")),
        "soft_tyres": chance.random() < 0.5,
        "limit_profile": chance.choice(("balanced", "strict", "flat")),
        "deliberate_loc": chance.random() < 0.7,
        "merge_moves": chance.random() < 0.7,
        "double_inner_strict": chance.random() < 0.3,
        "replan": chance.random() < 0.4,
        "finish_in_control": chance.random() < 0.3,
        "ask_side": chance.random() < 0.4,
    }
    entrants = tuple(Entrant(f"Driver {seat}", car=chance.choice(("", "GT5", "GT4"))) for seat in range(seats))
    track = chance.choice(("C0", "C0", "C0", "C1", "C2", "C4", "C5", "C7"))
    return Setup(track, make_options(find_game("gt").meta, "standard", options), entrants, chance.randbytes(16))


SETUPS: dict[str, Callable[[random.Random], Setup[Any]]] = {"gt": gt_setup}


def some_race(game_id: str, seed: int) -> Race[Any, Any, Any, Any]:
    """A race of that game at its start."""
    return start_race(find_game(game_id), SETUPS[game_id](random.Random(f"setup/{seed}")))


def random_action(game: AnyGame, state: Any, chance: random.Random) -> Any:
    """A legal answer to one of the decisions owed."""
    decision = chance.choice(list(game.decisions(state)))
    if chance.random() < 0.05:
        return decision.default
    legal = list(game.legal(state, decision.seat))
    bold = [action for action in legal if tag_of(action) not in SHY_OF]
    return chance.choice(bold if bold and chance.random() < 0.97 else legal)


def walk(race: Race[Any, Any, Any, Any], chance: random.Random) -> Iterator[Race[Any, Any, Any, Any]]:
    """The race at its start and after each random action, to the end."""
    yield race
    for _ in range(LONGEST_WALK):
        if race.game.result(race.state) is not None:
            return
        race = race.act(random_action(race.game, race.state, chance))
        yield race
    raise AssertionError(f"random play has not ended after {LONGEST_WALK} actions")


def stretch(game_id: str, seed: int, length: int = 40) -> list[Race[Any, Any, Any, Any]]:
    """A stretch of races after each other, from somewhere in a random walk."""
    chance = random.Random(f"walk/{seed}")
    skip = chance.randrange(250)
    found: list[Race[Any, Any, Any, Any]] = []
    for number, race in enumerate(walk(some_race(game_id, seed), chance)):
        if number >= skip:
            found.append(race)
        if len(found) == length:
            break
    return found or [race]


ALL_GAMES = game_ids()

"""Which games there are. A game is imported only when somebody asks for it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from engine.core.errors import BadInput
from engine.core.game import AnyGame

_MODULES = {"gt": "engine.gt.game"}


def game_ids() -> tuple[str, ...]:
    """The ids of all games that can be played."""
    return tuple(_MODULES)


@cache
def find_game(game_id: str) -> AnyGame:
    """The game with that id; `BadInput` names the games there are."""
    if game_id not in _MODULES:
        raise BadInput("game", repr(game_id), f"there is no such game; choose one of: {', '.join(_MODULES)}")
    return cast("AnyGame", import_module(_MODULES[game_id]).GAME)

"""Which module speaks for which game in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from engine.core.errors import Rejected
from engine.core.game import Entrant, Result


class GameText(Protocol):
    """What a game's text module offers."""

    def tell(self, event: Any, entrants: Sequence[Entrant]) -> str | None: ...

    def explain(self, rejected: Rejected) -> str: ...

    def result_lines(self, result: Result, entrants: Sequence[Entrant]) -> list[str]: ...


def text_of(game_id: str) -> GameText:
    """The text module of a game."""
    return cast("GameText", import_module(f"engine.cli.{game_id}_text"))

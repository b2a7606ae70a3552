"""Sample rows."""

from __future__ import annotations

from typing import Any

from bot.store.rows import DeadlineRow, EntryRow, RaceRow, SeatRow


def race(id: str = "r1", **changes: Any) -> RaceRow:
    given: dict[str, Any] = {
        "id": id, "game": "gt", "status": "racing", "host": 1, "track": "C2", "options": "{}", "clock": "{}",
        "created": 1_000, "changed": 1_000, "seed": b"\x00secret", "guild": 2**60, "channel": 7,
    }  # fmt: skip
    return RaceRow(**{**given, **changes})


def seat(race: str = "r1", number: int = 0, player: int | None = 100) -> SeatRow:
    return SeatRow(race, number, f"driver {number}", player)


def entry(number: int, race: str = "r1", interaction: int | None = None, **changes: Any) -> EntryRow:
    given: dict[str, Any] = {
        "race": race, "number": number, "actor": "driver", "cause": "player", "at": 2_000 + number,
        "events": '[{"event":"dice_rolled","seat":0,"text":"ä ☂"}]', "action": '{"do":"roll","seat":0}', "seat": 0,
        "player": 100, "interaction": interaction,
    }  # fmt: skip
    return EntryRow(**{**given, **changes})


def deadline(race: str = "r1", seat: int = 0, wakes: int | None = 5_000, **changes: Any) -> DeadlineRow:
    given: dict[str, Any] = {
        "race": race, "seat": seat, "kind": "driver", "clock": "turn/1", "since": 1_000, "due": 9_000, "wakes": wakes,
        "allowed": 8_000,
    }  # fmt: skip
    return DeadlineRow(**{**given, **changes})

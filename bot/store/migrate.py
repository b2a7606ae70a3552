"""Numbered SQL files that bring a database to the present shape."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import NamedTuple

from bot.store.errors import WrongVersion

_NAME = re.compile(r"^(\d{4})_\w+\.sql$")

TABLE = "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"


class Migration(NamedTuple):
    """One step of the schema."""

    number: int
    name: str
    sql: str


def migrations(database: str) -> list[Migration]:
    """All steps for `sqlite` or `postgres`, in order."""
    found: list[Migration] = []
    for file in (files("bot.store") / "migrations" / database).iterdir():
        match = _NAME.match(file.name)
        if match:
            found.append(Migration(int(match[1]), file.name, file.read_text(encoding="utf-8")))
    return sorted(found)


def missing(database: str, applied: set[int]) -> list[Migration]:
    """The steps still to take; `WrongVersion` if the database knows steps that this program does not."""
    known = migrations(database)
    unknown = applied - {step.number for step in known}
    if unknown:
        raise WrongVersion(f"the database has schema step {max(unknown)}, this program knows steps up to {len(known)}")
    return [step for step in known if step.number not in applied]

"""What can go wrong with a database, told so that an operator knows what to do."""

from __future__ import annotations


class StoreError(Exception):
    """The database did not do what was asked; nothing of it was written. `advice` is a sentence for the operator."""

    advice = "See docs/operations.md."

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice or type(self).advice


class Conflict(StoreError):
    """Somebody else wrote to the race in between: load it again."""

    advice = "Nothing to do: the race is loaded again."


class Duplicate(StoreError):
    """An interaction that is already in the database."""

    advice = "Nothing to do: it was applied the first time."


class Busy(StoreError):
    """Another program holds the database."""

    advice = "Another program holds a lock on the database. Find and stop it (fuser <file>); nothing is lost."


class DiskFull(StoreError):
    """No room is left."""

    advice = "The disk is full. Make room; the bot goes on by itself with the next move. Nothing saved is lost."


class ReadOnly(StoreError):
    """The database may not be written."""

    advice = "The bot may not write the database file, or its folder. Give its user write access to both."


class Damaged(StoreError):
    """The file is not, or no longer, a sound database."""

    advice = (
        "Leave the file as it is. Restore the newest backup (python -m bot restore <file>), or save the readable races "
        "first (python -m bot doctor --salvage <folder>)."
    )


class Unavailable(StoreError):
    """The database server cannot be reached."""

    advice = "The database server does not answer. Start it, or check DATABASE_URL; the bot goes on by itself."


class WrongVersion(StoreError):
    """The database was made by a newer program."""

    advice = "Install the newer version of the bot again, or restore a backup made before the update."

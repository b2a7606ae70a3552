"""A backup is one SQLite file, whatever the database is; it is checked before it counts as one."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

from bot.store.copy import copy_database
from bot.store.errors import Busy, Damaged, StoreError
from bot.store.protocol import Store
from bot.store.sqlite import SqliteStore, applied, check_file, open_reader, translate

_FOREVER = float("inf")


async def back_up(store: Store, target: Path) -> Path:
    """Write a backup while the bot runs; an existing file is never overwritten."""
    if target.exists():
        raise StoreError(f"{target} exists already", "Choose another name: a backup is never overwritten.")
    part = target.with_name(target.name + ".part")
    _remove(part)
    try:
        if isinstance(store, SqliteStore):
            await store.backup(part)
        else:
            copy = await SqliteStore.open(part)
            try:
                await copy_database(store, copy)
            finally:
                await copy.close()
        await check_file(part, seconds=_FOREVER)
        _to_disk(part)
        part.rename(target)
    finally:
        _remove(part)
    return target


async def check_backup(file: Path) -> None:
    """`StoreError` unless the file is a sound database of this program."""
    if not file.is_file():
        raise StoreError(f"there is no file {file}", "Give the name of a file that `backup` has written.")
    await check_file(file, seconds=_FOREVER)
    try:
        async with open_reader(file) as connection:
            await applied(connection)
    except sqlite3.Error:
        raise StoreError(
            f"{file} is a database, but not one of Race Control", "Give a file written by backup."
        ) from None


async def restore_file(file: Path, path: Path, suffix: str) -> list[Path]:
    """Put a backup in the place of a SQLite database; says where the old files went (they are kept)."""
    await check_backup(file)
    part = path.with_name(path.name + ".part")
    shutil.copyfile(file, part)
    _to_disk(part)
    kept: list[Path] = []
    if path.exists():
        release(path)
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
            old = path.with_name(name)
            if old.exists():
                aside = path.with_name(f"{name}.before-restore-{suffix}")
                old.rename(aside)
                kept.append(aside)
    part.rename(path)
    return kept


def release(path: Path) -> None:
    """Make sure nobody uses the file, and fold its write-ahead log into it. A damaged file is left as it is."""
    connection = sqlite3.connect(path, timeout=1)
    try:
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    except sqlite3.Error as error:
        meaning = translate(error, path)
        if isinstance(meaning, Busy):
            raise Busy(f"{path} is in use", "Stop the bot first, then restore.") from error
        if not isinstance(meaning, Damaged):
            raise meaning from error
    finally:
        connection.close()


def _to_disk(file: Path) -> None:
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


def _remove(part: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        part.with_name(part.name + ending).unlink(missing_ok=True)

"""What is special about the database in one file."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from bot.store import sqlite
from bot.store.errors import WrongVersion
from bot.store.migrate import migrations
from bot.store.rows import Commit, PersonRow
from bot.store.sqlite import SqliteStore, path_of
from tests.bot.store.rows import entry, race


async def test_pragmas(tmp_path: Path) -> None:
    path = tmp_path / "races.db"
    store = await SqliteStore.open(path)
    try:
        for connection in (store._writing, store._reading):
            for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
                assert (await connection.execute_fetchall(f"PRAGMA {pragma}"))[0][0] == value  # type: ignore[index]
    finally:
        await store.close()
    assert not (tmp_path / "races.db-wal").exists()


def test_addresses() -> None:
    assert path_of("sqlite:///races.db") == Path("races.db")
    assert path_of("sqlite:////srv/races.db") == Path("/srv/races.db")


def test_both_databases_have_the_same_steps() -> None:
    ours = [(step.number, step.name) for step in migrations("sqlite")]
    assert ours == [(step.number, step.name) for step in migrations("postgres")]
    assert [number for number, _ in ours] == list(range(1, len(ours) + 1))


async def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "races.db"
    await (await SqliteStore.open(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO migrations VALUES (99, 'from the future')")
    connection.close()
    with pytest.raises(WrongVersion, match="99"):
        await SqliteStore.open(path)


async def test_a_failed_step_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "races.db"
    steps = migrations("sqlite")
    broken = steps[0]._replace(
        number=2, name="0002_broken.sql", sql="CREATE TABLE extra (a);\nCREATE TABLE races (a);\n"
    )
    monkeypatch.setattr(sqlite.migrate, "migrations", lambda _: [*steps, broken])
    with pytest.raises(Exception, match="already exists"):
        await SqliteStore.open(path)
    monkeypatch.undo()
    store = await SqliteStore.open(path)
    assert await store.check() == []
    await store.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'extra'").fetchone() == (0,)
    connection.close()


async def test_processes_that_start_together_migrate_once(tmp_path: Path) -> None:
    stores = await asyncio.gather(*(SqliteStore.open(tmp_path / "races.db") for _ in range(4)))
    await asyncio.gather(*(store.close() for store in stores))


async def test_what_waits_is_written_on_closing(tmp_path: Path) -> None:
    path = tmp_path / "races.db"
    store = await SqliteStore.open(path)
    waiting = [asyncio.ensure_future(store.put(PersonRow(n, "x"))) for n in range(50)]
    await asyncio.sleep(0)
    await store.close()
    assert [outcome for outcome in await asyncio.gather(*waiting, return_exceptions=True) if outcome] == []
    again = await SqliteStore.open(path)
    assert len(await again.find(PersonRow)) == 50
    await again.close()


async def test_who_gives_up_waiting_does_not_undo_the_write(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "races.db")
    await store.put(race())
    task = asyncio.ensure_future(store.commit(Commit("r1", 0, (entry(1),))))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await store.put(PersonRow(1, "x"))
    assert len(await store.entries("r1")) == 1
    await store.close()


async def test_a_large_file_is_checked_beside_the_running_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "races.db"
    store = await SqliteStore.open(path)
    await store.put(*(PersonRow(n, "x" * 200) for n in range(5000)))
    await store.close()
    monkeypatch.setattr(sqlite, "CHECK_SECONDS", 0.0)
    monkeypatch.setattr(sqlite, "_PROGRESS_STEPS", 100)
    store = await SqliteStore.open(path)
    assert store._checking is not None
    await store._checking
    assert store.problems == []
    await store.close()

"""Copies, backups, archives: nothing is lost, nothing is overwritten."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.store import open_store
from bot.store.archive import decode_archive, encode_archive, read_archive, whole_part, write_archive
from bot.store.backup import back_up, restore_file
from bot.store.copy import NotEmpty, copy_database, count_rows
from bot.store.errors import Busy, Damaged, StoreError
from bot.store.protocol import Store
from bot.store.rows import KINDS, AuditRow, Commit, PersonRow, RaceRow
from bot.store.sqlite import SqliteStore
from engine.core.errors import RecordError
from tests.bot.store.rows import deadline, entry, race, seat


async def fill(store: Store, races: int = 30) -> None:
    for n in range(races):
        name = f"r{n}"
        await store.put(race(name), seat(name), seat(name, 1, None), deadline(name))
        await store.commit(Commit(name, 0, tuple(entry(k, name, n * 100 + k) for k in range(1, 41))))
    await store.put(*(PersonRow(n, f"person {n}") for n in range(50)), AuditRow("a1", 5, "setup", "steward"))


async def contents(store: Store) -> list[object]:
    return [row async for batch in store.scan(*KINDS) for row in batch]


async def test_from_one_database_to_the_other_and_back(store: Store, tmp_path: Path) -> None:
    """The fixture gives both kinds: SQLite -> SQLite and PostgreSQL -> SQLite -> PostgreSQL's kind again."""
    await fill(store)
    there = await SqliteStore.open(tmp_path / "there.db")
    copied = await copy_database(store, there)
    assert copied["entries"] == 30 * 40
    assert copied["people"] == 50
    assert await contents(there) == await contents(store)
    with pytest.raises(NotEmpty):
        await copy_database(there, store)
    for kind in reversed(KINDS):
        await store.delete(kind)
    await copy_database(there, store)
    assert await contents(there) == await contents(store)
    # The copy is a living database: the next move of a race fits.
    await store.commit(Commit("r0", 40, (entry(41, "r0"),)))
    await there.close()


async def test_a_backup_is_made_while_moves_are_written(store: Store, tmp_path: Path) -> None:
    await fill(store)
    target = await back_up(store, tmp_path / "backup.db")
    await store.commit(Commit("r0", 40, (entry(41, "r0"),)))
    copy = await SqliteStore.open(target)
    assert (await count_rows(copy))["entries"] == 30 * 40
    assert await copy.check() == []
    await copy.close()
    with pytest.raises(StoreError, match="exists already"):
        await back_up(store, target)
    assert [file.name for file in tmp_path.iterdir() if "part" in file.name] == []


async def test_restore_keeps_the_old_file_and_refuses_while_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "races.db"
    store = await SqliteStore.open(path)
    await fill(store, 2)
    backup = await back_up(store, tmp_path / "backup.db")
    await store.put(race("later"))
    with pytest.raises(Busy, match="in use"):
        await restore_file(backup, path, "x")
    await store.close()
    kept = await restore_file(backup, path, "x")
    assert kept == [tmp_path / "races.db.before-restore-x"]
    for file, there in ((path, False), (kept[0], True)):
        opened = await SqliteStore.open(file)
        assert (await opened.get(RaceRow, "later") is not None) == there
        await opened.close()


async def test_restore_takes_only_sound_backups(tmp_path: Path) -> None:
    path = tmp_path / "races.db"
    await (await SqliteStore.open(path)).close()
    before = path.read_bytes()
    (tmp_path / "noise.db").write_bytes(b"not a database at all" * 500)
    with sqlite3.connect(tmp_path / "foreign.db") as foreign:
        foreign.execute("CREATE TABLE other (a)")
    foreign.close()
    for name, problem in (("noise.db", Damaged), ("foreign.db", StoreError), ("missing.db", StoreError)):
        with pytest.raises(problem):
            await restore_file(tmp_path / name, path, "x")
    assert path.read_bytes() == before


async def test_an_archive_carries_a_race_into_another_database(store: Store, tmp_path: Path) -> None:
    await fill(store, 2)
    archive = await read_archive(store, "r1")
    assert len(archive.entries) == 40
    same = decode_archive(encode_archive(archive), "file")
    assert same == archive
    with pytest.raises(StoreError, match="already"):
        await write_archive(store, same)
    other = await open_store(Settings(database_url=f"sqlite:///{tmp_path / 'other.db'}"))
    await write_archive(other, same)
    assert await read_archive(other, "r1") == archive
    await other.close()
    with pytest.raises(StoreError, match="no race"):
        await read_archive(store, "nothing")


def test_a_file_that_is_no_archive_is_named() -> None:
    for data in (b"{}", b"\xff", b'{"race": 1}', b"["):
        with pytest.raises(RecordError, match=r"some\.json"):
            decode_archive(data, "some.json")


def test_a_record_with_a_gap_is_cut_there() -> None:
    row = race(number=5)
    assert whole_part(row, [entry(n) for n in range(1, 6)])[0] is row
    cut, kept = whole_part(row, [entry(n) for n in (5, 4, 2, 1)])
    assert [each.number for each in kept] == [1, 2]
    assert (cut.number, cut.status) == (2, "paused")
    assert "3 of 5" in cut.reason

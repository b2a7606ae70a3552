"""What every store promises, asked of SQLite and of a real PostgreSQL server."""

from __future__ import annotations

import asyncio
from typing import Any, get_type_hints

import pytest
from msgspec.structs import replace

from bot.settings import Settings
from bot.store import open_store
from bot.store.errors import Conflict, Duplicate, StoreError
from bot.store.protocol import Store
from bot.store.rows import (
    KINDS,
    AnnouncedRow,
    ChallengeRow,
    Commit,
    DeadlineRow,
    EntryRow,
    PersonRow,
    RaceRow,
    Row,
    SeatRow,
    SnapshotRow,
    VoteRow,
    columns,
    key_of,
)
from tests.bot.store.rows import deadline, entry, race, seat


def sample(kind: type[Row], filler: int) -> Row:
    """A row with something in every column; races and challenges it points to are called "1"."""
    hints = get_type_hints(kind)
    given: dict[str, Any] = {}
    for name in columns(kind):
        hint = str(hints[name])
        if name in ("race", "challenge") or (kind in (RaceRow, ChallengeRow) and name == "id"):
            given[name] = "1"
        elif "Literal" in hint:
            given[name] = {"status": "racing", "actor": "clock", "kind": "ai"}[name]
        elif "float" in hint:
            given[name] = filler + 0.125
        elif "int" in hint:
            given[name] = 2**62 + filler
        elif "bytes" in hint:
            given[name] = b"\x00\xff" + bytes([filler])
        else:
            given[name] = f"text {filler} ä☂'\"\n"
    if kind is EntryRow:
        given["undo_to"] = None
    return kind(**given)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.table)
async def test_every_row_comes_back_as_it_was_put(store: Store, kind: type[Row]) -> None:
    if kind is not RaceRow:
        await store.put(race("1", interaction=None))
    if kind is not ChallengeRow:
        await store.put(sample(ChallengeRow, 3))
    row = sample(kind, 1)
    await store.put(row)
    assert await store.get(kind, *key_of(row)) == row
    assert await store.find(kind) == [row]
    assert [batch async for batch in store.scan(kind)] == [[row]]


async def test_put_replaces_the_row_with_the_same_key(store: Store) -> None:
    await store.put(PersonRow(5, "Ann"), PersonRow(6, "Ben"))
    await store.put(PersonRow(5, "Anna", "de", "Europe/Berlin", 1320, 420))
    assert await store.find(PersonRow) == [PersonRow(5, "Anna", "de", "Europe/Berlin", 1320, 420), PersonRow(6, "Ben")]


async def test_rows_are_put_together_or_not_at_all(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.put(PersonRow(5, "Ann"), SeatRow("no such race", 0, "Ann"))
    assert await store.find(PersonRow) == []


async def test_find_by_value_by_several_and_by_none(store: Store) -> None:
    await store.put(race("a", guild=1), race("b", guild=2), race("c", guild=None, status="open"))
    assert [row.id for row in await store.find(RaceRow, guild=(1, 2))] == ["a", "b"]
    assert [row.id for row in await store.find(RaceRow, guild=None)] == ["c"]
    assert [row.id for row in await store.find(RaceRow, status="racing", guild=2)] == ["b"]
    assert await store.find(RaceRow, guild=()) == []
    assert [row.id for row in await store.find(RaceRow, limit=2)] == ["a", "b"]


async def test_texts_are_sorted_by_their_bytes(store: Store) -> None:
    await store.put(*(race(name) for name in ("b", "B", "a", "ä", "Z", "_")))
    assert [row.id for row in await store.find(RaceRow)] == ["B", "Z", "_", "a", "b", "ä"]


async def test_delete_says_how_many(store: Store) -> None:
    await store.put(race(), VoteRow("r1", 0, 1), VoteRow("r1", 0, 2), VoteRow("r1", 1, 1))
    assert await store.delete(VoteRow, race="r1", seat=0) == 2
    assert await store.delete(VoteRow, race="r1", seat=0) == 0
    assert await store.find(VoteRow) == [VoteRow("r1", 1, 1)]


# --- commits -----------------------------------------------------------------------------------------------------


async def test_a_move_counts_version_and_number(store: Store) -> None:
    await store.put(race())
    await store.commit(Commit("r1", 0, (entry(1),)))
    await store.commit(Commit("r1", 1, (entry(2), entry(3))))
    row = await store.get(RaceRow, "r1")
    assert row is not None
    assert (row.version, row.number, row.changed) == (3, 3, entry(3).at)
    assert await store.entries("r1") == [entry(1), entry(2), entry(3)]
    assert await store.entries("r1", 2) == [entry(3)]
    assert await store.versions(["r1", "nobody"]) == {"r1": 3}


async def test_a_late_move_changes_nothing(store: Store) -> None:
    await store.put(race())
    await store.commit(Commit("r1", 0, (entry(1),)))
    late = entry(1, events="[]", interaction=9)
    with pytest.raises(Conflict):
        await store.commit(Commit("r1", 0, (late,), put=(SnapshotRow("r1", 1, b"x"),)))
    with pytest.raises(Conflict):
        await store.commit(Commit("r1", 0, (late,), row=race(version=1, number=1, status="finished")))
    with pytest.raises(Conflict):
        await store.commit(Commit("r1", 0, put=(seat(),)))
    assert await store.entries("r1") == [entry(1)]
    assert await store.find(SnapshotRow) == []
    assert await store.find(SeatRow) == []
    assert await store.get(RaceRow, "r1") == race(version=1, number=1, changed=entry(1).at)


async def test_a_move_of_an_unknown_race_is_late(store: Store) -> None:
    with pytest.raises(Conflict):
        await store.commit(Commit("r1", 0, (entry(1),)))


async def test_an_interaction_is_written_once(store: Store) -> None:
    await store.put(race(), race("r2"))
    await store.commit(Commit("r1", 0, (entry(1, interaction=42),)))
    with pytest.raises(Duplicate):
        await store.commit(Commit("r1", 1, (entry(2, interaction=42),)))
    with pytest.raises(Duplicate):
        await store.commit(Commit("r2", 0, (entry(1, "r2", interaction=42),), row=race("r2", version=1, number=1)))
    assert await store.find(EntryRow, interaction=42) == [entry(1, interaction=42)]
    assert await store.versions(["r1", "r2"]) == {"r1": 1, "r2": 0}
    with pytest.raises(Duplicate):
        await store.put(race("r3", interaction=7), race("r4", interaction=7))


async def test_a_commit_is_whole(store: Store) -> None:
    await store.put(race(), seat(), seat(number=1), deadline(), VoteRow("r1", 0, 1), VoteRow("r1", 0, 2))
    after = race(version=2, number=2, status="finished", header="{}", reason="over", changed=3_000)
    await store.commit(
        Commit(
            "r1",
            0,
            (entry(1), entry(2)),
            after,
            put=(
                replace(seat(), misses=2),
                SnapshotRow("r1", 2, b"\x00state"),
                deadline(seat=1),
                AnnouncedRow("r1", 2),
            ),
            drop=(deadline(), VoteRow("r1", 0, 1), VoteRow("r1", 0, 2)),
        )
    )
    assert await store.get(RaceRow, "r1") == after
    assert await store.find(SeatRow) == [replace(seat(), misses=2), seat(number=1)]
    assert await store.find(DeadlineRow) == [deadline(seat=1)]
    assert await store.find(VoteRow) == []
    assert len(await store.entries("r1")) == 2


async def test_a_commit_that_fails_half_way_writes_nothing(store: Store) -> None:
    await store.put(race())
    with pytest.raises(StoreError):
        await store.commit(Commit("r1", 0, (entry(1),), put=(seat(), SeatRow("no such race", 0, "x"))))
    assert await store.entries("r1") == []
    assert await store.find(SeatRow) == []
    assert await store.versions(["r1"]) == {"r1": 0}


async def test_of_many_at_once_one_wins_and_the_others_are_not_harmed(store: Store) -> None:
    """Also through the batching writer: the one at fault is refused, the rest is written."""
    await store.put(*(race(f"r{n}") for n in range(20)))
    good = [store.commit(Commit(f"r{n}", 0, (entry(1, f"r{n}", n + 1),))) for n in range(20)]
    same_race = [store.commit(Commit("r0", 0, (entry(1, "r0", 100 + n),))) for n in range(9)]
    same_click = [store.commit(Commit(f"r{n}", 1, (entry(2, f"r{n}", 500),))) for n in range(5)]
    outcomes = await asyncio.gather(*good, *same_race, *same_click, return_exceptions=True)
    assert sum(outcome is None for outcome in outcomes[:29]) == 20
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes[:29]) == 9
    assert len(await store.find(EntryRow, number=1)) == 20
    assert len(await store.find(EntryRow, interaction=500)) <= 1
    for n in range(1, 20):
        assert (await store.entries(f"r{n}"))[0] == entry(1, f"r{n}", n + 1)


async def test_two_stores_on_one_database_see_each_other(store: Store, database_url: str) -> None:
    other = await open_store(Settings(database_url=database_url))
    try:
        await store.put(race())
        tries = [s.commit(Commit("r1", 0, (entry(1, interaction=n),))) for n, s in enumerate((store, other) * 5)]
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(outcome is None for outcome in outcomes) == 1
        assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 9
        assert await store.entries("r1") == await other.entries("r1")
    finally:
        await other.close()


async def test_what_was_written_is_there_after_opening_again(store: Store, database_url: str) -> None:
    await store.put(race())
    await store.commit(Commit("r1", 0, (entry(1),)))
    again = await open_store(Settings(database_url=database_url))
    try:
        assert await again.entries("r1") == [entry(1)]
        assert await again.check() == []
    finally:
        await again.close()


# --- questions ---------------------------------------------------------------------------------------------------


async def test_deadlines_in_the_order_in_which_they_wake(store: Store) -> None:
    await store.put(race("a"), race("b"), race("c"), race("d"))
    assert await store.next_wake() is None
    rows = [deadline("a", wakes=30), deadline("b", wakes=10), deadline("c", wakes=20), deadline("d", wakes=None)]
    await store.put(*rows)
    assert await store.next_wake() == 10
    assert [row.race for row in await store.due(20, 10)] == ["b", "c"]
    assert [row.race for row in await store.due(99, 1)] == ["b"]


async def test_a_deadline_is_claimed_once(store: Store) -> None:
    await store.put(race(), deadline())
    moved = deadline(wakes=9_000)
    claims = await asyncio.gather(*(store.claim(deadline(), moved) for _ in range(5)))
    assert sorted(claims) == [False] * 4 + [True]
    assert await store.find(DeadlineRow) == [moved]
    assert not await store.claim(deadline(clock="turn/2", wakes=9_000), moved)


async def test_deadlines_that_began_in_the_future(store: Store) -> None:
    await store.put(race("a"), race("b"), deadline("a", since=10), deadline("b", since=99))
    assert [row.race for row in await store.from_the_future(50)] == ["b"]


async def test_races_of_a_person(store: Store) -> None:
    await store.put(race("a", created=1), race("b", created=2), race("c", status="finished"))
    await store.put(*(seat(name) for name in "abc"), seat("a", 1, 200), seat("b", 1, 100))
    assert [row.id for row in await store.seated(100, ("racing", "open"))] == ["b", "a"]
    assert [row.id for row in await store.seated(200, ("racing", "open"))] == ["a"]


async def test_counts_and_what_was_not_told(store: Store) -> None:
    await store.put(race("a", number=3), race("b", number=3), race("c", status="open"), race("d", number=3, changed=1))
    await store.put(AnnouncedRow("a", 3), AnnouncedRow("b", 1))
    assert await store.counts() == {"racing": 3, "open": 1}
    assert await store.unannounced(500) == [("b", 1, 3)]


async def test_a_scan_comes_in_pieces(store: Store) -> None:
    await store.put(*(PersonRow(n, f"p{n}") for n in range(25)))
    sizes = [len(batch) async for batch in store.scan(PersonRow, batch=10)]
    assert sizes == [10, 10, 5]


async def test_the_store_answers(store: Store) -> None:
    await store.ping()
    assert await store.check() == []

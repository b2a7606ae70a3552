"""Random circuits: closed, pleasant, and the same for the same seed."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.core.errors import TrackError
from engine.gt import generate
from engine.gt.circuit import load_circuit
from engine.gt.code import Stock, check, parse_code, section_of
from engine.gt.generate import MAX_RANDOM_TILES, MIN_RANDOM_TILES, random_circuit
from engine.gt.tiles import TileFace, tile_set

SIZES = range(MIN_RANDOM_TILES, MAX_RANDOM_TILES + 1)


def faces(code: str) -> list[TileFace]:
    return [tile_set().faces[token.face] for token in parse_code(code).tokens]


def assert_pleasant(code: str, tiles: int, stock: Stock) -> None:
    """The rules of section 9.9."""
    road = faces(code)
    assert check(code, stock) == [], code
    assert len(road) == tiles
    assert road[1].corner is None, code
    assert road[-1].corner is None, code
    assert any(face.corner for face in road)
    for behind, face in pairwise(road):
        assert not (behind.is_tight and face.is_tight), code
        assert not (behind.is_chicane and face.is_chicane), code


@pytest.mark.parametrize("tiles", SIZES)
@pytest.mark.parametrize("stock", ["box", "free"])
@pytest.mark.rule("GT-SETUP-2")
def test_random_circuits_of_every_size_are_closed_and_pleasant(tiles: int, stock: Stock) -> None:
    for seed in range(6):
        code = random_circuit(seed, tiles, stock)
        assert_pleasant(code, tiles, stock)
        assert load_circuit(code, stock=stock).code == code


def test_many_seeds_give_many_pleasant_circuits_of_all_lane_counts() -> None:
    codes = [random_circuit(f"seed {number}") for number in range(60)]
    for code in codes:
        assert_pleasant(code, 15, "box")
    assert len(set(codes)) == len(codes)
    sorts = {frozenset(lanes for face in faces(code) for lanes in face.lanes) for code in codes}
    assert sorts == {frozenset({3}), frozenset({2}), frozenset({2, 3})}
    assert {faces(code)[0].id for code in codes} == {"102a", "102b"}
    turned = {sum(section_of(token).turn for token in parse_code(code).tokens) for code in codes}
    assert turned == {6, -6}
    # Every tile of the box turns up.
    assert {face.number for code in codes for face in faces(code)} == {
        face.number for face in tile_set().faces.values()
    }


def test_a_mixed_circuit_has_exactly_two_adapters() -> None:
    codes = [random_circuit(seed, 12) for seed in range(40)]
    counts = {sum(face.lanes[0] != face.lanes[1] for face in faces(code)) for code in codes}
    assert counts == {0, 2}


def test_the_same_seed_gives_the_same_circuit() -> None:
    assert random_circuit("meadow") == random_circuit("meadow")
    assert random_circuit(7) == random_circuit("7")
    assert random_circuit(7) != random_circuit(8)
    assert random_circuit(7, 15, "box") != random_circuit(7, 15, "free")


def test_circuits_already_shared_stay_what_they_are() -> None:
    """Challenges name a seed: a change here changes circuits that drivers have raced on."""
    assert (
        random_circuit(1) == "GT1-102a-106ar-107al-105ar-107ar-104a-117ar-118al-105ar-104a-110a-109ar-104a-103a-106ar"
    )
    assert random_circuit("linden", 10) == "GT1-102a-104a-106ar-114ar-104a-110av-113al-111ar-117ar-106ar"


def test_the_most_compact_hit_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def area(code: str) -> int:
        return generate._bounding_box([section_of(token) for token in parse_code(code).tokens])

    chosen = [area(random_circuit(seed, 14)) for seed in range(12)]
    monkeypatch.setattr(generate, "_HITS", 1)
    first = [area(random_circuit(seed, 14)) for seed in range(12)]
    assert all(best <= any_hit for best, any_hit in zip(chosen, first, strict=True))
    assert sum(chosen) < sum(first)


def test_the_bounding_box_is_measured_in_hexagons() -> None:
    def area(code: str) -> int:
        return generate._bounding_box([section_of(token) for token in parse_code(code).tokens])

    # One hexagon is 4 quarters wide and 2 halves high; a second one above it doubles the height.
    assert area("GT1-102a") == 4 * 2
    assert area("GT1-102a-103a") == 4 * 4
    # A neighbour to the north-east: three quarters wider, half a hexagon higher.
    assert area("GT1-105ar-103a") == 7 * 3


@pytest.mark.parametrize("seed", [0, -1, 2**200, "", "ß🏁", "\ud800", "a\x00b"])
def test_any_seed_will_do(seed: int | str) -> None:
    assert_pleasant(random_circuit(seed, 9), 9, "box")


@pytest.mark.parametrize("tiles", [-1, 0, 7, 22, 1000])
def test_other_sizes_are_refused(tiles: int) -> None:
    with pytest.raises(TrackError, match=f"8 to 21 tiles, not {tiles}"):
        random_circuit(1, tiles)


@pytest.mark.parametrize("tiles", SIZES)
def test_the_search_is_short(tiles: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in tiles tried, not in seconds, so that a slow machine does not fail the test."""
    spent: list[int] = []
    run = generate._Search.run

    def counted(self: generate._Search) -> object:
        road = run(self)
        spent.append(self.tries)
        return road

    monkeypatch.setattr(generate._Search, "run", counted)
    for seed in range(25):
        spent.clear()
        random_circuit(seed, tiles)
        assert max(spent) <= generate._TRIES_PER_SEARCH
        assert sum(spent) <= 4 * generate._TRIES_IN_ALL

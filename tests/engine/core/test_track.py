"""Reading data files: what is wrong, and where."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.core import track
from engine.core.errors import TrackError
from engine.core.model import Value

PROJECT = Path(__file__).resolve().parents[3]


class Bend(Value, frozen=True, gc=False):
    limit: int


class Piece(Value, frozen=True, gc=False):
    corner: Bend | None = None


class Road(Value, frozen=True, gc=False):
    name: str
    blocks: tuple[Piece, ...] = ()


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(track, "DATA", tmp_path)
    return tmp_path


def write(data: Path, name: str, content: bytes) -> None:
    path = data / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def failure(name: Path | str) -> TrackError:
    with pytest.raises(TrackError) as caught:
        track.load_json(name, Road)
    return caught.value


def test_a_file_is_read_as_the_type_asked_for(data: Path) -> None:
    write(data, "tracks/x/one.json", b'{"name": "R\xc3\xb8d", "blocks": [{}, {"corner": {"limit": 3}}]}')
    expected = Road("Rød", (Piece(), Piece(Bend(3))))
    assert track.load_json("tracks/x/one.json", Road) == expected
    assert track.load_json(data / "tracks" / "x" / "one.json", Road) == expected


@pytest.mark.parametrize(
    ("content", "place", "reason"),
    [
        (b'{"name": "a", "blocks": [{}, {"corner": {"limit": "3"}}]}', "$.blocks[1].corner.limit", "got `str`"),
        (b'{"name": "a", "colour": 1}', "$", "unknown field `colour`"),
        (b'{"name": "a", "blocks": [{"bend": {}}]}', "$.blocks[0]", "unknown field `bend`"),
        (b"{}", "$", "missing required field `name`"),
        (b"[]", "$", "Expected `object`"),
        (b'{"name": "a"', "$", "truncated"),
        (b'{"name": "a"} x', "$", "malformed"),
        (b'{"name": "\xff"}', "byte 10", "UTF-8"),
    ],
)
def test_a_broken_file_is_named_with_the_place(data: Path, content: bytes, place: str, reason: str) -> None:
    write(data, "tracks/x/one.json", content)
    error = failure("tracks/x/one.json")
    assert error.source == "tracks/x/one.json"
    assert error.place == place
    assert reason in error.reason
    assert str(error) == f"tracks/x/one.json: {place}: {error.reason}"


def test_a_missing_file_is_named(data: Path) -> None:
    assert str(failure("tracks/x/none.json")) == "tracks/x/none.json: there is no such file"
    assert failure(data / "tracks" / "none.json").source == "tracks/none.json"


def test_a_folder_in_place_of_a_file_is_a_track_error(data: Path) -> None:
    (data / "tracks").mkdir()
    assert "cannot be read" in failure("tracks").reason


def test_a_file_outside_the_data_folder_is_called_by_its_name(
    data: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    assert failure(elsewhere / "lost.json").source == "lost.json"


def test_a_part_of_a_file_is_named_in_front_of_the_place() -> None:
    with pytest.raises(TrackError) as caught:
        track.convert_value({"corner": {"limit": None}}, Piece, source="gt/tiles.json", part="112a")
    assert caught.value.source == "gt/tiles.json"
    assert caught.value.place == "112a $.corner.limit"
    assert track.convert_value({"corner": {"limit": 2}}, Piece, source="", part="") == Piece(Bend(2))


def test_track_ids_are_sorted_and_belong_to_one_game(data: Path) -> None:
    for name in ("tracks/x/b.json", "tracks/x/A.json", "tracks/x/a.json", "tracks/y/c.json", "tracks/x/notes.txt"):
        write(data, name, b"{}")
    assert track.track_ids("x") == ("A", "a", "b")
    assert track.track_ids("nowhere") == ()


def test_the_content_hash_sees_the_content_only() -> None:
    assert track.content_hash({"a": 1, "b": 2}) == track.content_hash({"b": 2, "a": 1})
    assert track.content_hash({"a": 1}) != track.content_hash({"a": 2})
    # sha256 of `{"a":1}`: races already recorded rely on it.
    assert track.content_hash({"a": 1}) == "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"


def test_the_data_folder_lies_beside_the_engine() -> None:
    assert data_of_a_new_process({}) == str(PROJECT / "data")


def test_the_environment_may_name_another_data_folder(tmp_path: Path) -> None:
    assert data_of_a_new_process({track.DATA_VARIABLE: str(tmp_path)}) == str(tmp_path)


def data_of_a_new_process(extra: dict[str, str]) -> str:
    environment = {key: value for key, value in os.environ.items() if key != track.DATA_VARIABLE}
    environment |= {"PYTHONPATH": str(PROJECT)} | extra
    script = "from engine.core import track; import sys; sys.stdout.write(str(track.DATA))"
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout

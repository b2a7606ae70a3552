"""Tables as scenario files write them: reading them with exact places, and comparing them with what was found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

import msgspec

from engine.core.errors import ScenarioError
from engine.core.model import Seat
from engine.core.options import choices

T = TypeVar("T")
Table = Mapping[str, Any]

# A list of every space of a circuit helps nobody.
_SHOWN_KEYS = 24


# --- reading ------------------------------------------------------------------------------------------------------


def read_table(value: Any, kind: type[T], place: str = "") -> T:
    """`value` as a `kind`; a `ScenarioError` (without a source yet) names the innermost place that is wrong."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _innermost(value, kind, place) or ScenarioError("", place, _reason(error)) from None


def join(place: str, key: str) -> str:
    """The place of a key within a table."""
    return f"{place}.{key}" if place else key


def listed(names: Iterable[str]) -> str:
    """Names for a message; a long list is cut."""
    known = list(names)
    rest = len(known) - _SHOWN_KEYS
    return ", ".join(known[:_SHOWN_KEYS]) + (f" and {rest} more" if rest > 0 else "") if known else "(none)"


def _innermost(value: Any, kind: Any, place: str) -> ScenarioError | None:
    """The deepest mistake in a value that is not a `kind`; msgspec itself does not name keys of mappings."""
    for part, part_kind, part_place in _parts(value, kind, place):
        found = _innermost(part, part_kind, part_place)
        if found is not None:
            return found
    wrong = _unknown_field(value, kind)
    if wrong is not None:
        return unknown(join(place, wrong[0]), wrong[1])
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        return ScenarioError("", place, _reason(error) + choices(kind))
    return None


def _parts(value: Any, kind: Any, place: str) -> Iterator[tuple[Any, Any, str]]:
    """The parts of a value, each with what it should be."""
    origin, arguments = get_origin(kind), get_args(kind)
    if _is_union(kind):
        # Only one member of a union can be a table or a list: look into that one.
        for member in arguments:
            if _fits(value, member):
                yield from _parts(value, member, place)
    elif isinstance(value, Mapping) and _is_struct(kind):
        fields = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        yield from ((value[key], fields[key], join(place, key)) for key in value if key in fields)
    elif isinstance(value, Mapping) and origin is dict:
        yield from ((key, arguments[0], join(place, key)) for key in value)
        yield from ((part, arguments[1], join(place, key)) for key, part in value.items())
    elif isinstance(value, list) and origin in (tuple, list):
        yield from ((part, arguments[0], f"{place}[{number}]") for number, part in enumerate(value, 1))


def _fits(value: Any, kind: Any) -> bool:
    if isinstance(value, Mapping):
        return _is_struct(kind) or get_origin(kind) is dict
    return isinstance(value, list) and get_origin(kind) in (tuple, list)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType)


def _unknown_field(value: Any, kind: Any) -> tuple[str, list[str]] | None:
    """The first key that a struct does not have, and those it has."""
    members = get_args(kind) if _is_union(kind) else (kind,)
    struct = next((member for member in members if _is_struct(member)), None)
    if struct is None or not isinstance(value, Mapping):
        return None
    known = [field.encode_name for field in msgspec.structs.fields(struct)]
    wrong = next((key for key in value if key not in known), None)
    return None if wrong is None else (wrong, known)


def unknown(place: str, known: Iterable[str]) -> ScenarioError:
    """The error for a field that does not exist."""
    return ScenarioError("", place, f"there is no such field; there are: {listed(known)}")


def _reason(error: msgspec.ValidationError) -> str:
    return str(error).partition(" - at `")[0]


# --- writing ------------------------------------------------------------------------------------------------------


def plain(value: Any, names: Sequence[str], kind: Any = None) -> Any:
    """A value as a scenario writes it: tables and lists, drivers by name, "" for none."""
    if isinstance(value, msgspec.Struct):
        config = value.__struct_config__
        table: dict[str, Any] = {config.tag_field: config.tag} if config.tag_field else {}
        for field in msgspec.structs.fields(value):
            table[field.encode_name] = plain(getattr(value, field.name), names, field.type)
        return table
    if isinstance(value, tuple | list):
        return [plain(part, names, kind) for part in value]
    if value is None:
        return ""
    if isinstance(value, int) and _holds_seats(kind):
        return names[value] if 0 <= value < len(names) else value
    return value


def _holds_seats(kind: Any) -> bool:
    return kind is Seat or any(_holds_seats(part) for part in get_args(kind))


# --- comparing ----------------------------------------------------------------------------------------------------


def differences(expected: Any, found: Any, place: str) -> list[str]:
    """Where `found` is not as expected. Of a table only the fields written down count; a list must be complete.

    Raises `ScenarioError` for a field that does not exist: it would never be checked.
    """
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        lines: list[str] = []
        for key, part in expected.items():
            if key not in found:
                raise unknown(join(place, key), map(str, found))
            lines += differences(part, found[key], join(place, key))
        return lines
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = enumerate(zip(expected, found, strict=True), 1)
        return [line for number, (one, other) in pairs for line in differences(one, other, f"{place}[{number}]")]
    if _same(expected, found):
        return []
    return [f"{place}: expected {written(expected)}, found {written(found)}"]


def _same(one: Any, other: Any) -> bool:
    """Equal and of one kind: `true` is not 1, and 0 is not "0"."""
    return type(one) is type(other) and bool(one == other)


def written(value: Any) -> str:
    """A value in one line, as a file would write it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {written(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False, default=str)

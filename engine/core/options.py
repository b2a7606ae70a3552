"""Options of a race: from a preset and single settings to the game's own options value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

import msgspec

from engine.core.errors import OptionsError
from engine.core.game import Meta
from engine.core.model import Value


def make_options(meta: Meta, preset: str = "standard", settings: Mapping[str, Any] | None = None) -> Value:
    """The options value of a game; settings override the preset's."""
    if preset not in meta.presets:
        raise OptionsError("preset", repr(preset), f"no such preset; choose one of: {', '.join(meta.presets)}")
    return decode_options(meta, {**meta.presets[preset], **(settings or {})})


def decode_options(meta: Meta, settings: Mapping[str, Any]) -> Value:
    """The options value made of settings as they stand in a file."""
    known = {field.encode_name: field for field in msgspec.structs.fields(meta.options)}
    for key in settings:
        if key not in known:
            raise OptionsError("options", key, f"no such option; {meta.id} knows: {', '.join(known)}")
    try:
        return msgspec.convert(dict(settings), meta.options)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$")
        key = where.strip("`.")
        reason += choices(known[key].type) if key in known else ""
        raise OptionsError("options", key or meta.id, reason) from None


def choices(kind: Any) -> str:
    """The end of a message about a wrong value: what could be written instead, where that is a short list."""
    words = [str(word) for part in (kind, *get_args(kind)) if get_origin(part) is Literal for word in get_args(part)]
    if words and int in get_args(kind):
        words.append("a number")
    return f"; choose one of: {', '.join(words)}" if words else ""


def parse_settings(meta: Meta, words: list[str]) -> dict[str, Any]:
    """`["laps=2", "red_zone=on"]` as settings; on/off and numbers are understood as such."""
    settings: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals:
            raise OptionsError("options", word, "write it as key=value")
        settings[key.strip()] = _value(text.strip())
    return settings


def _value(text: str) -> Any:
    match text.lower():
        case "on" | "true" | "yes":
            return True
        case "off" | "false" | "no":
            return False
    if text.isascii() and text.isdigit():
        return int(text)
    return text

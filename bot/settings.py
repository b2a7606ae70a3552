"""What an operator can set: the environment first, then a `.env` file in the working folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from engine.core.errors import BadInput
from engine.core.model import Value


class SettingsError(BadInput):
    """A setting has a value it cannot have."""


class Settings(Value, frozen=True):
    """All settings, with a default for each; the field `log_level` is read from `LOG_LEVEL`, and so on."""

    database_url: str = "sqlite:///races.db"
    # Empty: there is no Discord front to start.
    discord_token: str = ""
    # The port of /metrics and /healthz; 0 switches them off. Loopback, because nothing there asks for a password.
    metrics_port: int = 0
    metrics_host: str = "127.0.0.1"
    log_level: str = "INFO"
    log_format: str = "json"
    # How long an AI driver seems to think, in seconds; 0 switches the pause off.
    ai_pause: float = 3.0
    # Processes in which AI drivers think.
    ai_workers: int = 1
    # Races kept in memory; the least recently used one goes first, and is read again when it is needed.
    races_in_memory: int = 256
    # How often races that other processes may have moved are looked at, in seconds; 0: this process is alone.
    follow_seconds: float = 2.0
    # How long PostgreSQL may be away, in seconds, before a move is given up as not saved.
    database_patience: float = 60.0

    def __repr__(self) -> str:
        shown = {name: getattr(self, name) for name in self.__struct_fields__}
        shown["database_url"] = without_password(self.database_url)
        shown["discord_token"] = "***" if self.discord_token else ""
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in shown.items())})"

    def secrets(self) -> tuple[str, ...]:
        """Texts that must never reach a log."""
        found = (self.discord_token, _password(self.database_url))
        return tuple(text for text in found if text)


_ONE_OF = {
    "log_level": ("DEBUG", "INFO", "WARNING", "ERROR"),
    "log_format": ("json", "text"),
}
_AT_LEAST = {
    "metrics_port": 0,
    "ai_pause": 0,
    "ai_workers": 1,
    "races_in_memory": 1,
    "follow_seconds": 0,
    "database_patience": 0,
}


def load_settings(environment: Mapping[str, str] | None = None, file: Path | None = None) -> Settings:
    """The settings of this process; `SettingsError` names the variable that is wrong."""
    given = read_env_file(file if file is not None else Path(".env"))
    given.update(os.environ if environment is None else environment)
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(Settings):
        text = given.get(field.name.upper(), "").strip()
        if text:
            values[field.name] = text
    try:
        # Not strict: everything in an environment is text.
        settings = msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$.")
        raise SettingsError("settings", where.strip("`").upper(), reason) from None
    _check(settings)
    return settings


def _check(settings: Settings) -> None:
    for name, allowed in _ONE_OF.items():
        if getattr(settings, name) not in allowed:
            raise SettingsError("settings", name.upper(), f"choose one of: {', '.join(allowed)}")
    for name, least in _AT_LEAST.items():
        if getattr(settings, name) < least:
            raise SettingsError("settings", name.upper(), f"must be at least {least}")
    if settings.database_url.partition("://")[0] not in ("sqlite", "postgresql", "postgres"):
        raise SettingsError("settings", "DATABASE_URL", "begins with sqlite:/// or postgresql://")


def read_env_file(file: Path) -> dict[str, str]:
    """`KEY=value` lines; `#` begins a comment line, quotes around a value are taken off. No file: nothing set."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(str(file), "", f"cannot be read: {error}") from None
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        key, equals, value = line.removeprefix("export ").partition("=")
        if not equals:
            raise SettingsError(str(file), f"line {number}", "write it as KEY=value")
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        found[key.strip()] = value
    return found


def _password(url: str) -> str:
    """The password inside `scheme://name:password@host/...`."""
    authority = url.partition("://")[2].partition("/")[0]
    login, at, _ = authority.rpartition("@")
    return login.partition(":")[2] if at else ""


def without_password(url: str) -> str:
    """The address as it may be shown."""
    password = _password(url)
    return url.replace(f":{password}@", ":***@", 1) if password else url

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import Settings, SettingsError, load_settings, without_password

NOWHERE = Path("/nonexistent/.env")


def test_everything_has_a_default() -> None:
    assert load_settings({}, NOWHERE) == Settings()


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("# a comment\n\nLOG_LEVEL=DEBUG\nexport AI_PAUSE = '1.5'\nDATABASE_URL=\"sqlite:///a b.db\"\n")
    settings = load_settings({"LOG_LEVEL": "ERROR", "METRICS_PORT": "9100", "AI_WORKERS": ""}, file)
    assert (settings.log_level, settings.ai_pause, settings.metrics_port) == ("ERROR", 1.5, 9100)
    assert settings.database_url == "sqlite:///a b.db"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("METRICS_PORT", "many", "METRICS_PORT"),
        ("METRICS_PORT", "-1", "at least 0"),
        ("LOG_FORMAT", "xml", "json, text"),
        ("DATABASE_URL", "mysql://x", "sqlite:///"),
        ("AI_WORKERS", "0", "at least 1"),
    ],
)
def test_a_wrong_value_is_named(name: str, value: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message) as caught:
        load_settings({name: value}, NOWHERE)
    assert name in str(caught.value)


def test_a_wrong_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("A=1\nnonsense\n")
    with pytest.raises(SettingsError, match="line 2"):
        load_settings({}, file)


def test_secrets_are_not_shown() -> None:
    settings = Settings(database_url="postgresql://bot:s3cr%40t@db/races", discord_token="abc.def")
    assert "s3cr%40t" not in repr(settings)
    assert "abc.def" not in repr(settings)
    assert set(settings.secrets()) == {"s3cr%40t", "abc.def"}
    assert without_password("postgresql://bot:x@db/r") == "postgresql://bot:***@db/r"
    assert without_password("postgresql://db/r") == "postgresql://db/r"


def test_every_setting_is_in_the_example() -> None:
    example = (Path(__file__).parents[2] / ".env.example").read_text()
    for name in Settings.__struct_fields__:
        assert f"{name.upper()}=" in example

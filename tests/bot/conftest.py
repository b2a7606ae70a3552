from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.store import open_store
from bot.store.protocol import Store
from tests.bot.postgres_server import NotInstalled, PostgresServer


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One real server per test process; skipped where PostgreSQL is not installed."""
    try:
        server = PostgresServer()
    except NotInstalled as error:
        pytest.skip(str(error))
    server.start()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'races.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    opened = await open_store(Settings(database_url=database_url, database_patience=5))
    yield opened
    await opened.close()

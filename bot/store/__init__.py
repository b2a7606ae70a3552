"""The database behind the bot: SQLite in one file, or PostgreSQL for several processes."""

from __future__ import annotations

from bot.settings import Settings
from bot.store.protocol import Store


async def open_store(settings: Settings) -> Store:
    """The database named by `DATABASE_URL`, checked and brought to the present shape."""
    if settings.database_url.startswith("sqlite:"):
        from bot.store.sqlite import SqliteStore, path_of

        return await SqliteStore.open(path_of(settings.database_url))
    # Imported here: the driver is an extra that only operators of PostgreSQL install.
    from bot.store.postgres import PostgresStore

    return await PostgresStore.open(settings.database_url, patience=settings.database_patience)

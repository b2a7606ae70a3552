"""A real PostgreSQL server for tests: its own folder, a socket nobody else can reach, stopped at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path


class NotInstalled(Exception):
    pass


def _program(name: str) -> str:
    """The newest installed version: Debian keeps them apart and puts only the client on the path."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / name).exists():
            return str(folder / name)
    found = shutil.which(name)
    if found is None:
        raise NotInstalled(f"PostgreSQL is not installed here ({name} not found): apt-get install postgresql")
    return found


class PostgresServer:
    """Started with `start`; `kill` and `start` again make a server that crashed and came back."""

    def __init__(self, *, durable: bool = False) -> None:
        self._initdb, self._postgres = _program("initdb"), _program("postgres")
        # The server refuses to run as root.
        self._user: str | None = None
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self._user = "postgres" if "postgres" in names else "nobody"
        self.folder = Path(tempfile.mkdtemp(prefix="rc-pg-", dir="/tmp"))
        if self._user is not None:
            shutil.chown(self.folder, self._user)
        self._data = self.folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = 0
        # Tests of the bot's own faults need no disk; a benchmark does.
        self._options = [] if durable else ["-c", "fsync=off", "-c", "full_page_writes=off"]
        subprocess.run(
            [self._initdb, "-N", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-D", str(self._data)],
            check=True,
            user=self._user,
            cwd="/",
            stdout=subprocess.DEVNULL,
        )

    def start(self) -> None:
        log = (self.folder / "log").open("ab")
        options = ["-c", "listen_addresses=", "-k", str(self.folder), "-c", "max_connections=60", *self._options]
        self._process = subprocess.Popen(
            [self._postgres, "-D", str(self._data), *options], user=self._user, cwd="/", stdout=log, stderr=log
        )
        log.close()
        end = time.monotonic() + 20
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.05)

    def stop(self) -> None:
        """As an administrator stops it: running statements are cut off."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """As if the power went: postgres cleans up when it is started again."""
        self._end(signal.SIGQUIT)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_database(self) -> str:
        self._databases += 1
        name = f"races_{os.getpid()}_{self._databases}"
        self._psql("postgres", f"CREATE DATABASE {name}")
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def _psql(self, database: str, command: str) -> None:
        subprocess.run(
            [_program("psql"), "-q", "-h", str(self.folder), "-U", "postgres", "-d", database, "-c", command],
            check=True,
            cwd="/",
            stdout=subprocess.DEVNULL,
        )

    def _answers(self) -> bool:
        command = [_program("pg_isready"), "-q", "-h", str(self.folder), "-U", "postgres"]
        return subprocess.run(command, check=False, cwd="/").returncode == 0

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=20)
            self._process = None

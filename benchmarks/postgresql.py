"""A PostgreSQL server of its own for tests and benchmarks: in a temporary folder, on a unix socket, run by an ordinary user."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

START_SECONDS = 60


def programs() -> Path | None:
    """Return the folder of the newest server's programs."""
    found = shutil.which("postgres")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


def missing() -> str:
    """Return what must be installed for such a server, empty if nothing must."""
    wanted = [] if programs() else ["a PostgreSQL server (Debian: apt-get install postgresql)"]
    if os.geteuid() == 0 and not _has_user("postgres"):
        wanted.append("the user `postgres`, since no server runs as root")
    return " and ".join(wanted + ([] if find_spec("psycopg") else ["the extra `postgresql`"]))


def _has_user(name: str) -> bool:
    try:
        return bool(pwd.getpwnam(name))
    except KeyError:
        return False


@dataclass
class Server:
    """A server.

    Attributes:
        folder: of its data and its socket; short, since a socket's path must be.
        process: while it runs.
    """

    folder: Path
    process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres") -> str:
        """Return a database's SQLAlchemy URL."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def run(self, statement: str, database: str = "postgres") -> list[Any]:
        """Run a statement and return its rows."""
        import psycopg

        with psycopg.connect(f"host={self.folder} user=postgres dbname={database}", autocommit=True) as connection:
            cursor = connection.execute(statement)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def start(self) -> None:
        """Start it and return once it takes connections."""
        import psycopg

        # it needs to outlive its own end, not the machine's: fsync would be most of its time
        options = ("listen_addresses=", f"unix_socket_directories={self.folder}", "fsync=off", "autovacuum=off")
        command = [_program("postgres"), "-D", str(self.folder / "data"), *(w for o in options for w in ("-c", o))]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **_ordinary_user())
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self.run("SELECT 1")
                return
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise AssertionError((self.folder / "log").read_text()[-2000:]) from None
                time.sleep(0.05)

    def stop(self) -> None:
        """End it at once, as a crash would; the next start recovers."""
        if self.process is not None:
            # SIGQUIT is its immediate shutdown: no checkpoint; every connection is cut
            self.process.send_signal(3)
            self.process.wait(START_SECONDS)
            self.process = None

    def copy(self, database: str, name: str) -> str:
        """Make a database that equals another one, to which nobody is connected; return its URL."""
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self.run(f"CREATE DATABASE {name} TEMPLATE {database}")
        return self.url(name)


@contextmanager
def server() -> Iterator[Server]:
    """Run a server in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        else:
            os.chmod(folder, 0o700)
        made = Server(Path(folder))
        subprocess.run(
            [
                _program("initdb"),
                "-D",
                f"{folder}/data",
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--no-locale",
                "-N",
            ],
            check=True,
            capture_output=True,
            cwd="/",
            **_ordinary_user(),
        )
        made.start()
        try:
            yield made
        finally:
            made.stop()


def _program(name: str) -> str:
    folder = programs()
    assert folder is not None
    return str(folder / name)


def _ordinary_user() -> dict[str, Any]:
    if os.geteuid():
        return {}
    return {"user": "postgres", "group": pwd.getpwnam("postgres").pw_gid, "extra_groups": []}

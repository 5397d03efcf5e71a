"""The status page: read-only, for this machine alone, whole in itself. It shows who waits, never points."""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.base.names import shown
from autograder.base.visible import escaped_json, storable
from autograder.gradebook.handins import HandIn
from autograder.watching.spool import FOLDER
from autograder.watching.watch import State

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
TEMPLATES = Path(__file__).resolve().parent / "templates"


class StatusPage:
    """A server of one page, under an address that only who may read the course's folder knows."""

    def __init__(self, root: Path, course_id: str, state: Callable[[], State], port: int) -> None:
        """Listen; if the port is taken, on any other.

        Args:
            root: the course's folder, where the address's secret part is stored.
            course_id: the course's id, for the title.
            state: returns what is to be shown.
            port: 0: any.
        """
        secret = _secret(root)

        class Handler(_Handler):
            address = f"/{secret}/"
            course = course_id
            current = staticmethod(state)

        try:
            self._server = ThreadingHTTPServer((HOST, port), Handler)
        except OSError:
            self._server = ThreadingHTTPServer((HOST, 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://{HOST}:{self._server.server_port}/{secret}/"
        threading.Thread(target=self._server.serve_forever, daemon=True, name="status page").start()

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD of the page and of `state.json`; everything else is refused."""

    address = "/"
    course = ""
    current: Callable[[], State]
    timeout = 10
    server_version = "autograder"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer."""
        # a page elsewhere whose name leads here must not read this one
        host = (self.headers.get("Host") or "").rpartition(":")[0] or self.headers.get("Host")
        if host not in NAMES:
            self._answer(403, "text/plain", b"Only this machine's own address is served.\n")
        elif self.path == self.address:
            self._answer(200, "text/html", status_html(self.course, self.current()).encode("utf-8"))
        elif self.path == self.address + "state.json":
            self._answer(200, "application/json", state_json(self.current()).encode("utf-8"))
        else:
            self._answer(404, "text/plain", b"There is no such page.\n")

    do_HEAD = do_GET

    def _answer(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        for name, value in (
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: stdout and stderr are the watch's."""


def status_html(course: str, state: State) -> str:
    """Return the page."""
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    environment.filters["shown"] = lambda text: storable(shown(str(text), 300))
    environment.filters["moment"] = _moment
    environment.filters["ago"] = _ago
    return environment.get_template("status.html").render(course=course, state=state, now=time.time())


def state_json(state: State) -> str:
    """Return what the page shows as JSON."""
    data = asdict(state) | {
        "queue": [{**_public(one), "not_before": moment or None} for one, moment in state.queue],
        **{name: [_public(one) for one in getattr(state, name)] for name in ("grading", "open", "given")},
    }
    return escaped_json(json.dumps(data, ensure_ascii=False, indent=1)) + "\n"


def _public(handin: HandIn) -> dict[str, Any]:
    names = ("assignment", "student", "found", "state", "attempts", "fault", "graded", "given")
    return {name: getattr(handin, name) for name in names}


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M:%S")


def _ago(seconds: float) -> str:
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _secret(root: Path) -> str:
    """Return the secret part of the address, made once."""
    path = root / FOLDER / "page"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        found = path.read_text(encoding="ascii")
        if found:
            return found
        descriptor = os.open(path, os.O_WRONLY)
    made = secrets.token_urlsafe(18)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(made)
    return made

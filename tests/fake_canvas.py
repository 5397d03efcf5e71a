"""A Canvas on this machine: the part of its API that the course uses, as documented, with its moods.

https://canvas.instructure.com/doc/api/: pages with Link headers, 401 without the token, 403 and 429 with
X-Rate-Limit-Remaining, 5xx, files in three steps, comments with files, `entered_score` beside a score that a late policy cut.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

TOKEN = "7~very-secret-token-of-a-teacher"
COURSE, ASSIGNMENT = 77, 9731
PAGE = 2  # items: so that every list has several pages
QUOTA = "600.0"


@dataclass
class Submitted:
    """One student's submission."""

    user: int
    attempt: int | None = None
    submitted_at: str | None = None
    files: list[tuple[int, str]] = field(default_factory=list)
    score: float | None = None
    deducted: float = 0.0
    excused: bool = False
    comments: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class FakeCanvas:
    """What it holds, what it was asked, and how it will answer.

    Attributes:
        moods: statuses of the next answers to the API, each with a condition (method and part of a path) or None.
        lost: after how many PUTs the answer is lost once though the change was made.
    """

    url: str = ""
    users: dict[int, dict[str, Any]] = field(default_factory=dict)
    submissions: dict[int, Submitted] = field(default_factory=dict)
    contents: dict[int, bytes] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    points_possible: float = 20.0
    moods: list[tuple[int, str]] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    tokens_elsewhere: list[str] = field(default_factory=list)
    lose_next_put: bool = False
    quota: str = QUOTA
    takes_points: bool = True

    def enrol(self, number: int, login: str, **more: Any) -> None:
        self.users[number] = {
            "id": number,
            "name": f"Name {number}",
            "login_id": login,
            "sis_user_id": f"sis{number}",
            **more,
        }
        self.submissions.setdefault(number, Submitted(number))

    def hand_in(self, number: int, files: dict[str, bytes], at: str = "2026-11-03T10:00:00Z") -> None:
        """Hand in a new attempt."""
        one = self.submissions[number]
        one.attempt = (one.attempt or 0) + 1
        one.submitted_at = at
        one.files = [(self._file(name, content), name) for name, content in files.items()]

    def _file(self, name: str, content: bytes) -> int:
        number = 1000 + len(self.names)
        self.contents[number], self.names[number] = content, name
        return number

    def writes(self) -> list[tuple[str, str]]:
        return [(method, path) for method, path in self.asked if method in ("PUT", "POST", "DELETE")]

    def attached(self, number: int) -> list[bytes]:
        """The contents of the files in a student's comments."""
        comments = self.submissions[number].comments
        return [self.contents[one["id"]] for comment in comments for one in comment["attachments"]]


@contextmanager
def fake_canvas() -> Iterator[FakeCanvas]:
    canvas = FakeCanvas()

    class Handler(_Handler):
        fake = canvas

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    canvas.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield canvas
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    fake: FakeCanvas
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._answer_to(b"")

    def do_POST(self) -> None:
        self._answer_to(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    do_PUT = do_POST

    # ------------------------------------------------------------------------------------------------------------------
    def _answer_to(self, body: bytes) -> None:
        fake, parts = self.fake, urlsplit(self.path)
        fake.asked.append((self.command, parts.path))
        token = self.headers.get("Authorization")
        if not parts.path.startswith("/api/v1/"):
            return self._outside(parts.path, body, token)
        if token != f"Bearer {TOKEN}":
            return self._send(401, {"errors": [{"message": "Invalid access token."}]}, {"WWW-Authenticate": "Bearer"})
        for number, (status, where) in enumerate(fake.moods):
            if where in f"{self.command} {parts.path}":
                del fake.moods[number]
                text = {403: "403 Forbidden (Rate Limit Exceeded)\n", 429: "Rate Limit Exceeded"}.get(
                    status, f"oh no {token}"
                )
                left = {"X-Rate-Limit-Remaining": "0.0"} if status in (403, 429) else {}
                return self._send(status, text, left)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        form = parse_qsl(body.decode(), keep_blank_values=True) if self.command in ("PUT", "POST") else []
        return self._api(parts.path.removeprefix("/api/v1"), query, form)

    def _api(self, path: str, query: dict[str, str], form: list[tuple[str, str]]) -> None:
        fake = self.fake
        course, work = f"/courses/{COURSE}", f"/courses/{COURSE}/assignments/{ASSIGNMENT}"
        about = {"id": ASSIGNMENT, "name": "02-attention", "points_possible": fake.points_possible, "course_id": COURSE}
        if path == course:
            return self._send(200, {"id": COURSE, "name": "Transformers"})
        if path == f"{course}/assignments":
            return self._pages(path, query, [{"id": 1, "name": "02-attention-quiz", "course_id": COURSE}, about])
        if path == work:
            return self._send(200, about)
        if path in (f"{course}/users", f"{course}/search_users"):
            return self._pages(path, query, list(fake.users.values()))
        if path == f"{work}/submissions":
            return self._pages(path, query, [self._submission(one) for one in fake.submissions.values()])
        found = re.fullmatch(rf"{work}/submissions/(\d+)(/comments/files)?", path)
        if not found or int(found[1]) not in fake.submissions:
            return self._send(404, {"errors": [{"message": "The specified resource does not exist."}]})
        one = fake.submissions[int(found[1])]
        if found[2]:
            values = dict(form)
            return self._send(
                200,
                {
                    "upload_url": f"{fake.url}/files_api",
                    "upload_params": {"name": values["name"], "key": "k", "user": found[1]},
                },
            )
        if self.command == "PUT":
            self._grade(one, form)
            if fake.lose_next_put:
                fake.lose_next_put = False
                self.close_connection = True
                return None
        return self._send(200, self._submission(one, whole=True))

    def _grade(self, one: Submitted, form: list[tuple[str, str]]) -> None:
        values = dict(form)
        if "submission[posted_grade]" in values and self.fake.takes_points:
            one.score = float(values["submission[posted_grade]"])
        files = [int(value) for name, value in form if name == "comment[file_ids][]"]
        if "comment[text_comment]" in values or files:
            attachments = [{"id": number, "display_name": self.fake.names[number]} for number in files]
            one.comments.append(
                {"author_id": 5, "comment": values.get("comment[text_comment]", ""), "attachments": attachments}
            )

    def _outside(self, path: str, body: bytes, token: str | None) -> None:
        """Storage: it isn't Canvas's API, and must not see the token."""
        fake = self.fake
        if found := re.fullmatch(r"/files/(\d+)/download", path):
            return self._send(200, fake.contents[int(found[1])])
        if token:
            fake.tokens_elsewhere.append(path)
        if path == "/files_api":
            kind = self.headers["Content-Type"].encode()
            message = message_from_bytes(b"Content-Type: " + kind + b"\r\n\r\n" + body)
            fields = {part.get_param("name", header="content-disposition"): part for part in message.get_payload()}  # type: ignore[union-attr]
            assert list(fields)[-1] == "file" and fields["key"].get_payload() == "k"
            number = fake._file(fields["name"].get_payload(), fields["file"].get_payload(decode=True))
            return self._send(303, b"", {"Location": f"{fake.url}/confirm/{number}"})
        if found := re.fullmatch(r"/confirm/(\d+)", path):
            number = int(found[1])
            return self._send(
                200, {"id": number, "url": f"{fake.url}/files/{number}", "display_name": fake.names[number]}
            )
        return self._send(404, b"")

    def _submission(self, one: Submitted, *, whole: bool = False) -> dict[str, Any]:
        files = [
            {
                "id": number,
                "display_name": name,
                "filename": name,
                "url": f"{self.fake.url}/files/{number}/download?verifier=v",
            }
            for number, name in one.files
        ]
        score = None if one.score is None else max(0.0, one.score - one.deducted)
        told: dict[str, Any] = {
            "id": one.user + 5000,
            "assignment_id": ASSIGNMENT,
            "user_id": one.user,
            "attempt": one.attempt,
            "submitted_at": one.submitted_at,
            "score": score,
            "entered_score": one.score,
            "excused": one.excused,
            "workflow_state": "graded" if one.score is not None else "submitted" if one.attempt else "unsubmitted",
        }
        if files:
            told["attachments"] = files
        return {**told, "submission_comments": one.comments} if whole else told

    def _pages(self, path: str, query: dict[str, str], items: list[dict[str, Any]]) -> None:
        page = int(query.get("page", 1))
        address = f"{self.fake.url}/api/v1{path}?page="
        links = [f'<{address}{page}>; rel="current"', f'<{address}1>; rel="first"']
        if page * PAGE < len(items):
            links.insert(1, f'<{address}{page + 1}>; rel="next"')
        self._send(200, items[(page - 1) * PAGE : page * PAGE], {"Link": ",".join(links)})

    def _send(self, status: int, content: Any, headers: dict[str, str] | None = None) -> None:
        data = (
            content
            if isinstance(content, bytes)
            else content.encode()
            if isinstance(content, str)
            else json.dumps(content).encode()
        )
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in {
            "X-Rate-Limit-Remaining": self.fake.quota,
            "X-Request-Cost": "0.02",
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

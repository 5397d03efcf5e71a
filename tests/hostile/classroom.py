"""A class of hostile submissions, with its surroundings: what they aim at, and what must be found unharmed."""

from __future__ import annotations

import contextlib
import hashlib
import html
import json
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.commands import demo
from autograder.gradebook.release import build
from autograder.gradebook.scores import scores
from autograder.sources.course import Course, load_course
from hostile import ASSIGNMENT, FILE, GRADER_VARIABLE, HONEST, INDEPENDENT, NOTEBOOK, Case, Targets, cell_of

SUPERVISE = Path(__file__).with_name("supervise.py")
# Short, since a case that hangs waits for them.
LIMITS: dict[str, float] = {
    "start_seconds": 40,
    "cell_seconds": 6,
    "answer_seconds": 2,
    "submission_seconds": 150,
    "memory_bytes": 1 << 30,
    "cpu_seconds": 60,
    "disk_bytes": 64 << 20,
}
CONFIG = """
import dataclasses

course = dataclasses.replace(course, workers=4, limits_by_assignment={{**course.limits_by_assignment, {!r}: {}}})
c = nbgrader_configuration(course)
"""
# What the graders ask depends on it: the same at each run, so that a verdict is no matter of luck.
SECRET = "5f0e6c1d84b7a2937c58e9d1f0b64a2e"
WITHOUT = "AUTOGRADER_SEAL_WITHOUT"  # layers of the seal that are taken for missing
RUN_SECONDS = 2400


@dataclass
class Classroom:
    """One course folder with hostile submissions in it, and the listeners and files they aim at.

    Attributes:
        base: folder of everything.
        root: the course that is graded.
        course: its configuration.
        place: what attacks aim at.
        canary: what must not be found in anything that a student sees.
        heard: what the listeners outside received.
        uid: of the user who grades, None for this one.
        before: fingerprint of the files that must not change.
    """

    base: Path
    root: Path
    course: Course
    place: Targets
    canary: str
    heard: list[bytes]
    uid: int | None = None
    before: dict[str, str] = field(default_factory=dict)

    def hand_in(self, cases: Iterable[Case]) -> None:
        """Write the submissions of the cases and of the honest students, and remember how everything looks."""
        source = self.course.source(ASSIGNMENT)
        released = demo.released(self.course, source, "en")
        reference = {slug: source.reference(slug) for slug in source.points}
        for name in HONEST:
            folder = self._folder(name)
            (folder / FILE).write_bytes(demo.to_bytes(demo.fill(released, reference)))
        plain = without_examples(released)
        for case in cases:
            write(case, self._folder(case.id), self.place_of(case), plain, reference)
        if self.uid is not None:
            own(self.base, self.uid)
        self.before = fingerprint(self.root, self.base / "outside")

    def _folder(self, student: str) -> Path:
        folder = self.root / "submitted" / student / ASSIGNMENT
        folder.mkdir(parents=True)
        return folder

    def place_of(self, case: Case) -> Targets:
        """Return the targets of one case."""
        return replace(self.place, mark=f"{self.place.mark}-{case.id}", student=case.id)

    def nbgrader(self, *arguments: str, without: str = "", opens: bool = False) -> dict[str, Any]:
        """Run an nbgrader command and return what `supervise` tells of it; `opens` is `supervise`'s."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("AUTOGRADER_", "PYTEST_"))}
        environment = {
            **kept,
            "HOME": str(self.base / "home"),
            "TMPDIR": str(self.base / "tmp"),
            GRADER_VARIABLE: self.canary,
            WITHOUT: without,
        }
        request = {
            "command": [sys.executable, "-m", "nbgrader", *arguments],
            "cwd": str(self.root),
            "env": environment,
            "seconds": RUN_SECONDS,
            "uid": self.uid,
            "opens": opens,
            "reach": str(Path(demo.__file__).parents[1]),
        }
        path = self.base / "request.json"
        path.write_text(json.dumps(request))
        done = subprocess.run([sys.executable, str(SUPERVISE), str(path)], capture_output=True, text=True)
        path.unlink()
        if done.returncode:
            raise RuntimeError(done.stderr[-3000:])
        reply: dict[str, Any] = json.loads(done.stdout)
        return reply

    def points(self) -> dict[str, dict[str, float | None]]:
        """Return everybody's points per task."""
        return {row.student: row.points for row in scores(self.course, ASSIGNMENT)}

    def autograded(self, student: str) -> NotebookNode:
        """Return the graded notebook of a student."""
        return nbformat.read(self.autograded_path(student), as_version=4)

    def autograded_path(self, student: str) -> Path:
        """Return the path of the graded notebook of a student."""
        return self.root / "autograded" / student / ASSIGNMENT / FILE

    def feedback(self, student: str) -> str:
        """Return a student's feedback page as text, without its pictures."""
        page = (self.root / "feedback" / student / ASSIGNMENT / f"{NOTEBOOK}.html").read_text(encoding="utf-8")
        return html.unescape(re.sub(r"data:image/[a-z]+;base64,[A-Za-z0-9+/=]+", "", page))

    def marks(self) -> list[str]:
        """Return the files and other things that bear the run's mark and lie where no student may write."""
        mark = self.place.mark
        shallow = ["/", "-maxdepth", "5", "(", "-path", "/proc", "-o", "-path", "/sys", ")", "-prune", "-o"]
        deep = [str(self.base), *(p for p in sys.path if p and os.path.isdir(p)), sys.prefix, sys.base_prefix]
        found: set[str] = set()
        for where in (shallow, [*deep, "-maxdepth", "8"]):
            command = ["find", *where, "-name", f"*{mark}*", "-print"]
            found.update(subprocess.run(command, capture_output=True, text=True).stdout.splitlines())
        for table in ("/proc/net/unix", "/proc/keys"):
            with contextlib.suppress(OSError):
                lines = Path(table).read_text().splitlines()
                found.update(line for line in lines if mark in line and self.place.abstract not in line)
        keys = {str(key) for key in range(self.place.key, self.place.key + 600)}
        for table in ("shm", "msg", "sem"):
            with contextlib.suppress(OSError):
                lines = Path("/proc/sysvipc", table).read_text().splitlines()
                found.update(f"{table}: {line}" for line in lines if line.split()[0] in keys)
        return sorted(found)


def write(case: Case, folder: Path, place: Targets, released: NotebookNode, reference: dict[str, str]) -> None:
    """Write the submission of a case."""
    answers = {**(reference if case.dependent else INDEPENDENT), **case.answers}
    notebook = demo.fill(released, {slug: place.fill(code) for slug, code in answers.items()})
    if case.change is not None:
        case.change(notebook)
    content: bytes | None = json.dumps(notebook).encode()
    if case.raw is not None:
        content = case.raw(content or b"")
    if content is not None:
        (folder / FILE).write_bytes(content)
    for name, text in case.files.items():
        (folder / name).write_bytes(text)
    if case.lay is not None:
        case.lay(folder, place)


def without_examples(released: NotebookNode) -> NotebookNode:
    """Return a release without the cells that only show something: a student may have deleted them."""
    kept = nbformat.from_dict(json.loads(nbformat.writes(released)))
    kept.cells = [c for c in kept.cells if c.metadata.get("nbgrader")]
    return kept


def outputs(notebook: NotebookNode) -> str:
    """Return all outputs of a notebook's cells, pictures left out."""
    kept = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = {kind: v for kind, v in output.get("data", {}).items() if not kind.startswith("image/png")}
            kept.append(json.dumps({**output, "data": data}, ensure_ascii=False))
    return "\n".join(kept)


def reports(notebook: NotebookNode) -> str:
    """Return what the grader itself wrote into a notebook."""
    texts = [c.source for c in notebook.cells if c.id == "verdict"]
    for slug in INDEPENDENT:
        for last in cell_of(notebook, f"grade-{slug}").outputs[-1:]:
            texts += [str(text) for text in last.get("data", {}).values()]
    return "\n".join(texts)


def fingerprint(*folders: Path) -> dict[str, str]:
    """Return path -> type, owner, rights, time of change and content of what grading must leave as it is."""
    changing = ("autograded", "feedback", ".verdicts", "gradebook.db", ".course_secret", "__pycache__", "grades.csv")
    seen: dict[str, str] = {}
    for top in folders:
        for parent, names, files in os.walk(top):
            names[:] = [name for name in names if name not in changing]
            for name in [*names, *(f for f in files if not f.startswith(changing))]:
                path = os.path.join(parent, name)
                status = os.lstat(path)
                about = [oct(status.st_mode), status.st_uid, status.st_gid]
                if os.path.isfile(path) and not os.path.islink(path) and status.st_mode & 0o777:
                    content = Path(path).read_bytes()
                    about += [status.st_mtime_ns, status.st_nlink, hashlib.sha256(content).hexdigest()]
                elif os.path.islink(path):
                    about.append(os.readlink(path))
                seen[path] = " ".join(map(str, about))
    return seen


def without_group(seen: str) -> str:
    """Return what `fingerprint` says of a path without its group and the group's rights."""
    mode, user, _, *rest = seen.split(" ", 3) if seen else ("0o0", "", "")
    return " ".join((oct(int(mode, 8) & ~0o070), user, *rest))


def own(folder: Path, uid: int) -> None:
    """Give a folder and everything in it to a user."""
    for parent, names, files in os.walk(folder):
        for path in (parent, *(os.path.join(parent, name) for name in [*names, *files])):
            os.lchown(path, uid, uid)


@contextlib.contextmanager
def classroom(course: Course, uid: int | None = None, limits: dict[str, float] | None = None) -> Iterator[Classroom]:
    """Make a class's folder, start what its submissions aim at, and take both away at the end.

    Args:
        course: what is copied.
        uid: id of the user to grade as, who owns the copy then; None for this process's user.
        limits: the assignment's limits, default `LIMITS`.
    """
    base = Path(tempfile.mkdtemp(prefix="class-"))
    canary = secrets.token_hex(16)
    stack = contextlib.ExitStack()
    with stack:
        stack.callback(remove, base)
        base.chmod(0o755)
        for name in ("home", "tmp", "outside"):
            (base / name).mkdir()
        (base / "outside" / "canary").write_text(canary)
        (base / "outside" / "canary").chmod(0o666)
        (base / "outside").chmod(0o777)
        (base / "home" / ".bashrc").write_text(f"# {canary}\n")
        root = demo.copy_course(course, base / "course")
        (root / ".course_secret").touch(mode=0o600)
        (root / ".course_secret").write_text(SECRET)
        config = root / "course_config.py"
        config.write_text(f"{config.read_text()}{CONFIG.format(ASSIGNMENT, limits or LIMITS)}# {canary}\n")
        copy = load_course(root)
        build(copy, [ASSIGNMENT])
        heard: list[bytes] = []
        ports = [stack.enter_context(listener(heard, socket.AF_INET, kind, ("127.0.0.1", 0))) for kind in (1, 2)]
        mark = f"hostile-{secrets.token_hex(6)}"
        stack.enter_context(listener(heard, socket.AF_UNIX, 1, str(base / "outside" / "socket")))
        os.chmod(base / "outside" / "socket", 0o777)
        stack.enter_context(listener(heard, socket.AF_UNIX, 1, f"\0{mark}-outside"))
        other: dict[str, Any] = {} if uid is None else {"user": uid, "group": uid, "extra_groups": []}
        bystander = stack.enter_context(subprocess.Popen(["sleep", "100000"], **other))
        stack.callback(bystander.kill)
        place = Targets(
            course=str(root),
            outside=str(base / "outside"),
            pid=bystander.pid,
            tcp=ports[0],
            udp=ports[1],
            socket=str(base / "outside" / "socket"),
            abstract=f"{mark}-outside",
            mark=mark,
            key=secrets.randbelow(1 << 30) + 1000,
        )
        yield Classroom(base, root, copy, place, canary, heard, uid)


def remove(folder: Path) -> None:
    """Remove a folder whatever its rights and its depth are."""
    for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
        subprocess.run([*command, str(folder)], capture_output=True)


@contextlib.contextmanager
def listener(heard: list[bytes], family: int, kind: int, address: Any) -> Iterator[int]:
    """Listen until the end and keep what comes, connections included; yields the port."""
    with socket.socket(family, kind) as server:
        server.bind(address)
        server.settimeout(0.2)
        if kind == socket.SOCK_STREAM:
            server.listen()
        ended = threading.Event()

        def serve() -> None:
            while not ended.is_set():
                with contextlib.suppress(OSError):
                    if kind == socket.SOCK_STREAM:
                        connection, _ = server.accept()
                        with connection:
                            connection.settimeout(1)
                            heard.append(b"connected")
                            heard.append(connection.recv(4096))
                    else:
                        heard.append(server.recv(4096))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        name = server.getsockname()
        try:
            yield name[1] if family == socket.AF_INET else 0
        finally:
            ended.set()
            thread.join()


def everyone() -> list[Case]:
    """Return all cases in the order of their ids."""
    from hostile import cheating, file, habits, messages, notebook, processes, resources, shadowing, tampering, values
    from hostile import secrets as secret_cases

    found = [
        *resources.RESOURCES,
        *processes.PROCESSES,
        *secret_cases.SECRETS,
        *tampering.TAMPERING,
        *cheating.CHEATING,
        *values.VALUES,
        *shadowing.SHADOWING,
        *messages.MESSAGES,
        *notebook.SURGERY,
        *file.FILES,
        *habits.HABITS,
    ]
    return sorted(found, key=lambda case: case.id)

"""What becomes of each broken or hostile submission here and under stock nbgrader, as a Markdown table.

    python -m benchmarks.corpus                                   # this course's outcomes
    python -m benchmarks.corpus --stock notebook file habits      # also stock nbgrader's, for these groups (slow)
    python -m benchmarks.corpus --scheduler tcp://10.0.0.1:8786   # the same, graded by a Dask cluster
    python -m benchmarks.corpus --only A01 E                      # cases whose ids begin so

Stock nbgrader grades each case in a course of its own, with tests that assert values in its graded cells, as instructors
write them: a task is worth all of its points or none. It runs in namespaces of its own (as root), and attacks that would
do harm stop by themselves when nothing holds them back, which counts as a leak.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook

from autograder.commands import demo
from autograder.sources.course import Course, load_course

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from hostile import ASSIGNMENT, FILE, FULL, GROUPS, HONEST, INDEPENDENT, Case, cell_of  # noqa: E402
from hostile.classroom import (  # noqa: E402
    Classroom,
    classroom,
    everyone,
    fingerprint,
    outputs,
    remove,
    without_examples,
    write,
)

STOCK_SECONDS = 300
STOCK_CELL_SECONDS = 30  # nbgrader's default; it also has to cover the import of TensorFlow
NEIGHBOUR = "zz-honest"
STOCK_CONFIG = f"""c = get_config()
c.CourseDirectory.course_id = "stock"
c.Execute.timeout = {STOCK_CELL_SECONDS}
"""
# What an instructor of stock nbgrader asserts.
TESTS = {
    "softmax": """
rng = np.random.default_rng(1)
for shape, axis in (((4, 5), -1), ((3, 4, 5), 1)):
    x = rng.normal(size=shape)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    np.testing.assert_allclose(np.asarray(softmax(x, axis=axis)), e / e.sum(axis=axis, keepdims=True), atol=1e-4)
assert np.isfinite(np.asarray(softmax(np.array([[1000.0, 1001.0]])))).all()
""",
    "attention-scores": """
rng = np.random.default_rng(2)
query, key = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4))
np.testing.assert_allclose(np.asarray(attention_scores(query, key)), query @ np.swapaxes(key, -1, -2) / 2, atol=1e-4)
""",
    "scaled-dot-product": """
rng = np.random.default_rng(3)
query, key, value = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4)), rng.normal(size=(2, 5, 6))
mask = np.array([[0, 0, 1, 0, 1]] * 3, dtype="float64")
for hidden in (None, mask):
    scores = query @ np.swapaxes(key, -1, -2) / 2 - (0 if hidden is None else 1e9 * hidden)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    expected = e / e.sum(axis=-1, keepdims=True)
    output, weights = scaled_dot_product_attention(query, key, value, mask=hidden)
    np.testing.assert_allclose(np.asarray(weights), expected, atol=1e-4)
    np.testing.assert_allclose(np.asarray(output), expected @ value, atol=1e-4)
""",
    "projections": """
rng = np.random.default_rng(4)
x, w = rng.normal(size=(3, 4)), rng.normal(size=(3, 4, 4))
scores = (x @ w[0]) @ (x @ w[1]).T / 2
e = np.exp(scores - scores.max(axis=-1, keepdims=True))
output, weights = projected_attention(x, x, x, *w)
np.testing.assert_allclose(np.asarray(weights), e / e.sum(axis=-1, keepdims=True), atol=1e-4)
""",
    "score-scale": """
np.testing.assert_allclose([float(score_std(9, False)), float(score_std(9, True))], [3, 1])
""",
    "additive": """
rng = np.random.default_rng(6)
query, key, value, v = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2)), rng.normal(size=6)
w = rng.normal(size=(2, 4, 6))
scores = np.tanh((query @ w[0])[:, None] + (key @ w[1])[None]) @ v
e = np.exp(scores - scores.max(axis=-1, keepdims=True))
output, weights = additive_attention(query, key, value, *w, v)
np.testing.assert_allclose(np.asarray(weights), e / e.sum(axis=-1, keepdims=True), atol=1e-4)
""",
}
assert TESTS.keys() == FULL.keys()


@dataclass
class Row:
    """One case's outcomes in words."""

    case: Case
    ours: str = ""
    stock: str = "not run"


def told(points: Mapping[str, float | None] | None) -> str:
    """Return points in short: those that differ from full."""
    if not points:
        return "no scores"
    if not any(points.values()):
        return "0 in all" if None not in points.values() else "ungraded"
    lost = [f"{slug} {'?' if p is None else f'{p:g}'}/{FULL[slug]:g}" for slug, p in points.items() if p != FULL[slug]]
    return ", ".join(lost) or "full"


def outcome(
    case: Case, points: Mapping[str, float | None] | None, shown: str, canary: str, harm: Sequence[str], *, steps: bool
) -> str:
    """Return what became of a case, with ✓ in front if it is what must.

    Args:
        case: the case, with the points it must earn.
        points: the points that the case got, None if there are no scores.
        shown: the outputs that the student would see.
        canary: a text that must not occur in the outputs.
        harm: what else went wrong.
        steps: whether part of a task's points can be earned.
    """
    wrong = list(harm)
    expected = {s: p if steps or p == FULL[s] else 0.0 for s, p in case.points.items()}
    if not points:
        wrong.insert(0, "no scores")
    elif points != expected:
        paid = any((points[s] or 0) > p for s, p in expected.items())
        wrong.insert(0, f"{'paid for nothing' if paid else 'points lost'} ({told(points)})")
    if canary in shown or re.search("LEAK|SEEN", shown):
        wrong.append("leak")
    return "✗ " + "; ".join(wrong) if wrong else f"✓ {told(points)}"


def ours(course: Course, cases: Sequence[Case], scheduler: str = "") -> dict[str, str]:
    """Grade a class of all cases here, or on a Dask cluster; return case id -> outcome."""
    where = [f"--SubmissionExporter.scheduler={scheduler}"] if scheduler else []
    with classroom(course) as room:
        room.hand_in(cases)
        run = room.nbgrader("autograde", ASSIGNMENT, *where)
        points, marks = room.points(), room.marks()
        after = fingerprint(room.root, room.base / "outside")
        changed = {path for path in after.keys() | room.before.keys() if after.get(path) != room.before.get(path)}
        print(
            f"ours: exit status {run['status']}, processes left {len(run['processes'])}, mounts left {len(run['mounts'])}, "
            f"files changed {len(changed)}, honest students with full points "
            f"{sum(points.get(name) == FULL for name in HONEST)} of {len(HONEST)}",
            file=sys.stderr,
        )
        found: dict[str, str] = {}
        for case in cases:
            mark = room.place_of(case).mark
            harm = ["left something behind"] * any(re.search(rf"{mark}(?![\w-])", line) for line in marks)
            harm += ["changed files"] * any(f"/{case.id}/" in path for path in changed)
            shown = outputs(room.autograded(case.id)) if room.autograded_path(case.id).exists() else ""
            found[case.id] = outcome(case, points.get(case.id), shown, room.canary, harm, steps=True)
        return found


def stock_source(released: NotebookNode) -> NotebookNode:
    """Return an instructor's notebook for stock nbgrader: the release with asserting tests in its graded cells."""
    notebook = without_examples(released)
    for slug, tests in TESTS.items():
        cell = cell_of(notebook, f"grade-{slug}")
        cell.source = f"import numpy as np\n### BEGIN HIDDEN TESTS\n{tests.strip()}\n### END HIDDEN TESTS"
    notebook.cells = [c for c in notebook.cells if c.id != "checks"]
    # without this nbgrader refuses a release whose answers are there already
    for slug in FULL:
        task = cell_of(notebook, f"task-{slug}")
        task.source = f"### BEGIN SOLUTION\n{INDEPENDENT[slug].strip()}\n### END SOLUTION"
    return notebook


@contextlib.contextmanager
def stock_template(course: Course) -> Iterator[Classroom]:
    """Make a plain nbgrader course; yields its surroundings, in which `root` is the course to copy."""
    with classroom(course) as room:
        released = nbformat.read(room.root / "assignments" / "en" / ASSIGNMENT / FILE, as_version=4)
        plain = room.base / "stock"
        (plain / "source" / ASSIGNMENT).mkdir(parents=True)
        (plain / "nbgrader_config.py").write_text(STOCK_CONFIG)
        (plain / "course_config.py").write_text(f"# {room.canary}\n")
        nbformat.write(stock_source(released), plain / "source" / ASSIGNMENT / FILE)
        subprocess.run(
            [sys.executable, "-m", "nbgrader", "generate_assignment", ASSIGNMENT, "--create"],
            cwd=plain,
            env={**os.environ, "HOME": str(room.base / "home")},
            check=True,
            capture_output=True,
        )
        yield replace(room, root=plain)


def stock(template: Classroom, case: Case, *, with_neighbour: bool = False) -> str:
    """Grade one case with stock nbgrader in a fresh copy of its course; return the outcome."""
    base = template.base / f"stock-{case.id}"
    root = base / "course"
    for name in ("home", "tmp"):
        (base / name).mkdir(parents=True)
    shutil.copytree(template.root, root)
    place = replace(template.place_of(case), course=str(root))
    room = replace(template, base=base, root=root, place=place)
    released = nbformat.read(root / "release" / ASSIGNMENT / FILE, as_version=4)
    students = [case.id, *([NEIGHBOUR] if with_neighbour else [])]
    for student in students:
        (root / "submitted" / student / ASSIGNMENT).mkdir(parents=True)
    if with_neighbour:
        honest = demo.to_bytes(demo.fill(released, INDEPENDENT))
        (root / "submitted" / NEIGHBOUR / ASSIGNMENT / FILE).write_bytes(honest)
    folder = root / "submitted" / case.id / ASSIGNMENT
    write(replace(case, dependent=False), folder, place, released, {})
    before = fingerprint(root)
    command = [sys.executable, "-m", "nbgrader", "autograde", ASSIGNMENT]
    apart = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "--ipc"]
    environment = {**os.environ, "HOME": str(base / "home"), "TMPDIR": str(base / "tmp"), "CORPUS_CANARY": room.canary}
    environment = {k: v for k, v in environment.items() if not k.startswith("AUTOGRADER_")}
    harm: list[str] = []
    with open(base / "said", "wb") as said:
        process = subprocess.Popen(
            [*(apart if os.geteuid() == 0 else []), *command],
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(STOCK_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            harm.append("hangs the run")
    try:
        scored = stock_scores(root)
    except Exception as error:  # noqa: BLE001  (the case may have damaged the gradebook)
        scored = {}
        harm.append(f"gradebook unreadable ({type(error).__name__})")
    path = room.autograded_path(case.id)
    shown = ""
    if path.exists():
        try:
            shown = outputs(nbformat.read(path, as_version=4))
        except Exception:  # noqa: BLE001  (it may be anything)
            harm.append("unreadable result")
        if path.stat().st_size > 25_000_000:
            harm.append(f"a result of {path.stat().st_size // 1_000_000} MB")
    points = scored.get(case.id) if path.exists() else None
    if not with_neighbour and (process.returncode or not points):
        remove(base)
        return stock(template, case, with_neighbour=True)
    if with_neighbour and scored.get(NEIGHBOUR) != FULL:
        harm.append("the next student isn't graded")
    after = fingerprint(root)
    if any(path not in after or after[path] != value for path, value in before.items()):
        harm.append("changes the course")
    if any(place.mark in line for line in room.marks()):
        harm.append("leaves something behind")
    words = outcome(case, points, shown, room.canary, harm, steps=False)
    for line in room.marks():
        if line.startswith("/") and f"/{place.mark}" in line:
            with contextlib.suppress(OSError):
                os.unlink(line)
    remove(base)
    return words


def stock_scores(root: Path) -> dict[str, dict[str, float | None]]:
    """Return student -> points per task in a stock gradebook."""
    found: dict[str, dict[str, float | None]] = {}
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        for submission in gradebook.assignment_submissions(ASSIGNMENT):
            grades = {g.name.removeprefix("grade-"): g for notebook in submission.notebooks for g in notebook.grades}
            found[submission.student.id] = {
                slug: grades[slug].manual_score if grades[slug].manual_score is not None else grades[slug].auto_score
                for slug in FULL
                if slug in grades
            }
    return found


def table(rows: Sequence[Row]) -> str:
    """Return the Markdown table, and the counts below it."""
    lines = ["| id | what it does | must earn | here | stock nbgrader |", "|---|---|---|---|---|"]
    for row in rows:
        lines.append(f"| {row.case.id} | {row.case.title} | {told(row.case.points)} | {row.ours} | {row.stock} |")
    ran = [row for row in rows if row.stock != "not run"]
    lines += ["", f"As it must be: here {sum(row.ours[:1] == '✓' for row in rows)} of {len(rows)}"]
    if ran:
        lines[-1] += f", stock nbgrader {sum(row.stock[:1] == '✓' for row in ran)} of {len(ran)}"
    return "\n".join(lines) + "."


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[""], help="beginnings of case ids")
    parser.add_argument(
        "--stock", nargs="*", default=[], help=f"groups that stock nbgrader grades too: {', '.join(GROUPS)}"
    )
    parser.add_argument("--scheduler", default="", help="address of a Dask cluster that grades instead of this machine")
    parser.add_argument("--not-ours", action="store_true", help="leave this course's outcomes out")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="stock nbgraders at once")
    parser.add_argument(
        "--json", type=Path, help="also write the outcomes there, and take stock's from there if it exists"
    )
    arguments = parser.parse_args()
    course = load_course(ROOT)
    rows = [Row(case) for case in everyone() if case.id.startswith(tuple(arguments.only))]
    kept = json.loads(arguments.json.read_text()) if arguments.json and arguments.json.exists() else {}
    if not arguments.not_ours:
        found = ours(course, [row.case for row in rows], arguments.scheduler)
        for row in rows:
            row.ours = found[row.case.id]
    with stock_template(course) as template, ThreadPoolExecutor(arguments.workers) as pool:
        for row in rows:
            row.stock = kept.get(row.case.id, {}).get("stock", "not run")
        todo = [row for row in rows if row.case.group in arguments.stock and row.stock == "not run"]
        for row, words in zip(todo, pool.map(lambda row: stock(template, row.case), todo), strict=True):
            row.stock = words
            print(row.case.id, words, file=sys.stderr, flush=True)
            if arguments.json:
                kept[row.case.id] = {"ours": row.ours, "stock": row.stock}
                arguments.json.write_text(json.dumps(kept, indent=1, ensure_ascii=False))
    print(table(rows))


if __name__ == "__main__":
    main()

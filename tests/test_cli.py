"""The commands: what they print where, as JSON or in silence, and their exit status."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook

from autograder.base.errors import CourseError
from autograder.commands import cli, demo, proving, reports, watching
from autograder.commands.doctor import Diagnosis, Finding
from autograder.commands.output import Output, counted
from autograder.grading.naming import RecordedAnswers
from autograder.grading.runner import LineResult, TaskResult
from autograder.proof import check as checking
from autograder.proof.check import CaseResult, Tally
from autograder.report.class_report import ClassReport, Entry
from autograder.sealing.layers import no_layers
from autograder.sources.course import Course
from autograder.submissions.verdicts import Verdict

NOTEBOOK = "scaled_dot_product_attention.ipynb"
FOLDER = Path(__file__).resolve().parent.parent / "solutions" / "02-attention"


@dataclass
class Said:
    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Said]:
    """A function that runs the command line in an empty folder of this course."""
    root = Path(__file__).resolve().parent.parent
    config = (root / "course_config.py").read_text().replace("Path(__file__).resolve().parent", f"Path({str(root)!r})")
    (tmp_path / "course_config.py").write_text(config)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["autograder", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return Said(int(ended.value.code or 0), said.out, said.err)

    return run


def test_a_mistaken_command_is_one_sentence_and_status_2(runs: Callable[..., Said]) -> None:
    said = runs("check", "99-x")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("autograder: The assignment must be one of 01-positional-encoding,")


def test_the_help_begins_with_what_the_command_is_for(runs: Callable[..., Said]) -> None:
    said = runs("--help")
    assert said.status == 0 and "A course of auto-graded notebooks" in said.out.split("Options")[0]
    assert "exit codes" not in said.out


def test_a_new_course_is_entered_by_the_command_that_is_printed(runs: Callable[..., Said]) -> None:
    assert "Next: cd 'my stats 2' && autograder build" in runs("new", "my stats 2").out


@pytest.mark.parametrize(("name", "fault"), [("nobox", "isn't there"), ("course_config.py", "is no folder")])
def test_a_folder_to_watch_that_isnt_one_is_told(course: Course, name: str, fault: str) -> None:
    nobody: Any = None
    with pytest.raises(CourseError, match=f"Received: {name}, which {fault}."):
        watching._source(course, name, None, nobody, nobody)


# ------------------------------------------------------------------------------------------------------------- check
@pytest.fixture
def proof(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that makes `check` find this reason for a failure, or none."""

    def prove(failed: str) -> None:
        def check(
            course: Course, chosen: list[str], workers: int, only: str, backend: str, tell: Any, secret: str, **_: bool
        ) -> list[Tally]:
            results = [
                CaseResult(case, failed if case.kind == "mistake" else "", named=True, seconds=1.0)
                for case in checking.cases_of(course, chosen[0], only=only)
            ]
            for result in results:
                tell(result)
            return [Tally(chosen[0], results)]

        monkeypatch.setattr(checking, "check", check)

    return prove


def test_check_without_a_terminal_is_plain_lines(runs: Callable[..., Said], proof: Callable[[str], None]) -> None:
    proof("")
    said = runs("check", "02-attention")
    assert said.status == 0
    assert not set(said.out + said.err) & set("│━┃\x1b")
    heading, row = said.out.splitlines()
    assert row.split()[:3] == ["02-attention", "2/2", "2/2"] and heading.startswith("assignment ")
    assert len(said.err.splitlines()) == 10 and "left" in said.err.splitlines()[0]


def test_check_that_proves_less_ends_with_1(runs: Callable[..., Said], proof: Callable[[str], None]) -> None:
    proof("loses no points")
    said = runs("check", "02-attention", "--only", "mistake:softmax", "--json", "--quiet")
    assert said.status == 1
    (tally,) = said.document["assignments"]
    assert not said.document["proven"]
    assert tally["mistakes"]["good"] == 0 < tally["mistakes"]["of"] == len(tally["failed"])
    assert said.err.count("✗ 02-attention mistake softmax") == len(tally["failed"])


def test_check_of_nothing_proves_nothing(runs: Callable[..., Said]) -> None:
    said = runs("check", "02-attention", "--only", "mistake:nonsense")
    assert said.status == 2 and "must be part of some case's kind:id" in said.err


def test_quiet_says_nothing_if_all_is_well(runs: Callable[..., Said], proof: Callable[[str], None]) -> None:
    proof("")
    assert runs("check", "02-attention", "--quiet") == Said(0, "", "")


def test_check_tells_of_a_record_that_is_stale_and_ends_with_1(
    runs: Callable[..., Said], proof: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    proof("")
    monkeypatch.setattr(proving, "staleness", lambda source: f"{source.assignment} was recorded before.")
    said = runs("check", "02-attention", "--json")
    assert said.status == 1 and not said.document["proven"] and said.document["stale"] == ["02-attention"]
    assert "02-attention was recorded before. Until then no mistake of the assignment is named." in said.err


def test_check_tells_of_mistakes_without_recorded_answers(
    runs: Callable[..., Said], proof: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    proof("")
    monkeypatch.setattr(proving, "has_record", lambda folder: False)
    said = runs("check", "02-attention")
    assert said.status == 0
    assert "students get no hints. Run `autograder check 02-attention --record-answers`." in said.out
    monkeypatch.setattr(proving, "mistakes_of", lambda folder: {})
    assert "--record-answers" not in runs("check", "02-attention").out


def test_answers_are_recorded_before_the_proof(
    runs: Callable[..., Said], proof: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    proof("")
    recorded: list[str] = []

    def record(course: Course, assignment: str, workers: int, tell: Any) -> tuple[Path, RecordedAnswers]:
        recorded.append(assignment)
        return Path("answers.json"), RecordedAnswers({"a-mistake": {}})

    monkeypatch.setattr(proving, "record_answers", record)
    monkeypatch.setattr(proving, "staleness", lambda _: "" if recorded else "stale")
    said = runs("check", "02-attention", "--record-answers")
    assert (said.status, recorded) == (0, ["02-attention"])
    assert "answers.json: answers of 1 mistake recorded" in said.out + said.err


@pytest.mark.parametrize("option", [["--quick"], ["--backend", "jax"]])
def test_answers_are_recorded_by_a_proof_on_the_courses_backend_only(
    runs: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, option: list[str]
) -> None:
    monkeypatch.setattr(proving, "record_answers", None)
    said = runs("check", "02-attention", "--record-answers", *option)
    assert said.status == 2 and "Leave out" in said.err


# ------------------------------------------------------------------------------------------------------------- grade
@pytest.mark.parametrize(("fault", "status"), [("", 0), ("no disk", 1)])
def test_grade_ends_with_1_if_a_task_is_ungraded(
    runs: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, course: Course, fault: str, status: int
) -> None:
    name, line = next(iter(course.source("02-attention").rubric.items()))
    task = TaskResult("softmax", 3.0, (LineResult(name, line, "ungraded" if fault else "passed"),))
    verdict = Verdict("02-attention", NOTEBOOK, "someone", "en", {"softmax": task}, fault=fault)
    monkeypatch.setattr(cli, "grade_file", lambda *_: (None, verdict))
    Path(NOTEBOOK).touch()
    said = runs("grade", NOTEBOOK, "--json")
    assert said.status == status and said.document[0]["fault"] == fault
    assert ("tasks softmax are ungraded: no disk" in said.err) == bool(fault)
    said = runs("grade", NOTEBOOK, "--quiet")
    assert said.out == "" and bool(said.err) == bool(fault)


def test_grade_of_a_path_that_isnt_there_grades_nothing(
    runs: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "grade_file", lambda *_: pytest.fail("a file was graded"))
    Path(NOTEBOOK).touch()
    said = runs("grade", NOTEBOOK, f"submited/{NOTEBOOK}")
    assert (said.status, said.out) == (2, "") and f"Received: submited/{NOTEBOOK}. " in said.err


# ------------------------------------------------------------------------------------------------------------ doctor
@pytest.mark.parametrize(("broken", "status"), [("", 0), ("read it", 1)])
def test_doctor_tells_machines_too(
    runs: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, broken: str, status: int
) -> None:
    diagnosis = Diagnosis(
        no_layers(), 1, (Finding("fs-read", ("fs-read", "nothing is read"), "landlock", broken, False),)
    )
    monkeypatch.setattr(cli, "examine", lambda course: diagnosis)
    said = runs("doctor", "--json")
    assert said.status == status and said.document["can_grade"] is (not broken)
    assert said.document["guarantees"][0]["broken"] == broken
    assert runs("doctor", "--quiet").out == ""


# ------------------------------------------------------------------------------------------------------------ report
@pytest.mark.parametrize(
    ("state", "status"), [("graded", 0), ("refused", 0), ("misplaced", 0), ("ungraded", 1), ("waiting", 1)]
)
def test_report_ends_with_1_if_someone_isnt_graded(
    runs: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, state: str, status: int
) -> None:
    made = ClassReport("02-attention", FOLDER, {"softmax": 3.0}, [Entry("ada", state, {"softmax": 1.0}, "no disk")], [])
    monkeypatch.setattr(reports, "report_of", lambda course, assignment: made)
    said = runs("report", "02-attention", "--folder", tmp_path)
    assert said.status == status and said.out.strip().endswith(f"02-attention.html: 1 {state}")
    assert ("02-attention: ada is not graded: no disk" in said.err) == bool(status)
    assert runs("report", "02-attention", "--json").document[0]["assignment"] == "02-attention"
    assert not (tmp_path / "index.html").exists()


def test_report_without_a_name_writes_the_term_too(
    runs: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    graded = ["01-positional-encoding", "02-attention"]

    def made(course: Course, assignment: str) -> ClassReport:
        entries = [Entry("ada", "graded", {"softmax": 1.0})] if assignment in graded else []
        return ClassReport(assignment, FOLDER, {"softmax": 3.0}, entries, [])

    monkeypatch.setattr(reports, "report_of", made)
    said = runs("report", "--folder", tmp_path / "pages")
    assert said.status == 0 and said.out.strip().endswith("index.html: 2 assignments")
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == [
        "01-positional-encoding.html",
        "02-attention.html",
        "index.html",
    ]
    assert "ada" in (tmp_path / "pages" / "index.html").read_text()
    runs("report", "--json", "--folder", tmp_path / "none")
    assert not (tmp_path / "none").exists()
    graded.pop()
    assert runs("report", "--folder", tmp_path / "one").out.strip().endswith("index.html: 1 assignment")


# ----------------------------------------------------------------------------------------------------------- collect
@pytest.fixture
def handed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of submissions; `submitted` is below the temporary folder."""
    for student in ("ada", "kim"):
        path = tmp_path / "class" / student / NOTEBOOK
        path.parent.mkdir(parents=True)
        path.write_text(student)

    def load() -> Course:
        course = load_course()
        _ = course.source_paths
        object.__setattr__(course, "root", tmp_path)
        return course

    load_course = cli.load_course
    monkeypatch.setattr(cli, "load_course", load)
    return tmp_path / "class"


def test_collect_says_what_went_where(runs: Callable[..., Said], handed_in: Path) -> None:
    said = runs("collect", "02-attention", handed_in)
    assert (said.status, said.err) == (0, "")
    assert [line.split()[:3] for line in said.out.splitlines()[1:3]] == [[s, s, "new"] for s in ("ada", "kim")]
    assert said.out.endswith("02-attention: 2 new (plain)\n")
    assert [one["state"] for one in runs("collect", "02-attention", handed_in, "--json").document["students"]] == [
        "unchanged",
        "unchanged",
    ]
    assert runs("collect", "02-attention", handed_in, "--quiet") == Said(0, "", "")


def test_collect_ends_with_1_if_something_needs_a_look(
    runs: Callable[..., Said], handed_in: Path, tmp_path: Path
) -> None:
    runs("collect", "02-attention", handed_in)
    (handed_in / "ada" / NOTEBOOK).write_text("later")
    (handed_in / "ada" / "link").symlink_to("/etc/passwd")
    said = runs("collect", "02-attention", handed_in, "--quiet")
    assert said.status == 1
    assert "left out: ada/link: a link or no plain file\n" in said.err
    assert "kept what was there, which differs from the download: ada. Replace it with --force" in said.err


def test_names_in_a_download_steer_no_terminal(runs: Callable[..., Said], handed_in: Path) -> None:
    for name in ("\x1b[2Jx.txt", "\u202ex.txt", "\udcff.txt"):
        (handed_in / "ada" / name).write_text("")
    (handed_in / "\u202elee").mkdir()
    (handed_in / "\u202elee" / NOTEBOOK).write_text("")
    said = runs("collect", "02-attention", handed_in)
    assert said.status == 1 and not set(said.out + said.err) & set("\x1b\u202e\udcff")
    assert "left out: ada/\\x1b[2Jx.txt: a name with the character U+001B" in said.err
    assert "unknown: \\u202elee: the id '\\u202elee' can't be a folder's name" in said.err
    assert "\\u202ex.txt" in said.out
    assert len(runs("collect", "02-attention", handed_in, "--json").document["skipped"]) == 2


def test_the_configured_roster_is_taken(runs: Callable[..., Said], handed_in: Path, tmp_path: Path) -> None:
    (tmp_path / "from-canvas.csv").write_text("Student,ID,Mail\nx,11,ada@x\n")
    with (tmp_path / "course_config.py").open("a") as file:
        file.write('c.CanvasExport.roster = "from-canvas.csv"\nc.CanvasExport.match = "Mail"\n')
    canvas = tmp_path / "canvas"
    canvas.mkdir()
    (canvas / f"lovelaceada_LATE_11_90_{NOTEBOOK}").write_text("ada")
    said = runs("collect", "02-attention", canvas)
    assert said.status == 0 and (tmp_path / "submitted" / "ada@x" / "02-attention" / NOTEBOOK).read_text() == "ada"
    assert "Canvas calls late, without a time: ada@x." in said.err
    said = runs("collect", "02-attention", canvas, "--time-zone", "Mars/Olympus")
    assert said.status == 2 and "must be an IANA name such as Asia/Seoul" in said.err


# -------------------------------------------------------------------------------------------------------------- demo
@pytest.mark.course
def test_the_demo_leaves_the_real_gradebook_alone(
    runs: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AUTOGRADER_DB_URL", f"sqlite:///{tmp_path}/real.db")
    monkeypatch.setattr(demo, "sample_class", lambda course, assignment: [])
    run_nbgrader = demo.run_nbgrader

    def only_export(root: Path, *arguments: str, **options: Any) -> None:
        if arguments[0] == "export":
            run_nbgrader(root, *arguments, **options)

    monkeypatch.setattr(demo, "run_nbgrader", only_export)
    assert runs("demo", "01-positional-encoding", "--folder", tmp_path / "class", "--quiet") == Said(0, "", "")
    assert not (tmp_path / "real.db").exists()
    with Gradebook(f"sqlite:///{tmp_path}/class/gradebook.db", "transformer") as gradebook:
        assert [assignment.name for assignment in gradebook.assignments] == ["01-positional-encoding"]
    assert (tmp_path / "class" / "grades.csv").exists()


# ----------------------------------------------------------------------------------------------------------- terminal
@dataclass
class Terminal:
    written: list[str] = field(default_factory=list)
    encoding: str = "utf-8"

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.written.append(text)
        return len(text)

    def flush(self) -> None: ...

    def fileno(self) -> int:
        raise OSError


def test_a_noun_fits_its_number() -> None:
    assert [counted(count, "late work") for count in (0, 1, 2)] == ["0 late works", "1 late work", "2 late works"]
    assert [counted(count, "penalty", "penalties") for count in (1, 2)] == ["1 penalty", "2 penalties"]


def test_a_terminal_gets_a_bar_and_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = Terminal(), Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    output = Output()
    with output.progress("checking", 2) as advance:
        advance()
        advance()
    output.table("", ("assignment", "points"), [("[b]02[/b]", "3")])
    assert "2/2" in "".join(err.written)
    assert "│" in "".join(out.written) and "[b]02[/b]" in "".join(out.written)

"""The course's configuration: what is refused, where the secret comes from, and that nbgrader stops on a bad one."""

from __future__ import annotations

import dataclasses
import stat
import sys
from pathlib import Path
from types import FrameType

import pytest
from traitlets.config import Config

from autograder.base.errors import CourseError
from autograder.sources import course as course_module
from autograder.sources.course import Course, Limits, load_course, load_for_nbgrader, own_secret, read_config
from autograder.sources.handing_in import LateDays

SECRET = "sixteen letters!"
CELLS = '# %% task="double"\ndef double(x):\n    return 2 * x\n\n# %% grade="double" points=1\ndouble(1)\n'
CONFIG = """\
from pathlib import Path
from traitlets.config import Config
from autograder.sources.course import Course

course = Course(root=Path(__file__).parent, secret="sixteen letters!")
c = Config()
c.CourseDirectory.course_id = "set by the course"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a course folder with two assignments."""
    for assignment in ("01-first", "02-second"):
        path = tmp_path / "solutions" / assignment / "notebook.py"
        path.parent.mkdir(parents=True)
        path.write_text(CELLS)
    return tmp_path


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [0, -1, float("inf"), float("nan"), True, "30", None],
    ids=["zero", "negative", "infinite", "nan", "bool", "string", "None"],
)
@pytest.mark.parametrize("name", ["cell_seconds", "restarts", "notebook_bytes"])
def test_a_limit_must_be_a_positive_number(name, value):
    with pytest.raises(CourseError, match=rf"Limits\.{name} must be a positive number\. Received: {name}="):
        Limits(**{name: value})


def test_limits_by_assignment_change_only_what_they_name(root):
    course = Course(root=root, secret=SECRET, limits_by_assignment={"01-first": {"cell_seconds": 99.0}})
    assert course.limits_of("01-first") == Limits(cell_seconds=99.0)


def test_limits_by_assignment_leave_other_assignments_alone(root):
    limits = Limits(cell_seconds=5.0)
    course = Course(root=root, secret=SECRET, limits=limits, limits_by_assignment={"01-first": {"cell_seconds": 99.0}})
    assert course.limits_of("02-second") == limits


# --- course ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"languages": ()}, r"languages must be some of .*Received: languages=\(\)"),
        ({"languages": ("en", "fr")}, r"languages must be some of .*'fr'"),
        ({"backend": "theano"}, "backend must be one of .*Received: backend='theano'"),
        ({"secret": ""}, "secret must have at least 16 characters"),
        ({"secret": "fifteen letters"}, "secret must have at least 16 characters"),
        ({"english_only": ("03-third",)}, r"Assignments must be folders of .*\['03-third'\]"),
        ({"bonus": ("03-third",)}, r"Assignments must be folders of .*\['03-third'\]"),
        ({"limits_by_assignment": {"03-third": {}}}, r"Assignments must be folders of .*\['03-third'\]"),
        (
            {"limits_by_assignment": {"01-first": {"colour": 1}}},
            r"the fields of Limits\. Received: \['colour'\] for 01",
        ),
        ({"limits_by_assignment": {"01-first": {"cell_seconds": 0}}}, r"Limits\.cell_seconds must be a positive"),
        ({"late_days": 5}, r"late_days must be None or made by LateDays, such as .*Received: late_days=5\."),
        ({"tries": 3}, r"tries must be made by Tries, such as .*Received: tries=3\."),
        ({"canvas": "https://x"}, r"canvas must be None or made by CanvasCourse, .*Received: canvas='https://x'\."),
        ({"limits": 30}, r"limits must be made by Limits, such as .*Received: limits=30\."),
        ({"bonus": "01-first"}, r"bonus must be a tuple of names, such as bonus=\('01-first',\)\. Received"),
        ({"bonus": (1,)}, r"Each name in bonus must be a text in quotation marks\. Received: bonus=\(1,\)"),
        ({"limits_by_assignment": 5}, r"limits_by_assignment must be a dictionary.*Received: .*=5\."),
        ({"root": "folder"}, r"root must be a Path, .*Received: root='folder'\."),
        ({"secret": None}, "secret must have at least 16 characters"),
        ({"id": "my course/1"}, r"id must be a name that a folder can have, .*Received: id='my course/1'\."),
        ({"id": ""}, "id must be a name that a folder can have"),
        ({"workres": 2}, r"Course must be given options that it has\. Received: workres\. Perhaps workers is meant"),
        ({"colour": "red"}, r"Received: colour\. The options are id, root, .*canvas\."),
    ],
    ids=[
        "no language",
        "unknown language",
        "unknown backend",
        "no secret",
        "short secret",
        "english_only of no assignment",
        "bonus of no assignment",
        "limits of no assignment",
        "unknown limit",
        "limit of zero",
        "late days as a number",
        "tries as a number",
        "canvas as an address",
        "limits as a number",
        "bonus as one text",
        "bonus of a number",
        "limits as one number",
        "root as a text",
        "no text as a secret",
        "id with a slash",
        "no id",
        "misspelt option",
        "unknown option",
    ],
)
def test_a_wrong_course_is_refused(root, options, match):
    with pytest.raises(CourseError, match=match):
        Course(**{"root": root, "secret": SECRET, **options})


def test_a_misspelt_option_of_an_option_is_refused():
    with pytest.raises(CourseError, match=r"Limits must be given .*Received: cell_second\. Perhaps cell_seconds is"):
        Limits(cell_second=3)
    with pytest.raises(CourseError, match=r"LateDays must be given .*Received: buget\. Perhaps budget is meant"):
        LateDays(buget=3)


def test_an_error_about_the_secret_does_not_show_it(root):
    with pytest.raises(CourseError, match="secret must have") as caught:
        Course(root=root, secret="hunter2")
    assert "hunter2" not in str(caught.value)


def test_assignments_are_the_numbered_folders_with_a_source(root):
    (root / "solutions" / "_shared").mkdir()
    (root / "solutions" / "_shared" / "checks.py").touch()
    assert list(Course(root=root, secret=SECRET).source_paths) == ["01-first", "02-second"]


def test_the_other_modules_of_an_assignment_are_no_notebooks(root):
    (root / "solutions" / "01-first" / "graders.py").write_text("x = 1\n")
    assert list(Course(root=root, secret=SECRET).source_paths) == ["01-first", "02-second"]


def test_notebooks_are_called_what_their_sources_say(root):
    assert Course(root=root, secret=SECRET).notebook_names == {"01-first": "first", "02-second": "second"}


def test_source_reads_the_notebook_of_the_assignment(root):
    assert Course(root=root, secret=SECRET).source("02-second").points == {"double": 1}


def test_source_of_an_unknown_assignment_is_refused(root):
    with pytest.raises(CourseError, match=r"must be one of 01-first, 02-second\. Received: '03-third'"):
        Course(root=root, secret=SECRET).source("03-third")


# --- secret ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def no_environment_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUTOGRADER_SECRET", raising=False)


def test_the_secret_comes_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOGRADER_SECRET", "from the environment")
    assert own_secret(tmp_path) == "from the environment"


def test_a_secret_from_the_environment_is_not_written_down(tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOGRADER_SECRET", "from the environment")
    own_secret(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("no_environment_secret")
def test_a_made_secret_repeats(tmp_path):
    assert own_secret(tmp_path) == own_secret(tmp_path)


@pytest.mark.usefixtures("no_environment_secret")
def test_a_made_secret_is_long_enough_for_a_course(tmp_path, root):
    assert Course(root=root, secret=own_secret(tmp_path)).secret


@pytest.mark.usefixtures("no_environment_secret")
def test_made_secrets_differ(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert own_secret(tmp_path / "a") != own_secret(tmp_path / "b")


@pytest.mark.usefixtures("no_environment_secret")
def test_only_the_owner_may_read_a_made_secret(tmp_path):
    own_secret(tmp_path)
    assert stat.S_IMODE((tmp_path / ".course_secret").stat().st_mode) == 0o600


@pytest.mark.usefixtures("no_environment_secret")
def test_a_secret_that_exists_is_kept(tmp_path):
    (tmp_path / ".course_secret").write_text("written by the instructor\n")
    assert (own_secret(tmp_path), (tmp_path / ".course_secret").read_text()) == (
        "written by the instructor",
        "written by the instructor\n",
    )


@pytest.mark.usefixtures("no_environment_secret")
def test_a_secret_file_is_never_seen_before_it_is_complete(tmp_path):
    """Two commands may start at once: while one makes the secret, the other must not read an empty file."""
    path = tmp_path / ".course_secret"
    seen: set[str] = set()

    def look(frame: FrameType, event: str, argument: object) -> object:
        if frame.f_code.co_filename == course_module.__file__:
            seen.add(path.read_text() if path.exists() else "absent")
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        own_secret(tmp_path)
    finally:
        sys.settrace(before)
    assert seen <= {"absent", path.read_text()}


# --- course_config.py ------------------------------------------------------------------------------------------------


def test_a_configuration_is_found_in_a_folder_above(root):
    (root / "course_config.py").write_text(CONFIG)
    (root / "deep" / "deeper").mkdir(parents=True)
    assert load_course(root / "deep" / "deeper").root == root


def test_a_configuration_is_looked_for_in_the_working_directory(root, monkeypatch):
    (root / "course_config.py").write_text(CONFIG)
    monkeypatch.chdir(root)
    assert load_course().root == root


def test_no_configuration_is_refused(tmp_path):
    with pytest.raises(CourseError, match=r"course_config\.py must be in the course's root\. Received: .*has none"):
        read_config(tmp_path)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("1 / 0", r"must run without errors\. Received: ZeroDivisionError: division by zero"),
        ("def (", r"must run without errors\. Received: SyntaxError"),
        ("import no_such_module_here", r"must run without errors\. Received: ModuleNotFoundError"),
        ("", r"must define `course`, a Course, and `c`.*Received: \[\]"),
        (CONFIG.replace("\nc", "\nother"), r"must define `course`.*'other'"),
        (CONFIG.replace("\ncourse", "\nother"), r"must define `course`.*'other'"),
        (CONFIG + "course = 'transformer'", "must define `course`, a Course"),
        (CONFIG.replace("sixteen letters!", "short"), "secret must have at least 16 characters"),
    ],
    ids=["raises", "syntax", "import", "empty", "no c", "no course", "course of another type", "course refused"],
)
def test_a_wrong_configuration_is_refused(root, text, match):
    (root / "course_config.py").write_text(text)
    with pytest.raises(CourseError, match=match):
        read_config(root)


# --- nbgrader --------------------------------------------------------------------------------------------------------


def test_nbgrader_gets_the_course_configuration(root, monkeypatch):
    (root / "course_config.py").write_text(CONFIG)
    monkeypatch.chdir(root)
    config = Config()
    load_for_nbgrader(config)
    assert config.CourseDirectory.course_id == "set by the course"


BROKEN = {
    "absent": (None, "must be in the course's root"),
    "raises": ("1 / 0", "ZeroDivisionError"),
    "exits": ("raise SystemExit('gone')", "gone"),
    "no c": (CONFIG.replace("\nc", "\nother"), "must define `course`"),
    "c of another type": (CONFIG + "c = 5", "unusable"),
    "error after c is set": (CONFIG + "1 / 0", "ZeroDivisionError"),
}


@pytest.fixture(params=BROKEN.values(), ids=BROKEN)
def broken(request, root, monkeypatch) -> str:
    """Enter a course with a broken configuration and return the reason that must be told."""
    text, reason = request.param
    if text is not None:
        (root / "course_config.py").write_text(text)
    monkeypatch.chdir(root)
    return reason


def test_a_broken_configuration_ends_the_nbgrader_command(broken):
    with pytest.raises(SystemExit, match=r"^2$"):
        load_for_nbgrader(Config())


def test_a_broken_configuration_is_explained(broken, capsys):
    with pytest.raises(SystemExit, match=r"^2$"):
        load_for_nbgrader(Config())
    told = capsys.readouterr().err
    assert "nothing was done" in told and broken in told


def test_a_broken_configuration_changes_nothing(broken):
    config = Config()
    config.CourseDirectory.course_id = "as before"
    with pytest.raises(SystemExit, match=r"^2$"):
        load_for_nbgrader(config)
    assert config == {"CourseDirectory": {"course_id": "as before"}}


def test_a_backend_that_compiles_gets_more_time(course):
    on_jax = dataclasses.replace(course, backend="jax")
    ours, theirs = course.limits_of("02-attention"), on_jax.limits_of("02-attention")
    assert theirs.answer_seconds == 3 * ours.answer_seconds
    assert theirs.submission_seconds == 3 * ours.submission_seconds
    assert theirs.memory_bytes == ours.memory_bytes

"""The zip for Gradescope, PrairieLearn's question, and what happens when these platforms run them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from packaging.requirements import Requirement
from test_platform_formats import GRADESCOPE

from autograder.base.errors import CourseError, MachineError
from autograder.commands import demo
from autograder.gradebook.release import build
from autograder.platforms import bundle as bundles
from autograder.platforms import container, gradescope, prairielearn
from autograder.platforms.bundle import Platform, bundle, read_description, requirements
from autograder.sources.course import Course, load_course
from benchmarks.container import NOW, Container, write_zip_without_requirements
from benchmarks.container import container as laid_out

ASSIGNMENT = "02-attention"
PLATFORM = Platform(600, 0.5, 1 << 30)
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="Gradescope runs autograders as root")


# ------------------------------------------------------------------------------------------------------------- the zip
def test_the_zip_holds_this_assignment_alone(course: Course) -> None:
    contents = bundle(course, ASSIGNMENT, PLATFORM)
    solutions = {name.split("/")[2] for name in contents if name.startswith("course/solutions/")}
    assert solutions == {ASSIGNMENT, "_shared"}
    assert not [name for name in contents if "test_" in name or "__pycache__" in name]
    assert "engine/autograder/sealing/linux.py" in contents
    entry_points = next(content for name, content in contents.items() if name.endswith("entry_points.txt"))
    assert b"autograder-warm" in entry_points


def test_all_assignments_but_the_one_that_trains_fit_the_usual_container(course: Course) -> None:
    def fits(assignment: str) -> bool:
        try:
            return bool(bundles.description_of(course, assignment, PLATFORM))
        except CourseError:
            return False

    assert [assignment for assignment in course.source_paths if not fits(assignment)] == ["07-training"]
    page = (course.root / "docs" / "platforms.md").read_text(encoding="utf-8")
    assert "| all but 07 in its default time;" in page and "| all but 07, which is refused:" in page


def test_a_bundle_is_read_as_it_was_packed(course: Course, tmp_path: Path) -> None:
    for name, content in bundle(course, ASSIGNMENT, replace(PLATFORM, tries=3)).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    read, assignment, place = read_description(tmp_path)
    assert (read.id, read.secret, assignment, place.tries) == (course.id, course.secret, ASSIGNMENT, 3)
    assert read.source(assignment).points == course.source(assignment).points
    assert read.limits_of(assignment) == replace(course.limits_of(assignment), submission_seconds=540)
    (tmp_path / bundles.DESCRIPTION).write_text("{}")
    with pytest.raises(MachineError, match="must be as they were packed"):
        read_description(tmp_path)


def test_the_verdict_depends_on_the_bundle_as_on_the_course(course: Course, tmp_path: Path) -> None:
    """Nothing that the seed of the graders' questions depends on gets lost on the way."""
    for name, content in bundle(course, ASSIGNMENT, PLATFORM).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    read, _, _ = read_description(tmp_path)
    here, there = course.grading_of(ASSIGNMENT, "ada"), read.grading_of(ASSIGNMENT, "ada")
    assert (here.seed, here.student, here.backend) == (there.seed, there.student, there.backend)
    assert dict(there.files) == dict(here.files)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (PLATFORM, r"07-training may take 30 minutes.*stops after 10.*--minutes"),
        (replace(PLATFORM, seconds=2400), r"07-training trains on 1 core, .*a container of 0\.5.*--cores"),
    ],
)
def test_an_assignment_that_does_not_fit_is_refused_by_name(course: Course, place: Platform, said: str) -> None:
    with pytest.raises(CourseError, match=said):
        bundle(course, "07-training", place)


def test_a_roomy_container_takes_the_training(course: Course) -> None:
    record = json.loads(bundle(course, "07-training", Platform(2400, 2, 4 << 30))[bundles.DESCRIPTION])
    assert record["course"]["limits"]["submission_seconds"] == 1800


def test_more_minutes_than_a_platform_allows_are_refused(course: Course, tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="40 minutes at the latest. Received: --minutes 41"):
        gradescope.write_autograder(course, ASSIGNMENT, tmp_path / "a.zip", replace(PLATFORM, seconds=41 * 60))
    with pytest.raises(CourseError, match="10 minutes at the latest. Received: --minutes 11"):
        prairielearn.write_question(course, ASSIGNMENT, tmp_path, "image", replace(PLATFORM, seconds=11 * 60))
    assert not list(tmp_path.iterdir())


def test_the_zip_is_as_gradescope_wants_it(course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradescope, "requirements", lambda tell: b"numpy==1 --hash=sha256:0\n")
    path = tmp_path / "platforms" / "a.zip"
    gradescope.write_autograder(course, ASSIGNMENT, path, replace(PLATFORM, tries=4))
    first = path.read_bytes()
    gradescope.write_autograder(course, ASSIGNMENT, path, replace(PLATFORM, tries=4))
    assert path.read_bytes() == first and [each.name for each in path.parent.iterdir()] == ["a.zip"]
    with zipfile.ZipFile(path) as archive:
        for name in ("setup.sh", "run_autograder"):
            assert archive.getinfo(name).external_attr >> 16 == 0o100755
            subprocess.run(["sh", "-n"], input=archive.read(name), check=True)
        readme = archive.read("README.md").decode()
        assert archive.read("requirements.txt").startswith(b"numpy")
    for words in (
        "scaled_dot_product_attention.ipynb",
        "20 points",
        "0.5 CPU and 1 GiB",
        "10 minutes",
        "4 submissions",
    ):
        assert words in readme
    assert "$" not in readme


def test_prairielearns_question_names_what_is_there(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prairielearn, "requirements", lambda tell: b"")
    paths = prairielearn.write_question(course, ASSIGNMENT, tmp_path, "example/grader:1", PLATFORM)
    info = json.loads((tmp_path / "questions" / ASSIGNMENT / "info.json").read_text())
    options = info["externalGradingOptions"]
    assert info["gradingMethod"] == "External" and options["image"] == "example/grader:1"
    assert options["timeout"] == 600 and options["enableNetworking"] is False
    shared = tmp_path / "serverFilesCourse"
    assert [each.name for each in shared.iterdir()] == options["serverFilesCourse"]
    script = shared / Path(options["entrypoint"]).relative_to("/grade/serverFilesCourse")
    subprocess.run(["sh", "-n", str(script)], check=True)
    assert options["serverFilesCourse"][0] in script.read_text()
    assert "$" not in (tmp_path / "questions" / ASSIGNMENT / "question.html").read_text()
    image = {path.name for path in (tmp_path / "environments" / "autograder").iterdir()}
    assert image == {"Dockerfile", "setup.sh", "requirements.txt"}  # no grader, no secret
    assert len(paths) == len(set(paths)) and all(path.is_file() for path in paths)


# --------------------------------------------------------------------------------------------------------- requirements
def report(*wheels: tuple[str, str, str]) -> str:
    """Return what pip reports of wheels: name, version, hash."""
    return json.dumps(
        {
            "install": [
                {
                    "metadata": {"name": name, "version": version},
                    "download_info": {"url": f"{name}.whl", "archive_info": {"hashes": {"sha256": digest}}},
                }
                for name, version, digest in wheels
            ]
        }
    )


def test_requirements_are_pinned_by_hash_for_each_python(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def pip(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        python = command[command.index("--python-version") + 1]
        wheels = [("Num_py", "2.0", f"n{python}"), ("six", "1", "s")] + [("old", "3", "o")] * (python == "3.11")
        return subprocess.CompletedProcess(command, 0, report(*wheels), "")

    monkeypatch.setattr(bundles.subprocess, "run", pip)
    text = requirements(("3.11", "3.12")).decode()
    assert text.splitlines()[1:] == [
        "num-py==2.0 \\",
        "    --hash=sha256:n3.11 \\",
        "    --hash=sha256:n3.12",
        'old==3 ; python_version == "3.11" \\',
        "    --hash=sha256:o",
        "six==1 \\",
        "    --hash=sha256:s",
    ]
    assert all("--dry-run" in command and "--only-binary=:all:" in command for command in asked)


def test_an_index_that_can_not_be_asked_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, "", "No matching distribution found for numpy")
    monkeypatch.setattr(bundles.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(MachineError, match=r"wheels for Python 3\.11.*No matching distribution.*Nothing was written"):
        requirements()


def test_grading_needs_no_gradebook_and_no_command_line() -> None:
    names = {Requirement(text).name for text in bundles.direct_requirements()}
    assert {"numpy", "tensorflow", "keras", "nbclient"} <= names
    assert not names & {"nbgrader", "jupyterlab", "typer", "jax", "hypothesis"}


def test_grading_imports_neither() -> None:
    program = (
        "import sys\n"
        "import autograder.platforms.run\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'nbgrader', 'jupyterlab', 'nbconvert', 'typer', 'pebble', 'rich'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# ------------------------------------------------------------------------------------------------------------ container
@pytest.mark.parametrize(
    ("files", "memory", "cores"),
    [
        ({"memory.max": "805306368", "cpu.max": "50000 100000"}, 805306368, 0.5),
        ({"memory.max": "max", "cpu.max": "max 100000"}, None, None),
        (
            {
                "memory/memory.limit_in_bytes": "1073741824",
                "cpu/cpu.cfs_quota_us": "-1",
                "cpu/cpu.cfs_period_us": "100000",
            },
            1 << 30,
            None,
        ),
        ({"memory/memory.limit_in_bytes": "9223372036854771712"}, None, None),
        ({}, None, None),
    ],
)
def test_a_containers_size_is_read(
    tmp_path: Path, files: dict[str, str], memory: int | None, cores: float | None
) -> None:
    for name, text in files.items():
        path = tmp_path / "sys/fs/cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")
    assert container.memory_bytes(tmp_path) == memory
    assert container.cpu_cores(tmp_path) == (cores or len(os.sched_getaffinity(0)))


def test_a_container_that_is_too_small_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "sys/fs/cgroup"
    folder.mkdir(parents=True)
    (folder / "memory.max").write_text("805306368\n")
    (folder / "cpu.max").write_text("50000 100000\n")
    with pytest.raises(MachineError, match=r"must have 2\.0 GiB of memory. Received: 0\.8 GiB. Choose a larger one"):
        container.require_room(Platform(600, 0.5, 2 << 30), tmp_path)
    with pytest.raises(MachineError, match=r"must have 2 processor cores. Received: 0\.5"):
        container.require_room(Platform(600, 2, 1 << 20), tmp_path)
    container.require_room(Platform(600, 0.5, 1 << 20), tmp_path)


# ----------------------------------------------------------------------------------------------------------------- tries
def submitted(hour: int, day: int = 20, **more: Any) -> dict[str, Any]:
    return {"submission_time": f"2026-11-{day:02}T{hour:02}:00:00.000000-08:00", "score": f"{hour}.0", **more}


@pytest.mark.parametrize(
    ("earlier", "is_repeated"),
    [
        ([], False),
        ([submitted(1)], False),
        ([submitted(1), submitted(2)], True),
        ([submitted(1, day=19), submitted(2)], False),
        ([submitted(1), submitted(2, autograder_error=True)], False),
    ],
)
def test_tries_are_counted_by_the_day(earlier: list[dict[str, Any]], is_repeated: bool) -> None:
    metadata = {"created_at": NOW, "previous_submissions": earlier}
    assert (gradescope.repeated(metadata, 2) is not None) == is_repeated


def test_a_try_too_many_tells_the_result_before_it() -> None:
    results = {"score": 7.0, "output": "Result", "tests": [{"name": "a", "score": 7.0, "max_score": 8.0}]}
    metadata = {"created_at": NOW, "previous_submissions": [submitted(2, results=results), submitted(1)]}
    again = gradescope.repeated(metadata, 2, ("en", "ko"))
    assert again is not None and again["score"] == 7.0 and again["tests"] == results["tests"]
    assert (
        again["output"].endswith("\n\nResult") and "2 submissions a day" in again["output"] and "2번" in again["output"]
    )
    once_more = {"created_at": NOW, "previous_submissions": [submitted(3, results=again), submitted(2), submitted(1)]}
    assert (gradescope.repeated(once_more, 2, ("en", "ko")) or {})["output"] == again["output"]


def test_a_try_too_many_without_a_result_before_it_tells_the_score() -> None:
    metadata = {"created_at": NOW, "previous_submissions": [submitted(1), submitted(2)]}
    again = gradescope.repeated(metadata, 2)
    assert again is not None and again["score"] == 2.0


@pytest.mark.parametrize(
    "metadata", [{}, {"created_at": "yesterday"}, {"created_at": NOW, "previous_submissions": [{}]}]
)
def test_times_that_can_not_be_read_are_the_machines_failure(metadata: dict[str, Any]) -> None:
    with pytest.raises(MachineError, match="times of all submissions"):
        gradescope.repeated(metadata, 1)


@pytest.mark.parametrize(("kind", "name"), [("email", "a@b.edu"), ("login", "a"), ("name", "Ada")])
def test_a_student_is_told_by_what_the_instructor_chose(kind: str, name: str) -> None:
    users = [{"email": "b@b.edu", "name": "Bob"}, {"email": "a@b.edu", "name": "Ada"}]
    assert gradescope.student_of({"users": users}, kind) == name
    with pytest.raises(MachineError, match=f"name a student by {kind}"):
        gradescope.student_of({"users": []}, kind)


# ------------------------------------------------------------------------------------------------------------- for real
@pytest.fixture(scope="module")
def laid(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Container, Course]]:
    """Yield a container that has unpacked the zip of an assignment, and the course that it is of."""
    folder = tmp_path_factory.mktemp("platform")
    copy = load_course(demo.copy_course(course, folder / "course"))
    build(copy, [ASSIGNMENT])
    write_zip_without_requirements(copy, ASSIGNMENT, folder / "a.zip", replace(PLATFORM, tries=2))
    with laid_out(folder / "a.zip") as made:
        yield made, copy


def student(course: Course, name: str) -> dict[str, bytes]:
    return dict(next(each.files for each in demo.sample_class(course, ASSIGNMENT) if each.id == name))


@pytest.mark.course
@needs_root
@pytest.mark.parametrize(
    ("name", "points"),
    [("right-korean", 20), ("half-done", 12), ("other-name", 20), ("cut-off-file", 0)],
)
def test_a_plain_container_grades_as_nbgrader_does(laid: tuple[Container, Course], name: str, points: float) -> None:
    """That the whole sample class gets what `nbgrader autograde` gives is `benchmarks.container`'s to show."""
    made, course = laid
    run = made.grade(student(course, name), name)
    assert run.status == 0 and run.result is not None, run.said
    jsonschema.validate(run.result, GRADESCOPE)
    source = course.source(ASSIGNMENT)
    assert run.result["score"] == points
    assert sum(test["max_score"] for test in run.result["tests"]) == sum(source.points.values())
    said = json.dumps(run.result, ensure_ascii=False)
    assert course.secret not in said and "/autograder" not in said and "Traceback" not in said


# What it could read it shows by a right answer, which earns points; nothing else of a notebook is shown to anybody.
FORGERY = """
import glob, json, os
import numpy as np
forged = json.dumps({"score": 20, "tests": []})
seen = []
for home in (HOME, *glob.glob("/var/lib/container-*/autograder"), "/autograder"):
    for attempt in (
        lambda: open(home + "/results/results.json", "w").write(forged),
        lambda: os.rename(home + "/results", home + "/away"),
        lambda: seen.append(os.listdir(home + "/results")),
        lambda: seen.append(open(home + "/submission_metadata.json").read()),
        lambda: seen.append(open(home + "/source/course.json").read()),
    ):
        try:
            attempt()
        except OSError:
            pass
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True) if seen else x
"""


@pytest.mark.course
@needs_root
def test_a_hostile_notebook_can_not_write_its_result(laid: tuple[Container, Course]) -> None:
    made, course = laid
    released = demo.released(course, course.source(ASSIGNMENT), "en")
    code = FORGERY.replace("HOME", repr(str(made.home)))
    run = made.grade(
        {"scaled_dot_product_attention.ipynb": demo.to_bytes(demo.fill(released, {"softmax": code}))}, "mallory"
    )
    assert run.result is not None and run.result["score"] == 0, run.said


@pytest.mark.course
@needs_root
def test_what_the_machine_fails_at_gets_no_score(laid: tuple[Container, Course]) -> None:
    made, course = laid
    run = made.grade(student(course, "right-korean"), "", plain=False)
    assert (
        run.status == 1 and run.result is None and "Not graded: Gradescope's metadata must name a student" in run.said
    )


@pytest.mark.course
@needs_root
def test_a_try_too_many_is_not_graded(laid: tuple[Container, Course]) -> None:
    made, course = laid
    metadata = {"previous_submissions": [submitted(1), submitted(2)]}
    run = made.grade(student(course, "right-korean"), "ada", metadata=metadata, plain=False)
    assert run.status == 0 and run.result is not None and run.result["score"] == 2.0


@pytest.mark.course
@needs_root
@pytest.mark.parametrize("seconds", [1.0, 4.0])
def test_a_run_that_is_ended_leaves_no_half_a_result(laid: tuple[Container, Course], seconds: float) -> None:
    made, course = laid
    made.grade({}, "ada", metadata={"users": []}, plain=False)  # for the folders and the metadata
    (made.home / "submission" / "a.ipynb").write_bytes(next(iter(student(course, "right-korean").values())))
    environment = {**os.environ, "AUTOGRADER_HOME": str(made.home), "AUTOGRADER_ENVIRONMENT": str(made.environment)}
    metadata = json.loads((made.home / "submission_metadata.json").read_text())
    (made.home / "submission_metadata.json").write_text(json.dumps({**metadata, "users": [{"email": "ada"}]}))
    with subprocess.Popen([str(made.home / "run_autograder")], env=environment, stderr=subprocess.DEVNULL) as process:
        time.sleep(seconds)
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    written = list((made.home / "results").iterdir())
    assert [path.name for path in written] in ([], ["results.json"])
    for path in written:
        jsonschema.validate(json.loads(path.read_text()), GRADESCOPE)

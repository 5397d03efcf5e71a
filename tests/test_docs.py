"""What the documents say can be done, can be done."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import cast

import click
import pytest
import typer

from autograder.commands.cli import app
from autograder.proof.check import cases_of
from autograder.sources.course import Course

ROOT = Path(__file__).resolve().parent.parent
PATCH = ROOT / "docs" / "adding" / "attention-entropy.patch"
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
LINK = re.compile(r"\]\(([^()\s#]+)(?:#[^()\s]*)?\)")
# In backticks, where it may go on in the next line, or on a line of its own up to a comment.
COMMAND = re.compile(
    r"`(?:\./run )?autograder (\w[\w-]*)([^`]*)`|^(?:\./run )?autograder (\w[\w-]*)([^#\n]*)", re.MULTILINE
)
OPTION = re.compile(r"(?<!\S)--[\w-]+")


def test_the_example_of_a_new_task_still_applies(tmp_path: Path) -> None:
    for name in re.findall(r"^--- a/(.+)$", PATCH.read_text(encoding="utf-8"), re.MULTILINE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    done = subprocess.run(["git", "apply", str(PATCH)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (
        f"{done.stderr}Apply it by hand where the code has moved, then write `git diff` to {PATCH}."
    )
    assert "def attention_entropy" in next((tmp_path / "solutions").rglob("reference.py")).read_text(encoding="utf-8")


def test_the_mistakes_that_documents_name_are_there(course: Course) -> None:
    named = re.findall(
        r"autograder check (\S+) --only (mistake:[\w-]+)", "\n".join(p.read_text("utf-8") for p in PAGES)
    )
    assert named and all(cases_of(course, assignment, only=only) for assignment, only in named)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_command_of_a_page_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = [target for target in LINK.findall(text) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []
    commands = cast(click.Group, typer.main.get_command(app)).commands
    for name, options in commands_of(text):
        assert name in commands, name
        assert set(options) <= {"--help", *options_of(commands[name])}, name


def options_of(command: click.Command) -> set[str]:
    """Return a command's options, and those of the commands below it."""
    below: dict[str, click.Command] = getattr(command, "commands", {})
    own = {option for parameter in command.params for option in parameter.opts}
    return own.union(*map(options_of, below.values()))


def commands_of(text: str) -> list[tuple[str, list[str]]]:
    """Return the name and the options of each of our commands on a page."""
    found = COMMAND.findall(text)
    return [(name or other, OPTION.findall(rest or others)) for name, rest, other, others in found]


def test_a_commands_options_are_found_wherever_they_stand() -> None:
    page = "Run `autograder check 04-masks\n--only a`, `./run autograder doctor`:\n```\nautograder grade x.ipynb --json  # --no\n```\n"
    assert commands_of(page) == [("check", ["--only"]), ("doctor", []), ("grade", ["--json"])]


@pytest.mark.parametrize("rules", [".gitignore", "autograder/commands/starting_course/gitignore"])
def test_what_instructors_write_about_students_is_not_committed(tmp_path: Path, rules: str) -> None:
    shutil.copy(ROOT / rules, tmp_path / ".gitignore")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    guide = (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w/.-])[\w-]+\.(?:csv|zip|db)\b|\bgrades\.json", guide))
    assert {"canvas.csv", "moodle.csv", "grades.csv", "tasks.csv", "grades.json", "worksheet.csv"} <= named
    without_nbgrader = (ROOT / "docs" / "without-nbgrader.md").read_text(encoding="utf-8")
    assert 'mkdir -p "graded/' in without_nbgrader
    named |= {
        "graded/ada/02-attention.json",
        "platforms/02-attention-gradescope.zip",
        "submitted/ada/02-attention/a.ipynb",
    }
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", *named], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert sorted(done.stdout.split()) == sorted(named)

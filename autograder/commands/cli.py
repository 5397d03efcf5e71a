"""The command `autograder`: arguments, calls and exit codes.

What reads or writes a gradebook imports nbgrader, which takes as long as all the rest: only the commands that need it import it.
"""

from __future__ import annotations

import dataclasses
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.base.errors import AutograderError, CourseError
from autograder.base.imports import spare_collections
from autograder.base.names import shown
from autograder.base.visible import visible
from autograder.collecting.collect import STATES as COLLECT_STATES
from autograder.collecting.collect import collect as collect_download
from autograder.commands import (
    canvas,
    demo,
    late_days,
    mutation,
    platforms,
    proving,
    reports,
    similarity,
    site,
    watching,
)
from autograder.commands.arguments import AsJson, Assignment, Assignments, Force, Quiet, chosen_assignments
from autograder.commands.doctor import examine
from autograder.commands.new_course import make_course
from autograder.commands.output import Output, counted
from autograder.commands.reports import report_of, write_report
from autograder.commands.tables import (
    collected_table,
    doctor_record,
    doctor_table,
    scores_table,
    tell_what_needs_a_look,
)
from autograder.platforms.formats import FORMATS, formatted
from autograder.platforms.writing import require_one_format, write_result
from autograder.report.feedback import task_text
from autograder.report.record import verdict_record
from autograder.sealing.layers import HOW_TO_GET
from autograder.sources.course import Course, load_course
from autograder.submissions.evaluation import grade_file
from autograder.submissions.verdicts import Verdict

if TYPE_CHECKING:
    from autograder.gradebook.scores import StudentScores

ABOUT = """A course of auto-graded notebooks: write it, build what students get, prove its graders, collect and report on a class.

What students hand in is graded by `nbgrader autograde`, or by `grade` and `watch` here, sealed off from the machine.
"""

app = typer.Typer(no_args_is_help=True, add_completion=False, help=ABOUT, pretty_exceptions_enable=False)


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder; the course is called as it is.")],
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a small course to begin your own from: a task, its rubric, a known mistake, a right alternative."""
    output = Output(as_json=as_json, quiet=quiet)
    written = make_course(folder)
    for path in written:
        output.say(str(path))
    output.say(f"Next: cd {shlex.quote(str(folder))} && autograder build && autograder check")
    output.document({"files": [str(path) for path in written]})


@app.command()
def build(
    assignments: Assignments = None,
    accept_translation: Annotated[
        bool, typer.Option("--accept-translation", help="Korean whose English has changed says the same still.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Turn the text sources into notebooks and student releases, and register them in the gradebook."""
    from autograder.gradebook.release import build as build_course

    output = Output(as_json=as_json, quiet=quiet)
    course = load_course()
    built = build_course(
        course, chosen_assignments(course, assignments), output.say, accept_translation=accept_translation
    )
    output.document({"built": [str(path.relative_to(course.root)) for path in built]})


@app.command()
def release(
    assignments: Assignments = None,
    students: Annotated[
        bool,
        typer.Option("--students", help="What students start from; so without any option."),
    ] = True,
    solutions: Annotated[
        bool,
        typer.Option(
            "--solutions",
            help="Instead, the solved notebooks with the rubric and why each line is there, once the due date has passed; "
            "without a name, of the assignments whose has.",
        ),
    ] = False,
    early: Annotated[
        bool, typer.Option("--early", help="With --solutions: before the due date too, or without one.")
    ] = False,
    public: Annotated[
        Path | None,
        typer.Option(
            "--public",
            help="Instead, make this folder hold what a public repository may: the releases in all languages, fonts, guide, "
            "glossary, AGENTS.md, licences; nothing of the grading. New, empty, or as this command left it.",
        ),
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where the zips are written.")] = Path("releases"),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Build, and pack what students get: a zip per language of notebooks, requirements, guide and glossary."""
    from autograder.gradebook.handout import pack
    from autograder.gradebook.public import write_public
    from autograder.gradebook.solutions import pack_solutions

    output = Output(as_json=as_json, quiet=quiet)
    course = load_course()
    if early and not solutions:
        raise CourseError("--early goes with --solutions. Received: --early alone. Leave it out, or add --solutions.")
    if public and solutions:
        raise CourseError("--public never goes with --solutions. Received: both. Leave one out.")
    chosen = chosen_assignments(course, assignments)
    if public:
        names = write_public(course, chosen, public, output.say)
        output.say(f"{public}: {counted(len(names), 'file')} that may be public")
        output.document({"folder": str(public), "files": names})
        return
    if solutions:
        zips = pack_solutions(course, assignments or (), folder, output.say, early=early)
    else:
        zips = pack(course, chosen, folder, output.say)
    output.document({"zips": [str(path) for path in zips]})


@app.command()
def collect(
    assignment: Assignment,
    download: Annotated[
        Path, typer.Argument(help="A zip from Canvas or Moodle, or a zip or folder of <student>/….ipynb.")
    ],
    roster: Annotated[
        Path | None,
        typer.Option(
            help="The gradebook that Canvas or Moodle exported as CSV, or Moodle's grading worksheet; default: the one that "
            "course_config.py names for the export."
        ),
    ] = None,
    match: Annotated[
        str,
        typer.Option(
            help="The roster's column with nbgrader's student ids; default: as course_config.py says, else SIS Login ID or "
            "ID number."
        ),
    ] = "",
    time_zone: Annotated[str, typer.Option(help="Of the times in a grading worksheet, e.g. Asia/Seoul.")] = "UTC",
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Bring what students handed in elsewhere into submitted/. Ends with 1 if something of it needs a look."""
    from autograder.gradebook.rosters import roster_for

    output = Output(as_json=as_json, quiet=quiet)
    course = load_course()
    collected = collect_download(
        course, assignment, download, lambda kind: roster_for(course, kind, roster, match, time_zone), force=force
    )
    output.table("", *collected_table(collected))
    tell_what_needs_a_look(output, collected)
    states = list(collected.states.values())
    counts = [f"{states.count(state)} {state}" for state in COLLECT_STATES if state in states]
    output.say(f"{assignment}: {', '.join(counts) or 'nothing collected'} ({collected.plan.kind})")
    if collected.plan.missing:
        output.say(f"in the roster, without a submission: {', '.join(map(shown, collected.plan.missing))}")
    output.document(collected.record())
    if not collected.is_complete:
        raise typer.Exit(1)


@app.command()
def grade(
    files: Annotated[list[Path], typer.Argument(help="Notebooks.", exists=False)],
    assignment: Annotated[str, typer.Option(help="Which assignment; default: told by the notebook's name.")] = "",
    student: Annotated[str, typer.Option(help="The random inputs depend on it.")] = "someone",
    platform: Annotated[
        str, typer.Option("--format", help=f"Print one notebook's result as a platform reads it: {', '.join(FORMATS)}.")
    ] = "",
    into: Annotated[
        Path | None, typer.Option("--output", help="Write what --format gives into this file, or nothing at all.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Grade single notebooks without a gradebook and print rubric lines and messages."""
    require_one_format(platform, into, files, as_json=as_json)
    output = Output(as_json=as_json, quiet=quiet or bool(platform))
    course = load_course()
    missing = [str(path) for path in files if not os.path.lexists(path)]
    if missing:
        raise CourseError(
            f"Each file must be there. Received: {', '.join(missing)}. Nothing was graded; correct the path."
        )
    verdicts: list[Verdict] = []
    for path in files:
        _, verdict = grade_file(course, assignment or _assignment_of(course, path), path, student)
        verdicts.append(verdict)
        output.say(f"{path}: {verdict.points:g} of {verdict.max_points:g} points in {verdict.seconds:.1f} s")
        for note in verdict.notes:
            output.say(f"! {note.in_language(verdict.language)}")
        for task in verdict.tasks.values():
            output.say(task_text(task, verdict.language))
        for line in verdict.unjudged:
            output.warn(f"{path}: the grader failed at an answer, which counts as missed: {line}")
        if verdict.ungraded:
            output.warn(f"{path}: tasks {', '.join(verdict.ungraded)} are ungraded: {verdict.fault}")
    output.document([verdict_record(verdict) for verdict in verdicts])
    if platform:
        write_result(formatted(verdicts[0], platform), into)
    if any(verdict.ungraded for verdict in verdicts):
        raise typer.Exit(1)


app.command("check")(proving.check)


@app.command()
def doctor(as_json: AsJson = False, quiet: Quiet = False) -> None:
    """Tell whether this machine can grade: what seals students' code off, tried by breaking out of it."""
    output = Output(as_json=as_json, quiet=quiet)
    diagnosis = examine(load_course())
    output.table("", *doctor_table(diagnosis))
    for layer, reason in diagnosis.layers.reasons.items():
        output.say(f"{layer}: not here: {reason}")
    if diagnosis.threads > 1:
        output.warn(f"The warm process has {diagnosis.threads} threads: its forks may hang.")
    output.document(doctor_record(diagnosis))
    if not diagnosis.is_good:
        broken = ", ".join(finding.guarantee for finding in diagnosis.findings if not finding.is_good)
        output.warn(f"This machine can't grade: nothing gives {broken}. {HOW_TO_GET}")
        raise typer.Exit(1)
    output.say("This machine can grade.")


@app.command("demo")
def run_demo(
    assignments: Assignments = None,
    folder: Annotated[Path, typer.Option(help="Where the sample course is made.")] = Path("demo-class"),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Grade a sample class of varied submissions with plain nbgrader commands and show its gradebook."""
    from autograder.gradebook.release import build as build_course
    from autograder.gradebook.scores import scores

    output = Output(as_json=as_json, quiet=quiet)
    course = load_course()
    chosen = chosen_assignments(course, assignments)
    root = demo.copy_course(course, folder.resolve())
    # the real gradebook, which the copied configuration may name too, is none of the demo's business
    copy = dataclasses.replace(load_course(root), database_url=demo.database_url(root))
    build_course(copy, chosen)
    grades: dict[str, list[StudentScores]] = {}
    for assignment in chosen:
        students = demo.sample_class(copy, assignment)
        demo.hand_in(root, assignment, students)
        with output.progress(f"nbgrader autograde {assignment}", len(students)) as advance:
            demo.run_nbgrader(root, "autograde", assignment, tell=lambda student, advance=advance: advance())  # type: ignore[misc]
        demo.run_nbgrader(root, "generate_feedback", assignment)
        write_report(report_of(copy, assignment), root / "reports", copy.languages[0])
        grades[assignment] = scores(copy, assignment)
        output.table(assignment, *scores_table(copy.source(assignment), grades[assignment]))
    demo.run_nbgrader(root, "export")
    name = copy.source(chosen[0]).name
    output.say(
        f"gradebook  {folder}/gradebook.db\n"
        f"grades     {folder}/grades.csv\n"
        f"report     {folder}/reports/{chosen[0]}.html\n"
        f"feedback   {folder}/feedback/<student>/<assignment>/, for example\n"
        f"           {folder}/feedback/syntax-error/{chosen[0]}/{name}.html"
    )
    points = {assignment: {row.student: row.points for row in rows} for assignment, rows in grades.items()}
    output.document({"folder": str(folder), "points": points})


app.command("site")(site.site)
app.command("report")(reports.report)
app.command("similarity")(similarity.similarity)
app.command("mutate")(mutation.mutate_command)
app.command("watch")(watching.watch)
app.command("late-days")(late_days.late_days)
app.add_typer(canvas.app, name="canvas")
app.command("gradescope")(platforms.write_gradescope_zip)
app.command("prairielearn")(platforms.write_prairielearn_question)


def main() -> None:
    """Run the command line; errors that we expect are printed as one sentence."""
    spare_collections()
    try:
        app()
    except AutograderError as error:
        print(f"autograder: {visible(str(error))}", file=sys.stderr)
        raise SystemExit(2) from None


def _assignment_of(course: Course, path: Path) -> str:
    matches = [a for a, name in course.notebook_names.items() if name == path.stem or a in path.parts]
    if len(matches) != 1:
        known = ", ".join(f"{name} ({a})" for a, name in course.notebook_names.items())
        raise typer.BadParameter(
            f"the notebook's name must tell its assignment: {known}. Received: {path.name}. Use --assignment."
        )
    return matches[0]

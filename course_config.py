"""Everything about this course that an instructor may change.

`course` is the course's own part, `c` is nbgrader's (every trait of `nbgrader --help-all` can be set on it).
A mistake in this file stops every command before it does anything.
"""

import os
from pathlib import Path

from autograder.gradebook.configuration import nbgrader_configuration
from autograder.sources.course import Course, Limits, own_secret

ROOT = Path(__file__).resolve().parent

course = Course(
    id="transformer",
    root=ROOT,
    languages=("en", "ko"),
    # Where students find the releases, such as "https://github.com/me/course/blob/main/assignments": each then begins with links to
    # Colab and Kaggle.
    published_at="",
    # Their points come on top of the others': no student needs them for full marks.
    bonus=("09-bert-and-gpt", "10-modern-transformer"),
    # The graders' random inputs depend on it. Set AUTOGRADER_SECRET, or delete `.course_secret`, for a new one each term.
    secret=own_secret(ROOT),
    backend="tensorflow",
    limits=Limits(
        start_seconds=120,
        cell_seconds=30,
        answer_seconds=10,
        submission_seconds=600,
        notebook_bytes=20_000_000,
    ),
    limits_by_assignment={
        # One training by the grader; a second one where something that it builds on was wrong. Before each of them a trial,
        # which may take a quarter of its time. Students are told five minutes on two cores: twice that by the clock, because here
        # a training has one, as workers that train at the same time share the cores, and one thread takes a fifth less of the processor.
        "07-training": {
            "training_seconds": 600,
            "submission_seconds": 1800,
            "answer_seconds": 20,
            "cpu_seconds": 2400,
        },
        # A check may try every size up to the promised 64: hundreds of calls of what it is asked about, in another process.
        "08-debugging-clinic": {"answer_seconds": 30},
    },
    # Submissions graded at once by `nbgrader autograde`; 0: one per core.
    workers=0,
    # Or the address of a Dask cluster that grades them: docs/cluster.md.
    scheduler=os.environ.get("AUTOGRADER_SCHEDULER", "local"),
    database_url=os.environ.get("AUTOGRADER_DB_URL", f"sqlite:///{ROOT / 'gradebook.db'}?timeout=60"),
)

c = nbgrader_configuration(course)

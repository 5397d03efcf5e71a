"""Everything about this course that an instructor may change.

`course` is the course's own part, `c` is nbgrader's (every trait of `nbgrader --help-all` can be set on it).
A mistake in this file stops every command before it does anything.
"""

import os
from pathlib import Path

from autograder.gradebook.configuration import nbgrader_configuration
from autograder.sources.course import Course, own_secret

ROOT = Path(__file__).resolve().parent

course = Course(
    id="COURSE_ID",
    root=ROOT,
    languages=("en",),
    # The graders' random inputs depend on it. Set AUTOGRADER_SECRET, or delete `.course_secret`, for a new one each term.
    secret=own_secret(ROOT),
    database_url=os.environ.get("AUTOGRADER_DB_URL", f"sqlite:///{ROOT / 'gradebook.db'}?timeout=60"),
)

c = nbgrader_configuration(course)

"""What a platform's container runs: `python -P -m autograder.platforms.run gradescope|prairielearn FOLDER`.

It ends with 1 and writes nothing where the machine failed: platforms then know that it wasn't the student.
"""

from __future__ import annotations

import sys
from pathlib import Path

from autograder.base.errors import AutograderError
from autograder.base.visible import visible
from autograder.platforms import gradescope, prairielearn

RUNS = {"gradescope": gradescope.run, "prairielearn": prairielearn.run}


def main() -> None:
    """Grade what lies in the folder."""
    try:
        RUNS[sys.argv[1]](Path(sys.argv[2]))
    except AutograderError as error:
        print(f"Not graded: {visible(str(error))}", file=sys.stderr)
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()

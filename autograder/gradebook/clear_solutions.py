"""What a student's cell holds in the release, in place of its solution."""

from __future__ import annotations

import re

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions

BROKEN = re.compile(r"^[ \t]*# broken: ?(.*)$", re.MULTILINE)


class ClearSolutionsToBroken(ClearSolutions):
    """nbgrader's step, but a solution with lines `# broken: …` is replaced by these: the code that is to be repaired."""

    code_stub: dict[str, str]  # the trait of nbgrader's step

    def _replace_solution_region(self, cell: NotebookNode, language: str) -> bool:
        broken = BROKEN.findall(cell.source)
        usual = self.code_stub
        if broken:
            self.code_stub = {**usual, language: "\n".join(["# YOUR CODE HERE", *broken])}
        try:
            return bool(super()._replace_solution_region(cell, language))
        finally:
            self.code_stub = usual

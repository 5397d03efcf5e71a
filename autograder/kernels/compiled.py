"""The course's own code, as it enters a kernel beside a student's: compiled, without its text.

What is left can be taken apart: constants, names, byte code. There is no source, no comment, no docstring, no line number,
and nothing that `inspect` or `linecache` would find.
"""

from __future__ import annotations

import ast
import marshal
from functools import lru_cache

FILE_NAME = "<given>"
_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@lru_cache(maxsize=128)
def without_source(source: str) -> str:
    """Return Python code compiled, in hexadecimal digits of `marshal`'s bytes: for a kernel of the interpreter that runs this.

    Raises:
        SyntaxError: it is no Python.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body[:1] = [] if len(node.body) > 1 else [ast.Pass()]
        for place, value in (("lineno", 1), ("end_lineno", 1), ("col_offset", 0), ("end_col_offset", 0)):
            if hasattr(node, place):
                setattr(node, place, value)
    ast.fix_missing_locations(tree)
    code = compile(tree, FILE_NAME, "exec", dont_inherit=True)
    return marshal.dumps(code).hex()

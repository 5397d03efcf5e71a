"""The global names that cells of code bind, and those of other cells that they use."""

from __future__ import annotations

import ast
import contextlib
import re
import symtable
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from IPython.core.inputtransformer2 import TransformerManager

# Longer code isn't read here, in a process that others wait for: such a cell counts as one that may use and define any name.
# Reading it takes a second for each 100 000 characters at worst, and some megabytes.
MAX_CELL = 100_000
MAX_ALL = 500_000
# Of code with IPython's own syntax, which reads a cell anew for each such line.
MAX_READ_ANEW = 1_000_000
_OWN_SYNTAX = re.compile(r"^\s*[!%?,;/]|=\s*[!%]|\?\s*$", re.MULTILINE)
_MAX_REMEMBERED = (
    1_500_000  # characters of cells whose names are remembered for the next submission: most cells are everybody's
)


@dataclass(frozen=True)
class CellNames:
    """The global names in a cell's code.

    Attributes:
        bound: name that the cell binds -> the import that alone binds it, such as `import numpy as np`; "" for any other name.
        used: names of other cells that the code uses.
    """

    bound: Mapping[str, str]
    used: frozenset[str]


class NamesReader:
    """Reads the names in the cells of one notebook, until these are too long together."""

    def __init__(self) -> None:
        self._left = MAX_ALL
        self._left_anew = MAX_READ_ANEW

    def read(self, source: str) -> CellNames | None:
        """Return the names in a cell's code, none of code that can't be compiled; None if the cell is too long to be read."""
        if len(source) > min(MAX_CELL, self._left):
            return None
        anew = len(source) * sum(1 for _ in _OWN_SYNTAX.finditer(source))
        if anew > self._left_anew:
            return None
        self._left -= len(source)
        self._left_anew -= anew
        return _names(source, may_be_own_syntax=anew > 0)


_remembered: OrderedDict[str, CellNames] = OrderedDict()


def _names(source: str, *, may_be_own_syntax: bool) -> CellNames:
    if source in _remembered:
        _remembered.move_to_end(source)
        return _remembered[source]
    names = _remembered[source] = _found_names(source, may_be_own_syntax)
    while sum(map(len, _remembered)) > _MAX_REMEMBERED:
        _remembered.popitem(last=False)
    return names


def _found_names(source: str, may_be_own_syntax: bool) -> CellNames:
    bound: set[str] = set()
    used: set[str] = set()
    imports: dict[str, set[str]] = {}  # name -> the statements that bind it, "" for any but an import
    certain: set[str] = set()  # names that an import on the cell's own level binds
    try:
        for statement in _parsed(source, may_be_own_syntax).body:
            binds, uses = _names_of(symtable.symtable(ast.unparse(statement), "cell", "exec"))
            # an assignment reads before it binds; a loop or a `with` binds before it reads
            known = bound if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) else bound | binds
            used |= (uses - known) | (_added_to(statement) - bound)
            if _reaches_main(statement):
                used.add("globals")
            bound |= binds
            imported = _imports_in(statement)
            for name in binds:
                imports.setdefault(name, set()).update(imported.get(name, {""}))
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                certain |= imported.keys()
    except Exception:  # noqa: BLE001  (Python's and IPython's parsers raise whatever odd code makes them raise)
        return CellNames({}, frozenset())
    by_import = {name: imports[name].pop() if name in certain and len(imports[name]) == 1 else "" for name in bound}
    return CellNames(by_import, frozenset(used))


def _imports_in(statement: ast.stmt) -> dict[str, set[str]]:
    """Return the names that the imports in a statement bind, each with the imports of it alone."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(statement):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                alone: ast.stmt = ast.Import([alias])
                if isinstance(node, ast.ImportFrom):
                    alone = ast.ImportFrom(node.module, [alias], node.level)
                found.setdefault(alias.asname or alias.name.partition(".")[0], set()).add(ast.unparse(alone))
    return found


def _reaches_main(statement: ast.stmt) -> bool:
    """Whether a statement gets hold of the module in which a notebook's cells run, as `import __main__` does."""
    return any(
        (isinstance(node, ast.alias) and node.name == "__main__")
        or (isinstance(node, ast.ImportFrom) and node.module == "__main__")
        or (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == "__main__")
        for node in ast.walk(statement)
    )


def _parsed(source: str, may_be_own_syntax: bool) -> ast.Module:
    if not may_be_own_syntax:
        with contextlib.suppress(SyntaxError):  # an indented cell, prompts that were pasted too
            return ast.parse(source)
    return ast.parse(TransformerManager().transform_cell(source))


def _added_to(statement: ast.stmt) -> set[str]:
    """Return the global names that a statement changes by `+=` and the like."""
    found: set[str] = set()
    queue: list[tuple[ast.AST, bool]] = [(statement, False)]
    declared = {name for node in ast.walk(statement) if isinstance(node, ast.Global) for name in node.names}
    while queue:
        node, is_local = queue.pop()
        is_local = is_local or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found |= {node.target.id} & declared if is_local else {node.target.id}
        queue += [(child, is_local) for child in ast.iter_child_nodes(node)]
    return found


def _names_of(top: symtable.SymbolTable) -> tuple[set[str], set[str]]:
    bound: set[str] = set()
    used: set[str] = set()
    for table in _tables(top):
        for symbol in table.get_symbols():
            if table is top or symbol.is_global():
                if symbol.is_assigned() or symbol.is_imported():
                    bound.add(symbol.get_name())
                if symbol.is_referenced():
                    used.add(symbol.get_name())
    return bound, used


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)

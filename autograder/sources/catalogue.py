"""An assignment's catalogue: known wrong answers, and right ones in other styles.

An entry of the known mistakes says what the mistake is, the hint a student earns with it, the code that makes it and the rubric lines it
loses. `autograder check` grades each entry; a grader that finds an answer equal to what a mistake gives names it.

Both are percent scripts, text that is read and never imported. The mistakes lie in `solutions/<assignment>/mistakes.py`. After an entry's
header come the hint, its Korean, and the task's cell as a student would hand it in:

    # %% mistake="scores-unscaled" task="attention-scores" misses="scores-scale"
    # The scores aren't divided by the square root of the key's width.
    # ko: 점수를 키 너비의 제곱근으로 나누지 않았습니다.
    def attention_scores(query, key):
        return query @ np.swapaxes(key, -1, -2)

Or edits of a right cell: that of the alternative named by `of`, or of the solution with `of="solution"`. The solution's is read without
docstrings and without the lines that mark what students write:

    # %% mistake="norm-over-tokens" task="layer-norm" misses="norm-values" of="plain"
    # Mean and variance were taken over the tokens of a sequence.
    # ko: 평균과 분산을 시퀀스의 토큰에 걸쳐 구했습니다.
    # - mean = np.mean(x, axis=-1, keepdims=True)
    # + mean = np.mean(x, axis=-2, keepdims=True)
    # - variance = np.var(x, axis=-1, keepdims=True)
    # + variance = np.var(x, axis=-2, keepdims=True)

Lines `# -` hold the right text and the lines `# +` after them the wrong one. The right text must occur exactly once in the cell. One line
that begins without a space is part of a line, and begins and ends where words and numbers do. Several lines, or one that begins with a space, are
whole lines with their indentation; without lines `# +` they are left out. An empty line keeps two edits apart. All edits of an entry are
made in the right cell at once.

`of` may also name an earlier entry of the task, whose wrong cell is then edited further. Such edits are tried in no other style.

Further keys of a mistake's header: `sentence="it returned None"`, a part of the English sentence of the first lost line that gives the task
this name, where no recorded answers can; `limits="training_pairs=600"`, `backends="tensorflow torch"`, and `except="loops"`: styles in which the
edit is no such mistake although its text occurs there. A line `# except: …` after the edits says why. A line break within a hint stands for a space. An empty line ends the hint: it is
needed before a cell that begins with a comment.

An alternative is a solved notebook, `solutions/<assignment>/alternatives/<id>.py`. Its first cell says what is different, and the others are
marked as in the notebook's source. Tasks that it leaves out keep the solution:

    # %% [markdown] backends="tensorflow"
    # plain NumPy, masks by adding -1e9

    # %% task="softmax"
    def softmax(x, axis=-1):
        …
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from autograder.base.errors import CourseError
from autograder.base.text import Text
from autograder.sources.code_cells import syntax_fault
from autograder.sources.course import BACKENDS, Limits
from autograder.sources.notebooks import read_source
from autograder.sources.percent_script import ScriptCell, code_of, read_cells, require_keys
from autograder.sources.rubric_table import WORDS

SOLUTION = "solution"
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
NO_CODE = re.compile(r"\s*### (BEGIN|END) SOLUTION|\s*# broken:")
HINT_KEYS = {"mistake", "task", "misses"}
MISTAKE_KEYS = {*HINT_KEYS, "of", "except", "sentence", "limits", "backends"}


@dataclass(frozen=True)
class Edit:
    """One slip: a text of a right cell, and what stands there instead.

    Attributes:
        right: the text. Several lines, or one that begins with a space, are whole lines; otherwise it is part of a line.
        wrong: what replaces it; empty if whole lines are left out.
    """

    right: str
    wrong: str

    def places(self, code: str) -> list[tuple[int, int]]:
        """Return where the right text occurs in a cell: its start and its end, each time."""
        if "\n" in self.right or self.right.startswith(" "):
            before, after = "(?m:^)", r"(?:\n|\Z)" if not self.wrong else r"(?=\n|\Z)"
        else:
            before = r"(?<!\w)(?<!\d\.)" if re.match(r"\w", self.right) else ""
            after = r"(?!\w|\.\d)" if re.search(r"\w\Z", self.right) else ""
        return [match.span() for match in re.finditer(before + re.escape(self.right) + after, code)]


@dataclass(frozen=True)
class Mistake:
    """One known wrong answer.

    Attributes:
        id: unique within its notebook, in words: `softmax-over-queries`.
        task: slug of the task whose cell holds it.
        hint: what the student sees when the mistake is recognised: what it is and where to look, not the solution.
        code: the source of the task's cell that makes the mistake; the other cells are right.
        misses: ids of the rubric lines that the mistake loses. Lines that need one of these are lost with it and not listed.
        limits: fields of `Limits` that `autograder check` changes for this mistake, so that it shows sooner.
        backends: Keras backends on which it is one; float64 is none where there is no float64.
        of: id of the alternative or the earlier entry whose cell was edited, or `solution`; empty if the cell was written as it is.
        edits: what was edited in that cell.
        excepted: ids of alternatives, or `solution`, in which these edits are not this mistake.
        sentence: part of what a lost line says in English, by which the mistake is known where answers can't be recorded; or empty.
    """

    id: str
    task: str
    hint: Text
    code: str
    misses: frozenset[str]
    limits: Mapping[str, float] = field(default_factory=dict)
    backends: tuple[str, ...] = BACKENDS
    of: str = ""
    edits: tuple[Edit, ...] = ()
    excepted: frozenset[str] = frozenset()
    sentence: str = ""


@dataclass(frozen=True)
class Alternative:
    """One right answer that is written differently from the solution; it may lose no point.

    Attributes:
        id: unique within its notebook, in words: `einsum`.
        difference: what is different from the solution.
        cells: task slug or `carry-over` -> source of that cell. Tasks not named keep the solution.
        backends: Keras backends that it runs on; code in `tf.*` runs on one.
    """

    id: str
    difference: str
    cells: Mapping[str, str]
    backends: tuple[str, ...] = BACKENDS


@dataclass(frozen=True)
class Variant:
    """A known mistake in another style: its edits, made in another right cell.

    Attributes:
        id: of the mistake and of the style: `norm-over-tokens@loops`.
        mistake: whose edits they are; the variant must miss the same rubric lines.
        cells: task slug or `carry-over` -> source of that cell: the style's, one of them edited.
        backends: Keras backends on which both run.
    """

    id: str
    mistake: Mistake
    cells: Mapping[str, str]
    backends: tuple[str, ...]


def edited(code: str, edits: tuple[Edit, ...]) -> str:
    """Return a cell with every edit made.

    Args:
        code: the right cell.
        edits: the edits; the text of each occurs exactly once in the cell.

    Raises:
        CourseError: a text doesn't occur exactly once, or two overlap.
    """
    spans: list[tuple[int, int, str]] = []
    for edit in edits:
        places = edit.places(code)
        if len(places) != 1:
            raise CourseError(
                f"The text of an edit must occur once in the right cell. Received: {edit.right!r}, {len(places)} times."
            )
        spans.append((*places[0], edit.wrong))
    spans.sort()
    for (_, end, _), (start, _, _) in zip(spans, spans[1:], strict=False):
        if start < end:
            raise CourseError(f"Edits of one entry must not overlap. Received: two of {code[start:end]!r}.")
    for start, end, wrong in reversed(spans):
        code = code[:start] + wrong + code[end:]
    return code


def read_alternatives(folder: Path) -> tuple[Alternative, ...]:
    """Read the right answers in other styles of an assignment, in the order of their ids.

    Args:
        folder: the assignment's folder; the answers lie in `alternatives` below, which may be missing.

    Raises:
        CourseError: a file is malformed.
    """
    return tuple(_alternative(path) for path in sorted((folder / "alternatives").glob("*.py"), key=lambda p: p.stem))


def read_mistakes(path: Path) -> tuple[Mistake, ...]:
    """Read the known mistakes of an assignment, in the order of the file.

    Args:
        path: the file `mistakes.py`. Alternatives and the solution, whose cells the mistakes edit, are read from the same folder.

    Raises:
        CourseError: the file is missing or malformed, an edit doesn't fit its cell, or an id occurs twice.
    """
    try:
        cells = read_cells(path)
    except FileNotFoundError:
        raise CourseError(
            f"An assignment must have a file mistakes.py, which may be empty. Received: no {path}."
        ) from None
    right = right_cells(path.parent, read_alternatives(path.parent)) if any("of" in cell.keys for cell in cells) else {}
    mistakes: dict[str, Mistake] = {}
    for cell in cells:
        mistake = _mistake(cell, right, mistakes)
        if mistake.id in mistakes:
            raise CourseError(f"Each mistake must have its own id. Received: {mistake.id} again at {cell.where}.")
        mistakes[mistake.id] = mistake
    return tuple(mistakes.values())


def right_cells(folder: Path, alternatives: tuple[Alternative, ...]) -> dict[str, dict[str, str]]:
    """Return the right cells of an assignment: `solution` or an alternative's id -> task slug or `carry-over` -> source.

    Those of the solution are without docstrings and without the lines that mark what students write.

    Args:
        folder: the assignment's folder, e.g. `solutions/01-first-steps`.
        alternatives: all alternatives of the assignment.
    """
    solution: dict[str, str] = {}
    if (folder / "notebook.py").is_file():
        source = read_source(folder / "notebook.py")
        solution = {cell.slug: bare(cell.texts["en"]) for cell in source.cells if cell.role == "task"}
    return {SOLUTION: solution, **{each.id: dict(each.cells) for each in alternatives}}


def variants(mistakes: tuple[Mistake, ...], folder: Path, alternatives: tuple[Alternative, ...]) -> Iterator[Variant]:
    """Make each mistake's edits in every other right cell of its task that holds each of their texts exactly once.

    Not where the wrong text uses a variable that this cell hasn't got. A cell that two styles share is edited once.

    Args:
        mistakes: all known mistakes of an assignment.
        folder: the assignment's folder, e.g. `solutions/01-first-steps`.
        alternatives: all alternatives of the assignment.
    """
    styles = right_cells(folder, alternatives)
    backends = {SOLUTION: BACKENDS, **{each.id: each.backends for each in alternatives}}
    for mistake in mistakes:
        if mistake.of not in styles:  # written as it is, or an edit of another mistake
            continue
        seen = {mistake.code.strip()}
        for style, cells in styles.items():
            if style in {mistake.of, *mistake.excepted} or mistake.task not in cells:
                continue
            try:
                wrong = edited(cells[mistake.task], mistake.edits)
            except CourseError:
                continue
            used = {word for edit in mistake.edits for word in NAME.findall(edit.wrong)}
            if used & _variables(styles[mistake.of][mistake.task]) - set(NAME.findall(cells[mistake.task])):
                continue
            shared = tuple(backend for backend in mistake.backends if backend in backends[style])
            if wrong.strip() not in seen and shared:
                seen.add(wrong.strip())
                others = {} if style == SOLUTION else cells
                yield Variant(f"{mistake.id}@{style}", mistake, {**others, mistake.task: wrong}, shared)


def _variables(code: str) -> set[str]:
    """Return the names that a cell binds: parameters, variables, functions and classes."""
    bound: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
    return bound


def bare(code: str) -> str:
    """Return a solution's cell without docstrings and without the lines that mark what students write."""
    lines = code.split("\n")
    dropped = {i for i, line in enumerate(lines) if NO_CODE.match(line)}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            docstring = node.body[0]
            assert docstring.end_lineno is not None
            dropped |= set(range(docstring.lineno - 1, docstring.end_lineno))
            if len(node.body) > 1:
                while docstring.end_lineno < len(lines) and not lines[docstring.end_lineno].strip():
                    dropped.add(docstring.end_lineno)
                    docstring.end_lineno += 1
    return "\n".join(line for i, line in enumerate(lines) if i not in dropped).strip("\n") + "\n"


def _alternative(path: Path) -> Alternative:
    if not WORDS.fullmatch(path.stem):
        raise CourseError(f"An alternative is named in words, as `one-hot.py`. Received: {path}.")
    cells = read_cells(path)
    if not cells or not cells[0].is_markdown:
        raise CourseError(f"An alternative begins with a cell `# %% [markdown]`: what is different. Received: {path}.")
    head, rest = cells[0], cells[1:]
    require_keys(head, set(), {"backends"})
    description = [line.removeprefix("#").strip() for line in head.lines if line.strip()]
    if not all(line.startswith("#") for line in head.lines if line.strip()) or not any(description):
        raise CourseError(f"An alternative's head is a comment that says what is different. Received: {head.where}.")
    sources: dict[str, str] = {}
    for cell in rest:
        slug = "carry-over" if "carry_over" in cell.keys else cell.keys.get("task", "")
        if cell.is_markdown or len(cell.keys) != 1 or not slug or slug in sources:
            raise CourseError(
                'Each other cell of an alternative has a header `# %% task="…"`, each task once, or `# %% carry_over=true`. '
                f"Received: {dict(cell.keys)} at {cell.where}."
            )
        sources[slug] = code_of(cell, cell.lines)
    if not sources:
        raise CourseError(f"An alternative must have a cell of some task. Received: {path} without one.")
    return Alternative(path.stem, " ".join(description), sources, _backends(head))


def _mistake(cell: ScriptCell, right: Mapping[str, Mapping[str, str]], earlier: Mapping[str, Mistake]) -> Mistake:
    """Read one entry.

    Args:
        cell: the entry's cell.
        right: what `right_cells` returns; empty if no entry of the file edits one of them.
        earlier: id -> mistake, of the entries above this one.
    """
    if cell.is_markdown:
        raise CourseError(f"Each cell of mistakes.py is a mistake. Received: a prose cell at {cell.where}.")
    require_keys(cell, HINT_KEYS, MISTAKE_KEYS)
    identity, task, of = cell.keys["mistake"], cell.keys["task"], cell.keys.get("of", "")
    if not WORDS.fullmatch(identity):
        raise CourseError(f"A mistake's id is words, as in `wrong-axis`. Received: {identity!r} at {cell.where}.")
    hint, rest = _hint(cell)
    edits: tuple[Edit, ...] = ()
    excepted = frozenset(cell.keys.get("except", "").split())
    if of:
        edits = read_edits(cell, _without_reasons(cell, rest, excepted, right))
        code = _edited_cell(cell, edits, right, earlier)
    elif excepted:
        raise CourseError(f"Only an entry with `of` may have `except`. Received: {cell.where}.")
    elif rest and rest[0].startswith(("# - ", "# + ")):
        raise CourseError(f"An entry with edits says `of` which right cell they are. Received: {cell.where}.")
    else:
        code = code_of(cell, rest)
    misses = frozenset(cell.keys["misses"].split())
    sentence = cell.keys.get("sentence", "")
    return Mistake(identity, task, hint, code, misses, _limits(cell), _backends(cell), of, edits, excepted, sentence)


def _without_reasons(
    cell: ScriptCell, lines: tuple[str, ...], excepted: frozenset[str], styles: Collection[str]
) -> tuple[str, ...]:
    """Return the lines of an entry with `of` that hold its edits, without those that say why a style is excepted.

    Args:
        cell: the entry's cell.
        lines: the lines below the hint.
        excepted: the ids that `except` in the header names.
        styles: `solution` and the ids of all alternatives.
    """
    if unknown := sorted(excepted.difference(styles)):
        raise CourseError(f"`except` names alternatives, or `solution`. Received: {' '.join(unknown)} at {cell.where}.")
    reasons = [line for line in lines if line.startswith("# except: ")]
    if bool(reasons) != bool(excepted):
        raise CourseError(
            f"`except` in a header and a line `# except: …` that says why belong together. Received: {cell.where}."
        )
    return tuple(line for line in lines if line not in reasons)


def _edited_cell(
    cell: ScriptCell,
    edits: tuple[Edit, ...],
    right: Mapping[str, Mapping[str, str]],
    earlier: Mapping[str, Mistake],
) -> str:
    """Return the code of an entry with `of`: the named cell, edited."""
    of, task = cell.keys["of"], cell.keys["task"]
    base = right.get(of, {}).get(task) or (earlier[of].code if of in earlier and earlier[of].task == task else "")
    if not base:
        known = sorted(style for style, cells in right.items() if task in cells)
        raise CourseError(
            f"`of` names what has a cell of the task {task}: {known}, or an earlier entry. Received: {of!r} at {cell.where}."
        )
    try:
        code = edited(base, edits)
    except CourseError as error:
        raise CourseError(f"{error} At {cell.where}, of {of}.") from None
    if fault := syntax_fault(code):
        raise CourseError(
            f"A cell must be valid Python once its edits are made. Received: {fault[1]} at {cell.where}. Correct the edits."
        )
    return code


def _hint(cell: ScriptCell) -> tuple[Text, tuple[str, ...]]:
    """Return the hint of an entry, and the lines after it."""
    hint: dict[str, list[str]] = {"en": [], "ko": []}
    count = 0
    for line in cell.lines:
        if not line.startswith("# ") or line.startswith(("# - ", "# + ")):
            break
        language = "ko" if line.startswith("# ko: ") else "en"
        if language == "en" and hint["ko"]:
            raise CourseError(
                f"After a hint's Korean comes the cell, below an empty line if it begins with a comment. Received: {line!r} at {cell.where}."
            )
        hint[language].append(line.removeprefix("# ").removeprefix("ko: ").strip())
        count += 1
    if not hint["en"]:
        raise CourseError(
            f"An entry needs a hint in English, `# …`, before its Korean, `# ko: …`. Received: none at {cell.where}."
        )
    return Text(" ".join(hint["en"]), " ".join(hint["ko"])), cell.lines[count:]


def read_edits(cell: ScriptCell, lines: tuple[str, ...]) -> tuple[Edit, ...]:
    """Return the edits that a cell of a percent script holds.

    Args:
        cell: the cell, for messages.
        lines: the lines of the cell that hold edits: `# - …`, then `# + …`, and empty ones between two edits.

    Raises:
        CourseError: a line is none of these, or an edit changes nothing.
    """
    found: list[tuple[list[str], list[str]]] = []
    is_new = True
    for line in lines:
        if not line.strip():
            is_new = True
            continue
        sign, text = line[:3], line[4:].rstrip()
        if sign not in ("# -", "# +") or line[3:4].strip() or (sign == "# +" and is_new):
            raise CourseError(f"Edits are lines `# - …`, then lines `# + …`. Received: {line!r} at {cell.where}.")
        if sign == "# -":
            if is_new or found[-1][1]:
                found.append(([], []))
                is_new = False
            found[-1][0].append(text)
        else:
            found[-1][1].append(text)
    edits = tuple(Edit("\n".join(right), "\n".join(wrong)) for right, wrong in found)
    if not edits or any(not edit.right.strip() or edit.right == edit.wrong for edit in edits):
        raise CourseError(f"An entry with edits needs some that change something. Received: {cell.where}.")
    return edits


def _limits(cell: ScriptCell) -> dict[str, float]:
    limits: dict[str, float] = {}
    for word in cell.keys.get("limits", "").split():
        name, _, value = word.partition("=")
        if name not in {item.name for item in fields(Limits)} or not re.fullmatch(r"\d+(\.\d+)?", value):
            raise CourseError(f"`limits` are a field of Limits and a number each. Received: {word!r} at {cell.where}.")
        limits[name] = float(value) if "." in value else int(value)
    return limits


def _backends(cell: ScriptCell) -> tuple[str, ...]:
    if "backends" not in cell.keys:
        return BACKENDS
    backends = tuple(cell.keys["backends"].split())
    if not backends or set(backends) - set(BACKENDS):
        raise CourseError(
            f"`backends` are some of {' '.join(BACKENDS)}. Received: {cell.keys['backends']!r} at {cell.where}."
        )
    return backends

"""The operators that make mutants: each changes one place of a right answer as a slip of the fingers or of the mind would.

An operator knows Python, NumPy's way with axes and nothing of a course. Left out is what tells nothing: names of types, texts that
nobody reads, arguments that may change places, what only raises at once.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

# Functions of two or more arguments whose order says nothing.
_SYMMETRIC = {
    *(
        "add",
        "multiply",
        "maximum",
        "minimum",
        "max",
        "min",
        "equal",
        "not_equal",
        "isclose",
        "allclose",
        "array_equal",
    ),
    *("logical_and", "logical_or", "logical_xor", "hypot", "gcd", "lcm"),
}
_TWINS = (
    *("sin cos", "min max", "minimum maximum", "argmin argmax", "mean sum", "any all", "exp log", "zeros ones"),
    *("zeros_like ones_like", "floor ceil", "triu tril", "logical_and logical_or", "greater greater_equal"),
    *("less less_equal", "cumsum cumprod", "stack concatenate", "square sqrt", "repeat tile", "tan tanh"),
)
_TWIN = {a: b for pair in _TWINS for a, b in (pair.split(), pair.split()[::-1])}
_TYPES = re.compile(r"bool|bfloat16|u?int\d*|float\d*|complex\d*")
_AXES = frozenset({"axis", "axes", "keepdims", "k"})
_IGNORED_KEYWORDS = frozenset({"dtype", "name", "seed"})

_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}


@dataclass
class Scope:
    """What may stand in the place of a name.

    Attributes:
        variables: id of a name's node -> names of the parameters and variables of the function around it, sorted.
        attributes: id of an attribute's node -> names of the attributes that the class around it assigns, sorted.
        docstrings: ids of the nodes that only document.
        in_text: ids of the nodes inside of f-strings.
        in_raise: ids of the nodes inside of `raise`.
        in_return: ids of the nodes that a `return` holds.
        called: ids of the nodes that are called, and of those before their dots.
    """

    variables: dict[int, list[str]] = field(default_factory=dict)
    attributes: dict[int, list[str]] = field(default_factory=dict)
    docstrings: set[int] = field(default_factory=set)
    in_text: set[int] = field(default_factory=set)
    in_raise: set[int] = field(default_factory=set)
    in_return: set[int] = field(default_factory=set)
    called: set[int] = field(default_factory=set)


Change = tuple[str, ast.AST | list[ast.stmt]]  # the operator's name, and what takes the place of a node


def scope_of(tree: ast.Module) -> Scope:
    """Look over a cell once."""
    scope = Scope()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)) and ast.get_docstring(node) is not None:
            first = node.body[0]
            scope.docstrings |= {id(first), *(id(part) for part in ast.walk(first))}
        if isinstance(node, ast.JoinedStr):
            scope.in_text |= {id(part) for part in ast.walk(node) if part is not node}
        if isinstance(node, (ast.Raise, ast.Assert)):
            scope.in_raise |= {id(part) for part in ast.walk(node)}
        if isinstance(node, ast.Return) and node.value is not None:
            scope.in_return.add(id(node.value))
        if isinstance(node, ast.Call):
            scope.called |= {id(part) for part in ast.walk(node.func)}
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            own = _bound_in(node)
            for part in ast.walk(node):
                if isinstance(part, ast.Name):
                    scope.variables[id(part)] = sorted(own | set(scope.variables.get(id(part), ())))
        if isinstance(node, ast.ClassDef):
            assigned = {
                part.attr
                for part in ast.walk(node)
                if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and _is_self(part.value)
            }
            for part in ast.walk(node):
                if isinstance(part, ast.Attribute):
                    scope.attributes[id(part)] = sorted(assigned)
    return scope


def _bound_in(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    bound = {parameter.arg for parameter in parameters if parameter.arg not in ("self", "cls")}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
    return bound


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def changes(node: ast.AST, scope: Scope) -> Iterator[Change]:
    """Yield what may take a node's place: for a statement a list of statements."""
    if id(node) in scope.docstrings:
        return
    for operator in _OPERATORS:
        yield from operator(node, scope)


# ---- expressions ----------------------------------------------------------------------------------------------------


def _arithmetic(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if isinstance(node, ast.BinOp):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield "arithmetic", ast.BinOp(node.left, other(), node.right)
        if not isinstance(node.op, ast.MatMult):
            yield "operand-drop", node.left
            yield "operand-drop", node.right
        if isinstance(node.op, (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)):
            yield "operand-swap", ast.BinOp(node.right, node.op, node.left)
    if (
        isinstance(node, ast.UnaryOp)
        and not isinstance(node.op, ast.UAdd)
        and not isinstance(node.operand, ast.Constant)
    ):
        yield "unary-drop", node.operand
    if isinstance(node, ast.AugAssign):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield "arithmetic", [ast.AugAssign(node.target, other(), node.value)]


def _comparison(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in _COMPARISONS.get(type(node.ops[0]), ()):
            yield "comparison", ast.Compare(node.left, [other()], node.comparators)


def _boolean(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "boolean", ast.BoolOp(other, node.values)
        for i in range(len(node.values)):
            rest = [*node.values[:i], *node.values[i + 1 :]]
            yield "operand-drop", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "boolean", ast.Constant(not node.value)


def _number(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return
    if isinstance(node.value, int):
        yield "int-constant", ast.Constant(node.value + 1)
        yield "int-constant", ast.Constant(node.value - 1)
    if isinstance(node.value, float):
        others = (10 * node.value, node.value / 10, -node.value) if node.value else (1.0,)
        for other in others:
            rounded = float(f"{other:.12g}")  # to be read: 1e-06, not 1.0000000000000002e-06
            yield "float-constant", ast.Constant(rounded)


def _text(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if isinstance(node, ast.JoinedStr) and id(node) not in scope.in_text:  # not what follows a colon
        for i, part in enumerate(node.values):
            if isinstance(part, ast.Constant) and not any(map(str.isalnum, str(part.value))):
                continue  # nothing but punctuation
            yield "message", ast.JoinedStr([*node.values[:i], ast.Constant("?"), *node.values[i + 1 :]])
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        is_read = id(node) in scope.in_text | scope.in_raise
        if not is_read and not _TYPES.fullmatch(node.value):
            yield "string", ast.Constant(f"{node.value}x")


def _name(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in scope.called:
        known = scope.variables.get(id(node), [])
        for other in known if node.id in known else ():
            if other != node.id:
                yield "variable", ast.Name(other, ast.Load())
    if isinstance(node, ast.Attribute) and _is_self(node.value) and isinstance(node.ctx, ast.Load):
        for other in scope.attributes.get(id(node), ()):
            if other != node.attr and node.attr in scope.attributes[id(node)]:
                yield "attribute", ast.Attribute(node.value, other, ast.Load())


def _call(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if not isinstance(node, ast.Call):
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Attribute) and name in _TWIN:
        twin = ast.Attribute(node.func.value, _TWIN[name], ast.Load())
        yield "twin-function", ast.Call(twin, node.args, node.keywords)
    if isinstance(node.func, ast.Name) and name in _TWIN:
        yield "twin-function", ast.Call(ast.Name(_TWIN[name], ast.Load()), node.args, node.keywords)
    if id(node) in scope.in_raise:
        if name == "ValueError":
            yield "exception", ast.Call(ast.Name("TypeError", ast.Load()), node.args, node.keywords)
        return
    if name in ("super", "isinstance", "range", "len", "enumerate", "zip"):
        return
    if name not in _SYMMETRIC:
        for i in range(len(node.args) - 1):
            swapped = [*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]]
            yield "argument-swap", ast.Call(node.func, swapped, node.keywords)
    if len(node.args) > 1 and not isinstance(node.args[-1], ast.Starred):
        yield "argument-drop", ast.Call(node.func, node.args[:-1], node.keywords)
    for i, keyword in enumerate(node.keywords):
        if keyword.arg is not None and keyword.arg not in _IGNORED_KEYWORDS:
            yield "keyword-drop", ast.Call(node.func, node.args, [*node.keywords[:i], *node.keywords[i + 1 :]])
    if node.args and not isinstance(node.args[0], ast.Starred) and name not in ("cast", "convert_to_tensor", "asarray"):
        operator = "return-part" if id(node) in scope.in_return else "call-drop"
        yield operator, node.args[0]


def _axis(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if not isinstance(node, ast.keyword) or node.arg not in _AXES:
        return
    try:
        value = ast.literal_eval(node.value)
    except ValueError:
        return
    if isinstance(value, bool):
        return  # `boolean` turns it over
    if isinstance(value, int):
        for other in sorted({-2, -1, 0, 1} - {value}):
            yield "axis", ast.keyword(node.arg, ast.Constant(other))


def _elements(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Load) and len(node.elts) > 1:
        make = type(node)
        for i in range(len(node.elts)):
            if i == len(node.elts) - 1 and _is_whole(node.elts[i]):
                continue  # `a[0, :]` is `a[0]`
            yield "element-drop", make([*node.elts[:i], *node.elts[i + 1 :]], ast.Load())
        for i in range(len(node.elts) - 1):
            swapped = [*node.elts[:i], node.elts[i + 1], node.elts[i], *node.elts[i + 2 :]]
            yield "element-swap", make(swapped, ast.Load())
        if id(node) in scope.in_return:
            for part in node.elts:
                yield "return-part", part
    if isinstance(node, ast.Dict) and len(node.keys) > 1:
        for i in range(len(node.keys)):
            keys, values = [*node.keys[:i], *node.keys[i + 1 :]], [*node.values[:i], *node.values[i + 1 :]]
            yield "element-drop", ast.Dict(keys, values)


def _slice(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if isinstance(node, ast.Slice):
        lower, upper, step = node.lower, node.upper, node.step
        if lower is not None:
            yield "slice-bound-drop", ast.Slice(None, upper, step)
        else:
            yield "slice-bound-add", ast.Slice(ast.Constant(1), upper, step)
        if upper is not None:
            yield "slice-bound-drop", ast.Slice(lower, None, step)
        else:
            yield "slice-bound-add", ast.Slice(lower, ast.Constant(-1), step)
        if step is not None:
            yield "slice-bound-drop", ast.Slice(lower, upper, None)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield "index-drop", node.value


def _is_whole(node: ast.AST) -> bool:
    return isinstance(node, ast.Slice) and (node.lower, node.upper, node.step) == (None, None, None)


def _choice(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if isinstance(node, ast.IfExp):
        yield "branch", node.body
        yield "branch", node.orelse
    if isinstance(node, ast.comprehension):
        for i in range(len(node.ifs)):
            ifs = [*node.ifs[:i], *node.ifs[i + 1 :]]
            yield "branch", ast.comprehension(node.target, node.iter, ifs, node.is_async)


def _defaults(node: ast.AST, scope: Scope) -> Iterator[Change]:
    """A default is a constant that the other operators change; here it gets a name of its own, for the sample."""
    if not isinstance(node, ast.arguments):
        return
    for i, default in enumerate(node.defaults):
        if isinstance(default, ast.Constant):
            for _, other in [*_boolean(default, scope), *_number(default, scope), *_text(default, scope)]:
                assert isinstance(other, ast.expr)
                changed = copy.copy(node)
                changed.defaults = [*node.defaults[:i], other, *node.defaults[i + 1 :]]
                yield "default", changed


# ---- statements -----------------------------------------------------------------------------------------------------


def _statement(node: ast.AST, scope: Scope) -> Iterator[Change]:
    if isinstance(node, (ast.Expr, ast.AugAssign, ast.Raise, ast.Delete)):
        yield "statement-drop", [ast.Pass()]
    if isinstance(node, ast.Assign):
        is_kept = any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets)
        own = {target.id for target in node.targets if isinstance(target, ast.Name)}
        reads = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
        if is_kept or own & reads:  # else a name would be missing
            yield "statement-drop", [ast.Pass()]
    if isinstance(node, ast.If):
        yield "branch", node.body
        yield "branch", node.orelse or [ast.Pass()]
    if isinstance(node, (ast.For, ast.While)):
        yield "statement-drop", [ast.Pass()]
    if isinstance(node, ast.Break):
        yield "loop", [ast.Continue()]
    if isinstance(node, ast.Continue):
        yield "loop", [ast.Break()]


_OPERATORS: tuple[Callable[[ast.AST, Scope], Iterator[Change]], ...] = (
    *(_arithmetic, _comparison, _boolean, _number, _text, _name, _call, _axis, _elements, _slice, _choice, _defaults),
    _statement,
)

"""Earning points without the right arrays: tricks on comparison, types, and everything between the code and its points."""

from hostile import INDEPENDENT, RIGHT, WRONG, Group

CHEATING = Group("cheating")
add = CHEATING.add

add(
    "E01-return-float",
    "publishes a number as the result of every later cell",
    """
    shell = get_ipython()


    def publish(info):
        shell.displayhook.exec_result = None
        shell.displayhook(2.0)


    shell.events.register("pre_run_cell", publish)
    """,
    then=WRONG,
)
add(
    "E02-patch-testing",
    "makes numpy.testing and numpy.allclose agree with everything",
    """
    import numpy as np
    import numpy.testing as testing

    testing.assert_allclose = testing.assert_array_equal = lambda *a, **k: None
    np.allclose = np.array_equal = np.isclose = lambda *a, **k: True
    """,
    then=WRONG,
)
add(
    "E03-patch-builtins",
    "patches builtins",
    """
    import builtins

    builtins.all = builtins.any = lambda *a: True
    builtins.isinstance = lambda *a: True
    builtins.abs = lambda *a: 0
    builtins.AssertionError = type("Quiet", (Exception,), {})
    """,
    then=WRONG,
)
add(
    "E05-float-eq",
    "an object that equals everything and looks for the expected value in its callers",
    """
    import sys

    import numpy as np


    class Liar(float):
        def __eq__(self, other):
            return True

        def __sub__(self, other):
            return 0.0

        __rsub__ = __sub__
        __hash__ = float.__hash__

        def __array__(self, dtype=None, copy=None):
            frame = sys._getframe()
            while frame:
                for value in list(frame.f_locals.values()):
                    if isinstance(value, np.ndarray) and value.ndim >= 2 and np.allclose(value.sum(axis=-1), 1):
                        return value
                frame = frame.f_back
            return np.zeros(3)


    def softmax(x, axis=-1):
        return Liar(1)
    """,
    dependent=True,
)
add(
    "E07-other-algorithm",
    "a right array by another way",
    """
    def softmax(x, axis=-1):
        import numpy as np

        return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))
    """,
    earns=3,
)
add(
    "E08-reduce",
    "an object whose pickle runs a program in the grader",
    """
    import os


    class Pickle:
        def __reduce__(self):
            return (os.system, ("echo @MARK@ > @OUTSIDE@/@MARK@",))

        def __array__(self, dtype=None, copy=None):
            import numpy as np

            array = np.empty(1, dtype=object)
            array[0] = self
            return array


    def softmax(x, axis=-1):
        return Pickle()
    """,
)
add(
    "E09-nan",
    "NaN everywhere",
    "import numpy as np\n\n\ndef softmax(x, axis=-1):\n    return np.full(np.shape(x), np.nan)\n",
    dependent=True,
)
add(
    "E10-inf",
    "infinity everywhere",
    "import numpy as np\n\n\ndef softmax(x, axis=-1):\n    return np.full(np.shape(x), np.inf)\n",
)
add(
    "E11-dtype",
    "an array of objects",
    "import numpy as np\n\n\ndef softmax(x, axis=-1):\n    return np.array(x, dtype=object)\n",
)
add(
    "E12-shape",
    "a shape that broadcasts",
    "import numpy as np\n\n\ndef softmax(x, axis=-1):\n    return np.zeros((1,))\n",
    dependent=True,
)
add(
    "E13-empty",
    "an empty array, all of which is right",
    "import numpy as np\n\n\ndef softmax(x, axis=-1):\n    return np.zeros((0,) + np.shape(x)[1:])\n",
)
add("E14-none", "a generator", "def softmax(x, axis=-1):\n    return (value for value in x)\n")
add(
    "E16-masked",
    "a masked array, none of which counts",
    "import numpy as np\n\n\ndef softmax(x, axis=-1):\n    return np.ma.masked_all(np.shape(x))\n",
)
add(
    "E17-mutate-input",
    "changes its input so that the reference changes too",
    """
    def softmax(x, axis=-1):
        import numpy as np

        x = np.asarray(x)
        x.setflags(write=True)
        x *= 0
        x += 1
        return x / x.shape[axis]
    """,
    dependent=True,
)
add(
    "E18-stateful",
    "sleeps only where it is graded",
    """
    import os

    if os.environ.get("NBGRADER_EXECUTION") == "autograde":
        import time

        time.sleep(10**6)
    """,
    then=WRONG,
)
add(
    "E19-patch-assert",
    "removes the asserts of later cells",
    """
    import ast


    class NoAsserts(ast.NodeTransformer):
        def visit_Assert(self, node):
            return ast.Pass()

        def visit_Expr(self, node):
            return ast.copy_location(ast.Pass(), node) if "assert" in ast.dump(node) else node


    get_ipython().ast_transformers.append(NoAsserts())
    """,
    then=WRONG,
)
add(
    "E21-run_cell",
    "makes every later cell succeed",
    """
    import types

    kernel = get_ipython().kernel


    async def do_execute(self, code, silent, *args, **kwargs):
        return {"status": "ok", "execution_count": 99, "payload": [], "user_expressions": {}}


    kernel.do_execute = types.MethodType(do_execute, kernel)
    """,
    then=WRONG,
)

# Further tricks
add(
    "N90-zeros-then-right",
    "right for the public examples, constant otherwise",
    """
    import numpy as np


    def softmax(x, axis=-1):
        if np.shape(x) == (2, 3):
            e = np.exp(x - np.max(x, axis=axis, keepdims=True))
            return e / e.sum(axis=axis, keepdims=True)
        return np.full(np.shape(x), 1 / np.shape(x)[axis])
    """,
)
add(
    "N91-lazy",
    "an array-like whose values change each time they are read",
    """
    import numpy as np


    class Lazy:
        reads = 0

        def __array__(self, dtype=None, copy=None):
            Lazy.reads += 1
            return np.full((Lazy.reads, 3), 1 / 3)

        shape = property(lambda self: (2, 3))


    def softmax(x, axis=-1):
        return Lazy()
    """,
)
add(
    "N92-subclass",
    "an array subclass with arithmetic of its own around wrong values",
    """
    import numpy as np


    class Agree(np.ndarray):
        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return True

        def __array_function__(self, function, types, args, kwargs):
            return True

        def tobytes(self, *args):
            return b""


    def softmax(x, axis=-1):
        return np.asarray(x, dtype=float).view(Agree)
    """,
)
add(
    "N93-random",
    "random weights that add up to 1",
    """
    import numpy as np


    def softmax(x, axis=-1):
        e = np.random.random(np.shape(x))
        return e / e.sum(axis=axis, keepdims=True)
    """,
)
add(
    "N94-printed-score",
    "prints, returns and displays scores",
    """
    print("3.0")
    print("softmax: 3 / 3 points")
    display({"text/plain": "3.0"}, raw=True)


    def softmax(x, axis=-1):
        print(3.0)
        return 3.0
    """,
)
add(
    "N95-float32-overflow",
    "overflows for large scores only (an honest mistake, half right)",
    """
    def softmax(x, axis=-1):
        import numpy as np

        e = np.exp(x)
        return e / e.sum(axis=axis, keepdims=True)
    """,
    earns=2,
)
add(
    "N96-file-of-answers",
    "reads answers from a file beside the notebook",
    """
    import numpy as np

    table = np.loadtxt("answers.csv", delimiter=",")


    def softmax(x, axis=-1):
        return np.resize(table, np.shape(x))
    """,
    files={"answers.csv": b"0.2,0.3,0.5\n"},
)
add(
    "N97-helper-file",
    "imports a right answer from a module of its own beside the notebook",
    "from my_softmax import softmax\n",
    files={"my_softmax.py": RIGHT.encode()},
    earns=3,
)
add(
    "N98-later-cell-redefines",
    "a wrong answer that a later task's cell replaces by a right one",
    WRONG,
    also={"additive": INDEPENDENT["additive"] + RIGHT},
    earns=3,
)
add(
    "N99-signature",
    "an answer that needs one more argument",
    "def softmax(x, axis, extra):\n    return x\n",
)

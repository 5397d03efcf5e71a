"""Strange results of a call: objects that resist being read, and right answers in unusual types."""

from hostile import RIGHT, Group

VALUES = Group("values")
add = VALUES.add
RETURN = "return e / e.sum(axis=axis, keepdims=True)"


def returning(expression: str) -> str:
    """Return the right answer with another last line, in which `w` are the right weights."""
    return RIGHT.replace(RETURN, f"w = e / e.sum(axis=axis, keepdims=True)\n    return {expression}")


def result(expression: str, before: str = "") -> str:
    """Return an answer whose every call returns an expression."""
    return f"{before}\n\ndef softmax(x, axis=-1):\n    return {expression}\n"


add(
    "MB01-repr-hangs",
    "an object that hangs when shown",
    """
    class Hang:
        def __repr__(self):
            while True:
                pass

        def __array__(self, *a, **k):
            return __import__("numpy").zeros(3)


    def softmax(x, axis=-1):
        return Hang()


    softmax(1)
    """,
)
add(
    "MB02-array-sysexit",
    "an object that exits when read",
    "class Exit:\n    def __array__(self, *a, **k):\n        raise SystemExit(3)\n" + result("Exit()"),
)
add(
    "MB03-array-hangs",
    "an object that hangs when read",
    "class Hang:\n    def __array__(self, *a, **k):\n        while True:\n            pass\n" + result("Hang()"),
    dependent=True,
)
add(
    "MB04-nested-tuple",
    "a hundred thousand tuples in one another",
    result("t", "t = (1.0,)\nfor _ in range(100_000):\n    t = (t,)\n"),
)
add(
    "MB05-nested-list",
    "a hundred thousand lists in one another",
    result("t", "t = [1.0]\nfor _ in range(100_000):\n    t = [t]\n"),
)
add("MB06-selfref", "a list that holds itself", result("t", "t = []\nt.append(t)\nt.append(t)\n"))
add(
    "MB07-wide",
    "thousands of tuples",
    result("t", "t = tuple(tuple(tuple(range(16)) for _ in range(16)) for _ in range(16))\n"),
)
add("MB08-bigint", "an integer of 400 digits", result("10**400"))
add("MB09-hugeint", "an integer of 6000 digits", result("10**6000"))
add("MB10-longdouble", "right, as long doubles", returning('w.astype("longdouble")'), earns=3)
add("MB11-bigendian", "right, in the other byte order", returning('w.astype(">f8")'), earns=3)
add("MB12-fortran", "right, columns first", returning("np.asfortranarray(w)"), earns=3)
add("MB13-list", "right, as lists", returning("w.tolist()"), earns=3)
add("MB14-20-dimensions", "an array of twenty dimensions", result("__import__('numpy').zeros((1,) * 20)"))
add("MB15-ragged", "a ragged tensor", result("tf.ragged.constant([[1.0], [2.0, 3.0]])", "import tensorflow as tf\n"))
add("MB16-symbolic", "a symbolic tensor", result("keras.Input((3,))"))
add(
    "MB17-exception-str-hangs",
    "an exception that hangs when shown",
    """
    class Hang(Exception):
        def __str__(self):
            while True:
                pass


    def softmax(x, axis=-1):
        raise Hang
    """,
)
add(
    "MB18-exception-surrogates",
    "an exception whose text can't be written",
    """
    class Odd(Exception):
        def __str__(self):
            return "\\ud800\\x00" * 1000


    def softmax(x, axis=-1):
        raise Odd
    """,
)
add("MB19-coroutine", "a coroutine", "async def softmax(x, axis=-1):\n    return x\n")
add("MB20-tuple", "a tuple instead of an array", result("(x, x)"))
add("MB21-dates", "dates", result("__import__('numpy').zeros(__import__('numpy').shape(x), dtype='M8[s]')"))
add(
    "MB22-class", "a class instead of a function", "class softmax:\n    def __init__(self, x, axis=-1):\n        pass\n"
)
add("MB23-long-text", "a text of 100 MB", result("'a' * 10**8"))
add(
    "MB24-attributes-raise",
    "an object whose attributes raise",
    """
    class Odd:
        @property
        def nbytes(self):
            raise MemoryError

        def __getattr__(self, name):
            raise KeyError(name)


    def softmax(x, axis=-1):
        return Odd()
    """,
)
add(
    "MB25-endless-list",
    "a list that says it is short and never ends",
    """
    class Endless(list):
        def __iter__(self):
            while True:
                yield 1.0

        def __len__(self):
            return 3


    def softmax(x, axis=-1):
        return Endless([1.0])
    """,
)
add("N111-complex", "right, as complex numbers", returning('w.astype("complex128")'))
add(
    "N112-readonly-view",
    "right, as a read-only strided view",
    returning("np.broadcast_to(w[..., None], (*w.shape, 2))[..., 0]"),
    earns=3,
)
add(
    "N113-memmap",
    "right, in a memory-mapped file",
    returning('np.memmap("w.bin", dtype=w.dtype, mode="w+", shape=w.shape).__iadd__(w)'),
    earns=3,
)
add(
    "N114-structured",
    "a structured array",
    result("__import__('numpy').zeros(__import__('numpy').shape(x), dtype=[('a', 'f8')])"),
)
add("N115-keras-variable", "right, as a Keras variable", returning("keras.Variable(w)"), earns=3)
add(
    "N116-exception-class-forged",
    "an exception that calls itself the grader's",
    "class Miss(Exception):\n    pass\n\n\nclass MachineError(Exception):\n    pass\n\n\ndef softmax(x, axis=-1):\n    raise MachineError('no kernel')\n",
)
add(
    "N117-exception-group",
    "a group of exceptions with exit among them",
    "def softmax(x, axis=-1):\n    raise BaseExceptionGroup('many', [SystemExit(0), MemoryError(), KeyboardInterrupt()])\n",
)
add(
    "N118-warning-as-error",
    "a warning on stderr for each call, and right",
    "import sys, warnings\n" + returning("(warnings.warn(str(id(x))), print('note', file=sys.stderr), w)[2]"),
    earns=3,
)
add(
    "N216-huge-number",
    "a standard deviation of 1e200",
    "def score_std(key_dim, scaled):\n    return 1e200\n",
    task="score-scale",
)

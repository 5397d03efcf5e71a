"""Names, modules and settings of the notebook and its kernel changed, on purpose or by a slip."""

from hostile import RIGHT, WRONG, Group

SHADOWING = Group("shadowing")
add = SHADOWING.add

add("MC01-np-3", "np, list and print as variables", "np = 3\nlist = 5\nprint = None\n" + RIGHT, earns=3)
add(
    "MC02-isinstance",
    "isinstance, len, set and type as variables",
    "isinstance = None\nlen = 3\nset = {1}\ntype = 4\n" + RIGHT,
    earns=3,
)
add(
    "MC03-builtins-none",
    "print, len and isinstance removed from builtins",
    "import builtins\n\nbuiltins.print = builtins.len = builtins.isinstance = None\n" + RIGHT,
)
add("MC04-import-none", "__import__ removed from builtins", "import builtins\n\nbuiltins.__import__ = None\n" + WRONG)
add("MC05-import-global", "__import__ as a variable", "__import__ = 3\n" + WRONG)
add(
    "MC06-get_ipython",
    "get_ipython replaced",
    "import builtins\n\n\ndef get_ipython():\n    return None\n\n\nbuiltins.get_ipython = None\n" + RIGHT,
    earns=3,
)
add("MC07-del-numpy", "numpy removed from the loaded modules", "import sys\n\ndel sys.modules['numpy']\n" + WRONG)
add(
    "MC08-del-all-modules",
    "all usual modules removed from the loaded ones",
    """
    import sys

    for name in list(sys.modules):
        if name.split(".")[0] in ("numpy", "json", "base64", "io", "keras"):
            del sys.modules[name]
    """,
    then=WRONG,
)
add(
    "MC09-json-dumps",
    "json.dumps answers {}",
    "import json\n\njson.dumps = lambda *a, **k: '{}'\n" + WRONG,
    dependent=True,
)
add("MC10-json-loads", "json.loads answers {}", "import json\n\njson.loads = lambda *a, **k: {}\n" + WRONG)
add(
    "MC11-base64",
    "base64 broken",
    "import base64\n\nbase64.b64encode = lambda *a: b'AAAA'\nbase64.b64decode = None\n" + WRONG,
)
add(
    "MC12-np-load-save", "numpy.load and numpy.save removed", "import numpy as np\n\nnp.load = np.save = None\n" + WRONG
)
add(
    "MC13-np-array",
    "numpy.array and numpy.seterr removed",
    "import numpy as np\n\nnp.seterr = np.array = np.asarray = None\n" + WRONG,
    points={"softmax": 0},
)
add(
    "MC14-probe-module",
    "the grader's module removed from the loaded ones",
    "import sys\n\nfor name in [name for name in sys.modules if 'probe' in name]:\n    del sys.modules[name]\n" + WRONG,
)
add(
    "MC15-modules-none",
    "json, base64 and numpy made unimportable",
    "import sys\n\nsys.modules['json'] = sys.modules['base64'] = sys.modules['numpy'] = None\n" + WRONG,
)
add("MC16-name-sys", "sys, os and json as variables", "sys = os = json = 'x'\n_SHELL = 3\n" + RIGHT, earns=3)
add(
    "MD01-pre_run_cell-raises",
    "a hook that raises before each cell",
    """
    def hook(info):
        raise RuntimeError("x")


    get_ipython().events.register("pre_run_cell", hook)
    """,
    then=RIGHT,
    earns=3,
)
add(
    "MD02-pre_execute-sysexit",
    "hooks that exit before and after each request",
    """
    def hook():
        raise SystemExit(1)


    get_ipython().events.register("pre_execute", hook)
    get_ipython().events.register("post_execute", hook)
    """,
    then=RIGHT,
)
add("MD03-reset", "%reset", "%reset -f\n" + RIGHT, earns=3)
add("MD04-autoreload", "%autoreload", "%load_ext autoreload\n%autoreload 2\n" + RIGHT, earns=3)
add(
    "MD05-chdir-deleted",
    "works in a folder that is gone",
    "import os, tempfile\n\nd = tempfile.mkdtemp()\nos.chdir(d)\nos.rmdir(d)\n" + RIGHT,
    earns=3,
)
add(
    "MD07-ast-transformer-raises",
    "a code transformer that raises",
    """
    import ast


    class Raises(ast.NodeTransformer):
        def visit(self, node):
            raise RuntimeError


    get_ipython().ast_transformers.append(Raises())
    """,
    then=RIGHT,
    earns=3,
)
add(
    "MD08-input-transformer",
    "a text transformer that empties every later cell",
    "get_ipython().input_transformers_cleanup.append(lambda lines: ['pass\\n'])\n" + RIGHT,
    earns=3,
)
add("MD09-pdb", "%pdb and an error", "%pdb on\n1 / 0\n" + RIGHT)
add("MD10-breakpoint", "breakpoint()", "def softmax(x, axis=-1):\n    breakpoint()\n    return x\n\n\nsoftmax(1)\n")
add(
    "MD11-magics",
    "magics that change how results look",
    "%matplotlib notebook\n%config InlineBackend.figure_format = 'svg'\n%xmode Verbose\n%precision 2\n" + RIGHT,
    earns=3,
)
add("MD12-time", "%%time above the answer", "%%time\n" + RIGHT.lstrip(), earns=3)
add("MD13-writefile", "%%writefile above the answer, which is never defined", "%%writefile softmax.py\n" + RIGHT)
add("MD14-capture", "%%capture above the answer", "%%capture\n" + RIGHT.lstrip(), earns=3)
add(
    "MD15-custom-exc",
    "an exception handler that hangs",
    """
    def handler(self, *a, **k):
        while True:
            pass


    get_ipython().set_custom_exc((Exception,), handler)
    """,
    then=RIGHT,
    earns=3,
)
add("MD16-user_ns-clear", "clears the namespace", "get_ipython().user_ns.clear()\n")
add(
    "MD17-formatter",
    "replaces how texts are shown",
    "get_ipython().display_formatter.formatters['text/plain'].for_type(str, lambda o, p, c: p.text('x'))\n" + WRONG,
)
add("MD18-pprint-off", "%pprint", "%pprint\n" + RIGHT, earns=3)
add("MD19-help", "asks for help", "softmax?\n" + RIGHT, earns=3)
add(
    "MD20-formatters",
    "shows HTML only, two items at most",
    "f = get_ipython().display_formatter\nf.formatters['text/plain'].max_seq_length = 2\nf.active_types = ['text/html']\n"
    + RIGHT,
    earns=3,
)
add("ME26-stdout-none", "no stdout and stderr", "import sys\n\nsys.stdout = sys.stderr = None\n" + RIGHT, earns=3)
add(
    "ME27-stdout-close",
    "stdout and stderr closed",
    "import sys\n\nsys.stdout.close()\nsys.stderr.close()\n" + RIGHT,
    earns=3,
)
add("ME31-environ-clear", "an empty environment", "import os\n\nos.environ.clear()\n" + RIGHT, earns=3)
add(
    "MF01-mixed-precision",
    "mixed precision for everything",
    "import keras\n\nkeras.mixed_precision.set_global_policy('mixed_float16')\n" + RIGHT,
    earns=3,
)
add("MF02-floatx", "float64 for everything", "import keras\n\nkeras.config.set_floatx('float64')\n" + RIGHT, earns=3)
add(
    "MF03-eager-off",
    "TensorFlow without eager execution",
    "import tensorflow as tf\n\ntf.compat.v1.disable_eager_execution()\n" + WRONG,
)
add(
    "MF04-warnings-error",
    "warnings are errors, and a low limit of recursion",
    "import sys, warnings\n\nwarnings.simplefilter('error')\nsys.setrecursionlimit(120)\n" + WRONG,
)
add("MF05-keras-none", "keras made unimportable", "import sys\n\nsys.modules['keras'] = None\n" + WRONG)
add(
    "MF06-np-errors",
    "floating point errors raise",
    "import numpy as np\n\nnp.set_printoptions(threshold=1)\nnp.seterr(all='raise')\n" + RIGHT,
    earns=3,
)
add(
    "MF07-backend",
    "another plotting backend",
    "import matplotlib.pyplot as plt\n\nplt.switch_backend('agg')\nplt.ion()\n" + RIGHT,
    earns=3,
)
add(
    "N120-keras-config-file",
    "writes a Keras configuration with another backend and precision",
    "import os\n\nos.makedirs(os.path.expanduser('~/.keras'), exist_ok=True)\nopen(os.path.expanduser('~/.keras/keras.json'), 'w').write('{\"floatx\": \"float16\", \"backend\": \"no-such\"}')\n"
    + RIGHT,
    earns=3,
)
add(
    "N121-matplotlib-config-file",
    "writes a Matplotlib configuration that fails",
    "import os\n\nopen('matplotlibrc', 'w').write('backend: no.such.backend\\n')\nos.environ['MATPLOTLIBRC'] = os.getcwd()\n"
    + RIGHT,
    earns=3,
)
add(
    "N122-startup-in-home",
    "writes an IPython start-up file into its own home",
    "import os\n\nd = os.path.expanduser('~/.ipython/profile_default/startup')\nos.makedirs(d, exist_ok=True)\nopen(d + '/00.py', 'w').write('raise SystemExit')\n"
    + RIGHT,
    earns=3,
)
add(
    "N123-recursionlimit-low",
    "a limit of recursion of 60",
    "import sys\n\nsys.setrecursionlimit(max(60, 40))\n" + RIGHT,
    earns=3,
)
add(
    "N124-time-frozen",
    "the clock's functions replaced",
    "import time\n\ntime.time = time.monotonic = time.perf_counter = lambda: 0.0\ntime.sleep = lambda s: None\n"
    + RIGHT,
    earns=3,
)
add(
    "N125-gc-and-switch",
    "no garbage collection, and a switch interval of a minute",
    "import gc, sys\n\ngc.disable()\nsys.setswitchinterval(60)\n" + RIGHT,
    earns=3,
)
add(
    "N126-ndarray-patched",
    "numpy's repr and error texts replaced by code that raises",
    "import numpy as np\n\nnp.set_string_function = None\nnp.array_repr = np.array_str = None\nnp.set_printoptions(formatter={'all': lambda v: 1 / 0})\n"
    + RIGHT,
    earns=3,
)
add(
    "N127-default-encoding",
    "a locale that doesn't exist",
    "import locale, os\n\nos.environ['LC_ALL'] = 'xx_XX'\ntry:\n    locale.setlocale(locale.LC_ALL, '')\nexcept locale.Error:\n    pass\n"
    + RIGHT,
    earns=3,
)
add("N128-umask", "a umask that denies everything", "import os\n\nos.umask(0o777)\n" + RIGHT, earns=3)
add("N129-dunder-main", "__name__ and __file__ as variables", "__name__ = 'x'\n__file__ = 3\n" + RIGHT, earns=3)

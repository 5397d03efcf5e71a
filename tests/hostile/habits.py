"""Honest slips and habits."""

from hostile import INDEPENDENT, RIGHT, WRONG, Group, cell_of

HABITS = Group("habits")
add = HABITS.add

add("G01-bash", "removes the files of its folder by a shell command", "!rm -rf ./* ; echo removed\n" + WRONG)
add(
    "G02-bash-magic",
    "kills the kernel by a cell magic",
    change=lambda nb: cell_of(nb, "task-softmax").update(source="%%bash\nkill -9 $PPID\n"),
)
add(
    "G03-pip",
    "installs a package",
    "!timeout 5 pip install --quiet no-such-package-of-this-course 2>&1 | tail -1\n" + WRONG,
)
add("G04-input", "asks for input", "name = input('name? ')\n" + WRONG)
add(
    "G05-matplotlib-backend",
    "a plotting window",
    "import matplotlib\n\nmatplotlib.use('TkAgg')\nimport matplotlib.pyplot as plt\n\nplt.plot([1, 2])\nplt.show(block=True)\n"
    + WRONG,
)
add(
    "G06-missing-file",
    "reads a file of the student's laptop",
    "import numpy as np\n\nd = np.loadtxt(r'C:\\Users\\me\\data.csv')\n" + WRONG,
)
add("G07-syntax", "a syntax error", "def softmax(x, axis=-1)\n    return x\n")
add(
    "G09-stderr-warning",
    "right, with lines on stderr and a warning",
    """
    import sys, warnings


    def softmax(x, axis=-1):
        import numpy as np

        print("debug", file=sys.stderr)
        warnings.warn("slow")
        e = np.exp(x - np.max(x, axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)
    """,
    earns=3,
)
add(
    "G10-bg-subprocess",
    "leaves a web server running",
    """
    import subprocess, sys

    quiet = subprocess.DEVNULL
    subprocess.Popen([sys.executable, "-m", "http.server", "0", "--bind", "127.0.0.1"], stdout=quiet, stderr=quiet)
    """,
    then=WRONG,
)
add(
    "G12-chdir",
    "another folder, and an empty path of modules",
    "import os, sys\n\nos.chdir('/')\nsys.path.clear()\n" + WRONG,
)
add(
    "G13-seed-spam",
    "seeds and NumPy's settings changed",
    "import numpy as np\n\nnp.random.seed(0)\nnp.set_printoptions(threshold=1)\nnp.seterr(all='raise')\n" + WRONG,
)

add(
    "N170-typo-in-name", "a function of another name", "def Softmax(x, axis=-1):\n    return x\n", says="is not defined"
)
add("N171-untouched", "one task left as it was released", "# YOUR CODE HERE\nraise NotImplementedError()\n")
add("N172-tabs-and-crlf", "tabs and Windows line ends", RIGHT.replace("    ", "\t").replace("\n", "\r\n"), earns=3)
add(
    "N173-unicode-names",
    "names in Korean, and emoji",
    "def 소프트맥스(x, axis=-1):\n    import numpy as 넘\n\n    값 = 넘.exp(x - 넘.max(x, axis=axis, keepdims=True))\n    return 값 / 값.sum(axis=axis, keepdims=True)\n\n\nsoftmax = 소프트맥스  # 🙂\n",
    earns=3,
)
add("N174-pip-of-installed", "installs what is there", "!timeout 5 pip --version > /dev/null\n" + RIGHT, earns=3)
add(
    "N175-download",
    "downloads data",
    "import urllib.request\n\nurllib.request.urlopen('http://example.invalid/data.csv', timeout=3)\n" + RIGHT,
)
add(
    "N176-lambda",
    "a lambda",
    "import numpy as _np\n\nsoftmax = lambda x, axis=-1: (e := _np.exp(x - _np.max(x, axis=axis, keepdims=True))) / e.sum(axis=axis, keepdims=True)\n",
    earns=3,
)
add(
    "N177-callable-object",
    "an object that can be called",
    "class Softmax:\n    def __call__(self, x, axis=-1):\n        import numpy as np\n\n        e = np.exp(x - np.max(x, axis=axis, keepdims=True))\n        return e / e.sum(axis=axis, keepdims=True)\n\n\nsoftmax = Softmax()\n",
    earns=3,
)
add(
    "N178-file-helper",
    "writes and reads a file of its own",
    "with open('notes.txt', 'w') as file:\n    file.write('hello')\nassert open('notes.txt').read() == 'hello'\n"
    + RIGHT,
    earns=3,
)
add(
    "N179-multiprocessing",
    "computes in processes of its own",
    "import multiprocessing\n\nwith multiprocessing.get_context('fork').Pool(2) as pool:\n    assert pool.map(abs, [-1, 2]) == [1, 2]\n"
    + RIGHT,
    earns=3,
)
add(
    "N180-threads",
    "computes in threads",
    "from concurrent.futures import ThreadPoolExecutor\n\nwith ThreadPoolExecutor(4) as pool:\n    assert list(pool.map(abs, [-1, 2])) == [1, 2]\n"
    + RIGHT,
    earns=3,
)
add(
    "N181-shell-pipeline",
    "uses shell commands and their output",
    "files = !ls /usr/bin | head -3\nassert len(files) == 3, files\n" + RIGHT,
    earns=3,
)
add(
    "N182-tempfile",
    "uses temporary files",
    "import tempfile\n\nwith tempfile.NamedTemporaryFile() as file:\n    file.write(b'x' * 1_000_000)\n" + RIGHT,
    earns=3,
)
add(
    "N183-loopback",
    "talks to itself over the network",
    "import socket\n\nserver = socket.create_server(('127.0.0.1', 0))\nclient = socket.create_connection(server.getsockname())\nclient.close()\nserver.close()\n"
    + WRONG,
)
add(
    "N184-fit",
    "trains a small Keras model in the answer's cell",
    "import keras\nimport numpy as np\n\nmodel = keras.Sequential([keras.layers.Dense(1)])\nmodel.compile(loss='mse')\nmodel.fit(np.zeros((8, 2)), np.zeros(8), epochs=1, verbose=0)\n"
    + RIGHT,
    earns=3,
)
add("N185-later-task-broken", "a syntax error in the last task only", "def additive_attention(:\n", task="additive")
add(
    "N186-all-right-sleepy",
    "right after a pause of two seconds",
    "import time\n\ntime.sleep(2)\n" + INDEPENDENT["softmax"],
    earns=3,
)
add(
    "N217-many-files",
    "25 000 empty files beside the notebook",
    RIGHT,
    earns=3,
    files={f"{number}.txt": b"" for number in range(25_000)},
    says="1000 at most",
)

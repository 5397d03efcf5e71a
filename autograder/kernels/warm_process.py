"""The program of a warm process: imports what every notebook imports, then forks one kernel per request.

Run as `python -P warm_process.py DESCRIPTOR`; the descriptor is one end of a SOCK_SEQPACKET pair. A request is the JSON
{"connection_file", "cwd", "env"}; the reply is {"pid"}. The end of the connection ends this process and its kernels.

It only imports: a process that has run one TensorFlow operation has thread pools, and its forks hang. It holds
nothing of the course.
"""

import ctypes
import gc
import importlib
import json
import os
import signal
import socket
import sys

PRELOADED = (
    *("numpy", "matplotlib", "matplotlib.figure", "matplotlib.pyplot", "matplotlib.backends.backend_agg"),
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell", "ipykernel.heartbeat", "ipykernel.jsonutil"),
    *("IPython.core.magics", "IPython.core.completer", "IPython.core.pylabtools", "comm", "psutil"),
)
PR_SET_PDEATHSIG = 1


def preload(backend):
    """Import the usual modules; a module that is missing or broken is the kernel's affair."""
    for name in (*PRELOADED, backend, "keras"):
        try:
            importlib.import_module(name)
        except Exception as error:  # noqa: BLE001  (a broken module may raise anything)
            print(f"warm process: {name} could not be imported: {error}", file=sys.stderr)
    # this one hooks itself into the running shell when imported: each kernel must do it anew
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib_inline"]:
        del sys.modules[name]


def serve(control):
    """Fork a kernel per request; returns the request in the child, None in the parent when the connection ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # kernels are watched by the grader; nobody waits for them here
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    gc.disable()  # no collection over the preloaded objects: the children would copy their pages
    control.send(json.dumps({"ready": True}).encode())
    while message := control.recv(1 << 20):
        pid = os.fork()
        if pid == 0:
            return json.loads(message)
        control.send(json.dumps({"pid": pid}).encode())
    return None


def become_kernel(request):
    """Turn a fresh fork into a Jupyter kernel; never returns."""
    os.setsid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    import random
    import tempfile

    import numpy

    tempfile.tempdir = None
    random.seed()
    numpy.random.seed(None)
    gc.enable()
    sys.argv = ["ipykernel_launcher", "-f", request["connection_file"], "--HistoryManager.enabled=False"]
    from ipykernel.kernelapp import IPKernelApp

    status = 0
    try:
        app = IPKernelApp.instance()
        app.initialize(sys.argv[1:])
        app.start()
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except BaseException:  # noqa: BLE001  (whatever ends a kernel ends only this process)
        status = 1
    os._exit(status)  # no teardown of TensorFlow


def main():
    """Preload, then serve until the grader goes."""
    control = socket.socket(fileno=int(sys.argv[1]))
    preload(os.environ.get("KERAS_BACKEND", "tensorflow"))
    request = serve(control)
    if request is not None:
        control.close()
        become_kernel(request)


if __name__ == "__main__":
    main()

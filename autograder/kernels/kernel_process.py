"""Turns a sealed fork of the warm process into a Jupyter kernel with the probe's resident in it."""

import ast
import gc
import logging
import random
import re
import sys
import tempfile
import warnings
import zlib
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, ClassVar

import numpy
import zmq
from ipykernel import compiler, ipkernel
from ipykernel.iostream import IOPubThread, OutStream
from ipykernel.kernelapp import IPKernelApp
from IPython.core.inputtransformer2 import TransformerManager
from tornado.ioloop import IOLoop
from traitlets.config import Config

from autograder.kernels import quick_keras
from autograder.kernels.resident import serving as resident

# Modules that hook themselves into the running shell when they are imported: each kernel must do that anew.
_SHELL_MODULES = ("matplotlib_inline",)
_OWN_MODULES = "autograder"
_forgotten: list[str] = []


class _SysWithoutModules:
    """The module `sys`, but it knows of no modules."""

    modules: ClassVar[dict[str, ModuleType]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)


def choose_forgotten() -> None:
    """Find what kernels must import anew, before they are forked: to look at each module's name copies its page in each of them."""
    _forgotten[:] = [name for name in sys.modules if name.split(".")[0] in (_OWN_MODULES, *_SHELL_MODULES)]


class ForkedKernelApp(IPKernelApp):
    """IPython's kernel on sockets that the grader has bound: the student's code can't put others in their place."""

    def __init__(self, connection: dict[str, Any], sockets: dict[int, int], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._connection = connection
        self._sockets = sockets

    def parse_command_line(self, argv: Any = None) -> None:
        """Take no arguments: a parser of everything that could be one is made in 10 ms."""
        self.update_config(Config({"HistoryManager": {"enabled": False}}))

    def init_kernel(self) -> None:
        """Make the kernel without a list of the modules' files, which is for its debugger: to look at each copies its page."""
        module: Any = ipkernel
        module.sys = _SysWithoutModules()
        try:
            super().init_kernel()
        finally:
            module.sys = sys

    def init_shell(self) -> None:
        """Make the shell look at a cell no more often than the cell needs."""
        super().init_shell()
        shell: Any = self.shell
        shell.should_run_async = _asked_only_if_it_can_be(shell.should_run_async)
        shell.input_transformer_manager = _QuickTransformerManager()

    def init_code(self) -> None:
        """Run no code of a profile: there is none. IPython would also list the modules for `%reset -aggressive`, which copies pages."""
        shell: Any = self.shell
        shell.user_ns_hidden.update(shell.user_ns)

    def init_io(self) -> None:
        """Print through streams that wait for the publishing thread only if there is something to publish."""
        super().init_io()
        streams: tuple[Any, ...] = (sys.stdout, sys.stderr)
        for stream in streams:
            stream.__class__ = _PromptStream

    def _configure_logging(self) -> None:
        """Log nowhere: nobody reads it, and to set up handlers looks at each logger that there is."""
        logging.getLogger(type(self).__name__).addHandler(logging.NullHandler())

    def init_connection_file(self) -> None:
        """Take over what a connection file would say."""
        self.transport, self.ip = "ipc", self._connection["ip"]
        for name in ("shell", "iopub", "stdin", "control"):
            setattr(self, f"{name}_port", self._connection[f"{name}_port"])
        self.session.key = self._connection["key"].encode()
        self.session.signature_scheme = self._connection["signature_scheme"]

    def write_connection_file(self, **kwargs: Any) -> None:
        """Write none: nobody looks for it."""

    def log_connection_info(self) -> None:
        """Say nothing: there is nobody to connect."""

    def init_heartbeat(self) -> None:
        """Start none: the grader watches the process itself."""

    def init_iopub(self, context: zmq.Context[Any]) -> None:
        """Publish without the pipe for subprocesses, which needs a TCP port."""
        self.iopub_socket = context.socket(zmq.XPUB)
        self.iopub_socket.linger = 1000
        self.iopub_port = self._bind_socket(self.iopub_socket, self.iopub_port)
        self.configure_tornado_logger()
        self.iopub_thread = IOPubThread(self.iopub_socket, pipe=False, session=self.session)
        self.iopub_thread.start()
        self.iopub_socket = self.iopub_thread.background_socket

    def _try_bind_socket(self, s: zmq.Socket[Any], port: int) -> int:
        s.setsockopt(zmq.USE_FD, self._sockets[port])
        s.bind(f"ipc://{self.ip}-{port}")
        return port


class _PromptStream(OutStream):
    """A stream whose `flush` doesn't wait for another thread if all that was written is on its way: kernels flush two for each cell.

    Attributes:
        written: how many writes have ended.
        published: how many had ended when what was written was last handed to the publishing thread.
    """

    written = published = 0

    def write(self, string: str) -> int | None:
        """Write as before, and count it once the text is in the buffer."""
        count: int | None = super().write(string)
        with self._buffer_lock:
            self.written += 1
        return count

    def flush(self) -> None:
        """Publish what was written; nothing is done if nothing was written since."""
        if self.published != self.written:
            super().flush()

    def _flush(self) -> None:
        written = self.written
        super()._flush()
        self.published = written


class _QuickTransformerManager(TransformerManager):
    """IPython's transformers of cells. Those that look at tokens see a cell only if it may have IPython's own syntax.

    To make a long cell's tokens takes ten times as long as to parse it, and IPython does it twice for each cell.
    """

    # in a line, also in one that goes on in the next
    _own_syntax = re.compile(r"^\s*[!?%,;/]|\?[\s\\]*$|=[\s\\]*(?:[!%]|$)")

    def __init__(self) -> None:
        super().__init__()
        self._usual = list(self.token_transformers)

    def do_token_transforms(self, lines: Sequence[str]) -> Sequence[str]:
        """Return the lines of a cell with IPython's own syntax replaced by Python's."""
        looks_plain = not any(map(self._own_syntax.search, lines))
        if self.token_transformers == self._usual and (looks_plain or _is_python("".join(lines))):
            return lines
        transformed: Sequence[str] = super().do_token_transforms(lines)
        return transformed


def _is_python(code: str) -> bool:
    """Return whether Python can parse some code, which then has nothing of IPython's own syntax."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # who runs the code warns
        try:
            ast.parse(code)
        except Exception:  # noqa: BLE001  (a parser raises whatever odd code makes it raise)
            return False
    return True


def _asked_only_if_it_can_be(is_async: Callable[..., bool]) -> Callable[..., bool]:
    """Return IPython's `should_run_async` so that it looks for the words first: for its answer IPython compiles the cell, twice for each."""

    def should_run_async(raw_cell: str, *, transformed_cell: str | None = None, **rest: Any) -> bool:
        code = raw_cell if transformed_cell is None else transformed_cell
        has_words = "await" in code or "async" in code
        return has_words and is_async(raw_cell, transformed_cell=transformed_cell, **rest)

    return should_run_async


def _hash_of(code: str, seed: int) -> int:
    """Return a number for a cell's file name, as ipykernel's own hash does, which reads a long cell in 14 ms."""
    return zlib.crc32(code.encode("utf-8", "surrogatepass"), seed)


def become_kernel(connection: dict[str, Any], sockets: dict[int, int], channel: int) -> None:
    """Run a kernel until it ends.

    Args:
        connection: content of a Jupyter connection file: ip, ports, key and signature scheme.
        sockets: port -> descriptor of a listening socket.
        channel: descriptor of the probe's channel.
    """
    tempfile.tempdir = None
    random.seed()
    numpy.random.seed(None)
    gc.enable()
    setattr(compiler, "murmur2_x86", _hash_of)  # noqa: B010  (a function that has no type)
    for name in _forgotten:
        sys.modules.pop(name, None)
    sys.modules["_probe_resident"] = resident
    sys.argv = ["ipykernel_launcher"]
    ForkedKernelApp.clear_instance()
    app = ForkedKernelApp.instance(connection, sockets)
    app.initialize()
    sys.path.insert(0, "")  # modules beside the notebook; under `python -P` IPython leaves it out
    resident.install(app.shell, quick_keras.quick, quick_keras.show)
    IOLoop.current().add_handler(channel, lambda *_: _serve(channel), IOLoop.READ)
    app.start()


def _serve(channel: int) -> None:
    try:
        resident.serve(channel)
    except (EOFError, OSError):
        IOLoop.current().remove_handler(channel)

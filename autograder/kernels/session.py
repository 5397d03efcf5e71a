"""One live Jupyter kernel: run cells in it, ask its resident questions, end it with everything it started."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty
from typing import Any

import nbformat
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from traitlets import Float, Type

import autograder
from autograder.base.errors import AutograderError, MachineError
from autograder.base.folders import remove_folder
from autograder.kernels.channel import INTERRUPT_SECONDS, ProbeChannel, Relay, Reply, Unanswered
from autograder.kernels.connection import SMALL_BYTES, JupyterChannel, ZmtpSocket
from autograder.kernels.warm import (
    ForkedKernel,
    KernelLaunch,
    WarmConnection,
    WarmProvisioner,
    forget_connection,
    warm_connection,
)
from autograder.sealing.file_modes import scratch_prefix
from autograder.sealing.sealed_process import Bounds
from autograder.sources.course import Limits

PASSED_VARIABLES = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH")
POLL_SECONDS = 0.2
DRAIN_SECONDS = 0.2
MAX_OUTPUTS = 1000  # of one cell that are read; fewer are shown
_PACKAGE = os.path.dirname(os.path.abspath(autograder.__file__))


@dataclass
class CellResult:
    """What became of one executed cell.

    Attributes:
        exit: how the cell ended: `ok`, `error`, `timeout` or `died`.
        outputs: nbformat outputs, cut to the limit.
        seconds: wall time that the cell took.
    """

    exit: str
    outputs: list[NotebookNode] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def error(self) -> tuple[str, str] | None:
        """Name and message of the last exception among the outputs; None if there is none."""
        errors = [output for output in self.outputs if output.output_type == "error"]
        return (str(errors[-1].get("ename", "")), str(errors[-1].get("evalue", ""))) if errors else None


class _OnlyKernelSpec(KernelSpecManager):
    """Knows one kernel, this interpreter's: neither the user's kernel folders nor the notebook choose another."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        provisioner = {"kernel_provisioner": {"provisioner_name": "autograder-warm"}}
        return KernelSpec(argv=["forked"], display_name=kernel_name, language="python", metadata=provisioner)


class _KernelManager(AsyncKernelManager):
    """jupyter_client's manager without its control socket, which libzmq would read: the warm process ends kernels.

    It also knows how much of a message is worth keeping.
    """

    content_bytes = 0

    def _connect_control_socket(self) -> None:
        pass


class _PromptKernelClient(AsyncKernelClient):
    """jupyter_client's client without what a watched local kernel doesn't need: heartbeats, and waits for silence.

    Its channels hold no more of a kernel's messages than is asked for.
    """

    parent: Any
    iopub_channel_class: Any = Type(JupyterChannel)
    shell_channel_class: Any = Type(JupyterChannel)

    def connect_iopub(self, identity: bytes | None = None) -> Any:
        """Return a connection to what the kernel publishes."""
        return ZmtpSocket(f"{self.ip}-{self.iopub_port}", "SUB", self.parent.content_bytes)

    def connect_shell(self, identity: bytes | None = None) -> Any:
        """Return a connection to what executes the cells."""
        return ZmtpSocket(f"{self.ip}-{self.shell_port}", "DEALER", self.parent.content_bytes)

    def start_channels(
        self, shell: bool = True, iopub: bool = True, stdin: bool = True, hb: bool = True, control: bool = True
    ) -> None:
        """Start the shell and iopub channels."""
        super().start_channels(shell, iopub, stdin=False, hb=False, control=False)

    def stop_channels(self) -> None:
        """Close them."""
        channels: tuple[Any, ...] = (self._shell_channel, self._iopub_channel)
        for channel in channels:
            if channel is not None:
                channel.close()

    async def wait_for_ready(self, timeout: float | None = None) -> None:
        """Return once the kernel answers and what it publishes is heard.

        Raises:
            RuntimeError: it ended, or took too long.
        """
        deadline = time.monotonic() + (timeout or float("inf"))
        while time.monotonic() < deadline:
            if not await self.parent.is_alive():
                raise RuntimeError("the kernel ended while it started")
            self.kernel_info()
            try:
                await self.shell_channel.get_msg(timeout=POLL_SECONDS)
                await self.iopub_channel.get_msg(timeout=POLL_SECONDS)
            except Empty:
                continue
            return
        raise RuntimeError(f"the kernel did not answer within {timeout} s")


class _CappedClient(NotebookClient):
    """nbclient's client for kernels that may send anything: odd messages are dropped, and outputs beyond a size."""

    timeout: Any = Float(30.0, help="Of one cell, in seconds; nbclient itself takes whole ones only")
    output_bytes = 0
    cut_after = 1_000_000
    _listening: asyncio.Task[Any] | None = None

    async def _async_poll_output_msg(self, parent_msg_id: str, cell: NotebookNode, cell_index: int) -> None:
        self._listening = asyncio.current_task()
        await super()._async_poll_output_msg(parent_msg_id, cell, cell_index)

    async def stop_listening(self) -> None:
        """End what still listens for the outputs of a cell that was given up: it would take those of the next one."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening])
            self._listening = None

    def forget_what_came_late(self) -> None:
        """Throw away what was published since the last cell: a kernel that can't get rid of it drops the next outputs."""
        assert self.kc is not None
        self.kc.iopub_channel.drain(DRAIN_SECONDS)

    async def hears(self, seconds: float) -> bool:
        """Whether the kernel still understands what comes over its shell channel."""
        kc = self.kc
        assert kc is not None
        deadline = time.monotonic() + seconds
        try:
            request_id = kc.kernel_info()
            while True:
                reply = await kc.shell_channel.get_msg(timeout=max(0.0, deadline - time.monotonic()))
                if reply["parent_header"].get("msg_id") == request_id:
                    return True
        except Exception:  # noqa: BLE001  (no reply, or one that can't be parsed)
            return False

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> Any:
        try:
            if msg["msg_type"].startswith("comm"):
                return None
            if msg["msg_type"] in ("stream", "display_data", "execute_result", "error", "update_display_data"):
                self.output_bytes += msg["left_out"] or len(json.dumps(msg["content"], default=str))
                if self.output_bytes > self.cut_after:
                    return None
            return super().process_message(msg, cell, cell_index)
        except CellExecutionComplete:
            raise
        except Exception:  # noqa: BLE001  (a message's content is the student's to choose)
            return None


def _with_joined_streams(outputs: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Return outputs with neighbours of one stream made one: a kernel sends what a cell prints when its clock says so."""
    joined: list[NotebookNode] = []
    texts: list[list[str]] = []
    for output in outputs:
        is_stream = output.output_type == "stream" and isinstance(output.get("text"), str)
        if is_stream and texts and texts[-1] and joined[-1].name == output.name:
            texts[-1].append(output.text)
        else:
            joined.append(output)
            texts.append([output.text] if is_stream else [])
    for output, parts in zip(joined, texts, strict=True):
        if parts:
            output.text = "".join(parts)
    return joined


def _note(text: str) -> NotebookNode:
    return nbformat.v4.new_output("stream", name="stderr", text=f"{text}\n")


class KernelSession:
    """A sealed kernel with a throw-away scratch folder.

    Use as a context manager; leaving it ends the kernel with everything it started and removes the folder.

    Args:
        limits: the submission's limits of time, memory and disk.
        backend: Keras backend.
        files: name -> content of files beside the notebook.
        hidden: folders that the kernel must not see, even inside folders that it may read.
        accepted: guarantees of the seal that are knowingly done without.

    Attributes:
        reason: how the kernel ended by itself, as far as is known: `memory`, `cpu`, `tasks`, `disk`, `exit 3`,
            `signal SIGSEGV`; known after `close`.
    """

    def __init__(
        self,
        limits: Limits,
        backend: str,
        files: Mapping[str, bytes] | None = None,
        hidden: Sequence[str] = (),
        accepted: Collection[str] = (),
    ) -> None:
        self.reason = ""
        self._limits = limits
        self._backend = backend
        self._files = dict(files or {})
        self._hidden = (_PACKAGE, *hidden)
        self._accepted = accepted
        self._client: _CappedClient | None = None
        self._channel: ProbeChannel | None = None
        self._child: ForkedKernel | None = None
        self._warm_connection: WarmConnection | None = None
        self._folder = ""
        self._is_cell_due = False
        self._has_ended = False
        self._executed: object = None
        self._output_left = limits.notebook_output_bytes

    def __enter__(self) -> KernelSession:
        try:
            self._warm_connection = warm_connection(self._backend, self._accepted)
            self._start(self._warm_connection)
        except Exception as error:
            self.close()
            if isinstance(error, AutograderError) and not isinstance(error, MachineError):
                raise
            forget_connection(self._backend, self._warm_connection)
            ended = f" ({self.reason})" if self.reason else ""
            raise MachineError(f"No kernel could be started: {type(error).__name__}: {error}{ended}") from error
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, source: str, seconds: float) -> CellResult:
        """Execute one cell until its deadline; one that isn't done by then goes on until `interrupt` or `close`."""
        client = self._require_client()
        cell = nbformat.v4.new_code_cell(source)
        client.nb.cells.append(cell)
        client.timeout = seconds
        client.output_bytes = 0
        client.cut_after = min(self._limits.output_bytes, self._output_left)
        client.forget_what_came_late()
        self._is_cell_due = True
        began = time.monotonic()
        exit_reason = "ok"
        try:
            client.execute_cell(cell, len(client.nb.cells) - 1)
        except CellTimeoutError as error:
            # a kernel that replied but publishes nothing any more is of no use to later cells
            exit_reason = "died" if "IOPub" in str(error) else "timeout"
        except DeadKernelError:
            exit_reason = "died"
            self._has_ended = True
        except Exception:  # noqa: BLE001  (a reply that can't be parsed: this kernel is of no more use)
            exit_reason = "died"
        if exit_reason == "timeout":
            run_sync(client.stop_listening)()
        if exit_reason == "ok" and any(o.output_type == "error" for o in cell.outputs):
            exit_reason = "error"
        outputs = _with_joined_streams(cell.outputs)
        if len(outputs) > MAX_OUTPUTS:
            outputs[MAX_OUTPUTS:] = [_note(f"[output cut after {MAX_OUTPUTS} of {len(cell.outputs)} outputs]")]
        if client.output_bytes > client.cut_after:
            outputs.append(_note(f"[output cut after {client.cut_after} bytes]"))
        self._output_left = max(0, self._output_left - min(client.output_bytes, client.cut_after))
        cell.outputs = outputs  # what comes late goes there, not into the result
        return CellResult(exit_reason, list(outputs), time.monotonic() - began)

    def ask(self, request: Mapping[str, Any], seconds: float, relay: Relay | None = None) -> Reply:
        """Put a question to the resident and return its reply, an untrusted JSON object; see `ProbeChannel.ask`.

        Raises:
            Unanswered: no reply in time, the kernel ended, or the reply isn't one.
        """
        if self._channel is None:
            raise Unanswered("died")
        try:
            return self._channel.ask(request, seconds, relay)
        except Unanswered as failure:
            self._has_ended = failure.reason == "died"
            raise

    def apply(self, function: int, content: bytes, seconds: float, relay: Relay) -> bytes:
        """Call a function of the kernel for another kernel and return the packed result; see `ProbeChannel.apply`.

        Raises:
            Unanswered: no reply in time, the kernel ended, or the reply isn't one.
        """
        if self._channel is None:
            raise Unanswered("died")
        return self._channel.apply(function, content, seconds, relay)

    def is_responsive(self) -> bool:
        """Whether the kernel still answers, and has really run the cell that it was last given."""
        try:
            state, count = self.ask({"do": "ping"}, INTERRUPT_SECONDS)["ok"]
        except (Unanswered, KeyError, TypeError, ValueError):
            return False
        if self._is_cell_due and not run_sync(self._require_client().hears)(INTERRUPT_SECONDS):
            return False
        has_run = not self._is_cell_due or count != self._executed
        self._executed, self._is_cell_due = count, False
        return state == "alive" and has_run

    def forget(self) -> bool:
        """Have the kernel forget all cells and questions, so that the course's own code can use it again; return whether it has.

        What a student's code may have left behind, it can't forget.
        """
        self._output_left = self._limits.notebook_output_bytes
        try:
            self._require_client().nb.cells.clear()
            return "ok" in self.ask({"do": "forget"}, INTERRUPT_SECONDS) and self.is_responsive()
        except Unanswered:
            return False

    def pause(self) -> bool:
        """Stop the kernel until `resume`, so that it needs no watching; return whether most of what it may use is left."""
        try:
            return self._child is not None and not self._child.pause()
        except MachineError:
            return False

    def resume(self) -> bool:
        """Let the kernel go on; return whether it still answers."""
        try:
            if self._child is not None:
                self._child.resume()
            return self.is_responsive()
        except MachineError:
            return False

    def interrupt(self) -> None:
        """Interrupt what the kernel is doing."""
        if self._child is not None:
            self._child.interrupt()

    def close(self) -> None:
        """End the kernel with everything it started and remove its folder."""
        client, self._client = self._client, None
        try:
            if self._child is not None:
                self._child.kill(has_ended=self._has_ended)
                self.reason = self._child.reason
        except Exception as error:  # noqa: BLE001  (whatever failed, the folder must go all the same)
            forget_connection(self._backend, self._warm_connection)  # whose end is the kernel's too
            self.reason = str(error) if isinstance(error, MachineError) else f"{type(error).__name__}: {error}"
        try:
            if client is not None and client.kc is not None:
                client.kc.stop_channels()
            if client is not None and client.km is not None and client.km.has_kernel:
                end: Any = client.km.shutdown_kernel  # a coroutine function, whatever its annotation says
                run_sync(end)(now=True)
        except Exception as error:  # noqa: BLE001  (the kernel may be in any state; its folder must go all the same)
            print(f"while ending a kernel: {type(error).__name__}: {error}", file=sys.stderr)
        if self._channel is not None:
            self._channel.close()
        if self._folder:
            remove_folder(self._folder)

    # ------------------------------------------------------------------------------------------------------------------
    def _start(self, connection: WarmConnection) -> None:
        self._folder = tempfile.mkdtemp(prefix=scratch_prefix(), dir=connection.layers.file_modes or None)
        work = os.path.join(self._folder, "work")
        os.makedirs(work)
        os.makedirs(os.path.join(self._folder, "root"))
        for name, content in self._files.items():
            Path(work, name).write_bytes(content)
        # `ipc` needs no free port, so many kernels can start at once
        manager = _KernelManager(
            kernel_name="python3",
            kernel_spec_manager=_OnlyKernelSpec(),
            client_factory=_PromptKernelClient,
            transport="ipc",
            ip=os.path.join(self._folder, "k"),
            connection_file=os.path.join(self._folder, "connection.json"),
        )
        manager.content_bytes = self._limits.output_bytes + SMALL_BYTES
        client = _CappedClient(
            nbformat.v4.new_notebook(),
            km=manager,
            allow_errors=True,
            interrupt_on_timeout=False,
            startup_timeout=int(self._limits.start_seconds),
            iopub_timeout=10,
            raise_on_iopub_timeout=True,  # a kernel that stopped publishing would cost this wait for every cell
        )
        self._client = client
        ours, theirs = socket.socketpair()
        launch = KernelLaunch(connection, self._folder, self._environment(), self._bounds(), self._hidden, theirs)
        client.start_new_kernel(launch=launch)
        provisioner = manager.provisioner
        assert isinstance(provisioner, WarmProvisioner)
        child = self._child = provisioner.process
        self._channel = ProbeChannel(ours, child.fileno(), child.interrupt, self._limits.answer_bytes)
        client.start_new_kernel_client()
        limits = {name: getattr(self._limits, name) for name in ("answer_bytes", "memory_bytes")}
        self.ask({"do": "limit", **limits}, self._limits.start_seconds)
        if not self.is_responsive():
            raise RuntimeError("the probe does not answer")

    def _bounds(self) -> Bounds:
        limits = self._limits
        return Bounds(limits.memory_bytes, limits.cpu_seconds, limits.tasks, limits.disk_bytes, limits.disk_files)

    def _environment(self) -> dict[str, str]:
        """Return the kernel's environment: nothing of the instructor's but the language and the way to libraries."""
        passed = {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
        return {
            "LANG": "C.UTF-8",
            **passed,
            "PATH": f"{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin",
            "KERAS_BACKEND": self._backend,
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            "TF_CPP_MIN_LOG_LEVEL": "3",
            "CUDA_VISIBLE_DEVICES": "",
            "NBGRADER_EXECUTION": "autograde",
            "TF_NUM_INTRAOP_THREADS": str(self._limits.threads),
            "TF_NUM_INTEROP_THREADS": "1",
            # JAX compiles each operation for each shape: so in less than half the time, for at most 6% more to run
            "XLA_FLAGS": "--xla_backend_optimization_level=1 --xla_cpu_use_fusion_emitters=false",
        }

    def _require_client(self) -> _CappedClient:
        if self._client is None:
            raise Unanswered("died")
        return self._client


Kernels = Callable[..., KernelSession]  # limits, backend, files, hidden, accepted -> a kernel, to be entered

"""One live Jupyter kernel: run cells in it, ask its resident questions, end it with everything it started."""

from __future__ import annotations

import ast
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from queue import Empty
from typing import Any

import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete, CellTimeoutError, DeadKernelError
from nbclient.util import ensure_async
from nbformat import NotebookNode

from autograder.course import Limits
from autograder.errors import MachineError

RESIDENT = Path(__file__).with_name("resident.py")
KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH")
INTERRUPT_SECONDS = 3.0


class Unanswered(Exception):
    """The kernel gave no answer to a question.

    Attributes:
        reason: `timeout`, `died` or `garbled`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class CellResult:
    """What became of one executed cell.

    Attributes:
        exit: `ok`, `error`, `timeout` or `died`.
        outputs: nbformat outputs, cut to the limit.
        seconds: wall time.
    """

    exit: str
    outputs: list[NotebookNode] = field(default_factory=list)
    seconds: float = 0.0


class _OnlyKernelSpec(KernelSpecManager):
    """Knows one kernel, this interpreter's: neither the user's kernel folders nor the notebook choose another."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        command = [
            sys.executable,
            "-P",
            "-m",
            "ipykernel_launcher",
            "-f",
            "{connection_file}",
            "--HistoryManager.enabled=False",
        ]
        provisioner = {"kernel_provisioner": {"provisioner_name": "autograder-warm"}}
        return KernelSpec(argv=command, display_name=kernel_name, language="python", metadata=provisioner)


class _CappedClient(NotebookClient):
    """nbclient's client for kernels that may send anything: odd messages are dropped, and outputs beyond a size."""

    output_bytes = 0
    cut_after = 1_000_000

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> Any:
        try:
            if msg["msg_type"].startswith("comm"):
                return None
            if msg["msg_type"] in ("stream", "display_data", "execute_result", "error", "update_display_data"):
                self.output_bytes += len(json.dumps(msg["content"], default=str))
                if self.output_bytes > self.cut_after:
                    return None
            return super().process_message(msg, cell, cell_index)
        except CellExecutionComplete:
            raise
        except Exception:  # noqa: BLE001  (a message's content is the student's to choose)
            return None


class KernelSession:
    """A kernel process of its own process group, in a throw-away working folder.

    Use as a context manager; leaving it kills the kernel and removes the folder.
    """

    def __init__(self, limits: Limits, backend: str, files: Mapping[str, bytes] | None = None) -> None:
        self._limits = limits
        self._backend = backend
        self._files = dict(files or {})
        self._client: _CappedClient | None = None
        self._folder = ""
        self._output_left = limits.notebook_output_bytes

    def __enter__(self) -> KernelSession:
        self._folder = tempfile.mkdtemp(prefix="ag-")
        try:
            self._start()
        except Exception as error:
            self.close()
            raise MachineError(f"No kernel could be started: {type(error).__name__}: {error}") from error
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
        began = time.monotonic()
        exit_reason = "ok"
        try:
            client.execute_cell(cell, len(client.nb.cells) - 1)
        except CellTimeoutError as error:
            # a kernel that replied but publishes nothing any more is of no use to later cells
            exit_reason = "died" if "IOPub" in str(error) else "timeout"
        except DeadKernelError:
            exit_reason = "died"
        except Exception:  # noqa: BLE001  (a reply that can't be parsed: this kernel is of no more use)
            exit_reason = "died"
        if exit_reason == "ok" and any(o.output_type == "error" for o in cell.outputs):
            exit_reason = "error"
        if client.output_bytes > client.cut_after:
            cell.outputs.append(
                nbformat.v4.new_output("stream", name="stderr", text=f"[output cut after {client.cut_after} bytes]\n")
            )
        self._output_left = max(0, self._output_left - client.output_bytes)
        return CellResult(exit_reason, list(cell.outputs), time.monotonic() - began)

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Put a question to the resident and return its reply, an untrusted JSON object.

        Raises:
            Unanswered: no reply in time, the kernel ended, or the reply isn't one.
        """
        question = base64.b64encode(json.dumps(request).encode()).decode()
        expression = f"__import__('sys').modules['_probe_resident'].answer({question!r})"
        content = run_sync(self._exchange)("", {"reply": expression}, seconds)
        try:
            shown = content["user_expressions"]["reply"]["data"]["text/plain"]
            reply = json.loads(ast.literal_eval(shown))
        except (KeyError, TypeError, ValueError, SyntaxError, RecursionError, MemoryError):
            raise Unanswered("garbled") from None
        if not isinstance(reply, dict):
            raise Unanswered("garbled")
        return reply

    def is_responsive(self) -> bool:
        """Whether the kernel still answers."""
        try:
            return self.ask({"do": "ping"}, INTERRUPT_SECONDS).get("ok") == "alive"
        except Unanswered:
            return False

    def interrupt(self) -> None:
        """Send the kernel's process group an interrupt."""
        client = self._require_client()
        if client.km is not None:
            run_sync(client.km.interrupt_kernel)()

    def close(self) -> None:
        """Kill the kernel's process group and remove its folder."""
        client, self._client = self._client, None
        if client is not None:
            try:
                if client.kc is not None:
                    client.kc.stop_channels()
                if client.km is not None:
                    run_sync(client.km.shutdown_kernel)(now=True)
            except Exception as error:  # noqa: BLE001  (the kernel may be in any state; its folder must go all the same)
                print(f"while ending a kernel: {type(error).__name__}: {error}", file=sys.stderr)
        shutil.rmtree(self._folder, ignore_errors=True)

    # ------------------------------------------------------------------------------------------------------------------
    def _start(self) -> None:
        work = os.path.join(self._folder, "work")
        os.makedirs(work)
        for name, content in self._files.items():
            Path(work, name).write_bytes(content)
        config = os.path.join(self._folder, "matplotlib")
        os.makedirs(config)
        for cached in _matplotlib_font_caches():
            shutil.copy(cached, config)
        # `ipc` needs no free port, so many kernels can start at once
        manager = AsyncKernelManager(
            kernel_name="python3",
            kernel_spec_manager=_OnlyKernelSpec(),
            transport="ipc",
            ip=os.path.join(self._folder, "k"),
            connection_file=os.path.join(self._folder, "connection.json"),
        )
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
        client.start_new_kernel(
            cwd=work, env=self._environment(work, config), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        client.start_new_kernel_client()
        code = (
            "import sys as _s, types as _t\n_m = _t.ModuleType('_probe_resident')\n"
            f"exec(compile({RESIDENT.read_text(encoding='utf-8')!r}, '<probe>', 'exec'), _m.__dict__)\n"
            "_m.install(get_ipython())\n_s.modules['_probe_resident'] = _m\ndel _s, _t, _m"
        )
        content = run_sync(self._exchange)(code, {}, self._limits.start_seconds)
        if content.get("status") != "ok":
            raise RuntimeError(f"the probe could not be installed: {content.get('evalue')}")
        self.ask({"do": "limit", "answer_bytes": self._limits.answer_bytes}, self._limits.start_seconds)

    def _environment(self, work: str, matplotlib_config: str) -> dict[str, str]:
        """Return the kernel's whole environment: nothing of the instructor's but the way to the programs."""
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        return {
            **kept,
            "HOME": work,
            "KERAS_BACKEND": self._backend,
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            "MPLCONFIGDIR": matplotlib_config,
            "TF_CPP_MIN_LOG_LEVEL": "3",
            "CUDA_VISIBLE_DEVICES": "",
            "NBGRADER_EXECUTION": "autograde",
            "TMPDIR": self._folder,
        }

    def _require_client(self) -> _CappedClient:
        if self._client is None:
            raise Unanswered("died")
        return self._client

    async def _exchange(self, code: str, expressions: dict[str, str], seconds: float) -> dict[str, Any]:
        """Send one silent request and return the reply's content."""
        client = self._require_client()
        kc, km = client.kc, client.km
        assert kc is not None and km is not None
        deadline = time.monotonic() + seconds
        message = await ensure_async(
            kc.execute(code, silent=True, store_history=False, user_expressions=expressions, allow_stdin=False)
        )
        interrupted = False
        while True:
            left = deadline - time.monotonic()
            try:
                reply = await ensure_async(kc.shell_channel.get_msg(timeout=max(0.02, min(0.5, left))))
            except Empty:
                if not await ensure_async(km.is_alive()):
                    raise Unanswered("died") from None
                if time.monotonic() >= deadline:
                    if interrupted:
                        raise Unanswered("timeout") from None
                    interrupted = True
                    deadline = time.monotonic() + INTERRUPT_SECONDS
                    await ensure_async(km.interrupt_kernel())
                continue
            except Exception:  # noqa: BLE001  (a message that can't be parsed is the kernel's doing)
                raise Unanswered("garbled") from None
            if reply["parent_header"].get("msg_id") == message:
                if interrupted:
                    raise Unanswered("timeout")
                content: dict[str, Any] = reply["content"]
                return content


@cache
def _matplotlib_font_caches() -> tuple[str, ...]:
    """Return Matplotlib's font list files, made if need be: without them each kernel would search the fonts anew."""
    import matplotlib.font_manager  # importing it writes the list

    return tuple(str(path) for path in Path(matplotlib.get_cachedir()).glob("fontlist-*.json"))

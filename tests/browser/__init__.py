"""What students and instructors see, in Chromium: JupyterLab with nbgrader's buttons, the feedback page and the class report."""

from __future__ import annotations

import itertools
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from parts import is_todays

ASSIGNMENT = "02-attention"
NOTEBOOK = "scaled_dot_product_attention"
CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
PAPER = {"width": 718, "height": 1020}  # A4 without its margins
# A machine that others use too may take long to start a kernel, which imports TensorFlow.
LONG = 240
# Cells that aren't looked at stay in the page, and nobody is asked for news.
SETTINGS = {
    "lab/user-settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings": '{"windowingMode": "none"}',
    "labconfig/page_config.json": '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}',
}


def looked_at(*axes: Iterable[str]) -> list[tuple[str, ...]]:
    """Return one value of each axis, in all combinations; in a run of `.ci/run` a third of them.

    Neighbours on an axis belong to different days, so each day sees every value of an axis of three.
    """
    numbered = itertools.product(*(enumerate(axis) for axis in axes))
    return [
        tuple(value for _, value in places) for places in numbered if is_todays(sum(number for number, _ in places), 3)
    ]


def missing() -> str:
    """Return what must be installed for these tests, empty if nothing must."""
    wanted = []
    if not CHROMIUM.exists():
        wanted.append(f"{CHROMIUM} (Debian: apt-get install chromium)")
    if not (find_spec("playwright") and find_spec("axe_playwright_python")):
        wanted.append("the extra `browser` (EXTRAS=test,browser ./run install)")
    return " and ".join(wanted)


@dataclass
class Watched:
    """A page, and what went on in it.

    Attributes:
        page: Playwright's.
        asked: addresses that it asked for, without data that the page itself holds.
        complaints: errors and warnings of its console, and exceptions of its scripts.
    """

    page: Any
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", lambda request: self._ask(request.url))
        self.page.on("console", lambda message: self._say(message.type, message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _ask(self, url: str) -> None:
        if not url.startswith(("data:", "blob:")):
            self.asked.append(url)

    def _say(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def outside(self) -> list[str]:
        """Return the addresses on other machines that the page asked for."""
        return [url for url in self.asked if urlsplit(url).hostname not in (None, "", "127.0.0.1")]

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than its window."""
        return self.page.evaluate("document.documentElement.scrollWidth") - self.page.viewport_size["width"]

    def violations(self) -> list[str]:
        """Return axe's serious and critical findings, each with the first elements concerned."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        return [
            f"{one['id']} ({len(one['nodes'])}): " + "; ".join(node["html"][:200] for node in one["nodes"][:3])
            for one in found
            if one["impact"] in ("serious", "critical")
        ]

    def unreachable(self) -> list[str]:
        """Press Tab through the page and return the links, buttons and scroll regions that it never comes to."""
        stops = self.page.evaluate(MARK_TARGETS)
        for _ in range(2 * stops):
            self.page.keyboard.press("Tab")
            self.page.evaluate("document.activeElement.setAttribute('data-reached', '')")
        return self.page.evaluate(
            "[...document.querySelectorAll('[data-target]:not([data-reached])')].map(e => e.outerHTML.slice(0, 120))"
        )

    def screenshot(self, name: str) -> None:
        """Keep a picture of the whole page in the folder named by BROWSER_SCREENSHOTS."""
        if folder := os.environ.get("BROWSER_SCREENSHOTS"):
            self.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


MARK_TARGETS = """() => {
  const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1
    || /auto|scroll/.test(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight + 1;
  const every = [...document.body.querySelectorAll('*')].filter(e => e.checkVisibility());  // what is folded isn't
  const targets = every.filter(
    e => e.matches('a[href], button, input, summary') || scrolls(e));
  targets.forEach(e => e.setAttribute('data-target', ''));
  return new Set([...targets, ...every.filter(e => e.tabIndex >= 0)]).size;  // what Tab may stop at
}"""


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab.

    Attributes:
        url: where it listens, with a slash at the end.
        token: that it asks for.
        log: what it said.
    """

    url: str
    token: str
    log: Path

    def address(self, path: str) -> str:
        """Return the address of one of its pages, with the token."""
        return f"{self.url}{quote(path)}?token={self.token}"


@contextmanager
def lab(folder: Path, home: Path) -> Iterator[Lab]:
    """Run JupyterLab in a folder on a free port of this machine, with settings of its own in `home`."""
    for name, text in SETTINGS.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(16)
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", f"--ServerApp.root_dir={folder}"]
    command += ["--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    command += [f"--IdentityProvider.token={token}", "--LabApp.extension_manager=readonly"]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "AUTOGRADER_", "PYTEST_"))}
    own = {"HOME": home, "JUPYTER_CONFIG_DIR": home, "JUPYTER_DATA_DIR": home / "data", "IPYTHONDIR": home / "ipython"}
    environment = {**kept, **{k: str(v) for k, v in own.items()}, "JUPYTER_RUNTIME_DIR": str(home / "runtime")}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment.get("PATH", "")])
    running = Lab(f"http://127.0.0.1:{port}/", token, home / "jupyterlab.log")
    with (
        open(running.log, "wb") as log,
        subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log) as server,
    ):
        try:
            _wait_until_ready(running, server)
            yield running
        finally:
            server.terminate()  # it ends its kernels
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()


def _wait_until_ready(running: Lab, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + LONG
    while time.monotonic() < until and server.poll() is None:
        try:
            urllib.request.urlopen(running.address("api/status"), timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab didn't start:\n{running.log.read_text()[-3000:]}")

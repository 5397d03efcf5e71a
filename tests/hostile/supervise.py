"""Run one command and tell what it leaves behind. A program: `python supervise.py REQUEST.json`, prints JSON.

The request holds `command`, `cwd`, `env`, `seconds`, and `uid` (or null): another user to run it as, for whom folders
that only root may pass are opened in a mount namespace of its own; for root's own sealed users if `opens`. The reply holds `status`, `said`, `processes` (command
lines of descendants that outlived the command; they are killed) and `mounts` (new ones).
"""

import ctypes
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CLONE_NEWNS = 0x20000
PR_SET_CHILD_SUBREAPER = 36
SETTLE_SECONDS = 5.0
LIBC = ctypes.CDLL(None, use_errno=True)


def open_the_way(places: list[Path]) -> None:
    """Let other users reach folders below one that only root may pass, in a mount namespace of this process."""
    if LIBC.unshare(CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "unshare")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    closed: dict[Path, list[Path]] = {}
    for place in places:
        for parent in reversed(place.parents):
            if not parent.stat().st_mode & stat.S_IXOTH:
                closed.setdefault(parent, []).append(place)
                break
    for parent, below in closed.items():
        kept = [(tempfile.mkdtemp(), place) for place in below]
        for name, place in kept:
            subprocess.run(["mount", "--bind", str(place), name], check=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "none", str(parent)], check=True)
        for name, place in kept:
            place.mkdir(parents=True)
            subprocess.run(["mount", "--move", name, str(place)], check=True)
            os.rmdir(name)


def descendants() -> list[int]:
    """Return the processes below this one; orphans come to it, since it is a subreaper."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                fields = Path("/proc", name, "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z" or int(fields[17]) > 1:  # a zombie with threads has lost its main one only
                parents[int(name)] = int(fields[1])
    found = [os.getpid()]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found[1:]


def reap() -> None:
    """Wait for the orphans that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def mounts() -> set[str]:
    """Return this namespace's mount points."""
    return {line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()}


def run(request: dict) -> dict:
    """Do what the request says."""
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    other = {}
    if request["uid"] is not None or request.get("opens"):
        open_the_way([Path(p) for p in sorted({sys.prefix, sys.base_prefix, os.path.realpath(request["reach"])})])
    if request["uid"] is not None:
        other = {"user": request["uid"], "group": request["uid"], "extra_groups": []}
    before = mounts()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            request["command"],
            cwd=request["cwd"],
            env=request["env"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            **other,
        )
        try:
            status = process.wait(request["seconds"])
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = None
        until = time.monotonic() + SETTLE_SECONDS
        while (left := descendants()) and time.monotonic() < until:
            time.sleep(0.1)
            reap()
        names = []
        for pid in left:
            try:
                line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                line += f"(user {os.stat(f'/proc/{pid}').st_uid}, waits in {Path(f'/proc/{pid}/wchan').read_text()})"
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
            names.append(line)
        reap()
        output.seek(0)
        said = output.read().decode(errors="replace")
    return {"status": status, "said": said, "processes": names, "mounts": sorted(mounts() - before)}


if __name__ == "__main__":
    print(json.dumps(run(json.loads(Path(sys.argv[1]).read_text()))))

"""What a machine offers to seal a process with, and which guarantee each layer gives.

Every guarantee must be given by some layer, or grading refuses; `missing` says which is not, and why.
"""

from __future__ import annotations

import functools
import os
import platform
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass

LAYERS = ("namespaces", "landlock", "seccomp", "own-user", "memory-group", "file-modes")
GUARANTEES: Mapping[str, str] = {
    "fs-read": "the course, home folders and other students' files can't be read",
    "fs-write": "nothing outside its own scratch folder can be changed",
    "net": "no network and no socket of another process can be reached",
    "processes": "no other process can be seen, signalled or traced",
    "memory": "total memory is bounded",
    "tasks": "the number of processes and threads is bounded",
    "disk": "the disk space it fills is bounded",
    "end": "every process it started is gone at its end",
}
# What file modes and a user of its own give instead of some of these.
WEAKER: Mapping[str, tuple[str, str]] = {
    "fs-read": (
        "fs-read-by-mode",
        "the course, home folders and other students' files can't be read; what every user of the machine may read can",
    ),
    "fs-write": (
        "fs-write-by-mode",
        "nothing outside its own scratch folder can be changed of what is there when the warm process starts",
    ),
    "processes": (
        "processes-by-user",
        "no other process can be signalled, traced or read; that it exists, its name and its command line can be seen",
    ),
}
# Users of the sealed processes of a grader that runs as root, and a group of theirs: numbers that systemd leaves to nobody.
FIRST_USER, USERS = 61000, 183
SEALED_GROUP = FIRST_USER + USERS
_TRUNCATION_ABI, _SIGNAL_SCOPE_ABI = 3, 6
HOW_TO_GET = (
    "Allow unprivileged user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone=1, "
    "kernel.apparmor_restrict_unprivileged_userns=0; for Docker --security-opt seccomp=unconfined), or use a kernel of 5.13 or "
    "newer that was started with Landlock (lsm=…,landlock), or grade as a container's root with seccomp and an interpreter "
    "that every user may read: not in /root."
)


@dataclass(frozen=True)
class Layers:
    """The layers of a machine.

    Attributes:
        namespaces: whether mount, process, network, IPC and host-name namespaces can be made and mounted in.
        landlock: ABI version of Landlock; 0 without Landlock.
        seccomp: whether system calls can be filtered.
        own_user: whether sealed processes can have a user of their own.
        reasons: layer -> why this machine doesn't have it.
        memory_group: cgroup folder in which a memory cgroup can be made for each sealed process, empty without one.
        file_modes: folder in which sealed processes get their scratch folders where owners, groups and modes of files are
            all that keeps them from the rest, empty where something better does or these can't.
    """

    namespaces: bool
    landlock: int
    seccomp: bool
    own_user: bool
    reasons: Mapping[str, str]
    memory_group: str = ""
    file_modes: str = ""

    @property
    def controls_truncation(self) -> bool:
        """Whether Landlock keeps files from being emptied."""
        return self.landlock >= _TRUNCATION_ABI

    @property
    def scopes_signals(self) -> bool:
        """Whether Landlock keeps signals and abstract sockets inside."""
        return self.landlock >= _SIGNAL_SCOPE_ABI

    def guarantees(self) -> dict[str, str]:
        """Return guarantee -> the layer that gives it, empty where none does."""
        layers = self._with_namespaces() if self.namespaces else self._without_namespaces()
        if self.own_user:
            layers["tasks"] = "limit of its own user"
        if self.memory_group:
            layers["memory"] = "memory cgroup"
        else:
            layers["memory"] = "limits of each process and a watch over their sum" if self.seccomp else ""
        return {guarantee: layers[guarantee] for guarantee in GUARANTEES}

    def promise(self, guarantee: str) -> tuple[str, str]:
        """Return the name and the words of what is really given of a guarantee: itself, or a weaker one."""
        is_weaker = self._needs_file_modes and not self.namespaces and guarantee in WEAKER
        return WEAKER[guarantee] if is_weaker else (guarantee, GUARANTEES[guarantee])

    def missing(self, accepted: Collection[str] = ()) -> list[str]:
        """Return the guarantees that no layer gives, without those that are knowingly done without."""
        return [name for name, layer in self.guarantees().items() if not layer and name not in accepted]

    def to_json(self) -> dict[str, object]:
        """Return it as plain data."""
        return asdict(self)

    @property
    def _needs_file_modes(self) -> bool:
        """Whether, without namespaces, owners, groups and modes of files are all that keeps sealed processes from files."""
        return bool(self.file_modes and self.own_user and self.seccomp and not self.landlock)

    def _with_namespaces(self) -> dict[str, str]:
        return {
            "fs-read": "mount namespace",
            "fs-write": "mount namespace, read-only",
            "net": "network namespace without a way out",
            "processes": "process namespace",
            "tasks": "limit of its user namespace",
            "disk": "memory file systems of fixed size",
            "end": "process namespace",
        }

    def _without_namespaces(self) -> dict[str, str]:
        layers = {
            "fs-read": "Landlock" if self.landlock else "",
            "fs-write": "",
            "net": "seccomp (no sockets)" if self.seccomp else "",
            "processes": "",
            "tasks": "a watch over their number",
            "disk": "limit of each file and a watch over their sum",
            "end": "a reaper that adopts orphans",
        }
        if self._needs_file_modes:
            layers["fs-read"] = "file modes"
            layers["fs-write"] = "file modes, seccomp for metadata"
            layers["processes"] = "a user of its own and seccomp (signals to itself alone)"
        elif self.landlock and self.seccomp:
            guarded = "metadata" if self.controls_truncation else "metadata and truncation"
            layers["fs-write"] = f"Landlock, seccomp for {guarded}"
            if self.scopes_signals:
                layers["processes"] = f"Landlock's scopes (ABI {self.landlock}) and seccomp"
            elif self.own_user:
                layers["processes"] = "a user of its own, Landlock and seccomp"
            else:
                layers["processes"] = "Landlock and seccomp (signals to itself alone)"
        return layers


def detect_layers(without: Collection[str] = ()) -> Layers:
    """Try every layer in processes of their own.

    Call it in a process without threads: it forks. Where nothing but file modes keeps sealed processes from files, what
    everybody may write to is closed to them.

    Args:
        without: layers to pretend missing, for tests.
    """
    reasons: dict[str, str] = {}

    def works(layer: str, attempt: Callable[[], None]) -> bool:
        reasons[layer] = "switched off" if layer in without else _failure(attempt)
        return not reasons[layer]

    namespaces = works("namespaces", _try_namespaces)
    own_user = works("own-user", lambda: _try_own_user(needs_the_interpreter=not namespaces))
    landlock = _landlock_abi() if works("landlock", _try_landlock) else 0
    seccomp = works("seccomp", _try_seccomp)
    memory_group = _memory_group(lambda attempt: works("memory-group", attempt))
    file_modes = ""
    if own_user and seccomp and not (namespaces or landlock) and works("file-modes", _try_file_modes):
        file_modes = _scratch_folder()
    reasons = {layer: reason for layer, reason in reasons.items() if reason}
    return Layers(namespaces, landlock, seccomp, own_user, reasons, memory_group, file_modes)


def no_layers() -> Layers:
    """Return what a machine without any layer has: not Linux, or not a processor whose system calls are known."""
    why = f"sealing needs Linux on x86_64 or aarch64, this is {platform.system()} on {platform.machine()}"
    return Layers(False, 0, False, False, dict.fromkeys(LAYERS, why))


def is_supported_system() -> bool:
    """Whether this is a system whose calls are known here."""
    return sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")


def _failure(attempt: Callable[[], None]) -> str:
    """Run an attempt in a child process; return why it failed, empty if it didn't."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        message = ""
        try:
            attempt()
        except BaseException as error:  # noqa: BLE001  (whatever it is, it is the answer)
            message = f"{error}" or type(error).__name__
        os.write(writer, b"=" + message.encode(errors="replace")[:500])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        answer = answers.read()
    os.waitpid(child, 0)
    return answer[1:].decode(errors="replace") if answer else "the attempt was killed"


def _try_own_user(*, needs_the_interpreter: bool) -> None:
    if os.geteuid() != 0:
        raise PermissionError("only root can give a process another user")
    os.setgroups([])
    os.setresgid(FIRST_USER, FIRST_USER, FIRST_USER)
    os.setresuid(FIRST_USER, FIRST_USER, FIRST_USER)
    if needs_the_interpreter:  # a root of its own would show it at any rate
        for path in (os.__file__, sys.executable):
            try:
                os.close(os.open(path, os.O_RDONLY))
            except PermissionError as error:
                raise PermissionError(f"other users can't read the interpreter: {path}") from error


def _try_namespaces() -> None:
    from autograder.sealing import linux

    # Some systems let a process have namespaces and then deny it every right in them: try the whole sequence.
    if os.geteuid() != 0:
        linux.enter_user_namespace()
    linux.unshare(linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWNET | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS)
    linux.mount("none", "/", None, linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("tmpfs", "/tmp", "tmpfs", 0, "size=64k")
    linux.bring_loopback_up()
    child = os.fork()
    if child == 0:
        try:
            linux.mount("proc", "/proc", "proc", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise PermissionError("/proc can't be mounted in a process namespace (a container within a container?)")


def _try_file_modes() -> None:
    from autograder.sealing import file_modes, filesystem

    file_modes.scratch_folder()
    file_modes.close_what_everybody_may_change(needed=filesystem.readable_paths())


def _scratch_folder() -> str:
    """Return the folder for scratch folders, without those that killed graders left."""
    from autograder.base.folders import remove_folder
    from autograder.sealing import file_modes

    folder = file_modes.scratch_folder()
    for path in file_modes.abandoned_folders(folder):
        remove_folder(path)
    return folder


def _memory_group(works: Callable[[Callable[[], None]], bool]) -> str:
    """Return the folder for memory cgroups, empty if there is none."""
    from autograder.sealing import memory_group

    def nowhere() -> None:
        raise OSError("no memory controller is mounted that this user may divide")

    for parent in memory_group.parents():
        memory_group.sweep(parent)
        if works(functools.partial(memory_group.attempt, parent)):
            return parent
    if not memory_group.parents():
        works(nowhere)
    return ""


def _landlock_abi() -> int:
    from autograder.sealing import landlock

    return landlock.abi_version()


def _try_landlock() -> None:
    from autograder.sealing import landlock, linux

    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    with landlock.Ruleset(landlock.abi_version()) as ruleset:
        ruleset.allow("/usr", landlock.Files.READ_FILE)
        ruleset.restrict()


def _try_seccomp() -> None:
    from autograder.sealing import linux
    from autograder.sealing.syscall_filter import syscall_filter

    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    linux.set_syscall_filter(syscall_filter((), guards_metadata=True, guards_signals=True))

"""What owners, groups and modes close to sealed processes, and to nobody else."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.sealing import file_modes
from autograder.sealing.layers import FIRST_USER, SEALED_GROUP

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to a group")

SOMEBODY = 12345


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder that every user can reach: `/tmp` may be closed to sealed processes."""
    with tempfile.TemporaryDirectory(dir="/var/lib") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def rights(path: Path) -> tuple[int, int]:
    """Return the group and the mode of a path."""
    return path.stat().st_gid, stat.S_IMODE(path.stat().st_mode)


def can(attempt: Callable[[], object], user: int, groups: list[int]) -> bool:
    """Return whether an attempt succeeds in a process of a user."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgroups(groups)
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            attempt()
            status = 0
        except OSError:
            pass
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def test_what_is_closed_is_closed_to_sealed_processes_alone(folder: Path) -> None:
    shared = folder / "shared"
    shared.mkdir()
    (shared / "names").write_text("")
    shared.chmod(0o1777)
    file_modes.close_to_sealed(str(shared))
    assert rights(shared) == (SEALED_GROUP, 0o1707)
    for attempt in (
        lambda: os.listdir(shared),
        lambda: (shared / "new").write_text("x"),
        lambda: (shared / "names").read_text(),
    ):
        assert not can(attempt, FIRST_USER, [SEALED_GROUP])
        assert can(attempt, SOMEBODY, [])


def test_a_passable_folder_shows_no_names(folder: Path) -> None:
    course = folder / "course"
    course.mkdir(mode=0o755)
    (course / "python").write_text("x")
    file_modes.close_to_sealed(str(course), is_passable=True)
    assert not can(lambda: os.listdir(course), FIRST_USER, [SEALED_GROUP])
    assert can(lambda: (course / "python").read_text(), FIRST_USER, [SEALED_GROUP])


def test_a_device_can_be_read_but_not_changed(folder: Path) -> None:
    device = folder / "zero"
    os.mknod(device, stat.S_IFCHR, os.stat("/dev/zero").st_rdev)
    device.chmod(0o666)
    file_modes.close_to_sealed(str(device))
    assert can(lambda: os.open(device, os.O_RDONLY), FIRST_USER, [SEALED_GROUP])
    assert not can(lambda: os.open(device, os.O_WRONLY), FIRST_USER, [SEALED_GROUP])


def test_what_only_its_group_may_use_stays_as_it_is(folder: Path) -> None:
    team = folder / "team"
    team.mkdir()
    os.chown(team, -1, SOMEBODY)
    team.chmod(0o770)
    file_modes.close_to_sealed(str(team))
    assert rights(team) == (SOMEBODY, 0o770)


def test_a_group_that_would_lose_rights_is_named(folder: Path) -> None:
    team = folder / "team"
    team.mkdir()
    os.chown(team, -1, SOMEBODY)
    team.chmod(0o775)
    with pytest.raises(PermissionError, match=f"its group {SOMEBODY} has more: run `chmod o= {team}`"):
        file_modes.close_to_sealed(str(team))
    assert rights(team) == (SOMEBODY, 0o775)


def test_a_hidden_folder_is_closed_but_for_the_way_to_what_is_shown(folder: Path) -> None:
    course, python = folder / "course", folder / "course" / "environment" / "python"
    (python / "own").mkdir(parents=True)
    (course / "solutions").mkdir()
    (course / "gradebook.db").write_text("secret")
    (course / "environment" / "settings").write_text("secret")
    (python / "library").write_text("open")
    hidden, shown = [str(course), str(python / "own"), str(folder / "nowhere")], (str(python),)
    with pytest.raises(PermissionError, match=r"course.* can be read by sealed processes"):
        file_modes.expect_hidden(hidden, shown, FIRST_USER)
    file_modes.hide(hidden, shown)
    file_modes.expect_hidden(hidden, shown, FIRST_USER)
    for secret in (course / "gradebook.db", course / "environment" / "settings"):
        assert not can(secret.read_text, FIRST_USER, [SEALED_GROUP])
        assert can(secret.read_text, SOMEBODY, [])
    for closed in (course, course / "solutions", python / "own"):
        assert not can(lambda closed=closed: os.listdir(closed), FIRST_USER, [SEALED_GROUP])
    assert can((python / "library").read_text, FIRST_USER, [SEALED_GROUP])


def test_a_file_that_came_later_is_found_in_a_hidden_folder(folder: Path) -> None:
    (folder / "course" / "python").mkdir(parents=True)
    hidden, shown = [str(folder / "course")], (str(folder / "course" / "python"),)
    file_modes.hide(hidden, shown)
    (folder / "course" / "gradebook.db").write_text("secret")
    with pytest.raises(PermissionError, match=r"gradebook\.db can be read by sealed processes"):
        file_modes.expect_hidden(hidden, shown, FIRST_USER)


def test_checking_leaves_this_process_as_it_was(folder: Path) -> None:
    before = os.getresuid(), os.getresgid(), os.getgroups()
    file_modes.expect_hidden([str(folder / "nowhere")], (), FIRST_USER)
    assert (os.getresuid(), os.getresgid(), os.getgroups()) == before


def test_everything_that_everybody_may_change_is_closed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("open", "open/below", "readable", "private"):
        (folder / name).mkdir()
    for name in ("readable/open", "readable/closed", "private/open"):
        (folder / name).write_text("")
    (folder / "readable" / "link").symlink_to("open")
    for name, mode in (("open", 0o777), ("readable/open", 0o666), ("private/open", 0o666), ("private", 0o700)):
        (folder / name).chmod(mode)
    file_modes.close_what_everybody_may_change(str(folder))
    closed = {path for path in folder.rglob("*") if path.lstat().st_gid == SEALED_GROUP}
    assert closed == {folder / "open", folder / "readable" / "open"}


def test_what_can_not_be_closed_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "open").write_text("")
    (folder / "open").chmod(0o666)
    monkeypatch.setattr(file_modes, "close_to_sealed", lambda path: None)
    with pytest.raises(PermissionError, match=r"everybody may write to .*open, and it can't be closed"):
        file_modes.close_what_everybody_may_change(str(folder))


def test_a_folder_in_which_the_interpreter_lies_is_not_closed(folder: Path) -> None:
    (folder / "open").mkdir()
    (folder / "open").chmod(0o777)
    needed = str(folder / "open" / "lib")
    with pytest.raises(
        PermissionError, match=rf"everybody may write to .*open, and {needed}, which kernels need, lies there"
    ):
        file_modes.close_what_everybody_may_change(str(folder), [needed])
    assert (folder / "open").lstat().st_gid != SEALED_GROUP


def test_a_search_that_takes_too_long_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_modes, "_SEARCH_SECONDS", -1.0)
    with pytest.raises(TimeoutError, match="could not be found in"):
        file_modes.close_what_everybody_may_change(str(folder))


def test_scratch_folders_of_graders_that_are_gone_are_found(tmp_path: Path) -> None:
    made = file_modes.scratch_folder([str(tmp_path / "scratch")])
    assert rights(Path(made))[1] == 0o711
    for name in ("ag-999999999-x", f"{file_modes.scratch_prefix()}x", "other"):
        Path(made, name).mkdir()
    assert file_modes.abandoned_folders(made) == [f"{made}/ag-999999999-x"]


def test_a_scratch_folder_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    os.chown(tmp_path / "theirs", SOMEBODY, SOMEBODY)
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(OSError, match="somebody else's.*somebody else's"):
        file_modes.scratch_folder([str(tmp_path / "theirs"), str(tmp_path / "link")])
    assert file_modes.scratch_folder([str(tmp_path / "theirs"), str(tmp_path / "own")]) == str(tmp_path / "own")

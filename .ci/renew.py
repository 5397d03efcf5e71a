"""Writes constraints.txt anew: the newest versions that the ranges of pyproject.toml allow, with the hashes of all their files.

`./run renew` is this program; `./run renew --keep` keeps every version that still fits, and only adds and removes what the
ranges ask for. It asks pip's index by uv (extra `dev`), installs nothing, and writes the versions of the students'
requirements too. Try what it wrote with every test before it is committed: these are the versions that grade.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS, STUDENTS = ROOT / "constraints.txt", ROOT / "assignments" / "requirements.txt"
HEAD = """\
# The versions that are tested, with the SHA-256 of each of their files: written by `./run renew`, installed by `./run install`.
# A line `#:` says for what the packages below it are needed: `dependencies`, or extras. PyTorch is there twice: for processors, where
# pip was given that build, and as pip's index has it, with what it needs for CUDA.
"""
# The build for processors isn't on pip's index, so its hash (Python 3.11, x86_64) and with it PyTorch's version are renewed here.
TORCH = "2.13.0"
TORCH_CPU = f"""\
#: torch-cpu
torch=={TORCH}+cpu \\
    --hash=sha256:6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b
"""
# From 4.25 on `jsonschema[format-nongpl]`, which Jupyter asks for, brings a grammar of IRIs that is parsed whenever nbformat is imported: 1.1 s in
# each of nbgrader's commands.
HELD_BACK = ("jsonschema<4.25",)
TORCH_CUDA = re.compile(r"torch$|nvidia-|cuda-|triton$")


def compiled(*arguments: str) -> str:
    """Return what uv resolves for every Python and platform.

    Raises:
        SystemExit: nothing fits, or the index can't be reached; what uv said is printed.
    """
    command = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--quiet", "--universal"]
    command += ["--fork-strategy", "fewest", "--python-version", "3.11", "--no-annotate", "--no-header", *arguments]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit("constraints.txt is as it was.")
    return done.stdout


def entries(text: str) -> dict[str, list[str]]:
    """Return name -> the requirement lines of a package, each with the lines of its hashes."""
    found: dict[str, list[str]] = {}
    for entry in re.findall(r"^[\w.-]+==.*(?:\n +--hash=.*)*", text, re.MULTILINE):
        found.setdefault(entry.split("==")[0], []).append(entry)
    return found


def written(everything: dict[str, list[str]], needed: dict[str, set[str]]) -> str:
    """Return the text of constraints.txt.

    Args:
        everything: see `entries`.
        needed: `dependencies` or an extra -> the names of all that it needs.
    """
    sections: dict[str, list[str]] = {}
    for name, lines in sorted(everything.items()):
        reasons = [reason for reason in needed if name in needed[reason]]
        if "dependencies" in reasons:
            reasons = ["dependencies"]
        elif TORCH_CUDA.match(name):
            reasons = ["torch-cuda"]
        sections.setdefault(" ".join(reasons), []).extend(lines)
    ordered = sorted(sections, key=lambda reasons: (reasons != "dependencies", reasons))
    texts = [f"#: {reasons}\n" + "\n".join(sections[reasons]) + "\n" for reasons in ordered]
    return "".join([HEAD, *texts, TORCH_CPU])


def main() -> None:
    """Write both files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    held = [*project["build-system"]["requires"], f"torch=={TORCH}", *HELD_BACK]
    with tempfile.TemporaryDirectory() as folder:
        constraints, pins = Path(folder, "held.txt"), Path(folder, "pins.txt")
        constraints.write_text("\n".join(held), encoding="utf-8")
        if "--keep" in sys.argv:  # uv prefers what stands in its output
            pins.write_text(PINS.read_text(encoding="utf-8").replace(TORCH_CPU, ""), encoding="utf-8")
        compiled("--all-extras", "--generate-hashes", "-c", str(constraints), "-o", str(pins))
        everything = entries(pins.read_text(encoding="utf-8"))
        versions = "\n".join(line.split(" \\")[0] for lines in everything.values() for line in lines)
        constraints.write_text(versions, encoding="utf-8")
        needed = {"dependencies": set(entries(compiled("-c", str(constraints))))}
        for extra in project["project"]["optional-dependencies"]:
            needed[extra] = set(entries(compiled("-c", str(constraints), "--extra", extra)))
    PINS.write_text(written(everything, needed), encoding="utf-8")
    students = STUDENTS.read_text(encoding="utf-8")
    for name, lines in everything.items():
        version = lines[0].split("==")[1].split()[0]
        students = re.sub(rf"^{re.escape(name)}==.*$", f"{name}=={version}", students, flags=re.MULTILINE)
    STUDENTS.write_text(students, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Training speed of the course's Transformer against the same model of ready-made layers.

    python -m benchmarks.training [--sizes course,small] [--backends tensorflow,jax,torch] [--models course,keras,…]
        [--precisions float32,bfloat16] [--compiled yes,no] [--feeds numpy,tf.data] [--turns 5] [--cores 1] [--clock cpu] [--json FILE]

Every combination gets a process of its own and trains in turns with the others: seconds are medians, ratios are medians of
the turns' ratios to `keras.layers.MultiHeadAttention` under the same backend and settings. All have the same parameters and
the same loss, or nothing is timed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from benchmarks.training.race import Timed, race
from benchmarks.training.sizes import SIZES, Size, peak_of
from benchmarks.training.trainees import BACKENDS, FEEDS, MODELS, PRECISIONS, Entry

YES_NO = {"yes": True, "no": False}
# What `--compiled` is if it isn't given. JAX without compilation trains a hundred times slower; `torch.compile` of a Keras
# model pays on an accelerator, if at all.
USUALLY_COMPILED = {"tensorflow": (False, True), "jax": (True,), "torch": (False,)}
HEADINGS = ("", "model", "times Keras's layers", "thousand tokens a second", "ms a step", "share of peak", "MiB")


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sizes", type=_some_of(SIZES), default=["course"], help=f"of {', '.join(SIZES)} (course)")
    parser.add_argument("--backends", type=_some_of(BACKENDS), default=list(BACKENDS), help="of Keras (all)")
    parser.add_argument("--models", type=_some_of(MODELS), default=list(MODELS), help=f"of {', '.join(MODELS)} (all)")
    parser.add_argument(
        "--precisions", type=_some_of(PRECISIONS), default=["float32"], help="float32, bfloat16 (float32)"
    )
    parser.add_argument("--compiled", type=_some_of(YES_NO), help="yes, no (as is usual for the backend)")
    parser.add_argument("--feeds", type=_some_of(FEEDS), default=["numpy"], help="numpy, tf.data (numpy)")
    parser.add_argument("--turns", type=int, default=5, help="of each, after two that aren't counted (5)")
    parser.add_argument("--steps", type=int, help="updates in a turn (20 for the course's size)")
    parser.add_argument("--cores", type=int, default=0, help="of the processor that each process may use (all)")
    parser.add_argument(
        "--peak", type=float, help="the device's bfloat16 operations a second, in 10^12, if it isn't known"
    )
    parser.add_argument(
        "--clock", choices=("wall", "cpu"), default="wall", help="cpu: on a processor others use too (wall)"
    )
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    chosen = parser.parse_args()
    entries = list(combinations(chosen))
    print(f"{machine_text(chosen.cores)}, {chosen.clock} clock\n", flush=True)
    figures, all_failed = {}, []
    for name in chosen.sizes:
        size = replace(SIZES[name], steps=chosen.steps or SIZES[name].steps)
        timed, failed = race(entries, size, chosen.turns, chosen.cores, chosen.clock)
        all_failed += failed
        figures[name] = [one.record() for one in timed]
        if timed:
            print(f"\n{describe(name, size, timed, chosen.turns)}\n", flush=True)
            print(f"{table(HEADINGS, list(rows(timed, size, chosen.peak)))}\n", flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps({"machine": machine_text(chosen.cores), "sizes": figures}, indent=1) + "\n")
    if all_failed:
        sys.exit(f"failed: {'; '.join(entry.name for entry in all_failed)}")


def combinations(chosen: argparse.Namespace) -> Iterable[Entry]:
    """Yield the entries that the arguments ask for; the plain PyTorch loop has no backend of Keras."""
    for precision, feed in product(chosen.precisions, chosen.feeds):
        for backend in chosen.backends:
            compiled = [YES_NO[text] for text in chosen.compiled] if chosen.compiled else USUALLY_COMPILED[backend]
            for is_compiled, model in product(compiled, chosen.models):
                if model != "torch":
                    yield Entry(model, backend, precision, is_compiled, feed)
        if "torch" in chosen.models:
            for is_compiled in [YES_NO[text] for text in chosen.compiled] if chosen.compiled else (False,):
                yield Entry("torch", "torch", precision, is_compiled, feed)


def describe(name: str, size: Size, timed: Sequence[Timed], turns: int) -> str:
    """Return a line about a size's model, batches, devices and versions."""
    devices = ", ".join(sorted({one.report.device for one in timed}))
    versions = ", ".join(sorted({part for one in timed for part in one.report.versions.split(", ")}))
    return (
        f"**{name}**: {timed[0].report.parameters:,} parameters (d_model {size.d_model}, {size.num_heads} heads, "
        f"{size.num_layers} + {size.num_layers} blocks, ff_dim {size.ff_dim}, vocabulary {size.vocab_size}), batches of "
        f"{size.batch} x ({size.source_len} + {size.target_len}) tokens, {turns} turns of {size.steps} steps; on {devices}; "
        f"{versions}"
    )


def rows(timed: Sequence[Timed], size: Size, peak: float | None) -> Iterable[list[str]]:
    """Yield a table's rows. A ratio is the median (least to most) of the turns' ratios to Keras's layers."""
    for one in timed:
        entry, step = one.entry, statistics.median(one.seconds) / size.steps
        beside = [other for other in timed if other.entry == replace(entry, model="keras")]
        ratio = "1" if entry.model == "keras" else _ratio(beside[0].seconds, one.seconds) if beside else ""
        most = 1e12 * peak if peak else peak_of(one.report.device)
        share = f"{size.step_flops / step / most:.1%}" if most else ""
        memory = one.device_bytes if one.device_bytes is not None else one.host_bytes
        how = ("compiled" if entry.compiled else "not compiled", entry.precision, entry.feed)
        model = "torch.nn.Transformer" if entry.model == "torch" else entry.model
        told = [f"{size.tokens / step / 1000:.2f}", f"{1000 * step:.1f}", share, f"{memory / 2**20:.0f}"]
        yield [f"{entry.backend}, {', '.join(how)}", model, ratio, *told]


def _ratio(base: Sequence[float], seconds: Sequence[float]) -> str:
    ratios = [theirs / ours for theirs, ours in zip(base, seconds, strict=True)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"


def table(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a markdown table."""
    written: list[Sequence[str]] = [headings, ["---"] * len(headings), *lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in written)


def machine_text(cores: int) -> str:
    """Return what the figures depend on beside the device, in one line."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.is_file() else []
    cpu = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    used = f"{cores} of {os.cpu_count()} cores" if cores else f"{os.cpu_count()} cores"
    return (
        f"{cpu}, {used}, {platform.system()}, load {os.getloadavg()[0]:.2f} before, Python {platform.python_version()}"
    )


def _some_of(known: Iterable[str]):
    names = tuple(known)

    def parse(text: str) -> list[str]:
        chosen = text.split(",")
        wrong = [name for name in chosen if name not in names]
        if wrong:
            raise argparse.ArgumentTypeError(f"must be some of {', '.join(names)}, with commas. Received: {wrong}")
        return chosen

    return parse


if __name__ == "__main__":
    main()

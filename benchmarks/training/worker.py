"""One trainee in a process of its own: `python -m benchmarks.training.worker ENTRY SIZE CORES`, JSON.

It prints its report, then, for each line that it reads, the seconds of one turn by two clocks; at the end of its input, its memory. All
are lines of JSON. Whatever its framework prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any


def main() -> None:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    entry, size, cores = (json.loads(text) for text in sys.argv[1:4])
    if cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])  # every framework counts these

    def say(**record: Any) -> None:
        print(json.dumps(record), file=answers, flush=True)

    from benchmarks.training.sizes import Size
    from benchmarks.training.trainees import Entry, host_bytes, prepare

    try:
        trainee, report = prepare(Entry(**entry), Size(**size))
    except ImportError as error:
        say(missing=f"{error}")
        return
    say(**report.record())
    for _ in sys.stdin:
        began, cpu_began = time.perf_counter(), time.process_time()
        trainee.turn()
        say(wall=time.perf_counter() - began, cpu=time.process_time() - cpu_began)
    say(device_bytes=trainee.device_bytes(), host_bytes=host_bytes())


if __name__ == "__main__":
    main()

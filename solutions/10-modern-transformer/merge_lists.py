"""Merges of byte-pair encoding that live in the student's kernel: bytes can't be sent as data.

The text of this module is executed there (`Probe.define`).
"""

import numpy as np


def merges_of(sizes, spelled):
    """Return merges, a list of pairs of bytes: `sizes` (num_merges, 2) says how long the parts are, `spelled` is all of them in a row."""
    ends = np.cumsum(np.ravel(sizes)).tolist()
    parts = [bytes(spelled[start:end].tolist()) for start, end in zip([0, *ends], ends, strict=False)]
    return list(zip(parts[::2], parts[1::2], strict=True))


def teller(merges):
    """Return a function that tells merges as (sizes, spelled), see above, or in a word what they hold that isn't two bytes objects."""
    return lambda: _told(merges)


def _told(merges):
    if not isinstance(merges, (list, tuple)):
        return type(merges).__name__
    for pair in merges:
        if not isinstance(pair, (list, tuple)):
            return type(pair).__name__
        for part in pair:
            if not isinstance(part, (bytes, bytearray)):
                return type(part).__name__
        if len(pair) != 2:
            return str(len(pair))
    sizes = [[len(part) for part in pair] for pair in merges]
    spelled = b"".join(part for pair in merges for part in pair)
    return np.array(sizes, dtype=np.int64).reshape(-1, 2), np.frombuffer(spelled, dtype=np.uint8)

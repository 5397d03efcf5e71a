"""How much memory the student's kernel holds and has held.

The text of this module is executed there (`Probe.define`).
"""

import sys


def peak_of_kernel():
    """Return a function that tells the most bytes that the process has held at once so far; 0 where nobody counts them."""
    try:
        import resource
    except ImportError:  # not on Windows
        return int
    unit = 1 if sys.platform == "darwin" else 1024
    return lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit

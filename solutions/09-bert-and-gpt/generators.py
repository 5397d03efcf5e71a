"""Random generators and arrays that live in the student's kernel.

The text of this module is executed there (`Probe.define`): a generator can't be sent as data, and an array that is sent is a
copy, which doesn't show whether somebody changed it.
"""

import numpy as np


def generator(seed):
    """Return a NumPy generator."""
    return np.random.default_rng(seed)


def array(values):
    """Return the array that a student's function is given."""
    return np.array(values)


def pair(first, second):
    """Return two arrays in a tuple."""
    return np.array(first), np.array(second)


def reader(values):
    """Return a function that tells what is in such an array now."""
    return values.copy


def part(values, index):
    """Return one part of a tuple or list, None if there is none."""
    return values[index] if isinstance(values, (tuple, list)) and len(values) > index else None


def teller(values):
    """Return a function that tells what something is."""
    return lambda: values

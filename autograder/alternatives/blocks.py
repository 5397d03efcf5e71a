"""Right answers to `05-encoder-decoder-blocks` in other styles."""

from autograder.alternatives import Alternative

ALTERNATIVES: tuple[Alternative, ...] = ()

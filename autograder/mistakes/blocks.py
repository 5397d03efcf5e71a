"""Known wrong answers of `05-encoder-decoder-blocks`."""

from autograder.mistakes import Mistake

MISTAKES: tuple[Mistake, ...] = ()

"""Grade notebooks from outside the student's process."""

__version__ = "0.1.0"

"""Proof of a course: what `autograder check` grades, records and compares."""

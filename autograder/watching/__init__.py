"""Handed in, handed back: a loop that collects, grades and returns feedback while nobody is there."""

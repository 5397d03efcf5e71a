"""What lives as long as the kernel, and while one question is answered. Attributes of this module, for `install` sets some."""

import builtins
import os
import threading

ORIGINAL_BUILTINS = dict(vars(builtins))
LIMITS = {"answer_bytes": 50_000_000, "memory_bytes": 2 << 30}
REMEMBERED = {}  # what the notebook's locked cells defined
OBJECTS = {}
NAMESPACE = {}  # what the notebook's names are at the start, by `install`
OPEN = {}  # while a question is answered: the channel that it came through, and this process
LENT = {}  # number -> a function that the other kernel may call back
RAISED = {}  # ticket -> what such a function raised
TURN = threading.Lock()  # between what is sent and what comes back nobody else speaks
shell = None  # set by `install`: this kernel's IPython shell
# Kept here, because a student's code may replace the original in its module.
random_bytes = os.urandom


def keep(thing):
    """Keep something and return the number by which the grader asks for it."""
    given = number()
    OBJECTS[given] = thing
    return given


def number():
    """Return a number for something that is kept; it tells nothing about how many there are."""
    return int.from_bytes(random_bytes(4), "big")

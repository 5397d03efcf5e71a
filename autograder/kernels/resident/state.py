"""What lives as long as the kernel, and while one question is answered. Attributes of this module, for `install` sets some."""

import builtins
import os
import threading

ORIGINAL_BUILTINS = dict(vars(builtins))
LIMITS = {"answer_bytes": 50_000_000, "memory_bytes": 2 << 30}
REMEMBERED = {}  # what the notebook's locked cells defined
OBJECTS = {}  # number -> what the grader asks for by that number
NAMESPACE = {}  # what the notebook's names are at the start, by `install`
CURRENT = {}  # while a question is answered: `channel`, the descriptor that it came through, and `process`, the id of this process
PASSED_FUNCTIONS = {}  # number -> a function that was passed to the other kernel, which may call it back
RAISED = {}  # ticket -> what such a function raised
CHANNEL_LOCK = threading.Lock()  # between a message and its answer no other thread may use the channel
shell = None  # set by `install`: this kernel's IPython shell
# Kept here, because a student's code may replace the original in its module.
random_bytes = os.urandom


def keep(thing):
    """Keep an object and return the number by which the grader asks for it."""
    number = new_number()
    OBJECTS[number] = thing
    return number


def new_number():
    """Return a random number for an object that is kept: it tells nothing about how many there are."""
    return int.from_bytes(random_bytes(4), "big")

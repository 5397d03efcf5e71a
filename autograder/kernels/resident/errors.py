"""What goes wrong in a kernel: exceptions as data, and data as exceptions again."""

import linecache

from autograder.kernels.resident import state

TEXT_LIMIT = 2000


class ForbiddenReached(Exception):
    """A task that asks for something from scratch reached one that is there already."""


class NotNumbers(Exception):
    """The result can't be sent as numbers."""


class NotDefined(Exception):
    """The student's notebook defines no such name."""


class NotModel(Exception):
    """A function that should return a model returned something else."""


class RaisedElsewhere(Exception):
    """What the other kernel called back raised; `ticket` is how that kernel finds it again."""

    def __init__(self, text, ticket):
        super().__init__(text)
        self.ticket = ticket


def describe(error):
    """Return what is sent of an exception: the names of its classes, its text, the line of the notebook that raised."""
    line = ""
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "ipykernel_" in name or name.startswith("<ipython-input"):
            line = linecache.getline(name, trace.tb_lineno)
        trace = trace.tb_next
    try:
        text = str(error)
    except BaseException:
        text = ""
    described = {
        "kinds": [kind.__name__ for kind in type(error).__mro__],
        "text": text[:TEXT_LIMIT],
        "line": line.strip()[:300],
    }
    return {**described, "ticket": error.ticket} if isinstance(error, RaisedElsewhere) else described


def error_of(described):
    """Return the exception that a call through a proxy raised: the same object if code of this kernel raised it."""
    ticket, text = described.get("ticket"), described["text"]
    if ticket in state.RAISED:
        return state.RAISED.pop(ticket)
    if ticket:
        return RaisedElsewhere(text, ticket)
    for kind in map(state.ORIGINAL_BUILTINS.get, described["kinds"]):
        try:
            if isinstance(kind, type) and issubclass(kind, BaseException):
                return kind(text)
        except TypeError:  # one that takes more than a text
            continue
    return RuntimeError(text)

"""Hidden tests of 08-debugging-clinic, a module for each task in `tasks/`.

Repairs are judged by what they compute. Checks are judged by mutation: each line asks about components that a check can't look
into (`components`), broken ones of several kinds and right ones made in the same ways, in a drawn order, so that no constant
answer earns anything and counting is guessing.
"""

from __future__ import annotations

from .tasks.dropped_feed_forward import *
from .tasks.head_scaling import *
from .tasks.inverted_mask import *
from .tasks.shifted_target import *
from .tasks.swapped_arguments import *

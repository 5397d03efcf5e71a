"""Hidden tests of 04-masks, a module for each task in `tasks/`.

Masks are judged by where they hide before their exact values are, so that a mask of -inf, of booleans or of twos costs
the line about that and no other. The leak test is asked about callables that it can't look into; each line asks about
leaking and clean ones of the same make, in a drawn order, so that no constant answer earns anything and counting is guessing.
"""

from __future__ import annotations

from .tasks.decoder_mask import *
from .tasks.keras_mask import *
from .tasks.leak_test import *
from .tasks.look_ahead_mask import *
from .tasks.masked_softmax import *
from .tasks.padding_mask import *

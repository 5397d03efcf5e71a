"""Hidden tests of 07-training, a module for each task in `tasks/`.

Greedy decoding is asked about stand-ins for a model (`stand_ins.py`). `trained-model` first looks at the carried-over
Transformer, which says whether a second training makes sense, and trains once, unless a trial on short numbers has left no
doubt: its lines share what came of it. The pairs are drawn anew for each student, and which id is which syllable or word, so
that only the pairs tell; where weights are handed in, the vocabulary of the whole training is the notebook's, so that they fit (that of
the trial isn't: loaded weights win nothing there). The held-out English never enters the kernel.
"""

from __future__ import annotations

from .tasks.greedy_decode import *
from .tasks.masked_accuracy import *
from .tasks.masked_loss import *
from .tasks.teacher_forcing import *
from .tasks.trained_model import *
from .tasks.warmup_schedule import *

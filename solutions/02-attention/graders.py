"""Hidden tests of 02-attention, a module for each task in `tasks/`.

Sizes are pairwise distinct, so that swapped axes never fit. Where an early slip (a missing square root, a wrong softmax axis)
would show in later lines too, those compare the answer with the student's own result on a simpler input and so cost nothing
again.
"""

from __future__ import annotations

from .tasks.additive import *
from .tasks.attention_scores import *
from .tasks.projections import *
from .tasks.scaled_dot_product import *
from .tasks.score_scale import *
from .tasks.softmax import *

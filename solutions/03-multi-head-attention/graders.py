"""Hidden tests of 03-multi-head-attention, a module for each task in `tasks/`.

Where a student's own attention weights can stand in for the right ones, they do: merging the heads and hiding keys are
then judged apart from the scores, and a wrong scale costs only the line about the weights.
"""

from __future__ import annotations

from .._shared.built_in_attention import BUILT_IN_ATTENTION
from .tasks.keras_parity import *
from .tasks.merge_heads import *
from .tasks.multi_head import *
from .tasks.multi_head_layer import *
from .tasks.parameter_count import *
from .tasks.split_heads import *

# What a layer from scratch may not reach; the class report says whose code names some of it.
FORBIDDEN = {"multi-head-layer": BUILT_IN_ATTENTION}

"""Hidden tests of 10-modern-transformer, a module for each task in `tasks/`.

Layers are compared by value under every reading of their weights (`kernel_roles.py`), so nothing depends on names, on the order in which
a student made them or on how many kernels lie in one weight. Where an answer can be held against another one of the student's own, it is:
a layer that goes on behind its cache is compared with its own whole pass.
"""

from __future__ import annotations

from .tasks.bpe_encode import *
from .tasks.bpe_train import *
from .tasks.grouped_attention import *
from .tasks.rms_norm import *
from .tasks.rotary import *
from .tasks.streaming_softmax import *
from .tasks.swiglu import *
from .tasks.window_mask import *

"""Hidden tests of 05-encoder-decoder-blocks, a module for each task in `tasks/`.

Every weight of a block gets a random value, and its answer is compared under every reading of the weights (`weight_roles.py`), so
that neither names nor the order of creation count. Masks, memory and dropout are judged by what changes what, whatever the
values are. Except in the lines about them, layers have a dropout of 0 and either of two epsilons is right.
"""

from __future__ import annotations

from .tasks.block_parameters import *
from .tasks.decoder_block import *
from .tasks.encoder_block import *
from .tasks.feed_forward import *
from .tasks.layer_norm import *

"""Hidden tests of 09-bert-and-gpt, a module for each task in `tasks/`.

What is random is judged by its statistics: a right answer is told wrong about once in 10^9 lines, and no seeded draw is ever
compared with another program's. Models are judged as in 06: by what moves when an input changes, by their parameters, and by value
where every weight can be placed, in every style that the task leaves open.
"""

from __future__ import annotations

from .tasks.decoder_only import *
from .tasks.encoder_only import *
from .tasks.kv_cache import *
from .tasks.mask_tokens import *
from .tasks.pooling import *
from .tasks.sampling import *

"""Hidden tests of 01-positional-encoding, a module for each task in `tasks/`: in each, order is shape, one mechanism at a time, the whole.

Sizes are drawn apart from each other and from the public checks' (dims 4 and 6), so no axis stands in for another.
Dims 8 and 10 are left out: at 8 the powers of ten that a widely read table prints are the right rates, and at 10 they
are also what another mistake gives.
A layer is first called with inputs as long as its table, so that one that adds the whole table or its last rows loses
the line about shorter sequences and no other.
Tables have few rows: computed in float32, 50 rows are off by 3e-6, far below the tolerance of 1e-4.
"""

from __future__ import annotations

from .tasks.angle_rates import *
from .tasks.dot_products import *
from .tasks.invariance import *
from .tasks.learned_layer import *
from .tasks.positional_layer import *
from .tasks.shift_matrix import *
from .tasks.sinusoidal_table import *

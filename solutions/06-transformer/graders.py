"""Hidden tests of 06-transformer, a module for each task in `tasks/`.

Models are judged whatever they are made of: by what moves when an input changes, by how many parameters they have, and by value where
every weight can be placed (`_shared/uniform_weights.py`). One that can't be compared by value earns those points by the others.
Making a model costs most of the time, so a task's lines share two, and each line gives them its own weights.
"""

from __future__ import annotations

from .tasks.continuous_model import *
from .tasks.model_parameters import *
from .tasks.token_embedding import *
from .tasks.token_model import *

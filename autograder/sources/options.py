"""Options that an instructor writes: each has a name that is known, and a value of the right kind."""

from __future__ import annotations

import dataclasses
from difflib import get_close_matches
from typing import Any, Self, cast

from autograder.base.errors import CourseError


class Options:
    """A dataclass of options whose unknown ones are refused with the name that is probably meant."""

    def __new__(cls, *values: Any, **named: Any) -> Self:
        """Refuse options that aren't fields.

        Raises:
            CourseError: an option isn't a field.
        """
        known = [item.name for item in dataclasses.fields(cast(Any, cls))]
        for name in named.keys() - set(known):
            meant = get_close_matches(name, known, n=1)
            advice = f"Perhaps {meant[0]} is meant." if meant else f"The options are {', '.join(known)}."
            raise CourseError(f"{cls.__name__} must be given options that it has. Received: {name}. {advice}")
        return super().__new__(cls)


def require_kind(name: str, value: object, kinds: tuple[type, ...], expected: str) -> None:
    """Refuse a value of another kind.

    Args:
        name: what the option is called.
        value: the option's value.
        kinds: types that are right.
        expected: what is right, in words.

    Raises:
        CourseError: the value is of none of the types.
    """
    if not isinstance(value, kinds):
        raise CourseError(f"{name} must be {expected}. Received: {name}={value!r}.")


def require_names(name: str, value: object) -> None:
    """Refuse what isn't a collection of names; one name alone would be read letter by letter.

    Args:
        name: what the option is called.
        value: the option's value.

    Raises:
        CourseError: the value is something else.
    """
    example = (value,) if isinstance(value, str) else ("…",)
    require_kind(name, value, (tuple, list, set, frozenset), f"a tuple of names, such as {name}={example!r}")
    if not all(isinstance(each, str) for each in cast(Any, value)):
        raise CourseError(f"Each name in {name} must be a text in quotation marks. Received: {name}={value!r}.")

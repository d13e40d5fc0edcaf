"""Options of solvers and steppers: fields of frozen dataclasses that say of themselves what a panel needs to show.

A number has a label, a unit, a range that is refused beyond, and the equation or the reason behind it.
"""

from __future__ import annotations

from dataclasses import field, fields
from functools import cache
from typing import Any

from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

_KEY = "option"


@dataclass(frozen=True, kw_only=True)
class About:
    """Metadata of an option: label, note, unit, range, choices. A bool without choices is a switch."""

    label: str
    note: str = ""  # one or two sentences, with the source's equation where there is one
    unit: str = ""  # as it is written; "share" for what is read in percent, "ticks" for times
    least: float | None = None
    most: float | None = None
    choices: tuple[Any, ...] = ()
    labels: tuple[str, ...] = ()  # of the choices, where they are not their own words
    folded: bool = True  # away from a beginner, under the solver's name


def option(default: Any, **about: Any) -> Any:
    """A dataclass field that is an option."""
    return field(default=default, metadata={_KEY: About(**about)})


def about(options: Any) -> dict[str, About]:
    """List the metadata of a solver's options (or of its class), by field name, in order."""
    kind: Any = options if isinstance(options, type) else type(options)
    return dict(_about(kind))


@cache
def _about(kind: Any) -> tuple[tuple[str, About], ...]:
    return tuple((each.name, each.metadata[_KEY]) for each in fields(kind) if _KEY in each.metadata)


def described(options: Any) -> dict[str, tuple[About, Any]]:
    """List the metadata of options with the values that these have."""
    return {name: (metadata, getattr(options, name)) for name, metadata in about(options).items()}


def may_be(options: Any, name: str, value: object) -> bool:
    """Tell whether an option may have a value that was read from a file: of the type of the one that it has in
    `options`, within its range."""
    metadata, usual = described(options)[name]
    if metadata.choices:
        return any(_is_like(value, each) and value == each for each in metadata.choices)
    size: Any = len(value) if isinstance(value, str) else value
    return _is_like(value, usual) and (
        (metadata.least is None or size >= metadata.least) and (metadata.most is None or size <= metadata.most)
    )


def _is_like(value: object, other: object) -> bool:
    return type(value) is type(other) or (type(value) is int and isinstance(other, float))


def check_options(options: Any) -> None:
    """Refuse a value of the wrong type or outside its range."""
    for name, metadata in about(options).items():
        value = getattr(options, name)
        if metadata.choices:
            if value not in metadata.choices:
                raise InvalidArguments(what=metadata.label, value=value, allowed=", ".join(map(str, metadata.choices)))
            continue
        if isinstance(value, bool):
            continue
        low = metadata.least is not None and not value >= metadata.least
        high = metadata.most is not None and not value <= metadata.most
        if low or high:
            raise InvalidArguments(
                what=metadata.label, value=value, allowed=f"{metadata.least} to {metadata.most} {metadata.unit}".strip()
            )


class CheckedOptions:
    """Options whose values are checked when they are made."""

    def __post_init__(self) -> None:
        check_options(self)

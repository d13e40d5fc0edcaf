"""The command `example` of `python -m engine`: the scenes that come with Sinew, listed or written as projects."""

from __future__ import annotations

from pathlib import Path

from engine.formats import sinew
from engine.queries.examples import EXAMPLES, example


def example_lines() -> list[str]:
    """List the examples, one a line."""
    return [f"{each.id:14} {each.label}: {each.about}" for each in EXAMPLES]


def write_examples(folder: Path) -> None:
    """Write each example as a project of its name into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in EXAMPLES:
        sinew.write(folder / f"{each.id}.sinew", each.build())


def write_example(name: str, out: Path) -> None:
    """Write an example as a project of its own."""
    sinew.write(out, example(name).build())

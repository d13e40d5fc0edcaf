"""bring_in: read a file of any format and make an actor of the figure and the motion that it holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from engine.document import Actor, Document, Layer
from engine.document.values import new_id
from engine.formats.conventions import likely_unit, likely_up
from engine.formats.format import Contents, Format, Options
from engine.formats.table import by_suffix, readers
from engine.model.dress import dress
from engine.runtime.errors import UnreadableFile


@dataclass(frozen=True)
class BroughtIn:
    """What a file held: a whole document, or an actor for the present one; and what the reader found odd."""

    document: Document | None
    actor: Actor | None
    rate: tuple[int, int] | None
    notes: tuple[str, ...]


def bring_in(path: Path, options: Options | None = None) -> BroughtIn:
    """Read a file by its suffix."""
    format = by_suffix(path)
    if format is None or format.read is None:
        known = ", ".join(suffix for each in readers() for suffix in each.suffixes[:1])
        found = f"no format that Sinew reads ends in {path.suffix or 'nothing'!r}"
        raise UnreadableFile(path=path, found=found, remedy=f"It reads {known}.")
    contents = _read_upright(format, path, options or Options())
    if contents.document is not None:
        return BroughtIn(contents.document, None, contents.rate, contents.notes)
    return BroughtIn(None, _actor(path, contents), contents.rate, contents.notes)


def _read_upright(format: Format, path: Path, options: Options) -> Contents:
    """Read; where the file does not say its unit or which way is up, and a person would lie or be a giant, again."""
    assert format.read is not None, "chosen among the readers"
    contents = format.read(path, options)
    figure = contents.figure
    if figure is None or contents.assumed_unit is None:
        return contents
    unit = options.unit or likely_unit(figure, contents.assumed_unit)
    up = options.up or likely_up(figure)
    if unit == contents.assumed_unit and up == (options.up or "y"):
        return contents
    again = format.read(path, replace(options, unit=unit, up=up))
    note = f"the file does not say it, so taken: a unit of {unit:.6g} m, {up} is up"
    return replace(again, notes=(*again.notes, note))


def _actor(path: Path, contents: Contents) -> Actor:
    if contents.figure is None:
        what = "surfaces without a figure" if contents.surfaces else "neither a figure nor a motion"
        raise UnreadableFile(path=path, found=what, remedy="Choose a file with a skeleton.")
    name = path.name.split(".")[0] or contents.figure.name
    layers = contents.layers
    if not any(not layer.tracks and layer.samples is None for layer in layers):
        layers = (*layers, Layer(id=new_id("pose")))
    return Actor(id=new_id("figure"), name=name, content=dress(contents.figure), layers=layers)

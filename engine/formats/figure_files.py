"""Figures of files for motions that are kept apart from them, such as curves and OpenSim's tables."""

from __future__ import annotations

from pathlib import Path

from engine.document import Figure
from engine.formats import asfamc, bvh, figure_toml, motion_toml, osim, scr
from engine.formats.format import Options
from engine.runtime.errors import UnreadableFile

FIGURES = (figure_toml.FORMAT, motion_toml.FORMAT, osim.FORMAT, scr.FORMAT, bvh.FORMAT, asfamc.SKELETON)
"""The formats that have a figure whose coordinates a motion may name."""


def figure_in(source: Path | Figure) -> Figure:
    """The figure of a file of any of these formats, by its suffix; a figure itself as it is."""
    if isinstance(source, Figure):
        return source
    path = source
    name = path.name.lower()
    read = next((each.read for each in FIGURES if any(map(name.endswith, each.suffixes))), figure_toml.FORMAT.read)
    figure = None if read is None else read(path, Options()).figure
    if figure is None:
        raise UnreadableFile(path=path, found="no figure", remedy="Give a file with a skeleton.")
    return figure

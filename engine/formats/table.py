"""The table of file formats, and the format of a file by its name."""

from __future__ import annotations

from pathlib import Path

from engine.formats import (
    asfamc,
    bvh,
    c3d,
    csv_curves,
    fbx,
    figure_toml,
    gltf,
    mjcf,
    motion_toml,
    npz_curves,
    obj,
    obj_sequence,
    off,
    osim,
    ply,
    scr,
    sinew,
    sinew_log,
    stl,
    storage,
    trc,
    usda,
    vtp,
)
from engine.formats.format import Format

FORMATS: tuple[Format, ...] = (
    sinew.FORMAT,
    sinew_log.FORMAT,
    figure_toml.FORMAT,
    osim.FORMAT,
    mjcf.FORMAT,
    scr.FORMAT,
    motion_toml.FORMAT,
    bvh.FORMAT,
    asfamc.SKELETON,
    asfamc.MOTION,
    csv_curves.FORMAT,
    npz_curves.FORMAT,
    storage.FORMAT,
    trc.FORMAT,
    c3d.FORMAT,
    gltf.FORMAT,
    fbx.FORMAT,
    usda.FORMAT,
    obj.FORMAT,
    obj_sequence.FORMAT,
    ply.FORMAT,
    stl.FORMAT,
    off.FORMAT,
    vtp.FORMAT,
)
"""Every format, in the order in which lists show them."""


def by_suffix(path: Path | str) -> Format | None:
    """The format whose suffix ends the file's name, the longest if several do; capitals do not matter."""
    name = Path(path).name.lower()
    fitting = [(len(suffix), each) for each in FORMATS for suffix in each.suffixes if name.endswith(suffix)]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


def readers() -> tuple[Format, ...]:
    """The formats that Sinew reads."""
    return tuple(each for each in FORMATS if each.read is not None)


def writers() -> tuple[Format, ...]:
    """The formats that Sinew writes."""
    return tuple(each for each in FORMATS if each.write is not None)

"""The library ufbx, wrapped thinly: an FBX file opened in metres, y up, and its elements held.

ufbx 0.0.5 hands out an element without counting who has it, so the second one who lets it go frees it: each is counted
here once more and never freed. Only a process that ends soon may use this module (`engine/long/read_fbx.py`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from engine.runtime.errors import UnreadableFile

MISSING = (
    "the package ufbx, which reads FBX, is not installed; there is none for this system and Python",
    "Install the package ufbx with Python 3.11 to 3.13, or export the file as glTF (.glb).",
)

_DEEPEST = 2_000  # nodes below each other

T = TypeVar("T")


def open_scene(path: Path) -> Any:
    """The scene of a file; refused in words where ufbx refuses it."""
    try:
        import ufbx
    except ImportError as error:
        raise UnreadableFile(path=path, found=MISSING[0], remedy=MISSING[1]) from error
    try:
        scene = ufbx.load_file(
            str(path),
            target_axes=ufbx.axes_right_handed_y_up,
            target_unit_meters=1.0,
            space_conversion=ufbx.SpaceConversion.ADJUST_TRANSFORMS,
            geometry_transform_handling=ufbx.GeometryTransformHandling.HELPER_NODES,
            inherit_mode_handling=ufbx.InheritModeHandling.HELPER_NODES,
            load_external_files=False,
            node_depth_limit=_DEEPEST,
        )
        return held(scene)
    except ufbx.UfbxError as error:
        remedy = "Get the whole file, or export it again as binary FBX 7.4 or as glTF."
        found = f"no sound FBX ({error or type(error).__name__})"
        raise UnreadableFile(path=path, found=found, remedy=remedy) from error


def held(element: T) -> T:
    """An element of the scene that stays; every one that is got from ufbx goes through here."""
    if element is not None:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(element))
    return element


def all_held(elements: Iterable[T]) -> list[T]:
    """Elements of a list, likewise."""
    return [held(each) for each in elements]

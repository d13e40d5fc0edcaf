"""Endings of files that a soft body can be made of. Importing this module loads no kernel."""

from __future__ import annotations


def mesh_endings() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """List the endings of files that hold surfaces, and of those that hold cells."""
    from engine.formats.table import readers
    from engine.soft.tet_files import SUFFIXES

    surfaces = [suffix for each in readers() if each.kind == "mesh" for suffix in each.suffixes]
    return (*surfaces, ".glb", ".gltf"), SUFFIXES

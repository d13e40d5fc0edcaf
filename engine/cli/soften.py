"""The command `soften MESH OUT` of `python -m engine`: a scene in which a mesh file stands as a soft body."""

from __future__ import annotations

from pathlib import Path

from engine.document import Document
from engine.edits import edit
from engine.formats import sinew
from engine.long.percent import say
from engine.soft.making import soft_actor
from engine.soft.mesh_files import body_of_file


def soften(
    mesh: Path,
    out: Path,
    *,
    along: int = 12,
    cells: str = "tetrahedra",
    young: float = 2e4,
    unit: float | None = None,
    by_surface: bool = False,
    itself: bool = False,
) -> None:
    """Write the project. `by_surface`, `itself`: how the body touches, as `SoftBody` tells."""
    touches = {"touches_by_surface": by_surface, "touches_itself": itself}
    body, height = body_of_file(mesh, along=along, cells=cells, unit=unit, young=young, **touches)
    made = soft_actor("soft", mesh.stem, body, position=(0.0, height, 0.0))
    document = edit("add_soft_body", actor=made).apply(Document())
    sinew.write(out, document)
    say(f"{body.point_count:,} points, {body.cell_count:,} {body.shape}")

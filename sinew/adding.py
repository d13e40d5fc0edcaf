"""Putting soft bodies, water, cameras, lights and colours into a scene."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sinew.finding import actor_of, evaluator, free_id, part_of, prepare

if TYPE_CHECKING:
    from engine.document import Document
    from engine.document.values import Vector3

PathLike = str | os.PathLike[str]


def soft_body(
    source: PathLike = "box",
    *,
    scene: Document | None = None,
    name: str | None = None,
    along: int = 8,
    cells: Literal["tetrahedra", "hexahedra"] = "tetrahedra",
    size: Vector3 = (0.3, 0.3, 0.3),
    unit: float | None = None,
    position: Vector3 | None = None,
    **options: Any,
) -> Document:
    """Make a scene in which a soft body stands, or put it into one: a "box" or a "cylinder" of a size [m], or that of a
    mesh file, filled with as many cells as `along` its longest side.

    It stands on the floor unless it has a position [m] of its middle. `options` are those of
    `engine.soft.parts.SoftBody`: material, young [Pa], poisson, density, friction and so on.
    """
    from engine.document import Document as Scene
    from engine.edits import edit
    from engine.soft.making import soft_actor, soft_box, soft_cylinder
    from engine.soft.mesh_files import body_of_file

    prepare(Scene(), "soft")
    kind, longest = str(source), max(size)
    if kind == "box":
        counts = [max(round(along * each / longest), 1) for each in size]
        body, height = soft_box(size, (counts[0], counts[1], counts[2]), cells=cells, **options), 0.5 * size[1]
    elif kind == "cylinder":
        rings = max(round(along * size[0] / longest / 2.0), 1)
        body = soft_cylinder(0.5 * size[0], size[1], rings=rings, layers=along, **options)
        height = 0.5 * size[1]
    else:
        body, height = body_of_file(Path(source), along=along, cells=cells, unit=unit, **options)
    title = name or Path(source).stem.capitalize()
    document = Scene() if scene is None else scene
    made = soft_actor(
        free_id(title.lower().replace(" ", "_"), set(document.actor_index)),
        title,
        body,
        position=(0.0, height, 0.0) if position is None else position,
    )
    return edit("add_soft_body", actor=made).apply(document)


def water_tank(
    begins: Literal["still", "dam", "drop", "wave"] = "still",
    *,
    scene: Document | None = None,
    name: str = "Water tank",
    position: Vector3 = (0.0, 0.0, 0.0),
    **options: Any,
) -> Document:
    """Make a scene in which a tank of water stands, or put it into one, the middle of its floor at a position [m].

    `options` are those of `engine.water.parts.WaterTank`: size [m], resolution [cells/m], level [m], viscosity, surface
    and so on.
    """
    from engine.document import Document as Scene
    from engine.edits import edit
    from engine.water.making import tank_actor
    from engine.water.parts import WaterTank

    document = Scene() if scene is None else scene
    id = free_id(name.lower().replace(" ", "_"), set(document.actor_index))
    made = tank_actor(id, name, WaterTank(begins=begins, **options), position=position)
    return edit("add_water_tank", actor=made).apply(document)


def camera(
    scene: Document,
    position: Vector3,
    at: Vector3 | str,
    *,
    name: str = "Camera",
    follow: str | None = None,
    level: bool = False,
    focal: float = 0.035,
    f_number: float | None = None,
    focus: float | str | None = None,
) -> Document:
    """Put a camera into a scene, by whose name `render` sees.

    It stands at a position [m] and looks at a place [m], or wherever a part goes, such as "human.head", or "head" of
    the first figure. It goes along with the part that it is to `follow`, with `level` at its own height; `focal` is the
    length of its lens [m] before 36 mm of film. All is sharp, unless an `f_number` or a `focus` is given: a distance
    [m] or a part; without one, where it looks.
    """
    from engine.cameras.directing import focused, with_camera

    prepare(scene)
    goes, looks = None if follow is None else part_of(scene, follow), part_of(scene, at) if isinstance(at, str) else at
    worlds = evaluator().joint_transforms
    id = free_id(name.lower().replace(" ", "_"), set(scene.actor_index))
    made = with_camera(
        worlds,
        scene,
        id,
        name,
        position=position,
        at=looks,
        follow=goes,
        level=level,
        focal=focal,
    )
    if f_number is None and focus is None:
        return made
    sharp = part_of(scene, focus) if isinstance(focus, str) else focus
    if sharp is None:
        sharp = math.dist(position, looks) if isinstance(looks, tuple) else looks
    return focused(made, id, f_number=f_number, focus=sharp)


def light(scene: Document, *, studio: bool = False, **options: Any) -> Document:
    """Give a scene lights of its own, where it has none, and set what is named: `azimuth` and `elevation` of the key
    [rad], `with_view` whether that counts from where a view looks from, `size` half of the angle over which it is seen
    [rad], strengths `key`, `fill`, `rim` and `sky`, colours `background` and `floor`, and `horizon`, whether the floor
    fades. `studio` begins with lights beside the camera, over a grey floor."""
    from engine.edits import edit
    from engine.lighting.parts import STUDIO

    return edit("set_lighting", **{**(STUDIO if studio else {}), **options}).apply(scene)


def paint(
    document: Document, *, actor: str | None = None, colour: str | None = None, roughness: float | None = None
) -> Document:
    """Give an actor a colour, such as "#b8482f", and a roughness: 1 is clay, 0.05 nearly a mirror of the key."""
    from engine.edits import edit

    return edit("set_finish", actor=actor_of(document, actor).id, colour=colour, roughness=roughness).apply(document)

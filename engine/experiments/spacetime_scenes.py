"""The leap of the lamp that ships, written for renderers: RenderMan's RIB, as Winzell 2004, 4.4.4, and POV-Ray."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document import Actor, Document, Dof, Figure, Layer
from engine.evaluate.evaluator import Evaluator
from engine.experiments.charts import Line, line_chart
from engine.experiments.povray import povray_file, povray_settings
from engine.experiments.result import Cell, Claim, Result, ResultFile, ResultPlot, Settings, Table
from engine.experiments.rib import rib_file
from engine.experiments.scene_parts import PlacedParts, SceneLook, scenery_of
from engine.formats.figure_toml import load_figure
from engine.spacetime.examples import leap_of
from engine.spacetime.planes import FigurePlane, figure_plane
from engine.spacetime.search import FoundMotion, find_motion

DISTANCE = 0.25  # [m]
CROUCH = {"lower_arm.lean": -0.1, "upper_arm.bend": 0.35, "head.nod": 0.0}
EDGES = (0.0, 0.0, -0.095), (0.0, 0.0, 0.095)
LOOK = SceneLook(eye=(1.95, 0.7, 0.75), target=(0.0, 0.35, 0.12))


def run(settings: Settings) -> Result:
    """Search the leap, and write it frame by frame."""
    plane = figure_plane(free_lamp(), (-1.0, 0.0, 0.0))
    found = _leap(plane)
    scenery, rows = _frames(plane, found, 3 if settings.quick else 28)
    rib = rib_file(scenery, LOOK, "leap")
    frames = len(scenery.frames)
    return Result(
        title="A lamp's leap for renderers (Winzell 2004, section 4.4.4)",
        tables=(Table(name="frames", columns=("frame", "seconds", "forward_m", "up_m", "head_up_m"), rows=rows),),
        pictures=(ResultPlot(name="path", svg=_path(rows)),),
        files=(
            ResultFile(name="leap.rib", text=rib),
            ResultFile(name="leap.pov", text=povray_file(scenery, LOOK)),
            ResultFile(name="leap.ini", text=povray_settings(scenery, LOOK, "leap")),
        ),
        claims=(
            Claim(
                source="scenery is written frame by frame in the format of RenderMan",
                ours=f"{frames} frames that place {len(scenery.parts)} meshes, {rib.count('ObjectInstance')} times",
                agrees=found.report.solved and rib.count("FrameBegin") == frames,
            ),
        ),
    )


def free_lamp() -> Figure:
    """The lamp that ships with a base that goes forward, up, and tips."""
    lamp = load_figure("lamp")
    free = (
        Dof(id="base.forward", name="Forward", kind="slide", axis=(0.0, 0.0, 1.0)),
        Dof(id="base.up", name="Up", kind="slide", axis=(0.0, 1.0, 0.0)),
        Dof(id="base.tip", name="Tip", axis=(1.0, 0.0, 0.0)),
    )
    return replace(lamp, joints=(replace(lamp.joints[0], dofs=free), *lamp.joints[1:]))


def _leap(plane: FigurePlane) -> FoundMotion:
    q = plane.coordinates(CROUCH)
    names = [each.coordinate for each in plane.freedoms if each.dof.id in CROUCH]
    pose = {name: float(q[plane.figure.coordinate(name)]) for name in names}
    bounds = {name: plane.representations()[name] for name in names}
    heel, toe = (plane.point("base", each) for each in EDGES)
    return find_motion(leap_of(plane.figure, (heel, toe), pose, bounds, DISTANCE, lengths=(0.4, 0.3, 0.4), pieces=8))


def _frames(plane: FigurePlane, found: FoundMotion, count: int) -> tuple[PlacedParts, tuple[tuple[Cell, ...], ...]]:
    """Pictures at even times, and where base and head stand then."""
    evaluator, figure = Evaluator(), free_lamp()
    snapshots, rows = [], list[tuple[Cell, ...]]()
    for number, seconds in enumerate(np.linspace(0.0, found.motion.duration, count).tolist(), start=1):
        values = plane.values(found.motion.coordinates(seconds))
        layer = Layer(id="leap", name="Leap", values=tuple(values.items()))
        document = Document(actors=(Actor(id="lamp", name="Lamp", figure=figure, layers=(layer,)),))
        snapshots.append(evaluator.snapshot(document))
        scenery = scenery_of(snapshots[-1:])
        head = float(scenery.frames[0].placed[-1][1][1, 3])
        rows.append((number, seconds, values["base.forward"], values["base.up"], head))
    return scenery_of(snapshots), tuple(rows)


def _path(rows: tuple[tuple[Cell, ...], ...]) -> str:
    times = [float(row[1]) for row in rows]
    names = ("base, forward", "base, up", "head, up")
    lines = [Line(name=name, x=times, y=[float(row[at]) for row in rows]) for at, name in enumerate(names, start=2)]
    return line_chart("The leap, frame by frame", "time [s]", "way [m]", lines)

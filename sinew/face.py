"""The functions of the library: each hands what it is given to the engine, or, to draw, to the window's own code.

Nothing heavy is loaded before the first call that needs it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from engine import __version__
from engine.runtime.errors import EngineError, InvalidArguments, UnknownPart
from engine.runtime.progress import QUIET, finish
from engine.runtime.quick_dataclass import dataclass
from sinew import installed
from sinew.finding import actor_of, evaluator, finished, free_id, prepare

if TYPE_CHECKING:
    from typing import TypeVar

    from engine.document import Actor, Document
    from engine.document.motion import Rate
    from engine.document.values import Vector3
    from engine.formats.format import Up
    from engine.ik.goals import Goal
    from engine.ik.methods import Value
    from engine.ik.solver import Report
    from engine.maths.arrays import Array
    from engine.measure.chart import Chart

    T = TypeVar("T")

__all__ = [
    "Measured",
    "__version__",
    "EngineError",
    "Evaluated",
    "evaluate",
    "figure",
    "load",
    "measure",
    "pose",
    "quiet",
    "render",
    "retarget",
    "save",
    "set_range",
    "simulate",
    "solve",
    "surface",
]

PathLike = str | os.PathLike[str]
Extent = Literal["usual", "part", "branch", "whole"]
Display = Literal["mannequin", "skin", "bones", "lines"]


@dataclass(frozen=True, eq=False)
class Evaluated:
    """An actor as it is seen at a time: layers, locks and secondary motion counted."""

    coordinates: Mapping[str, float]  # [rad or m] by id
    joints: Mapping[str, Array]  # rotation and position [m] in the world by id, each of shape [3, 4]
    points: Mapping[str, Array]  # where end-effectors and the origins of joints are in the world [m], by id


@dataclass(frozen=True, eq=False)
class Measured:
    """Quantities against time. A notebook shows them as a plot."""

    names: tuple[str, ...]  # in the caller's order
    chart: Chart

    @property
    def times(self) -> Array:
        """Times [s], shape [count]."""
        return self.chart.places

    def __getitem__(self, name: str) -> Array:
        """The numbers of a quantity, in the unit that its line of the chart names; shape [count]."""
        if name not in self.names:
            raise UnknownPart(kind="quantity", id=name, known=self.names)
        return self.chart.lines[self.names.index(name)].values

    def save(self, path: PathLike) -> None:
        """Write them as .csv, .npz or .svg."""
        from engine.queries.plots import plot_writer

        plot_writer(Path(path))(Path(path), self.chart)

    def _repr_svg_(self) -> str:
        from engine.measure.plot_svg import svg_of

        return svg_of(self.chart)


def quiet(on: bool = True) -> None:
    """Say nothing on standard error of how far work is, as the variable SINEW_QUIET does; or say it again."""
    os.environ[QUIET] = "1" if on else "0"


def load(
    path: PathLike,
    *,
    unit: float | None = None,
    up: Up | None = None,
    rate: Rate | None = None,
    figure: PathLike | None = None,
) -> Document:
    """Read a file of any format that Sinew reads. What it does not say itself may be given: metres per unit of length,
    the axis that points up, frames in so many seconds, the file of the figure of a motion; else it is guessed."""
    from engine.cli.curves import document_in
    from engine.formats.format import Options

    options = Options(unit=unit, up=up, rate=rate, figure=None if figure is None else Path(figure))
    return document_in(Path(path), options)


def figure(name: PathLike) -> Document:
    """Make a scene in which one figure stands alone, at rest, with its muscles: one that comes with Sinew, such as
    "human" or "anatomy", or a file."""
    from engine.formats.figure_toml import SUFFIX, load_figure, load_parts, read_whole
    from engine.queries.naming import document_of

    path = Path(name)
    if path.name.endswith(SUFFIX):
        found, parts = read_whole(path)
        document = document_of(path.name.removesuffix(SUFFIX), found)
    else:
        found, parts = load_figure(str(name)), load_parts(str(name))
        document = document_of(str(name), found)
    (owner,) = document.actors
    for part in parts:
        owner = owner.with_part(part)
    return document.with_actor(owner)


def surface(document: Document, time: float = 0.0, *, actor: str | None = None) -> tuple[Array, Array]:
    """Find the surface of a soft body or of water, or the skin of a figure, as it is seen at a time [s]: places of its
    vertices, [m] of shape [count, 3], and its triangles."""
    import numpy as np

    from engine.queries.naming import ticks_of

    owner = actor_of(document, actor)
    prepare(document)
    picture = evaluator().snapshot(document, ticks_of(time, "the time"))
    skins = [(each.positions, each.triangles) for each in picture.skins if each.owner == owner.id]
    seen = skins + [each.closed[::2] for each in picture.liquids if each.owner == owner.id]
    if not seen:
        allowed = "one with a skin, a soft body or a tank of water"
        raise InvalidArguments(what="the actor to look at", value=owner.name, allowed=allowed)
    shifts = np.cumsum([0, *(len(places) for places, _ in seen)])
    triangles = [faces + by for (_, faces), by in zip(seen, shifts, strict=False)]
    return np.concatenate([places for places, _ in seen]).astype(float), np.concatenate(triangles)


def pose(document: Document, values: Mapping[str, float], *, actor: str | None = None, time: float = 0.0) -> Document:
    """Set coordinates [rad or m] by id, such as "elbow_left.flexion", within their limits; a keyed actor gets keys."""
    from engine.edits.poses import pose_edit
    from engine.queries.naming import ticks_of

    owner = actor_of(document, actor)
    if owner.figure.limits_on:
        prepare(document)
    return pose_edit(document, owner.id, ticks_of(time, "the time"), tuple(values.items())).apply(document)


def retarget(
    document: Document, source: PathLike, *, actor: str | None = None, joints: Mapping[str, str] | None = None
) -> Document:
    """Put the motion of a file onto a figure whose joints have other names, as a layer of it; feet that stand in the
    file stand. `joints` names for joints of the figure those that they follow; without them their names say it."""
    from engine.commands.retarget import RetargetMotion
    from engine.document.values import new_id

    owner = actor_of(document, actor)
    prepare(document, *RetargetMotion.uses)
    pairs = None if joints is None else tuple((leader, joint) for joint, leader in joints.items())
    command = RetargetMotion(actor=owner.id, path=Path(source), id=new_id("layer"), pairs=pairs)
    return finish(command.work_through(evaluator(), document)).edit.apply(document)


def set_range(document: Document, start: float | None = None, end: float | None = None) -> Document:
    """Let a scene last from a time to another [s], whatever moves: that is played, drawn and written. Without times it
    lasts as long as its motion."""
    from engine.edits import edit
    from engine.queries.naming import ticks_of

    if (start is None) != (end is None):
        allowed = "a start and an end, or neither"
        raise InvalidArguments(what="the range of the scene", value=(start, end), allowed=allowed)
    first, last = (None if each is None else ticks_of(each, "a range") for each in (start, end))
    return edit("set_scene_range", start=first, end=last).apply(document)


def solve(
    document: Document,
    goals: Mapping[str, Vector3] | Sequence[Goal],
    *,
    actor: str | None = None,
    time: float = 0.0,
    held: Iterable[str] = (),
    solver: str = "levenberg",
    options: Mapping[str, Value] | None = None,
    extent: Extent = "usual",
    natural: float | None = None,
    floor: bool | None = None,
) -> tuple[Document, Report]:
    """Pose an actor by inverse kinematics, as a drag in the window does, and say how near it came.

    `goals` are places [m] by end-effector or joint, or any goals of `engine.ik.goals`; what is `held` stays where it
    is, and so do locks. The solvers are those of `engine.ik.solvers.SOLVERS`, and "multipliers", which moves the figure
    by forces. `extent` says what may move, `natural` how far from exact (0) to natural (1) the actor is posed as bodies
    move, `floor` whether it stays above the plane y = 0, where these are not as its document says.
    """
    from engine.commands.reach import PullHandle, Reach
    from engine.ik.methods import Method, Terms
    from engine.queries.naming import spot_named, ticks_of

    owner, kept = actor_of(document, actor), tuple(held)
    share, above = owner.natural if natural is None else natural, owner.floor if floor is None else floor
    asked = document.with_actor(replace(owner, natural=share, floor=above))
    request = PullHandle(
        drag="solve",
        actor=owner.id,
        goals=_goals(owner, goals),
        held=tuple(spot_named(owner, name) for name in kept),
        method=Method(solver=solver, options=tuple((options or {}).items())),
        terms=Terms(extent=extent, iterations=1000, milliseconds=50.0),
    )
    prepare(document, *(("locks",) if kept else ()), *(("methods",) if solver != Method().solver else ()))
    reached = Reach(evaluator()).settle(asked, ticks_of(time, "the time"), request)
    posed = reached.snapshot.document.actor(owner.id)
    kept_as_is = replace(posed, natural=owner.natural, floor=owner.floor)
    return reached.snapshot.document.with_actor(kept_as_is), reached.outcome.report


def evaluate(document: Document, time: float = 0.0, *, actor: str | None = None) -> Evaluated:
    """Say how an actor stands at a time [s]: the same numbers as in the window, whatever was evaluated before."""
    from engine.queries.naming import ticks_of

    owner, when = actor_of(document, actor), ticks_of(time, "the time")
    prepare(document)
    poses, worlds = evaluator().seen(document, owner.id, when)
    coordinates = dict(zip(owner.figure.coordinates, poses[owner.id].tolist(), strict=True))
    joints = dict(zip(owner.figure.joint_index, worlds, strict=True))
    points = {joint: world[:, 3] for joint, world in joints.items()}
    points |= {each.id: joints[each.joint] @ (*each.point, 1.0) for each in owner.figure.handles}
    return Evaluated(coordinates, joints, points)


def simulate(
    document: Document,
    seconds: float,
    *,
    actor: str | None = None,
    time: float = 0.0,
    servos: float | None = None,
    ground: bool = True,
    step: float = 0.005,
    rate: Rate | None = None,
    stepper: str = "semi_implicit",
) -> Document:
    """Let an actor move under gravity, from the pose and the speed that it has at a time [s], for some seconds.

    The motion comes as samples in a layer on top, at the document's rate unless another one is given. `servos` is the
    frequency [Hz] with which joints follow their keyed motion; without it they are slack. `step` is the longest step
    [s]; the steppers are those of `engine.dynamics.stepping.STEPPERS`.
    """
    from engine.dynamics.stepping import STEPPERS
    from engine.physics.simulate import Fall
    from engine.physics.simulate import simulate as work
    from engine.queries.naming import ticks_of

    owner = actor_of(document, actor)
    known = {each.name: each for each in STEPPERS}
    if stepper not in known:
        raise UnknownPart(kind="stepper", id=stepper, known=tuple(known))
    wanted = Fall(
        id=free_id("simulation", {layer.id for layer in owner.layers}),
        actor=owner.id,
        start=ticks_of(time, "the time"),
        seconds=seconds,
        servos=servos,
        ground=ground,
        step=step,
        rate=rate,
        stepper=stepper,
    )
    prepare(document, "dynamics")
    return finished("simulating", work(evaluator(), document, wanted))


def measure(
    document: Document,
    quantities: Iterable[str],
    *,
    start: float | None = None,
    end: float | None = None,
    rate: Rate | None = None,
) -> Measured:
    """Measure quantities at every frame of what is played, or of a part of it [s].

    They are written as for `python -m engine curves`: "velocity.y:human.hand_left", "energy:human", or the id of a
    coordinate after that of its actor; `python -m engine quantities` lists the kinds.
    """
    from engine.cli.curves import plot_wanted
    from engine.measure.chart import chart_of
    from engine.measure.measuring import measure as work
    from engine.queries.needs import needs_of_plot
    from engine.queries.plots import MOST_WRITTEN, plot_times

    names = tuple(quantities)
    document = document if rate is None else replace(document, rate=rate)
    wanted = plot_wanted(document, names, start=start, end=end)
    prepare(document, *needs_of_plot(wanted))
    times = plot_times(document.rate, wanted.first, wanted.last, MOST_WRITTEN).tolist()
    series = finished("measuring", work(evaluator(), document, wanted.quantities, times))
    return Measured(names, chart_of(series))


def render(
    document: Document,
    path: PathLike,
    *,
    time: float | None = None,
    span: tuple[float, float] | None = None,
    size: tuple[int, int] = (1280, 720),
    camera: str = "perspective",
    rate: Rate | None = None,
    samples: int = 8,
    display: Display = "mannequin",
    background: str = "",
    grid: bool = True,
    shadows: bool = True,
    turntable: float | None = None,
) -> None:
    """Draw a picture of one time, or a video (.mp4, .webm, .gif) or numbered pictures (.png) of a span or of all that
    is played [s], as the window does and without one. What stands there is replaced.

    `camera` is the name of a camera in the scene, or perspective, front, back, left, right, top, bottom, or azimuth and
    elevation in degrees, as in "30,10"; `background` a colour such as "#ffffff", or "transparent". With `turntable` it
    goes once round: in so many seconds [s] while time stands still, or, for 0, while the motion goes on.
    """
    stranger = installed.stranger("app")
    if stranger:
        raise ImportError(stranger)
    if time is not None and span is not None:
        raise InvalidArguments(what="the time of a picture", value=time, allowed="a time or a span, not both")
    from app.shell.screen import missing_parts

    missing = missing_parts()
    if missing:
        raise ImportError(missing)
    prepare(document)
    from app.shell.render import RenderRequest
    from app.shell.render import render as work

    wish = RenderRequest(
        out=Path(path),
        replace=True,
        camera=camera,
        size=size,
        range=span if time is None else (time, time),
        rate=rate,
        samples=samples,
        display=display,
        background=background,
        grid=grid,
        shadows=shadows,
        turntable=turntable,
    )
    work(document, wish)


def save(
    document: Document,
    path: PathLike,
    *,
    actors: Iterable[str] | None = None,
    unit: float | None = None,
    up: Up | None = None,
    rate: Rate | None = None,
    start: float | None = None,
    end: float | None = None,
) -> tuple[str, ...]:
    """Write a scene, or actors of it as they are seen, in the format of the file's ending; return what it cannot hold.

    Without `actors` these are all of them, or the first figure where a file holds one. Of motion in frames what is
    played is written, or what moves from `start` to `end` [s].
    """
    from engine.formats.format import Options
    from engine.long.export import export, left_out, writer_of
    from engine.queries.naming import actor_named, ticks_of

    format = writer_of(Path(path))
    if actors is not None:
        chosen = [actor_named(document, name).id for name in actors]
    elif format.kind == "document" or format.takes_scene:
        chosen = [each.id for each in document.actors]
    else:
        chosen = [actor_of(document, None).id]
    if format.kind != "document":
        prepare(document)
    lost = left_out(format, document, chosen)
    first, last = (None if each is None else ticks_of(each, "a range") for each in (start, end))
    if (first is not None or last is not None) and "start" not in format.write_options:
        allowed = f"none for {format.name}: it is for files that hold motion in frames"
        raise InvalidArguments(what="a range", value=(start, end), allowed=allowed)
    export(Path(path), document, chosen, Options(unit=unit, up=up, rate=rate, start=first, end=last))
    return lost


def _goals(owner: Actor, goals: Mapping[str, Vector3] | Sequence[Goal]) -> tuple[Goal, ...]:
    from engine.document.values import vector3
    from engine.ik.goals import PositionGoal
    from engine.queries.naming import spot_named

    if not isinstance(goals, Mapping):
        return tuple(goals)
    return tuple(
        PositionGoal(spot=spot_named(owner, name), target=vector3(f"the goal of {name}", place))
        for name, place in goals.items()
    )

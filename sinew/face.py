"""The functions of the library: each hands what it is given to the engine, or, to draw, to the window's own code.

Nothing heavy is loaded before the first call that needs it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from engine import __version__
from engine.runtime.errors import EngineError, InvalidArguments, UnknownPart
from engine.runtime.progress import QUIET, finish, telling
from sinew import installed

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import TypeVar

    from engine.document import Actor, Document
    from engine.document.motion import Rate
    from engine.document.values import Vector3
    from engine.evaluate.evaluator import Evaluator
    from engine.formats.format import Up
    from engine.ik.goals import Goal, Spot
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
    "camera",
    "evaluate",
    "figure",
    "light",
    "load",
    "measure",
    "paint",
    "pose",
    "quiet",
    "render",
    "retarget",
    "save",
    "set_range",
    "simulate",
    "soft_body",
    "solve",
    "surface",
    "water_tank",
]

PathLike = str | os.PathLike[str]
Extent = Literal["usual", "part", "branch", "whole"]
Display = Literal["mannequin", "skin", "bones", "lines"]

_own = threading.local()


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
    """Make a scene in which one figure stands alone, at rest: one that comes with Sinew, such as "human", or a file."""
    from engine.formats.figure_toml import SUFFIX, load_figure, read
    from engine.queries.naming import document_of

    path = Path(name)
    if path.name.endswith(SUFFIX):
        return document_of(path.name.removesuffix(SUFFIX), read(path))
    return document_of(str(name), load_figure(str(name)))


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

    _prepare(Scene(), "soft")
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
        _free_id(title.lower().replace(" ", "_"), set(document.actor_index)),
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
    id = _free_id(name.lower().replace(" ", "_"), set(document.actor_index))
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
) -> Document:
    """Put a camera into a scene, by whose name `render` sees.

    It stands at a position [m] and looks at a place [m], or wherever a part goes, such as "human.head", or "head" of
    the first figure. It goes along with the part that it is to `follow`, with `level` at its own height; `focal` is the
    length of its lens [m] before 36 mm of film.
    """
    from engine.cameras.directing import with_camera

    _prepare(scene)
    goes, looks = None if follow is None else _part(scene, follow), _part(scene, at) if isinstance(at, str) else at
    worlds = _evaluator().joint_transforms
    id = _free_id(name.lower().replace(" ", "_"), set(scene.actor_index))
    return with_camera(
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

    return edit("set_finish", actor=_actor(document, actor).id, colour=colour, roughness=roughness).apply(document)


def surface(document: Document, time: float = 0.0, *, actor: str | None = None) -> tuple[Array, Array]:
    """Find the surface of a soft body or of water, or the skin of a figure, as it is seen at a time [s]: places of its
    vertices, [m] of shape [count, 3], and its triangles."""
    import numpy as np

    from engine.queries.naming import ticks_of

    owner = _actor(document, actor)
    _prepare(document)
    picture = _evaluator().snapshot(document, ticks_of(time, "the time"))
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

    owner = _actor(document, actor)
    if owner.figure.limits_on:
        _prepare(document)
    return pose_edit(document, owner.id, ticks_of(time, "the time"), tuple(values.items())).apply(document)


def retarget(
    document: Document, source: PathLike, *, actor: str | None = None, joints: Mapping[str, str] | None = None
) -> Document:
    """Put the motion of a file onto a figure whose joints have other names, as a layer of it; feet that stand in the
    file stand. `joints` names for joints of the figure those that they follow; without them their names say it."""
    from engine.commands.retarget import RetargetMotion
    from engine.document.values import new_id

    owner = _actor(document, actor)
    _prepare(document, *RetargetMotion.uses)
    pairs = None if joints is None else tuple((leader, joint) for joint, leader in joints.items())
    command = RetargetMotion(actor=owner.id, path=Path(source), id=new_id("layer"), pairs=pairs)
    return finish(command.work_through(_evaluator(), document)).edit.apply(document)


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

    owner, kept = _actor(document, actor), tuple(held)
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
    _prepare(document, *(("locks",) if kept else ()), *(("methods",) if solver != Method().solver else ()))
    reached = Reach(_evaluator()).settle(asked, ticks_of(time, "the time"), request)
    posed = reached.snapshot.document.actor(owner.id)
    kept_as_is = replace(posed, natural=owner.natural, floor=owner.floor)
    return reached.snapshot.document.with_actor(kept_as_is), reached.outcome.report


def evaluate(document: Document, time: float = 0.0, *, actor: str | None = None) -> Evaluated:
    """Say how an actor stands at a time [s]: the same numbers as in the window, whatever was evaluated before."""
    from engine.queries.naming import ticks_of

    owner, when = _actor(document, actor), ticks_of(time, "the time")
    _prepare(document)
    poses, worlds = _evaluator().seen(document, owner.id, when)
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

    owner = _actor(document, actor)
    known = {each.name: each for each in STEPPERS}
    if stepper not in known:
        raise UnknownPart(kind="stepper", id=stepper, known=tuple(known))
    wanted = Fall(
        id=_free_id("simulation", {layer.id for layer in owner.layers}),
        actor=owner.id,
        start=ticks_of(time, "the time"),
        seconds=seconds,
        servos=servos,
        ground=ground,
        step=step,
        rate=rate,
        stepper=stepper,
    )
    _prepare(document, "dynamics")
    return _finished("simulating", work(_evaluator(), document, wanted))


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
    _prepare(document, *needs_of_plot(wanted))
    times = plot_times(document.rate, wanted.first, wanted.last, MOST_WRITTEN).tolist()
    series = _finished("measuring", work(_evaluator(), document, wanted.quantities, times))
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
    _prepare(document)
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
        chosen = [_actor(document, None).id]
    if format.kind != "document":
        _prepare(document)
    lost = left_out(format, document, chosen)
    first, last = (None if each is None else ticks_of(each, "a range") for each in (start, end))
    if (first is not None or last is not None) and "start" not in format.write_options:
        allowed = f"none for {format.name}: it is for files that hold motion in frames"
        raise InvalidArguments(what="a range", value=(start, end), allowed=allowed)
    export(Path(path), document, chosen, Options(unit=unit, up=up, rate=rate, start=first, end=last))
    return lost


def _prepare(document: Document, *names: str) -> None:
    """Have the kernels ready that a document's pictures and drags use, and those of further purposes."""
    from engine.long.prepare import prepare
    from engine.queries.needs import needs_of

    prepare({"posing", *needs_of(document), *names})


def _evaluator() -> Evaluator:
    """The evaluator of this thread, which keeps models from call to call."""
    from engine.evaluate.evaluator import Evaluator

    if not hasattr(_own, "evaluator"):
        _own.evaluator = Evaluator()
    found: Evaluator = _own.evaluator
    return found


def _actor(document: Document, name: str | None) -> Actor:
    """The actor of that id or name; without one the first that is no prop."""
    from engine.queries.naming import actor_named

    if name is not None:
        return actor_named(document, name)
    if not document.actors:
        raise InvalidArguments(what="the actors of the scene", value=(), allowed="at least one")
    return min(document.actors, key=lambda actor: actor.figure.is_prop)


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


def _part(document: Document, name: str) -> Spot:
    """The spot of a part such as "human.head", or "head" of the first figure."""
    from engine.queries.naming import slug, spot_named

    owner, _, part = name.rpartition(".")
    known = owner in {text for each in document.actors for text in (each.id, slug(each.name))}
    return spot_named(_actor(document, owner if known else None), part if known else name)


def _free_id(id: str, taken: set[str]) -> str:
    """An id that is not yet taken, the same each time."""
    number, found = 1, id
    while found in taken:
        number += 1
        found = f"{id}_{number}"
    return found


def _finished(what: str, steps: Generator[float, None, T]) -> T:
    """Work that says how far it is, done at one go."""
    from engine.long.percent import Percent

    return finish(telling(steps, Percent(what)))

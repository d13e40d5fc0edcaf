"""Reach: the one file of the goldens that imports the engine and the window.

Rooms, classes and modules may be moved and renamed: then this file is edited, and no other of this folder, nor what is
recorded. Whatever it gives out is plain: names, numbers, bytes, and documents, which the others only hand on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import __main__ as command_line
from engine.commands.sequences import read_sequence
from engine.document import Actor, Blob, Document, Key, Layer, Lock, Samples, TriangleMesh
from engine.document.extent import play_extent
from engine.document.motion import TICKS_PER_SECOND
from engine.document.part_types import PART_TYPES
from engine.document.pose import read_pose
from engine.edits import EDITS, Edit, edit
from engine.edits.command_log import Replay, Start
from engine.evaluate.balance import with_balance
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.formats.figure_toml import figure_names, load_figure
from engine.formats.format import Options
from engine.formats.motion_toml import load_motion, motion_names
from engine.formats.sinew_log import log_text, read_log
from engine.formats.table import writers
from engine.ik.goals import PositionGoal, Spot
from engine.ik.problem import Participant, compile_problem
from engine.ik.solver import Budget, solve
from engine.ik.solvers import SOLVERS
from engine.kinodynamics.ghosts import with_ghosts
from engine.kinodynamics.queries.motion_paths import follow_paths
from engine.long import export as exporting
from engine.long.bake import bake_frames, frame_times, is_dear
from engine.long.export import export, left_out
from engine.measure import KINDS
from engine.model.compile import compile_model
from engine.project.bakes import BakeFile
from engine.project.past import Past, PastEntry
from engine.project.save import open_project, save_project
from engine.project.store import Store
from engine.queries.examples import EXAMPLES
from engine.queries.trails import OnionSkins, Trails, Wanted
from engine.runtime.errors import UnwritableFile
from engine.runtime.progress import finish
from engine.targets.queries.mark_targets import mark_targets
from tests.golden.found import Found, digest
from tests.golden.later import LATER
from tests.golden.simulated import SIMULATED

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

__all__ = ["Document", "Edit", "exporting"]
SECOND = TICKS_PER_SECOND
Build = Callable[[], Document]
WEIGHTLESS = ("example-face", "example-fall")  # of which no forces can be measured, or no angle

# Documents


def documents() -> dict[str, Build]:
    """Everything that ships, each as a document: examples, figures, motions, sequences and poses; but for what is
    simulated, since the last bit of another processor decides how a fall ends."""
    made: dict[str, Build] = {f"example-{each.id}": each.build for each in EXAMPLES if each.id not in SIMULATED}
    made |= {f"figure-{name}": partial(_figure, name) for name in figure_names()}
    made |= {f"motion-{name}": partial(_motion, name) for name in motion_names()}
    made |= {f"sequence-{_plain(name)}": partial(_sequence, name) for name in _shipped("sequences", ".motion.toml")}
    made |= {f"pose-{_plain(name)}": partial(_pose, name) for name in _shipped("poses", ".pose.toml")}
    return made


def _shipped(folder: str, suffix: str) -> list[str]:
    names = (each.name for each in files("resources").joinpath(folder).iterdir())
    return sorted(name.removesuffix(suffix) for name in names if name.endswith(suffix))


def _plain(name: str) -> str:
    return name.lower().replace(" ", "-")


def _alone(figure: Any, *layers: Layer) -> Document:
    return Document(actors=(Actor(id="one", name="One", figure=figure, layers=layers),))


def _figure(name: str) -> Document:
    return _alone(load_figure(name), Layer(id="pose"))


def _motion(name: str) -> Document:
    contents = load_motion(name)
    return _alone(contents.figure, *contents.layers)


def _sequence(name: str) -> Document:
    with as_file(files("resources").joinpath("sequences", f"{name}.motion.toml")) as path:
        clip = read_sequence(path)
    return _alone(load_figure("human"), Layer(id="motion", tracks=clip.tracks))


def _pose(name: str) -> Document:
    text = files("resources").joinpath("poses", f"{name}.pose.toml").read_text(encoding="utf-8")
    document = _figure("human")
    values = read_pose(text).fit(document.actors[0].figure)[0]
    return edit("set_pose", actor="one", layer="pose", values=values).apply(document)


def digest_of(document: Document) -> str:
    """Names the content of a document."""
    return document.digest


def repeatable(document: Document) -> Document:
    """The same where no clock has a say: locks kept by multipliers are led there by a solver that is given 50 ms."""
    return replace(document, lock_solver="levenberg")


def nudged(document: Document, by: float) -> Document:
    """The same with every actor placed elsewhere by so many metres."""
    for actor in document.actors:
        x, y, z = actor.placement.position
        placement = replace(actor.placement, position=(x + by, y - by, z + by))
        document = document.with_actor(replace(actor, placement=placement))
    return document


def actors_of(document: Document) -> list[str]:
    """Ids of its actors."""
    return [actor.id for actor in document.actors]


def moves(document: Document) -> bool:
    """Whether anything in it has keys or samples."""
    return any(layer.tracks or layer.samples is not None for actor in document.actors for layer in actor.layers)


def times_of(document: Document) -> list[int]:
    """Ticks at which it is looked at: before the start, at it, on keys and between them, at the end and after it."""
    start, end = play_extent(document)
    if not moves(document):
        return [start]
    keys = {key.time for actor in document.actors for layer in actor.layers for track in layer.tracks
            for key in track.keys}  # fmt: skip
    inside = sorted(key for key in keys if start < key < end)
    on = [inside[len(inside) * share // 3] for share in (1, 2)] if inside else []
    between = [start + round((end - start) * share) + 12_345 for share in (0.21, 0.5, 0.83)]
    return sorted({start - SECOND // 2, start, *on, *between, end, end + SECOND})


# What is seen


def picture(evaluator: Evaluator, document: Document, time: int) -> Found:
    """All that is drawn at a time: bodies, surfaces, keyed ghosts, marks of locks, balance."""
    shown = with_balance(with_ghosts(evaluator, evaluator.snapshot(document, time)))
    found = Found(exact={"state": shown.state})
    for each in (*shown.bodies, *shown.ghosts):
        name = f"{'ghost' if each.role == 'keyed' else each.role} {each.owner}"
        found.exact[name] = [len(each.parts), digest(" ".join(each.parts).encode()), each.visible, each.frozen]
        found.close[f"{name} transforms"] = each.transforms
        if each.pose is not None:
            found.close[f"{name} pose"] = each.pose
    for skin in shown.skins:
        name = f"{skin.role} {skin.owner} {skin.skin}"
        found.exact[name] = [skin.visible, digest(skin.triangles)]
        found.close[f"{name} positions"] = skin.positions
        found.close[f"{name} normals"] = skin.normals
    for word, marks in (("lock", shown.locks), ("muted lock", shown.muted_locks)):
        for mark in marks:
            name = f"{word} {mark.owner} {mark.lock}"
            found.exact[name] = [mark.name, mark.part, mark.held, [axis for axis, _ in mark.axes]]
            found.close[name] = _row(
                mark.at, mark.target, mark.share, *(to for _, to in mark.axes), mark.normal or (),
                mark.position, mark.rotation, mark.off, mark.turned,
            )  # fmt: skip
    for balance in shown.balances:
        name = f"balance {balance.owner}"
        found.exact[name] = [len(balance.contacts), len(balance.support), balance.holds]
        margin = () if balance.margin is None else balance.margin
        found.close[name] = _row(balance.mass, balance.centre, margin, balance.support.ravel())
    return found


def meshes(evaluator: Evaluator, document: Document) -> Found:
    """What is uploaded once: the solids and the bones of each figure."""
    found = Found()
    for each in evaluator.snapshot(document, 0).bodies:
        found.exact[f"mesh {each.owner}"] = [len(each.mesh.positions), len(each.mesh.triangles), len(each.skeleton.end)]
        for key in ("positions", "normals", "tone"):
            found.close[f"mesh {each.owner} {key}"] = getattr(each.mesh, key)
        found.close[f"bones {each.owner}"] = each.skeleton.point
        found.bytes[f"mesh {each.owner}"] = digest(each.mesh.triangles) + digest(each.mesh.body)
    return found


def overlays(evaluator: Evaluator, document: Document, time: int) -> Found:
    """What is drawn of other times: trails, onion skins, motion paths and marks of targets."""
    found, (first, last) = Found(), play_extent(document)
    spots = tuple(spot for actor in document.actors for spot in _spots(actor)[:2])
    skins = OnionSkins(actors=tuple(actors_of(document)), before=2, after=2, step=7)
    wanted = Wanted(spots=spots, first=first, last=min(last, first + 2 * SECOND), onions=skins)
    picture = _last(Trails(evaluator).answer(document, time, wanted))
    for number, trail in enumerate(picture.trails):
        name = f"trail {number} {trail.owner} {trail.part}"
        found.exact[name] = [digest(trail.times), int(trail.keyed.sum()), bool(trail.fresh.all())]
        found.close[name] = trail.points
        if trail.tangents is not None:
            found.close[f"{name} tangents"] = _row(trail.tangents.velocities.ravel(), trail.tangents.reach)
    for onion in picture.onions:
        found.close[f"onion {onion.number} {onion.bodies.owner}"] = onion.bodies.transforms
    for path in _last(follow_paths(evaluator, document, spots, (first, min(last, first + SECOND)))).paths:
        found.close[f"path {path.kind} {path.owner} {path.part} {path.point}"] = path.points
    for actor in document.actors:
        for mark in _last(mark_targets(evaluator, document, actor.id, time)).marks:
            found.exact[f"target {mark.owner} {mark.id}"] = [mark.kind, mark.own, mark.name, mark.part, not mark.missed]
            found.close[f"target {mark.owner} {mark.id}"] = _row(mark.place, mark.at, mark.rotation or ())
    return found


def _spots(actor: Actor) -> list[Spot]:
    ends = [Spot(actor=actor.id, joint=each.joint, point=each.point) for each in actor.figure.handles]
    return ends or [Spot(actor=actor.id, joint=actor.figure.joints[-1].id)]


def _last(steps: Iterable[Any]) -> Any:
    return [each for each in steps if each is not None][-1]


def _row(*values: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.concatenate([np.atleast_1d(np.asarray(value, dtype=np.float64)).ravel() for value in values])


def new_evaluator() -> Evaluator:
    """One that has worked nothing out yet."""
    return Evaluator()


# What is pulled


def methods() -> tuple[str, ...]:
    """Keys of all ways to solve for a pose."""
    return tuple(SOLVERS)


def pulled(name: str, method: str) -> Found:
    """The poses to which a method brings a figure that ships, two of its handles pulled away in three steps."""
    figure, found = load_figure(name), Found()
    model, solver = compile_model(figure), SOLVERS[method]()
    people, q = [Participant(actor="one", figure=figure)], model.rest
    spots = [Spot(actor="one", joint=each.joint, point=each.point) for each in figure.handles[-2:]]
    document = _figure(name)
    worlds = Evaluator().joint_transforms(document, "one")
    for step in (1, 2, 3):
        goals = []
        for spot, by in zip(spots, ((0.03, 0.05, 0.04), (-0.02, 0.03, 0.05)), strict=False):
            frame = worlds[figure.joint_index[spot.joint]]
            x, y, z = (frame[:, :3] @ spot.point + frame[:, 3] + np.array(by) * step).tolist()
            goals.append(PositionGoal(spot=spot, target=(x, y, z)))
        budget = Budget(iterations=12, milliseconds=60_000.0, starts=0)  # no clock may end it
        answer = solve(compile_problem(people, goals, tolerance=1e-4), [q], solver, budget=budget)
        report = answer.report()
        q = answer.poses[0].copy()
        found.exact[f"step {step}"] = [report.state, report.iterations, [list(each) for each in report.active]]
        found.close[f"step {step} pose"] = q
        found.close[f"step {step} curve"] = report.curve
    return found


# Files


def save(path: Path, document: Document, *, renamed: bool = False) -> None:
    """Save a project; with an undo list of a change where it is `renamed` and named back."""
    if not renamed:
        sinew.write(path, document)
        return
    actor = document.actors[0]
    entries = [PastEntry("Open", None, document)]
    for name in (f"{actor.name} 2", actor.name):
        change = edit("rename_actor", actor=actor.id, name=name)
        entries.append(PastEntry("Rename", change, change.apply(entries[-1].document)))
    save_project(path, entries[-1].document, Past(tuple(entries), 2))


def opened(path: Path) -> Document:
    """The document in a file."""
    return open_project(path).document


def kinds_of_parts() -> frozenset[str]:
    """Names of every class that may stand in a file."""
    return frozenset(PART_TYPES)


def formats() -> tuple[tuple[str, str], ...]:
    """Name and suffix of each format that is written."""
    return tuple((each.name, each.suffixes[0]) for each in writers())


def exported(path: Path, document: Document, *, rate: int | None, start: int | None, end: int | None) -> Found | None:
    """Write all actors as a file; what is said to be left out. None where the format cannot carry it."""
    format = next(each for each in writers() if path.name.endswith(each.suffixes[0]))
    whole = format.takes_scene
    options = Options(
        rate=None if rate is None or "rate" not in format.write_options else (rate, 1),
        start=start if whole else None,
        end=end if whole else None,
    )
    try:
        export(path, document, actors_of(document), options)
    except UnwritableFile:
        return None
    return Found(exact={"left out": list(left_out(format, document, actors_of(document)))})


def is_worth_baking(document: Document) -> bool:
    """Whether the window would bake it."""
    return is_dear(document)


def baked(document: Document, folder: Path, most: int) -> Iterator[tuple[int, bytes]]:
    """Time and bytes of frames of a bake, at most so many of them in even steps."""
    times = frame_times(*play_extent(document), document.rate)
    times = times[:: -(-len(times) // most)]
    path = finish(bake_frames(document, (folder,), times)).path
    file = BakeFile.open(path)
    assert file is not None, path
    for _ in file.look():
        pass
    found = [(time, file.read(time)) for time in sorted(file.times)]
    file.close()
    yield from ((time, frame) for time, frame in found if frame is not None)


def command(*arguments: str) -> int:
    """Run `python -m engine ARGUMENTS` in this process; its exit code."""
    return command_line.main(arguments)


# Edits


def measured(document: Document) -> tuple[str, str, str]:
    """An actor, a joint of it and one of its angles, of which quantities are measured."""
    actor = document.actors[0]
    joint = next((each for each in reversed(actor.figure.joints) if each.dofs), actor.figure.joints[-1])
    dofs = [dof.id for each in actor.figure.joints for dof in each.dofs if dof.kind == "hinge"]
    return actor.id, joint.id, dofs[len(dofs) // 2]


def quantities(joint: str, angle: str) -> Iterator[tuple[str, str]]:
    """Every kind of quantity with one of its components, and what it is of."""
    of = {"coordinate": angle, "point": joint, "joint": joint, "figure": ""}
    for name, kind in KINDS.items():
        # Some need axes of anatomy, limits or springs.
        if kind.of != "system" and name not in ("anatomical", "resistance", "spring"):
            yield f"{name}.{kind.components[-1]}" if kind.components else name, of[kind.of]


def has_targets(document: Document) -> bool:
    """Whether secondary motion is to meet any."""
    return any(actor.secondary is not None and actor.secondary.targets for actor in document.actors)


def edit_names() -> frozenset[str]:
    """Every edit of the table."""
    return frozenset(EDITS)


def command_log(path: Path) -> Iterator[tuple[str, Document, Document]]:
    """Name of each deed of a log, and the document before and after it."""
    again = Replay()
    for deed in read_log(path):
        before = Document() if isinstance(deed, Start) else again.document
        again.do(deed)
        name = deed.name if isinstance(deed, Edit) else type(deed).__name__.lower()
        yield name, before, again.document


def numbers_in(document: Document, *, ids: bool = True) -> tuple[str, list[float]]:
    """A document with its numbers taken out, as a digest, and those numbers; without `ids`, which may be drawn."""
    numbers: list[float] = []
    return digest(repr(_without(_plain_parts(document, ids), numbers)).encode()), numbers


def _plain_parts(value: object, ids: bool) -> object:
    """The same with arrays as lists: their bytes stand in base 64 else."""
    if isinstance(value, Blob):
        return [value.array.dtype.str, list(value.array.shape), value.array.ravel().tolist()]
    if is_dataclass(value):
        names = (each.name for each in fields(value) if ids or each.name != "id")
        own = {name: getattr(value, name) for name in names}
        for name, usual in LATER.items():
            of, _, field = name.rpartition(".")
            if of in ("", type(value).__name__) and field in own and own[field] == usual:
                del own[field]
        return {"": type(value).__name__} | {name: _plain_parts(each, ids) for name, each in own.items()}
    if isinstance(value, tuple):
        return [_plain_parts(each, ids) for each in value]
    return value


def _without(value: Any, numbers: list[float]) -> Any:
    if isinstance(value, float):
        numbers.append(value)
        return 0.0
    if isinstance(value, list):
        return [_without(each, numbers) for each in value]
    return {key: _without(each, numbers) for key, each in value.items()} if isinstance(value, dict) else value


def states(path: Path) -> Iterator[tuple[str, Document, Edit]]:
    """Each edit of a log, what it changes, and a name for the two."""
    again = Replay()
    for number, deed in enumerate(read_log(path)):
        if isinstance(deed, Edit):
            yield f"{path.stem}-{number:02}-{deed.name}", again.document, deed
        again.do(deed)


def part_names(*values: object) -> set[str]:
    """Names of the classes of parts in documents and edits."""
    found, waiting, known = set[str](), list(values), PART_TYPES
    while waiting:
        value = waiting.pop()
        if isinstance(value, tuple):
            waiting += value
        elif is_dataclass(value) and not isinstance(value, type):
            found.add(type(value).__name__)
            waiting += [getattr(value, each.name) for each in fields(value)]
    return found & known.keys()


def parts_in(path: Path) -> set[str]:
    """Names of the classes of parts in a project file and its undo list."""
    with Store.open(path) as store:
        past = finish(store.past())
    return part_names(*((each.document, each.edit) for each in past.entries))


def save_with(path: Path, before: Document, change: Edit) -> None:
    """Save what an edit makes, with the edit in the undo list."""
    after = change.apply(before)
    entries = (PastEntry("Open", None, before), PastEntry(change.label(before), change, after))
    save_project(path, after, Past(entries, 1))


def write_log(path: Path, start: Document, changes: Iterable[Edit]) -> None:
    """Keep a log."""
    path.write_text(log_text([Start(start, "Golden"), *changes]), encoding="utf-8")


def walk(seed: int, steps: int) -> Iterator[tuple[Document, Edit, Document]]:
    """Edits at random that change something: the document before, the edit, the document after."""
    from tests.conformance.test_edits import random_edit
    from tests.conformance.test_kernel_edits import captured
    from tests.engine.figures import scene

    chance, document = Random(seed), captured(seed) if seed % 2 else scene(seed)
    for _ in range(steps):
        change = random_edit(chance, document)
        after = change.apply(document)
        if after is not document and after.actors:
            yield document, change, after
            document = after


def rare_edits() -> tuple[Document, list[Edit]]:
    """Edits that chance seldom or never finds something to do for, one after the other."""
    from tests.engine.edits.examples import EXAMPLES as CHANCES
    from tests.engine.edits.limit_examples import limit_over

    figure = load_figure("human")
    sideless = replace(figure, joints=tuple(replace(each, side="middle", mirror=None) for each in figure.joints))
    document, who, layer = _alone(sideless, Layer(id="pose")), {"actor": "one"}, {"actor": "one", "layer": "pose"}
    skin: Any = CHANCES["add_skin"](Random(1), document.actors[0], document.actors[0].layers[0])
    shown = skin["skin"]
    limit = limit_over(Random(2), tuple(dof.id for dof in figure.joint("elbow_left").dofs), kind="box")
    cone = limit_over(Random(3), tuple(dof.id for dof in figure.joint("shoulder_left").dofs), kind="cone")
    corners = np.eye(3, dtype="<f4")
    mesh = TriangleMesh(positions=Blob(corners), normals=Blob(corners), triangles=Blob(np.array([[0, 1, 2]], "<i4")))
    rows = Blob(np.zeros((2, len(figure.coordinates))))
    fallen = Samples(coordinates=figure.coordinates, values=rows, rate=(30, 1), start=0)
    jumps = tuple(("pelvis.turn", Key(time * SECOND, value)) for time, value in ((0, 0.1), (1, 6.5), (2, -0.2)))
    return document, [
        edit("guess_sides", **who),
        edit("add_skin", **who, **skin),
        edit("set_blending", **who, skin=shown.id, blending="linear" if shown.blending == "dual" else "dual"),
        edit("set_limit", **who, limit=limit),
        edit("set_limit", **who, limit=cone),
        edit("set_shapes", **who, joint="head", shapes=(mesh,)),
        edit("set_limit_on", **who, limit=limit.id, on=not limit.on),
        edit("set_keys", **layer, keys=jumps),
        edit("unwrap_chosen", chosen=(("one", "pose", ("pelvis.turn",)),)),
        edit("set_keys", **layer, keys=jumps),
        edit("unwrap_angles", **layer),
        edit("set_physics_world", gravity=3.7, ground=False),
        edit("set_physics", **who, start=SECOND, follow=2.0),
        edit("bake_physics", **who, id="fall", samples=fallen),
        edit("remove_physics", **who),
    ]


def argued_edits() -> tuple[Document, list[Edit]]:
    """Edits with the arguments that chance never gives them, one after the other."""
    who, layer, second = {"actor": "one"}, {"actor": "one", "layer": "pose"}, SECOND
    lock = {"actor": "one", "lock": "hold"}
    elbow = "elbow_left.flexion"
    keys = {"keys": ((elbow, (second,)),)}
    smooth = {"interpolation": "cubic", "tangent": "free", "slope_in": 0.2, "slope_out": -0.4}
    held = Lock(id="hold", name="Hold", joint="wrist_left", position=(0.4, 1.0, 0.2))
    return _figure("human"), [
        *(edit("set_key", **layer, coordinate=elbow, time=at * second, value=0.3 * at + 0.1) for at in (0, 1, 2)),
        edit("set_key", **layer, coordinate=elbow, time=second, value=0.9, weight_in=0.2, weight_out=0.5, **smooth),
        edit(
            "set_tangent", **layer, **keys, tangent="free", slope_in=0.1, slope_out=0.3, weight_in=0.4, weight_out=0.1
        ),
        edit("scale_keys", **layer, **keys, pivot=0, factor=1.25, value_pivot=0.1, value_factor=0.5),
        edit("set_kochanek_bartels", **layer, keys=((elbow, (0,)),), tension=0.2, continuity=-0.3, bias=0.4),
        edit("set_extrapolation", **layer, coordinates=(elbow,), before="cycle", after="linear"),
        edit("set_layer_span", **layer, start=0, end=2 * second, ease_in=second // 3, ease_out=second // 2),
        edit("duplicate_layer", **layer, id="again", name="Again"),
        edit("set_rate", frames=30000, seconds=1001),
        edit("set_body", **who, joint="head", density=1010.0),
        edit("move_handle", **who, handle="hand_left", joint="elbow_left", point=(0.0, -0.2, 0.0)),
        edit("add_lock", **who, lock=held),
        edit("set_lock_axes", **lock, axes=("i", "j"), held="plane"),
        edit("set_lock_target", **lock, normal=(0.0, 0.6, 0.8), point=(0.0, -0.05, 0.0)),
        edit("set_lock_weight", **lock, weight=0.5, importance=2.0, turn_importance=0.3),
        edit("set_lock_span", **lock, start=0, end=second, ease_in=second // 4, ease_out=second // 5),
        edit("key_lock", **lock, time=second // 2, values=(("x", 0.3), ("weight", 0.8))),
        edit("unkey_lock", **lock, names=("x",), time=second // 2),
        edit("set_secondary", **who, on=True),
        edit("apply_preset", **who, preset="tense", joints=("elbow_left", "neck")),
    ]


# Pictures


def render(pictures: Iterable[tuple[Path, Path, tuple[str, ...]]]) -> None:
    """What `sinew render PROJECT --out OUT ARGUMENTS` draws, one after the other on one surface."""
    from app.shell.render import RenderRequest, open_surface, plan_of
    from app.shell.render import export as export_film
    from app.shell.render_command import _parser

    application, surface = open_surface()
    try:
        for project, out, arguments in pictures:
            chosen = vars(_parser().parse_args([str(project), "--out", str(out), *arguments]))
            del chosen["project"]
            request = RenderRequest(**(chosen | {"quantities": tuple(chosen["quantities"])}))
            export_film(plan_of(request, opened(project)), surface)
    finally:
        surface.close()
        del application


@contextmanager
def panels() -> Iterator[Callable[[str, tuple[int, int]], QImage]]:
    """The real window on an example; what it gives grabs one of its panels at a size [px], by the name of its dock."""
    from app.session import Item
    from app.style.chart import ChartView, chart_library
    from tests.stage import stage

    example = next(each for each in EXAMPLES if each.id == "grasp").build()
    with stage(example, size=(1280, 900)) as opened:
        session, window = opened.session, opened.window
        actor = session.document.actors[0]
        session.select([Item(actor.id, actor.figure.handles[0].joint)])
        session.set_playhead(2 * SECOND)
        opened.settle()

        def grab(name: str, size: tuple[int, int]) -> QImage:
            window.show_panel(name)
            opened.settle()
            opened.until(lambda: session.at_rest)
            widget = window.docks[name].widget()
            widget.setFixedSize(*size)
            opened.settle()
            if widget.findChildren(ChartView):
                opened.until(lambda: chart_library().is_there)
                opened.settle()
            return widget.grab().toImage()

        yield grab

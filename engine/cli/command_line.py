"""The commands `info`, `pose` and `evaluate` of `python -m engine`.

A coordinate is named `actor.joint.dof`, as in `human.elbow_left.flexion`: the actor by its id, or by its name with
capitals ignored and spaces written as underscores; the rest by its id. Hinges are in degrees, slides in metres.
"""

import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.cli.files import file_lines
from engine.commands.bring_in import read_contents
from engine.document import Actor, Document, Figure
from engine.document.motion import TICKS_PER_SECOND, frame_count
from engine.edits.poses import set_value
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew, sinew_log
from engine.formats.figure_toml import load_figure
from engine.maths.rotation_arrays import quaternions
from engine.model.snapshot import Bodies
from engine.project.schema import SUFFIX
from engine.queries.naming import actor_named, document_of, slug, ticks_of
from engine.runtime.errors import InvalidArguments, UnknownPart


def describe(path: Path) -> str:
    """Describe a file's contents in lines: a document's actors, or the figure and motion of any other format."""
    if not path.name.lower().endswith((SUFFIX, sinew_log.SUFFIX)):
        return "\n".join(file_lines(path))
    document = _document_in(path)
    head = f"{path}: {_count(len(document.actors), 'actor')}, digest {document.digest}"
    lines = [head, *_range_lines(document), *(line for actor in document.actors for line in _actor_lines(actor))]
    return "\n".join(lines)


def _range_lines(document: Document) -> Iterator[str]:
    """Say from when to when the scene lasts, where it says so itself."""
    span, rate = document.scene_range, document.rate
    if span is not None:
        first, last = span.start / TICKS_PER_SECOND, span.end / TICKS_PER_SECOND
        frames = _count(frame_count(rate, span.start, span.end), "frame")
        yield f"  range: {first:g} to {last:g} s, {frames} at {rate[0] / rate[1]:.6g} a second"


def replay_log(log: Path, out: Path | None) -> str:
    """The digest of the document that a log makes, which is kept as a file if one is named."""
    document = _document_in(log)
    if out is not None:
        sinew.write(out, document)
    return document.digest


def _document_in(path: Path) -> Document:
    document = read_contents(path).document
    if document is None:
        allowed = f"a {sinew_log.SUFFIX} or {SUFFIX} file"
        raise InvalidArguments(what="the file of a document", value=str(path), allowed=allowed)
    return document


def pose_lines(scene: str, settings: Sequence[str], *, as_json: bool) -> list[str]:
    """List the position of every joint in the world [m], after the settings `actor.joint.dof=value`."""
    document = open_scene(scene)
    for setting in settings:
        document = _set(document, setting)
    evaluator = Evaluator()
    found = {actor.id: _positions(evaluator, document, actor) for actor in document.actors}
    if as_json:
        return [json.dumps(found)]
    return [
        f"{slug(actor.name) + '.' + joint:<32} {x:12.6f} {y:12.6f} {z:12.6f}"
        for actor in document.actors
        for joint, (x, y, z) in found[actor.id].items()
    ]


def evaluate_lines(scene: Path, seconds: float, *, as_json: bool) -> list[str]:
    """List the position of every joint in the world [m] at a time, as the window shows it, locks kept, and how well
    each lock is; as JSON also how it is turned (a quaternion) and the coordinates [rad or m]."""
    document, time = sinew.read(scene), ticks_of(seconds, "the time to evaluate")
    picture = Evaluator().snapshot(document, time, skins=False)
    if as_json:
        actors = {each.owner: _evaluated(document.actor(each.owner), each) for each in picture.bodies}
        locks = [
            {"actor": each.owner, "lock": each.lock, "joint": each.part, "off": each.off, "turned": each.turned}
            for each in picture.locks
        ]
        return [json.dumps({"time": time / TICKS_PER_SECOND, "actors": actors, "locks": locks}, allow_nan=False)]
    lines = []
    for bodies in picture.bodies:
        name = slug(document.actor(bodies.owner).name)
        for joint, (x, y, z) in zip(bodies.parts, bodies.transforms[:, :, 3].tolist(), strict=True):
            lines.append(f"{name + '.' + joint:<32} {x:12.6f} {y:12.6f} {z:12.6f}")
    return [
        *lines,
        *(f"lock {mark.name} of {slug(document.actor(mark.owner).name)}: {mark.text}" for mark in picture.locks),
    ]


def _evaluated(actor: Actor, bodies: Bodies) -> dict[str, object]:
    assert bodies.pose is not None, "an evaluator gives it"
    turns = quaternions(bodies.transforms[:, :, :3].astype(float))
    places = zip(bodies.parts, bodies.transforms[:, :, 3].tolist(), turns.tolist(), strict=True)
    return {
        "coordinates": dict(zip(actor.figure.coordinates, bodies.pose.tolist(), strict=True)),
        "joints": {joint: {"position": position, "rotation": rotation} for joint, position, rotation in places},
    }


def open_scene(scene: str) -> Document:
    """The document in a file, or one with the named figure alone."""
    if scene.endswith(SUFFIX) or Path(scene).exists():
        return sinew.read(Path(scene))
    return document_of(scene, load_figure(scene))


def _set(document: Document, setting: str) -> Document:
    target, _, text = setting.partition("=")
    name, _, coordinate = target.partition(".")
    actor = actor_named(document, name)
    figure = actor.figure
    if not actor.layers:
        raise InvalidArguments(what="the actor to pose", value=name, allowed="an actor with a pose layer")
    value = _number(figure, coordinate, text)
    changed = set_value(document, actor=actor.id, layer=actor.layers[-1].id, coordinate=coordinate, value=value)
    reached = changed.actor(actor.id).layers[-1].by_coordinate[coordinate]
    if not math.isclose(reached, value, abs_tol=1e-12):
        print(f"{target} stops at its limit, {reached / _unit(figure, coordinate):g}", file=sys.stderr)
    return changed


def _number(figure: Figure, coordinate: str, text: str) -> float:
    if coordinate not in figure.coordinate_index:
        raise UnknownPart(kind="coordinate", id=coordinate, known=figure.coordinates)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidArguments(what=f"the value of {coordinate}", value=text, allowed="a number, as in joint.dof=45")
    return value * _unit(figure, coordinate)


def as_set(figure: Figure, coordinate: str, value: float) -> str:
    """A coordinate [rad or m] in the units of the command line."""
    return f"{value / _unit(figure, coordinate):.9g}"


def _unit(figure: Figure, coordinate: str) -> float:
    """Return one of the command line's units in the engine's: a degree in radians, else 1."""
    return math.radians(1.0) if figure.coordinate_dof[coordinate].kind == "hinge" else 1.0


def _positions(evaluator: Evaluator, document: Document, actor: Actor) -> dict[str, list[float]]:
    transforms = evaluator.joint_transforms(document, actor.id)
    return dict(zip(actor.figure.joint_index, transforms[:, :, 3].tolist(), strict=True))


def _actor_lines(actor: Actor) -> Iterator[str]:
    figure = actor.figure
    counts = f"{_count(len(figure.joints), 'joint')}, {_count(len(figure.dofs), 'degree')} of freedom"
    yield f"  {actor.name} ({actor.id}): {figure.name}, {counts}"
    for layer in actor.layers:
        yield f"    layer {layer.name} ({layer.id}): {_count(len(layer.values), 'value')}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"

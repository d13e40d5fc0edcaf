"""Examples: documents that are worth opening, made of the figures, motions and poses that come with Sinew.

No kernel is needed to make one. Ids are fixed, so that an example has the same digest wherever it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import radians

from engine.document import Actor, Document, Ellipsoid, Figure, Layer, Lock, Placement, Span, prop
from engine.document.motion import TICKS_PER_SECOND
from engine.document.pose import read_pose
from engine.document.values import Vector3
from engine.runtime.errors import UnknownPart

FEET = ("ankle_left", "ankle_right")
PALM: Vector3 = (0.0, -0.09, 0.0)  # [m] in the frame of a wrist
Values = Mapping[str, float]  # [degrees or m] by coordinate


@dataclass(frozen=True)
class Example:
    """One document to begin with."""

    id: str
    label: str
    about: str
    build: Callable[[], Document]


def example(id: str) -> Example:
    """The example of that id."""
    found = next((each for each in EXAMPLES if each.id == id), None)
    if found is None:
        raise UnknownPart(kind="example", id=id, known=tuple(each.id for each in EXAMPLES))
    return found


def _standing() -> Document:
    """Both feet are held where they stand: whatever is dragged, they stay."""
    values = {"pelvis.move_y": -0.09, "shoulder_right.flexion": 78, "elbow_right.flexion": 40}
    return Document(actors=(held(human("human", "Human", values), FEET),))


def _moving(name: str, seconds: float) -> Document:
    """A motion that ships, under a layer for poses."""
    from engine.formats.motion_toml import load_motion

    moves = (replace(each, id=f"motion_{place}") for place, each in enumerate(load_motion(name).layers, 1))
    walker = replace(human("human", "Human", pose=""), layers=(*moves, Layer(id="pose")))
    return Document(actors=(walker,), play=Span(start=0, end=round(seconds * TICKS_PER_SECOND)))


def _saved(name: str) -> Document:
    """One that was made by hand in the window (`tests/example_animation.py`)."""
    from importlib.resources import as_file, files

    from engine.formats import sinew

    with as_file(files("resources").joinpath("examples", f"{name}.sinew")) as path:
        return sinew.read(path)


def _hands() -> Document:
    """A hand of each is held in the other's; a pull on one moves both. Their feet are held."""
    left = human("anna", "Anna", {"shoulder_left.abduction": 26, "elbow_left.flexion": 30}, x=-0.48)
    right = human("ben", "Ben", {"shoulder_right.abduction": 26, "elbow_right.flexion": 30}, x=0.48)
    left, right = held(left, FEET), held(right, FEET)
    grip = Lock(
        id="hand_in_hand",
        name="Hand in hand",
        joint="wrist_left",
        point=PALM,
        position=PALM,
        target="ben",
        target_joint="wrist_right",
        shared=True,
    )
    return Document(actors=(replace(left, locks=(*left.locks, grip)), right))


def _punch() -> Document:
    """A target is met on the ball, whatever the body does on the way."""
    from engine.jobs.example_punch import punch

    return punch()


def _fast_punch() -> Document:
    """Place and velocity at the strike."""
    from engine.jobs.example_punch import fast_punch

    return fast_punch()


def _hanging_ball() -> Document:
    """Three windows of secondary motion, one behind the other."""
    from engine.jobs.example_ball import hanging_ball

    return hanging_ball()


def _letters() -> Document:
    """A dance so loose that only targets make its letters legible."""
    from engine.jobs.example_dance import letters

    return letters()


def _grasp() -> Document:
    """A hand stands still as it touches a cup, and takes it."""
    from engine.jobs.example_grasp import grasp

    return grasp()


def _lamp() -> Document:
    """It looks at a ball."""
    values = {"swivel.turn": 25, "lower_arm.lean": 6, "upper_arm.bend": -8, "head.nod": 6}
    ball = prop("Ball", (Ellipsoid(radii=(0.05, 0.05, 0.05)),))
    place = Placement(position=(0.16, 0.05, 0.34))
    return Document(
        actors=(
            _actor("lamp", "Desk lamp", _figure("lamp"), values),
            Actor(id="ball", name="Ball", figure=ball, placement=place, layers=(Layer(id="pose"),)),
        )
    )


def _quadruped() -> Document:
    """Three paws are held; the fourth is lifted."""
    values = {
        "shoulder_left.flexion": 34, "elbow_left.flexion": 62, "carpus_left.flexion": 64, "front_paw_left.flexion": 18,
        "head.y": 16, "neck.y": 14, "neck.x": -8, "tail.x": -18, "tail.y": 14,
    }  # fmt: skip
    animal = _actor("quadruped", "Quadruped", _figure("quadruped"), values)
    return Document(actors=(held(animal, ("front_paw_right", "hind_paw_left", "hind_paw_right")),))


EXAMPLES = (
    Example("standing", "Standing on its feet", "Both feet are held", _standing),
    Example("walk", "A walk", "On the spot, again and again", partial(_moving, "walk", 4.0)),
    Example("ball", "A ball for you", "Ten seconds, posed by hand", partial(_saved, "ball")),
    Example("jump", "A jump", "One jump, key by key", partial(_moving, "jump", 2.25)),
    Example("punch", "A punch", "Swings, and hits its target", _punch),
    Example("fast_punch", "A fast punch", "Hits it at 7.7 m/s", _fast_punch),
    Example("hands", "Hand in hand", "Pull one, and both follow", _hands),
    Example("lamp", "A desk lamp", "It looks at a ball", _lamp),
    Example("letters", "Four letters", "Loose, and still hit", _letters),
    Example("grasp", "A grasp", "Still as it touches the cup", _grasp),
    Example("hanging_ball", "A hanging ball", "Three windows of time", _hanging_ball),
    Example("quadruped", "A quadruped", "Three paws held, one free", _quadruped),
)


def human(id: str, name: str, values: Values | None = None, *, x: float = 0.0, pose: str = "Stand") -> Actor:
    """The human with its skin, in a pose that ships and these values over it."""
    from importlib.resources import files

    from engine.document.shipped import load_skin

    figure = replace(_figure("human"), skins=(load_skin("human"),))
    made = _actor(id, name, figure, values or {}, x=x)
    if pose:
        text = files("resources").joinpath("poses", f"{pose}.pose.toml").read_text(encoding="utf-8")
        stand = dict(read_pose(text).fit(figure)[0]) | dict(made.layers[0].values)
        made = replace(made, layers=(replace(made.layers[0], values=tuple(stand.items())),))
    return made


def _figure(name: str) -> Figure:
    from engine.formats.figure_toml import load_figure

    return load_figure(name)


def _actor(id: str, name: str, figure: Figure, values: Values, *, x: float = 0.0) -> Actor:
    kinds = figure.coordinate_dof
    given = {each: value if kinds[each].kind == "slide" else radians(value) for each, value in values.items()}
    layer = Layer(id="pose", values=tuple((each, kinds[each].clamp(value)) for each, value in given.items()))
    return Actor(id=id, name=name, figure=figure, placement=Placement(position=(x, 0.0, 0.0)), layers=(layer,))


def held(actor: Actor, joints: Iterable[str]) -> Actor:
    """The actor with these joints held in the world where they stand at rest, in place and turn."""
    from engine.evaluate.rest import rest_snapshot
    from engine.maths.rotation_arrays import quaternions

    bodies = rest_snapshot(Document(actors=(replace(actor, locks=()),))).items[0]
    place = dict(zip(bodies.parts, bodies.transforms.astype(float), strict=True))
    locks = tuple(
        Lock(
            id=f"hold_{joint}",
            name=actor.figure.joint(joint).name,
            joint=joint,
            axes=("i", "j", "k"),
            position=tuple(place[joint][:, 3].round(6).tolist()),  # drawn in single precision
            rotation=tuple(quaternions(place[joint][None, :, :3])[0].tolist()),
        )
        for joint in joints
    )
    return replace(actor, locks=(*actor.locks, *locks))

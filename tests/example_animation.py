"""`python -m tests.example_animation [FOLDER]`: the example "A ball for you", made by hand in the real window.

A figure stands, looks about, steps up to a box, takes the ball that lies on it, rises and waves. Everything is done
with mouse and keys (`tests/animator.py`): bodies are dragged, numbers typed, feet locked for a time, poses keyed. The
document goes into resources/examples as text, or into FOLDER.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.document import Lock
from tests.animator import Animator
from tests.example_documents import example_text
from tests.stage import Stage, stage

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "examples"
NAME = "ball"
LONG = 10.0  # [s]
BOX = (-12.0, 15.0, 66.0)  # [cm]
BALL = (-12.0, 37.5, 62.0)
Values = dict[str, float]  # [degrees, or cm] by coordinate


def arm(side: str, forward: float, out: float, bend: float, turn: float = 0.0, palm: float = 0.0) -> Values:
    """An arm: raised forwards and outwards, bent, turned about itself, palm down."""
    return {
        f"shoulder_{side}.flexion": forward,
        f"shoulder_{side}.abduction": out,
        f"shoulder_{side}.rotation": turn,
        f"elbow_{side}.flexion": bend,
        f"forearm_{side}.pronation": palm,
    }


def hand(side: str, curl: float, bend: float = 0.0) -> Values:
    """Fingers, each a little more than the one before, and the wrist."""
    fingers = {"index": 0.8, "middle": 1.0, "ring": 1.1, "little": 1.2}
    found = {f"{name}_{side}.flexion": curl * share for name, share in fingers.items()}
    return {f"wrist_{side}.flexion": bend, f"thumb_{side}.flexion": 0.5 * curl, **found}


def weight(aside: float, down: float, forward: float = 0.0, roll: float = 0.0, turn: float = 0.0) -> Values:
    """The pelvis: towards a foot, lower, forwards, the free hip dropped, turned."""
    return {
        "pelvis.move_x": aside,
        "pelvis.move_y": -down,
        "pelvis.move_z": forward,
        "pelvis.turn": turn,
        "pelvis.roll": roll,
    }


def trunk(bow: float, aside: float = 0.0, turn: float = 0.0) -> Values:
    """The spine: bowed, bent to its left and turned to its left, each shared by three joints."""
    found: dict[str, float] = {}
    for joint, share in (("lower_spine", 0.4), ("middle_spine", 0.35), ("upper_spine", 0.25)):
        found |= {
            f"{joint}.rotation": share * turn,
            f"{joint}.flexion": share * bow,
            f"{joint}.side_bend": share * aside,
        }
    return found


def look(aside: float, down: float, tilt: float = 0.0) -> Values:
    """Head and neck: to the left, down, bent to the left."""
    found: dict[str, float] = {}
    for joint, share in (("neck", 0.4), ("head", 0.6)):
        found |= {
            f"{joint}.rotation": share * aside,
            f"{joint}.flexion": share * down,
            f"{joint}.side_bend": share * tilt,
        }
    return found


BEATS: Sequence[tuple[float, Values]] = (
    (
        0.0,
        weight(3.4, 1.2, roll=-3.0, turn=3.0)
        | trunk(3.0, 4.0, -4.0)
        | look(4.0, 6.0, -2.0)
        | arm("left", 4.0, 5.0, 16.0, 6.0, 10.0)
        | arm("right", 9.0, 7.0, 24.0, 10.0, 14.0)
        | hand("left", 18.0)
        | hand("right", 22.0),
    ),
    (0.7, weight(3.6, 1.4, roll=-3.2, turn=4.0) | trunk(1.0, 4.4, -1.0) | look(10.0, 10.0, -1.0)),
    (
        1.1,
        weight(3.2, 1.1, roll=-2.6, turn=7.0)
        | trunk(1.0, 3.0, 12.0)
        | look(46.0, 1.0, -5.0)
        | arm("left", 1.0, 6.0, 18.0, 6.0, 10.0)
        | arm("right", 13.0, 6.0, 27.0, 10.0, 14.0),
    ),
    (1.65, weight(2.9, 1.2, roll=-2.4, turn=8.0) | trunk(0.0, 2.4, 14.0) | look(50.0, -1.0, -6.0)),
    (2.0, weight(0.0, 2.2, 0.6, turn=1.0) | trunk(4.0, 0.0, 2.0) | look(8.0, 16.0)),
    (
        2.35,
        weight(-3.3, 1.2, roll=2.8, turn=-6.0)
        | trunk(2.0, -4.0, -10.0)
        | look(-30.0, 10.0, 5.0)
        | arm("left", 11.0, 6.0, 24.0, 8.0, 12.0)
        | arm("right", 2.0, 7.0, 17.0, 6.0, 10.0),
    ),
    (2.8, weight(-3.6, 1.4, 0.8, roll=3.0, turn=-4.0) | trunk(6.0, -4.0, -7.0) | look(-8.0, 30.0, 4.0)),
    (3.05, weight(-4.6, 2.6, 1.6, roll=3.0, turn=-5.0) | trunk(9.0, -4.0, -6.0) | look(-4.0, 32.0, 3.0)),
)
"""Standing: the weight on the left leg, a look to the left, down and over to the right, and there it is."""

SWING = (
    3.3,
    weight(-4.4, 2.0, 8.0, roll=2.0, turn=-7.0)
    | trunk(10.0, -3.0, 4.0)
    | look(2.0, 28.0)
    | {"hip_left.flexion": 38.0, "hip_left.abduction": 6.0, "knee_left.flexion": 52.0, "ankle_left.dorsiflexion": -4.0}
    | arm("left", -6.0, 8.0, 20.0, 6.0, 12.0)
    | arm("right", 22.0, 8.0, 36.0, 8.0, 16.0),
)
CONTACT = (
    3.6,
    weight(0.0, 5.0, 17.0, turn=-6.0)
    | trunk(14.0, 0.0, 4.0)
    | look(0.0, 30.0)
    | {"hip_left.flexion": 24.0, "hip_left.abduction": 4.0, "knee_left.flexion": 14.0, "ankle_left.dorsiflexion": 4.0}
    | arm("left", -2.0, 9.0, 22.0, 6.0, 12.0)
    | arm("right", 28.0, 9.0, 40.0, 8.0, 18.0),
)
LOW: Sequence[tuple[float, Values]] = (
    (
        4.0,
        weight(1.5, 16.0, 19.0, turn=2.0)
        | {"pelvis.tilt": 16.0}
        | trunk(26.0, -2.0, 8.0)
        | look(-6.0, 16.0)
        | {"toes_right.flexion": -14.0}
        | arm("left", 8.0, 16.0, 40.0, 10.0, 20.0)
        | arm("right", 40.0, 16.0, 42.0, 6.0, 10.0)
        | hand("right", 4.0),
    ),
    (
        4.4,
        weight(1.8, 33.0, 14.0, turn=6.0)
        | {"pelvis.tilt": 32.0}
        | trunk(38.0, -6.0, 12.0)
        | look(-8.0, -2.0)
        | {"toes_right.flexion": -32.0}
        | arm("left", 30.0, 20.0, 62.0, 14.0, 30.0),
    ),
)
GRASP = (
    4.75,
    weight(1.8, 34.0, 14.4, turn=6.0)
    | {"pelvis.tilt": 33.0}
    | trunk(40.0, -7.0, 12.0)
    | look(-8.0, 0.0)
    | hand("right", 34.0, 6.0),
)
RISING: Sequence[tuple[float, Values]] = (
    (
        5.2,
        weight(2.6, 19.0, 15.0, turn=3.0)
        | {"pelvis.tilt": 17.0}
        | trunk(26.0, -2.0, 6.0)
        | look(-10.0, 10.0)
        | {"toes_right.flexion": -20.0}
        | arm("left", 14.0, 18.0, 44.0, 10.0, 20.0)
        | arm("right", 34.0, 10.0, 74.0, -4.0, -10.0),
    ),
    (
        5.65,
        weight(3.0, 3.6, 17.0, turn=0.0)
        | {"pelvis.tilt": 0.0}
        | trunk(2.0, 1.0, -2.0)
        | look(-12.0, 20.0, -2.0)
        | {"toes_right.flexion": -7.0}
        | arm("left", 2.0, 12.0, 22.0, 6.0, 12.0)
        | arm("right", 26.0, 9.0, 106.0, -14.0, -34.0),
    ),
    (
        6.05,
        weight(2.6, 4.6, 16.6, turn=-1.0)
        | trunk(6.0, 1.0, -4.0)
        | look(-14.0, 26.0, -3.0)
        | {"toes_right.flexion": 0.0}
        | arm("left", 5.0, 9.0, 26.0, 6.0, 12.0)
        | arm("right", 22.0, 9.0, 98.0, -14.0, -36.0),
    ),
)
WAVING: Sequence[tuple[float, Values]] = (
    (
        6.45,
        weight(1.6, 5.0, 16.4, turn=0.0)
        | trunk(7.0, -1.0, -3.0)
        | look(-10.0, 20.0, -2.0)
        | arm("left", -4.0, 12.0, 30.0, 4.0, 6.0),
    ),
    (
        6.9,
        weight(-2.2, 4.2, 16.0, roll=1.5, turn=3.0)
        | trunk(-1.0, -5.0, 2.0)
        | look(2.0, -4.0, 4.0)
        | arm("left", 62.0, 92.0, 76.0, -50.0, 20.0)
        | hand("left", 4.0, -10.0)
        | {"wrist_left.deviation": -6.0},
    ),
    (
        7.12,
        weight(-2.6, 4.2, 16.0, roll=1.8, turn=3.0)
        | trunk(-1.0, -6.0, 2.0)
        | look(3.0, -5.0, 5.0)
        | arm("left", 64.0, 96.0, 52.0, -52.0, 20.0)
        | hand("left", 2.0, 14.0),
    ),
    (
        7.36,
        look(4.0, -4.0, 2.0) | arm("left", 64.0, 94.0, 88.0, -50.0, 20.0) | hand("left", 6.0, -18.0),
    ),
    (
        7.6,
        weight(-2.8, 4.4, 16.0, roll=1.8, turn=2.0)
        | trunk(0.0, -5.0, 2.0)
        | look(3.0, -5.0, 5.0)
        | arm("left", 65.0, 97.0, 54.0, -52.0, 20.0)
        | hand("left", 2.0, 14.0),
    ),
    (
        7.84,
        look(4.0, -3.0, 3.0) | arm("left", 64.0, 93.0, 86.0, -50.0, 20.0) | hand("left", 6.0, -16.0),
    ),
    (
        8.08,
        look(3.0, -4.0, 4.0) | arm("left", 62.0, 90.0, 62.0, -48.0, 20.0) | hand("left", 6.0, 8.0),
    ),
    (
        8.5,
        weight(-1.0, 4.8, 16.2, roll=0.6, turn=1.0)
        | trunk(3.0, -2.0, 0.0)
        | look(-2.0, 6.0, 1.0)
        | arm("left", 30.0, 40.0, 58.0, -10.0, 14.0)
        | hand("left", 14.0, 4.0),
    ),
    (
        8.9,
        weight(2.4, 4.2, 16.6, roll=-1.6, turn=0.0)
        | trunk(4.0, 3.0, -2.0)
        | look(-8.0, 12.0, -1.0)
        | arm("left", -3.0, 6.0, 14.0, 5.0, 10.0)
        | arm("right", 20.0, 9.0, 94.0, -14.0, -36.0)
        | hand("left", 18.0),
    ),
    (
        9.35,
        weight(2.9, 4.4, 16.8, roll=-2.2, turn=1.0)
        | trunk(3.0, 3.6, -2.0)
        | look(-12.0, 22.0, -3.0)
        | arm("left", 4.0, 7.0, 19.0, 6.0, 10.0)
        | arm("right", 22.0, 9.0, 100.0, -14.0, -36.0),
    ),
    (LONG, weight(2.7, 4.6, 16.8, roll=-2.0, turn=1.0) | trunk(4.0, 3.4, -2.0) | look(-11.0, 24.0, -3.0)),
)


def make(opened: Stage) -> None:
    """All of it, from the first scene with its one human."""
    person = Animator(opened, opened.session.document.actors[0].id)
    box, ball = add_props(opened)
    right = person.lock("ankle_right")
    left = person.lock("ankle_left")
    for time, values in BEATS:
        pose(person, time, values)
    step(person, left)
    heel(person, right)
    for time, values in LOW:
        pose(person, time, values)
    grasp(person, ball)
    for time, values in RISING:
        pose(person, time, values)
    heel_down(person, right)
    for time, values in WAVING:
        pose(person, time, values)
    person.go(0.0)
    assert box.actor != ball.actor


def add_props(opened: Stage) -> tuple[Animator, Animator]:
    """A box, and a ball on it."""
    found = []
    for action, sizes, place in (("add.box", (30.0, 30.0, 30.0), BOX), ("add.ball", (15.0, 15.0, 15.0), BALL)):
        opened.window.menus.actions[action].trigger()
        opened.settle()
        prop = Animator(opened, opened.session.document.actors[-1].id)
        prop.select_whole()
        prop.fill("size", sizes)
        prop.fill("placement", place)
        found.append(prop)
    return found[0], found[1]


def pose(person: Animator, time: float, values: Values) -> None:
    """Go there, type the numbers, key the whole pose."""
    person.go(time)
    person.turn(values)
    person.key()


def step(person: Animator, left: Lock) -> None:
    """The left foot is let go, swings, and is planted again."""
    person.time_lock(left, (0.0, 3.16, 0.0, 0.12))
    pose(person, *SWING)
    pose(person, *CONTACT)
    planted = person.lock("ankle_left")
    x, y, z = left.position
    person.place_lock(planted, (100.0 * x + 1.5, 100.0 * y, 100.0 * z + 32.0), (8.0, 0.0, 0.0))
    person.time_lock(planted, (3.46, LONG + 2.0, 0.12, 0.0))
    person.key()


def heel(person: Animator, right: Lock) -> None:
    """The right heel rises for the crouch: the toes hold before the ankle is let go."""
    toes = person.lock("toes_right")
    person.time_lock(toes, (3.4, LONG + 2.0, 0.12, 0.0))
    person.time_lock(right, (0.0, 3.9, 0.0, 0.25))


def heel_down(person: Animator, right: Lock) -> None:
    """It comes down as the figure has risen, and the foot stands again where it stood."""
    planted = person.lock("ankle_right")
    x, y, z = (100.0 * each for each in right.position)
    person.place_lock(planted, (x, y, z), (-6.0, 0.0, 0.0))
    person.time_lock(planted, (5.8, LONG + 2.0, 0.25, 0.0))
    person.key()


def grasp(person: Animator, ball: Animator) -> None:
    """The right hand is dragged to the ball, closes, and has it from then on."""
    person.act("pose.chain_branch")
    person.go(4.4)
    x, y, z = (0.01 * each for each in BALL)
    person.drag_to("wrist_right", (x - 0.10, y + 0.05, z - 0.09))
    person.act("pose.chain_usual")
    pose(person, *GRASP)
    person.go(GRASP[0])
    ball.attach(person.actor, "wrist_right", LONG + 2.0)


def main(arguments: list[str]) -> int:
    """Make it and write it."""
    folder = Path(arguments[0]) if arguments else FOLDER
    with tempfile.TemporaryDirectory(), stage(size=(1600, 1000)) as opened:
        reaching = opened.session.reaching
        reaching.set_terms(replace(reaching.terms, milliseconds=50.0))
        make(opened)
        path = folder / f"{NAME}.json"
        path.write_text(example_text(opened.session.document), encoding="utf-8", newline="\n")
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

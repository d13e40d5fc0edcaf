"""Drags of the human with four locks, on the engine's thread: the solve, the edit, and the picture without skins.

Both feet in place and turn, both hands in place; the head, the pelvis and an elbow are pulled to and fro by what 60 Hz
bring in a fast drag, in reach and a little beyond. Processor time, since what else a machine does is not ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import thread_time

import numpy as np

from engine.commands.reach import PullHandle, Reach, Reached
from engine.document import Actor, Document, Layer, Lock
from engine.document.segment import middle_of_segment
from engine.document.validation import validate
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.ik.goals import PositionGoal, Spot
from engine.ik.methods import Terms
from engine.maths.rotation_arrays import quaternion_of
from tests.benchmarks.harness import Row, percentile

NAME = "posing"
MOVES, STEPS = 240, 60
ASKED = (4.0, 10.0)  # median and 99th percentile [ms]
FEET, HANDS = ("ankle_left", "ankle_right"), ("wrist_left", "wrist_right")
PULLED: dict[str, Vector3] = {"head": (0.0, -0.15, 0.25), "pelvis": (0.05, -0.1, -0.05), "elbow_left": (0.1, 0.05, 0.0)}


@dataclass
class Record:
    """What one drag did."""

    milliseconds: list[float]
    off: float  # [m] at worst, of what is locked
    otherwise: float  # [rad] or [m] by which the pose that is kept differs from the one that is seen


def scene(*locked: str) -> Document:
    """The human at rest, with these joints locked where they stand, feet with their turn."""
    figure = load_figure("human")
    actor = Actor(id="me", name="Me", figure=figure, layers=(Layer(id="pose"),))
    places = Evaluator().joint_transforms(Document(actors=(actor,)), "me")
    locks = []
    for joint in locked:
        place = places[figure.joint_index[joint]]
        x, y, z = place[:, 3].tolist()
        lock = Lock(id=joint, name=joint, joint=joint, position=(x, y, z), rotation=quaternion_of(place))
        locks.append(replace(lock, axes=("i", "j") if joint in FEET else ()))
    document = Document(actors=(replace(actor, locks=tuple(locks)),))
    validate(document)  # as one that is opened
    return document


def drag(document: Document, joint: str, by: Vector3) -> Record:
    """A joint's segment pulled there and back, again and again."""
    evaluator, figure = Evaluator(), document.actor("me").figure
    reach, spot = Reach(evaluator), Spot(actor="me", joint=joint, point=middle_of_segment(figure, joint))
    frame = evaluator.joint_transforms(document, "me")[figure.joint_index[joint]]
    start, record = frame[:, :3] @ spot.point + frame[:, 3], Record([], 0.0, 0.0)
    for move in range(MOVES + 1):
        share = abs((move / STEPS + 1.0) % 2.0 - 1.0)
        x, y, z = (start + share * np.array(by)).tolist()
        request = PullHandle(
            drag="1", actor="me", goals=(PositionGoal(spot=spot, target=(x, y, z)),), terms=Terms(milliseconds=50.0)
        )
        began = thread_time()
        *_, reached = reach.answer(document, 0, request, skins=False)
        record.milliseconds.append(1e3 * (thread_time() - began))
        assert isinstance(reached, Reached)
        judge(evaluator, reached, record)
    del record.milliseconds[0]  # compiles its problems
    return record


def judge(evaluator: Evaluator, reached: Reached, record: Record) -> None:
    """How well an answer keeps its locks, and shows what it keeps."""
    document = reached.snapshot.document
    record.off = max([record.off, *(mark.off for mark in reached.snapshot.locks)])
    seen = evaluator.coordinates(document, "me", [0])[0]
    kept = evaluator.motion(document.actor("me")).at(0.0)[0]
    record.otherwise = max(record.otherwise, float(np.abs(seen - kept).max()))


def measure() -> Iterator[Row]:
    """The rows."""
    free, locked = scene(), scene(*FEET, *HANDS)
    for document in (free, locked):
        drag(document, "head", PULLED["head"])  # loads what is compiled
    for joint, by in PULLED.items():
        yield from rows(joint, drag(locked, joint, by), drag(free, joint, by))


def rows(joint: str, record: Record, free: Record) -> Iterator[Row]:
    """What is asked of one drag."""
    what, median = f"drag of {joint}, four locks", percentile(record.milliseconds, 0.5)
    yield Row(
        what=f"{what}: median",
        measured=median,
        unit="ms",
        asked=f"at most {ASKED[0]} ms",
        peer="no locks",
        peer_measured=percentile(free.milliseconds, 0.5),
        allowed=8.0,
    )
    yield Row(
        what=f"{what}: 99th percentile",
        measured=percentile(record.milliseconds, 0.99),
        unit="ms",
        asked=f"at most {ASKED[1]} ms",
        peer="median",
        peer_measured=median,
        allowed=5.0,
    )
    yield Row(
        what=f"{what}: locks missed by",
        measured=record.off,
        unit="m",
        asked="at most 1e-8",
        peer="allowed",
        peer_measured=1e-8,
        allowed=1.0,
        note=f"pose seen less pose kept {record.otherwise:.1g}",
    )

"""Locks after secondary motion, and whether they keep targets from being met.

Secondary motion follows the locked keys and is locked again as the last word, of which inverse kinodynamics (Rahgoshay
2011, chapters 3 and 4) knows nothing: it solves for the simulation, what it found is looked at with the locks, and by
what is missed there its targets are moved (`engine.targets.meeting`). This measures what that costs where locks
are stiff.

A human sinks, tilts and turns by its pelvis alone, which swings about its keys, too; so locked feet bend its legs, and
bend them again after each simulation. Targets for its right hand, and for
its pelvis, lie at places drawn around where the keys have them. They are met without locks; with both feet locked at
half their weight and in full; with their turns locked, too; and with the left hand locked beside. Errors are counted
after the locks. A place of the pelvis is one that locks leave it if the keys can put it there by its slides alone: with
feet that may not turn legs give way forwards and down, but not to the side.

Times [ticks]; places [m].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from engine.document import Actor, Document, Gains, Key, Layer, Lock, OwnGains, Secondary, Target, Track
from engine.document.lock import Axis
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.experiments.charts import Line, line_chart
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternion_of
from engine.runtime.progress import finish
from engine.runtime.quick_dataclass import dataclass
from engine.targets.commands.meet_targets import MeetTargets, TargetsMet
from engine.targets.options import Effort

_FEET, _HAND = ("ankle_left", "ankle_right"), "wrist_left"
LOCKS: Mapping[str, tuple[tuple[str, ...], float, bool]] = {
    "none": ((), 1.0, False),
    "soft feet": (_FEET, 0.5, False),
    "stiff feet": (_FEET, 1.0, False),
    "stiff feet and turns": (_FEET, 1.0, True),
    "stiff feet and hand": ((*_FEET, _HAND), 1.0, False),
}
"""What is locked, by which weight, and whether turns of the feet are."""
_AIMED = {"hand": ("wrist_right", 0.06), "pelvis": ("pelvis", 0.02)}  # how far around its keyed place a target is [m]
_AT = 3 * SECOND // 2
_GAINS = Gains(tension=2.0, damping=0.4)
_OWN = (OwnGains(joint="pelvis", tension=3.0, exact=False),)
_LEFT = 1e-5  # [m]
_ALLOWED = Effort().tolerance
_KEYS = {"pelvis.move_y": -0.15, "pelvis.tilt": 0.3, "pelvis.turn": 0.2}  # at 2 s, from and to nothing at 0 and 4 s


@dataclass(frozen=True)
class _Met:
    """Results of one kind of targets under one kind of locks."""

    locks: str
    reached: str
    found: tuple[TargetsMet, ...]
    left: int  # how many targets are places that locks leave

    @property
    def residuals(self) -> list[float]:
        """Errors after the locks [m]."""
        return [each.targets[0].missed for each in self.found]

    @property
    def met(self) -> int:
        """Number of targets that are met."""
        return sum(each.met for each in self.found)

    @property
    def pace(self) -> float:
        """Iterations, at the median."""
        return float(np.median([each.iterations for each in self.found]))

    @property
    def row(self) -> tuple[str | int | float, ...]:
        """The row of the table."""
        steps, simulations = ([getattr(each, of) for each in self.found] for of in ("iterations", "simulations"))
        whole = (
            len(self.found),
            self.left,
            self.met,
            float(np.median(steps)),
            max(steps),
            float(np.median(simulations)),
        )
        return (self.locks, self.reached, *whole, float(np.median(self.residuals)), max(self.residuals))


def run(settings: Settings) -> Result:
    """Every kind of target under every kind of locks; the same places for all."""
    rng, evaluator = np.random.default_rng(settings.seed), Evaluator()
    drawn = rng.normal(size=(1 if settings.quick else 4, 3))
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    kinds = ("none", "stiff feet") if settings.quick else tuple(LOCKS)
    met = [_meet(evaluator, locks, reached, drawn) for reached in _AIMED for locks in kinds]
    return Result(
        title="Locks after secondary motion, and targets",
        tables=(
            Table(
                name="targets",
                columns=(
                    "locks",
                    "target",
                    "targets",
                    "left_by_locks",
                    "met",
                    "median_iterations",
                    "most_iterations",
                    "median_simulations",
                    "median_miss_m",
                    "most_missed_m",
                ),
                rows=tuple(each.row for each in met),
            ),
        ),
        pictures=tuple(_picture(reached, [each for each in met if each.reached == reached]) for reached in _AIMED),
        claims=tuple(_claim(reached, [each for each in met if each.reached == reached]) for reached in _AIMED),
    )


def sinking(evaluator: Evaluator, locks: str) -> Actor:
    """The human and its locks, at the places where it begins."""
    tracks = tuple(
        Track(coordinate=name, keys=(Key(0, 0.0), Key(2 * SECOND, value), Key(4 * SECOND, 0.0)))
        for name, value in _KEYS.items()
    )
    bare = Actor(id="one", name="Human", figure=load_figure("human"), layers=(Layer(id="pose", tracks=tracks),))
    places = evaluator.joint_transforms(Document(actors=(bare,)), "one", 0)
    joints, weight, turns = LOCKS[locks]
    index = bare.figure.joint_index
    held = (_lock(joint, places[index[joint]], weight, turns=turns) for joint in joints)
    return replace(bare, locks=tuple(held))


def _lock(joint: str, place: Array, weight: float, *, turns: bool) -> Lock:
    x, y, z = place[:, 3].tolist()
    axes: tuple[Axis, ...] = ("i", "j") if turns else ()
    turn = quaternion_of(place)
    return Lock(id=joint, name=joint, joint=joint, axes=axes, position=(x, y, z), rotation=turn, weight=weight)


def _meet(evaluator: Evaluator, locks: str, reached: str, drawn: Array) -> _Met:
    actor, (_, far) = sinking(evaluator, locks), _AIMED[reached]
    found, left = [], 0
    for way in drawn:
        asked, place = aiming(evaluator, actor, reached, way)
        found.append(finish(MeetTargets(actor="one", id="correction").work_through(evaluator, asked)))
        left += reached != "pelvis" or _leaves(evaluator, actor, far * way, place)
    return _Met(locks, reached, tuple(found), left)


def aiming(evaluator: Evaluator, actor: Actor, reached: str, way: Array) -> tuple[Document, Vector3]:
    """Add a target, that way from where the keys have the part that is to meet it; return its position, too."""
    joint, far = _AIMED[reached]
    there = evaluator.joint_transforms(Document(actors=(actor,)), "one", _AT)[actor.figure.joint_index[joint]][:, 3]
    x, y, z = (there + far * way).tolist()
    target = Target(id=reached, kind="point", joint=joint, position=(x, y, z), time=_AT)
    asked = replace(actor, secondary=Secondary(gains=_GAINS, own=_OWN, targets=(target,)))
    return Document(actors=(asked,)), (x, y, z)


def _leaves(evaluator: Evaluator, actor: Actor, way: Array, place: Vector3) -> bool:
    """Tell whether locks leave the pelvis where the keys put it if they put it there."""
    values = tuple((f"pelvis.move_{axis}", float(by)) for axis, by in zip("xyz", way, strict=True))
    moved = replace(actor, layers=(*actor.layers, Layer(id="moved", mode="add", values=values)))
    there = evaluator.joint_transforms(Document(actors=(moved,)), "one", _AT)[actor.figure.joint_index["pelvis"]]
    return bool(np.linalg.norm(there[:, 3] - place) < _LEFT)


def _claim(reached: str, met: list[_Met]) -> Claim:
    listed = (
        f"{each.locks}: {each.met} of {len(each.found)} met ({each.left} left by locks), {each.pace:.0f} "
        f"iterations, most missed {1e3 * max(each.residuals):.2g} mm"
        for each in met
    )
    return Claim(
        source=f"locks as the last word keep no target of the {reached} from being met where they leave that place",
        ours="; ".join(listed),
        agrees=all(each.met >= each.left for each in met),
    )


def _picture(reached: str, met: list[_Met]) -> ResultPlot:
    lines = []
    for each in met:
        curves = [np.asarray(one.curve) * _ALLOWED for one in each.found]
        length = max(len(curve) for curve in curves)
        same = [np.concatenate((curve, np.full(length - len(curve), curve[-1]))) for curve in curves]
        worst = np.maximum(np.max(same, axis=0), 1e-10)
        lines.append(Line(name=each.locks, x=list(range(length)), y=worst.tolist()))
    title = f"The worst target of the {reached}; outer iterations one after another"
    return ResultPlot(name=reached, svg=line_chart(title, "iteration", "the solver's error [m]", lines, log="y"))

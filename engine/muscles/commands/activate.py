"""ActivationsFromMotion: activations with which muscles give what the motion of their figure takes, as few keys.

By static optimisation for the motion as it is seen, or by computed muscle control for its keys. The edit puts them in
place of all that there are over the time; where keys are excitations, those that lead to them. The report has what
muscles lack, and where no excitation is enough. Worked through frame by frame on the
engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from engine.command import Gradual
from engine.document import Document, Key, Track
from engine.edits import Edit, edit
from engine.muscles.parts import ACTIVATION
from engine.muscles.uses import activations_of, required_muscles
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import within
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.motion.reduce import Ticks
    from engine.muscles.static import MuscleShares, StaticOptimisation

TOLERANCE = 0.01
MOST_SWING = 0.03  # beyond what was found before and after, between the two
BETWEEN = 4  # parts of a frame in which that is looked for
CLOSE = 0.001  # where they are to lead to the same motion once more
COSTS = ("squares", "cubes")
"""What of activations may be least."""
METHODS = ("static", "control", "assisted", "held")
"""By static optimisation of each frame; by computed muscle control, forward through physics; by the same with motors
that give what muscles lack; with motors for joints that the motion keeps still alone."""
_MOTORS = {"static": "none", "control": "none", "assisted": "all", "held": "still"}
_FOUND, _EXCITED = 0.9, 0.95  # shares of the work after which excitations are found, and keys are made


@dataclass(frozen=True, eq=False)
class FoundActivations:
    """The edit, and what it comes to."""

    edit: Edit
    shares: MuscleShares
    keys: int
    bound: tuple[str, ...] = ()  # sentences on activations that no excitation leads to

    @property
    def lacking(self) -> tuple[str, ...]:
        """Sentences on what muscles lack, and on what excitations cannot do."""
        from engine.muscles.lacking import lacking_words

        return (*lacking_words(self.shares), *self.bound)


@dataclass(frozen=True, kw_only=True)
class ActivationsFromMotion(Gradual):
    """The command to find activations of an actor's muscles for its motion."""

    uses = ("muscles", "dynamics")

    actor: str
    start: int | None = None  # [ticks]; None: what is played
    end: int | None = None
    rate: tuple[int, int] | None = None  # of the frames; None: the document's
    cost: str = "squares"  # or "cubes": of activations, which are to be least
    tolerance: float | None = None  # by which keys may be off at a frame; None: what the method needs
    method: str = "static"  # or another of METHODS

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            what = "how activations are found"
            raise InvalidArguments(what=what, value=self.method, allowed=" or ".join(METHODS))
        if self.tolerance is None:
            object.__setattr__(self, "tolerance", TOLERANCE if self.method == "static" else CLOSE)
        if not 0.0 < (self.tolerance or 0.0) <= 0.5:
            what = "the tolerance of keys of activations"
            raise InvalidArguments(what=what, value=self.tolerance, allowed="above 0, 0.5 at most")

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        how = "from its motion" if self.method == "static" else "that follow its motion"
        return f"Activations of {document.actor(self.actor).name} {how}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, FoundActivations]:
        """Find the edit and what it comes to; yields the share that is done."""
        from engine.muscles.control import follow_motion
        from engine.muscles.inverted import bound_words, find_excitations
        from engine.muscles.stage import NAME, MusclesStage
        from engine.muscles.static import StaticOptimisation, optimise_motion

        owner = document.actor(self.actor)
        muscles = required_muscles(owner)
        wanted: StaticOptimisation = StaticOptimisation(
            actor=self.actor,
            start=self.start,
            end=self.end,
            rate=self.rate,
            cost=self.cost,
            motors=_MOTORS[self.method],
        )
        figure = cast(MusclesStage, evaluator.stage(NAME)).compiled(owner, muscles)
        find = optimise_motion if self.method == "static" else follow_motion
        shares = yield from within(find(evaluator, document, figure, wanted), 0.0, _FOUND)
        values, bound = shares.activations, tuple[str, ...]()
        if activations_of(owner).excited:
            values, followed = yield from within(find_excitations(shares.times, values), _FOUND, _EXCITED)
            names = {each.id: each.name for each in muscles.muscles}
            called = [names[id] for id in shares.muscles]
            bound = bound_words(called, shares.times, shares.activations, values, followed)
        few = thinned(shares.muscles, shares.times, values, self.tolerance or TOLERANCE)
        keys = yield from within(few, _EXCITED, 1.0)
        change = edit(
            "put_muscle_activations", actor=self.actor, start=shares.times[0], end=shares.times[-1], keys=keys
        )
        return FoundActivations(change, shares, sum(len(each) for _, each in keys), bound)


def thinned(
    muscles: tuple[str, ...], times: tuple[int, ...], activations: Array, tolerance: float
) -> Generator[float, None, tuple[tuple[str, tuple[Key, ...]], ...]]:
    """Make few keys of the activations of each muscle, shape [len(times), len(muscles)], off by a tolerance at most at
    each time and by MOST_SWING between two; none where it is relaxed throughout. Yields the share that is done."""
    import numpy as np

    ticks, found = np.array(times, dtype=np.int64), list[tuple[str, tuple[Key, ...]]]()
    for number, id in enumerate(muscles):
        values = np.ascontiguousarray(activations[:, number])
        found.append((id, () if values.max() <= 0.5 * tolerance else _keys_of(ticks, values, tolerance)))
        yield (number + 1) / len(muscles)
    return tuple(found)


def _keys_of(ticks: Ticks, values: Array, tolerance: float) -> tuple[Key, ...]:
    """The fewest keys that were found for smooth values; where their curve swings between times, keys that do not."""
    import numpy as np

    from engine.motion.curves import evaluate_track
    from engine.motion.reduce import fit_track

    if len(ticks) == 1:
        return (Key(int(ticks[0]), float(values[0])),)
    fitted = fit_track(ACTIVATION, ticks, values, 0.5 * tolerance)[0]
    fitted = replace(fitted, keys=tuple(replace(key, value=min(max(key.value, 0.0), 1.0)) for key in fitted.keys))
    parts = np.linspace(0.0, 1.0, BETWEEN, endpoint=False)
    at = ticks[:-1, None] + parts * np.diff(ticks)[:, None]
    seen = evaluate_track(fitted, np.append(at, ticks[-1]))[:, 0].clip(0.0, 1.0)
    inner, ends = seen[:-1].reshape(at.shape), np.stack((values[:-1], values[1:]), axis=1)
    swing = np.maximum(inner.max(axis=1) - ends.max(axis=1), ends.min(axis=1) - inner.min(axis=1)).max()
    if swing <= MOST_SWING and np.abs(seen[::BETWEEN] - values).max() <= tolerance:
        return fitted.keys
    return _calm_keys(ticks, values, tolerance)


def _calm_keys(ticks: Ticks, values: Array, tolerance: float) -> tuple[Key, ...]:
    """Keys at the ends, and between two where the curve is off by most, until it is off by no more than a tolerance.

    Automatic tangents do not overshoot; flat ends leave the curve as it is, whatever keys stand beside it.
    """
    import numpy as np

    from engine.motion.curves import evaluate_track

    last = len(ticks) - 1
    chosen, at = [0, last], ticks.astype(np.float64)
    while True:
        keys = tuple(
            Key(int(ticks[each]), float(values[each]), tangent="flat" if each in (0, last) else "auto")
            for each in chosen
        )
        off = np.abs(evaluate_track(Track(coordinate=ACTIVATION, keys=keys), at)[:, 0] - values)
        off[chosen] = 0.0
        worst = [first + int(off[first:end].argmax()) for first, end in pairwise(chosen)]
        added = [each for each in worst if off[each] > tolerance]
        if not added:
            return keys
        chosen = sorted({*chosen, *added})

"""Chosen: alphas of splines and nodal forces that a plan of a document may choose; the values that the document has for
these at the knots, how they become controls, and what an edit keeps of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.document import Blob
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.errors import InvalidArguments
from engine.soft.compile import SoftScene
from engine.soft.control.controls import Controls, PointForces, held, spread
from engine.soft.goals import SoftPlanChoices
from engine.soft.nodal import MOST_FORCES, NodalForces
from engine.soft.parts import SoftBody

Names = Mapping[str, Sequence[str]]  # ids by actor
Rows = tuple[tuple[str, str], ...]  # actor and id


def rows_in(names: Names) -> Rows:
    """List what is named, one by one."""
    return tuple((actor, id) for actor, ids in names.items() for id in ids)


def check_chosen(known: Mapping[str, SoftBody], splines: Names, forces: Names) -> None:
    """Refuse what bodies do not have, or what is muted."""
    for kind, names in (("a spline", splines), ("nodal forces", forces)):
        for actor, ids in names.items():
            body = known[actor]
            loud = [each.id for each in (body.splines if kind == "a spline" else body.forces) if not each.mute]
            for id in ids:
                if id not in loud:
                    allowed = f"one of {', '.join(loud)}" if loud else "none: it has none that are not muted"
                    raise InvalidArguments(what=f"{kind} of {actor}", value=id, allowed=allowed)
            twice = [id for id, count in Counter(ids).items() if count > 1]
            if twice:
                raise InvalidArguments(what=f"{kind} of {actor}", value=twice, allowed="each once")


class Chosen(NamedTuple):
    """All that a plan chooses: splines first, as the rows of controls stand."""

    scene: SoftScene
    splines: Rows
    forces: Rows
    knots: tuple[int, ...]  # [ticks]

    def controls(self, ticks: Sequence[int], choices: SoftPlanChoices) -> Controls:
        """Make the controls of steps between ticks."""
        ends, knots = np.array(ticks[1:], np.float64), np.array(self.knots, np.float64)
        others = [self.scene.nodal(time, self.forces) for time in ticks[1:]]
        return Controls(
            spread=spread(ends, knots),
            base=np.array([self.scene.alphas(time) for time in ticks[1:]]),
            spline_of=self._rows_of_segments(),
            forces=tuple(self._point_forces(actor, each, ends, knots) for actor, each in self._nodal()),
            point_count=self.scene.members[-1].points.stop,
            others=None if others[0] is None else np.array(others).reshape(len(ends), -1),
            least=choices.least,
            most=choices.most,
        )

    def first(self, controls: Controls) -> Array:
        """Give the values that the document has."""
        found = np.zeros(controls.shape)
        for row in range(len(self.splines)):
            found[row] = [self.mean_alpha(controls, row, time) for time in self.knots]
        for rows, (_, each) in zip(controls.force_rows, self._nodal(), strict=True):
            found[rows] = np.array([each.at_knot(time).ravel() for time in self.knots]).T
        return found

    def pinned(self, controls: Controls) -> BoolArray:
        """Mark values that stay as the document has them, so that all before the span stays as it is: alphas of the
        first knot, and forces there that go straight to it from before, or from nothing after others have ended. Held
        ones at the last knot act after the span alone."""
        found = np.zeros(controls.shape, dtype=np.bool_)
        found[: len(self.splines), 0] = True
        for rows, (_, each) in zip(controls.force_rows, self._nodal(), strict=True):
            if each.form == "held":
                found[rows, -1] = True
            elif each.times and each.times[0] < self.knots[0]:
                found[rows, 0] = True
        return found

    def mean_alpha(self, controls: Controls, row: int, time: int) -> float:
        """Give what the document says of a spline, the mean along it."""
        return float(self.scene.alphas(time)[controls.spline_of == row].mean())

    def kept(self, controls: Controls, values: Array) -> Iterator[tuple[str, str, tuple[int, ...], Blob]]:
        """Give forces with values in the span, and what they do before and after it; nothing where nothing acted."""
        first, last = self.knots[0], self.knots[-1]
        for rows, (actor, each) in zip(controls.force_rows, self._nodal(), strict=True):
            found = dict(zip(self.knots, values[rows].T.reshape(len(self.knots), -1, 3), strict=True))
            if each.values is not None:
                known = dict(zip(each.times, each.values.array, strict=True))
                nothing = np.zeros((each.count, 3))
                ends = (each.times[-1] + 1,) if each.times[-1] < first else ()
                if each.times[0] > last:
                    ends = (last + 1, each.times[0] - 1)
                outside = {time: forces for time, forces in known.items() if not first <= time <= last}
                found = dict.fromkeys(ends, nothing) | outside | found
            times = tuple(sorted(found))
            yield actor, each.id, times, Blob(np.stack([found[time] for time in times]))

    def names(self) -> Iterator[str]:
        """Say what each of the splines, then each of the forces, is called."""
        for actor, id in self.splines:
            spline = self.scene.member(actor).body.spline(id)
            yield id if spline is None else spline.name
        for _, each in self._nodal():
            yield each.name

    def _nodal(self) -> Iterator[tuple[str, NodalForces]]:
        for actor, id in self.forces:
            found = self.scene.member(actor).body.nodal(id)
            assert found is not None, "it was looked for"
            yield actor, found

    def _point_forces(self, actor: str, forces: NodalForces, ends: Array, knots: Array) -> PointForces:
        if 3 * forces.count * len(knots) > MOST_FORCES:
            what = f"how many numbers {forces.name} have"
            allowed = f"at most {MOST_FORCES:,}: fewer points, or knots farther apart"
            raise InvalidArguments(what=what, value=3 * forces.count * len(knots), allowed=allowed)
        return PointForces(
            points=(self.scene.member(actor).points.start + forces.points.array).astype(np.int32),
            spread=held(ends, knots) if forces.form == "held" else spread(ends, knots),
            strongest=forces.strongest,
            unit=forces.strongest * float(np.sqrt(forces.count)),
        )

    def _rows_of_segments(self) -> IntArray:
        """Find which row each segment follows."""
        found = np.full(self.scene.members[-1].segments.stop, -1, dtype=np.int32)
        for row, (actor, id) in enumerate(self.splines):
            member = self.scene.member(actor)
            own = member.of_spline(id)
            assert own is not None, "a spline that pulls has segments"
            found[member.segments.start + own.start : member.segments.start + own.stop] = row
        return found

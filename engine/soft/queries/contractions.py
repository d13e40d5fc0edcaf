"""How long the splines of soft bodies really are, times their length at rest, over the time that is simulated already.

Nothing is stepped for it. What was measured of a simulation is kept while it goes on. Importing this module loads no
kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple
from weakref import ReferenceType, ref

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.runtime.progress import Pace
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.soft.simulation import SoftSimulation

MOST = 4000  # steps that are reported


@dataclass(frozen=True, eq=False)
class SplineLengths:
    """Lengths by the ids of splines: ticks and ratios, shape [count, 2]."""

    by_spline: Mapping[str, Array]


@dataclass(eq=False)
class ContractionsQuery:
    """Measures; used on the engine's thread alone."""

    _simulation: SoftSimulation | None = None
    _names: tuple[str, ...] = ()  # of the splines
    _measured: dict[int, MeasuredStep] = field(default_factory=dict)  # by step
    _count: int = 0  # steps that were looked at

    def answer(self, evaluator: Evaluation, document: Document) -> Generator[SplineLengths | None, None, None]:
        """Give the lengths of all splines that pull."""
        import numpy as np

        from engine.soft.stage import SoftStage

        stage = evaluator.stage("soft")
        simulation = stage.simulation(without_drafts(document)) if isinstance(stage, SoftStage) else None
        if simulation is None:
            yield SplineLengths({})
            return
        self._turn_to(simulation)
        pace = Pace()
        for step in range(self._count, min(simulation.known, MOST)):
            points, known = simulation.kept_points(step), self._measured.get(step)
            if points is None or (known is not None and known.points() is not points):
                self._measured.pop(step, None)
                known = None
            if points is not None and known is None:
                self._measured[step] = MeasuredStep(ref(points), _row(simulation, step, points))
            self._count = step + 1
            if pace.due():
                yield None
        rows = [self._measured[step].row for step in sorted(self._measured)]
        table = np.array(rows).reshape(len(rows), 1 + len(self._names))
        yield SplineLengths({id: table[:, (0, 1 + place)] for place, id in enumerate(self._names)})

    def _turn_to(self, simulation: SoftSimulation) -> None:
        """Look at another simulation from its first step on: what an edit has left is not measured again."""
        if simulation is self._simulation:
            return
        names = tuple(each.id for member in simulation.scene.members for each in member.splines)
        before = self._measured if names == self._names else {}
        self._measured = {step: each for step, each in before.items() if step < simulation.known}
        self._simulation, self._names, self._count = simulation, names, 0


class MeasuredStep(NamedTuple):
    """A step that was measured."""

    points: ReferenceType[NDArray[np.float32]]  # that it was measured of
    row: Array  # its tick, then the ratio of each spline


def _row(simulation: SoftSimulation, step: int, points: NDArray[np.float32]) -> Array:
    import numpy as np

    found = [float(simulation.tick(step))]
    for member in simulation.scene.members:
        springs = member.springs
        lengths = springs.contractions(points[member.points].astype(np.float64)) * springs.rest
        for number in range(len(member.splines)):
            own = springs.spline == number
            found.append(float(lengths[own].sum() / springs.rest[own].sum()))
    return np.array(found)

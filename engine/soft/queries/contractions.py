"""How long the splines of soft bodies really are, times their length at rest, over the time that is simulated already.

Nothing is stepped for it. What was measured of a simulation is kept while it goes on. Importing this module loads no
kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.runtime.progress import Pace

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.soft.simulation import SoftSimulation

MOST = 4000  # steps that are reported


@dataclass(frozen=True, eq=False)
class Contracted:
    """Lengths by the ids of splines: ticks and ratios, shape [count, 2]."""

    by_spline: Mapping[str, Array]


@dataclass(eq=False)
class ContractionsQuery:
    """Measures; used on the engine's thread alone."""

    _simulation: SoftSimulation | None = None
    _rows: list[Array] = field(default_factory=list)  # ticks, then the ratio of each spline, of each step

    def answer(self, evaluator: Evaluation, document: Document) -> Generator[Contracted | None, None, None]:
        """Tell the lengths of all splines that pull."""
        import numpy as np

        from engine.soft.stage import SoftStage

        stage = evaluator.stage("soft")
        simulation = stage.simulation(without_drafts(document)) if isinstance(stage, SoftStage) else None
        if simulation is None:
            yield Contracted({})
            return
        if simulation is not self._simulation:
            self._simulation, self._rows = simulation, []
        pace = Pace()
        for step in range(len(self._rows), min(simulation.known, MOST)):
            self._rows.append(_measured(simulation, step))
            if pace.due():
                yield None
        names = [each.id for member in simulation.scene.members for each in member.splines]
        table = np.array(self._rows).reshape(len(self._rows), 1 + len(names))
        yield Contracted({id: table[:, (0, 1 + place)] for place, id in enumerate(names)})


def _measured(simulation: SoftSimulation, step: int) -> Array:
    import numpy as np

    time = simulation.tick(step)
    moment = simulation.known_moment(time)
    assert moment is not None, "it is known"
    points = moment.points.astype(np.float64)
    found = [float(time)]
    for member in simulation.scene.members:
        springs = member.springs
        lengths = springs.contractions(np.ascontiguousarray(points[member.points])) * springs.rest
        for number in range(len(member.splines)):
            own = springs.spline == number
            found.append(float(lengths[own].sum() / springs.rest[own].sum()))
    return np.array(found)

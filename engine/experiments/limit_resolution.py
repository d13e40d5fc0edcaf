"""The grid and the margin that fields need: Engell-Norregard 2012, section 15.2.

The captured motion is followed with fields of it, around the whole turn as the source's, of 8, 16 and 32 nodes along
each axis and margins from 0.05 to 0.4 rad. A motion is jagged where its hinges' acceleration is far above that of the
motion itself; a solver gets stuck where it does not reach goals that can be reached. A thin region that a grid cannot
tell is widened until each sample is inside: by how much stands in the table, as the mean over the joints.
"""

from __future__ import annotations

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.following import Followed, follow
from engine.experiments.limiting import field_of, limited
from engine.experiments.reference import load_reference
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.runtime.quick_dataclass import dataclass

NODES, MARGINS = (8, 16, 32), (0.05, 0.1, 0.2, 0.3, 0.4)
MODELS = ("sampled", "sculpted")
SOLVER = "gradient"
_WELL, _LOOSER = 0.95, 1.1


@dataclass(frozen=True, eq=False)
class ResolutionSweep:
    """One grid and margin."""

    model: str
    nodes: int
    margin: float
    raised: float  # [rad]
    found: Followed

    @property
    def error(self) -> float:
        """Mean of the elbow's [m]."""
        return float(self.found.elbow_errors.mean())


def run(settings: Settings) -> Result:
    """Every grid and margin."""
    reference = load_reference(settings)
    swept = []
    for model in MODELS:
        for nodes in NODES:
            for margin in MARGINS[::2] if settings.quick else MARGINS:
                clips = [reference.poses]
                figure = limited(reference.figure, model, clips, margin=margin, nodes=nodes, whole=True)
                raised = float(np.mean([field_of(figure, each).raised for each in figure.limits]))
                swept.append(ResolutionSweep(model, nodes, margin, raised, follow(reference, figure, SOLVER)))
    rows = [
        (each.model, each.nodes, each.margin, each.raised, each.found.reached, each.found.acceleration, each.error)
        for each in swept
    ]
    columns = ("limits", "nodes", "margin_rad", "raised_rad", "reached", "acceleration_rad_s2", "elbow_m")
    own = np.diff(reference.poses[:, [dof.kind == "hinge" for dof in reference.figure.dofs]], 2, axis=0)
    true = float(np.sqrt(np.mean(own**2))) * reference.rate**2
    return Result(
        title="Grid and margin of fields (Engell-Norregard 2012, section 15.2)",
        tables=(Table(name="swept", columns=columns, rows=tuple(rows)),),
        pictures=_pictures(swept),
        claims=tuple(_claims(swept)),
        notes=(
            f"motion: {reference.name}; {len(reference.poses)} frames at {reference.rate} Hz",
            f"RMS acceleration of the hinges of the motion itself: {true:.1f} rad/s²",
        ),
    )


def _pictures(swept: list[ResolutionSweep]) -> tuple[ResultPlot, ...]:
    def chart(title: str, axis: str, value: str) -> str:
        lines = []
        for model in MODELS:
            for nodes in NODES:
                mine = [each for each in swept if (each.model, each.nodes) == (model, nodes)]
                y = {
                    "reached": [100.0 * each.found.reached for each in mine],
                    "jagged": [each.found.acceleration for each in mine],
                    "elbow": [100.0 * each.error for each in mine],
                }[value]
                lines.append(Line(name=f"{model}, {nodes} nodes", x=[each.margin for each in mine], y=y))
        return line_chart(title, "margin [rad]", axis, lines)

    return (
        ResultPlot(name="reached", svg=chart("Frames whose goals are reached", "[%]", "reached")),
        ResultPlot(name="jagged", svg=chart("RMS acceleration of the hinges", "[rad/s²]", "jagged")),
        ResultPlot(name="elbow", svg=chart("How far the elbow is from the capture, mean", "[cm]", "elbow")),
    )


def _claims(swept: list[ResolutionSweep]) -> list[Claim]:
    at = {(each.model, each.nodes, round(each.margin, 2)): each for each in swept}
    middle = min(at, key=lambda key: abs(key[2] - 0.2))[2]
    sampled = [at["sampled", nodes, middle] for nodes in NODES]
    margins = sorted({key[2] for key in at})
    tight, best, loose = (at["sampled", 32, each] for each in (margins[0], middle, margins[-1]))
    coarse = at["sculpted", 8, middle]
    listed = ", ".join(
        f"{each.nodes}: {100.0 * each.found.reached:.0f}%, {each.found.acceleration:.1f} rad/s²" for each in sampled
    )
    return [
        Claim(
            source="sampled fields coarser than 16 nodes make motion jagged and get stuck; finer ones run smoothly",
            ours=f"reached and RMS acceleration at {middle} rad, nodes {listed}",
            agrees=sampled[0].found.reached < _WELL <= min(each.found.reached for each in sampled[1:]),
        ),
        Claim(
            source="sculpted fields do with 8 nodes or fewer",
            ours=f"8 nodes: reached {100.0 * coarse.found.reached:.0f}%, {coarse.found.acceleration:.1f} rad/s²",
            agrees=coarse.found.reached >= _WELL,
        ),
        Claim(
            source="margins above 0.2 rad constrain too loosely",
            ours=f"mean error of the elbow {100.0 * loose.error:.1f} cm at {margins[-1]} rad, "
            f"{100.0 * best.error:.1f} cm at {middle} rad",
            agrees=loose.error > _LOOSER * best.error,
        ),
        Claim(
            source="with margins below 0.2 rad motion is jittery and the solver stalls",
            ours=f"at {margins[0]} rad reached {100.0 * tight.found.reached:.0f}%, "
            f"{tight.found.acceleration:.1f} rad/s²; at {middle} rad {100.0 * best.found.reached:.0f}%, "
            f"{best.found.acceleration:.1f} rad/s²",
            agrees=tight.found.reached < best.found.reached
            and tight.found.acceleration > _LOOSER * best.found.acceleration,
        ),
    ]

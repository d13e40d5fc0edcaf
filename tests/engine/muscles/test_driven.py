"""Muscles over driven coordinates: what they do to these is done to what drives them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Dof
from engine.model.compile import compile_model
from engine.model.driven_kernels import follow
from engine.muscles.compiled import MuscledFigure
from engine.muscles.crossing import dofs_crossed
from engine.muscles.parts import Muscle, Muscles, MuscleWrap, PathPoint, PathWrap, PointCurve
from engine.muscles.ranges import arms_over
from engine.runtime.errors import UnknownPart
from tests.engine.driven_leg import leg

FREE = ("hip.x", "hip.z", "knee.x")


def point(joint: str | None, x: float, y: float, z: float) -> PathPoint:
    return PathPoint(joint=joint, point=(x, y, z))


def muscle(id: str, *points: PathPoint, wraps: tuple[PathWrap, ...] = ()) -> Muscle:
    return Muscle(id=id, name=id, points=points, wraps=wraps, force=100.0, fibre=0.1, tendon=0.1)


LED = PointCurve(axis=1, dof="cap", knots=((0.0, -0.2), (1.0, -0.1)))
MUSCLES = Muscles(
    wraps=(MuscleWrap(id="ball", name="Ball", joint="cap", shape="sphere", radii=(0.02,), centre=(0.0, 0.0, 0.02)),),
    muscles=(
        muscle("thigh", point("hip", 0.0, -0.1, 0.06), point("cap", 0.0, 0.02, 0.06)),
        muscle("shin", point("cap", 0.0, -0.02, 0.06), point("knee", 0.0, -0.1, 0.03)),
        muscle("all", point(None, 0.1, 0.3, 0.1), point("cap", 0.0, 0.0, 0.05), point("toes", 0.0, 0.0, 0.05)),
        muscle("bent", point("hip", 0.0, -0.3, 0.07), point("knee", 0.0, -0.1, 0.08), wraps=(PathWrap(wrap="ball"),)),
        muscle(
            "led",
            PathPoint(
                joint="hip",
                point=(0.0, -0.2, 0.05),
                curves=(PointCurve(axis=1, dof="cap", knots=((0.0, -0.2), (1.0, -0.1))),),
            ),
            point("knee", 0.0, -0.2, 0.03),
        ),
    ),
)


def test_arms_are_those_of_finite_differences_by_what_is_free() -> None:
    model = compile_model(leg())
    figure, names = MuscledFigure(model, MUSCLES), model.figure.coordinate_index
    q = follow(model.driven, np.array([0.3, -0.2, 0.0, 0.0, 0.9, 0.0]))
    lengths, gradient = figure.measure(q)
    assert lengths == pytest.approx(figure.lengths(np.array([0.3, -0.2, 9.0, 9.0, 0.9, 9.0])), abs=0.0)
    for name, place in names.items():
        if name not in FREE:
            assert not gradient[:, place].any()
            continue
        step = np.zeros(len(q))
        step[place] = 1e-6
        differences = (figure.lengths(q + step) - figure.lengths(q - step)) / 2e-6
        assert gradient[:, place] == pytest.approx(differences, abs=1e-8)
    assert abs(gradient[0, names["knee.x"]]) > 1e-3  # through the kneecap alone


def test_a_muscle_crosses_what_drives() -> None:
    figure = leg()
    crossed = [[dof.id for dof in dofs_crossed(figure, each)] for each in MUSCLES.muscles[:3]]
    assert crossed == [["hip.z", "knee.x"], ["hip.z", "knee.x"], list(FREE)]
    assert all(isinstance(each, Dof) for each in dofs_crossed(figure, MUSCLES.muscles[0]))


def test_arms_over_a_driven_coordinate_are_refused() -> None:
    figure = MuscledFigure(compile_model(leg()), MUSCLES)
    with pytest.raises(UnknownPart, match="cap"):
        arms_over(figure, np.zeros(6), "cap")
    over = arms_over(figure, np.zeros(6), "knee.x", steps=41)
    slopes = np.gradient(over.lengths[:, 0], over.values)
    assert -over.arms[2:-2, 0] == pytest.approx(slopes[2:-2], abs=2e-4)

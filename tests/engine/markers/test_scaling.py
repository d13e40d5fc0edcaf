"""Figures scaled to markers: known factors come back, and everything that stands on a body grows with it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pytest

from engine.document import Body, Document, Dof, Figure, Joint, TriangleMesh
from engine.document.frames import rest_frames
from engine.edits import edit
from engine.formats.captured import handle_places
from engine.formats.figure_toml import load_figure
from engine.markers.fitting import fit_to_markers
from engine.markers.scaled import scaled_figure
from engine.markers.scaling import ScaleBy, Scaling, scaling_steps
from engine.model.inertia import masses_of
from engine.muscles.uses import muscles_of
from engine.runtime.errors import InvalidArguments, InvalidDocument, NothingThere, UnknownPart
from tests.engine.markers.worn import actor_of, seen, swaying, wearing
from tests.engine.muscles.arms import bent_arm

T = TypeVar("T")


def run(steps: Generator[float, None, T]) -> T:
    while True:
        try:
            assert 0.0 <= next(steps) <= 1.0
        except StopIteration as end:
            found: T = end.value
            return found


def drawn_factors(figure: Figure) -> dict[str, float]:
    """A factor for each body, the same for mirror partners."""
    random = np.random.default_rng(8)
    drawn = {each.id: float(random.uniform(0.85, 1.2)) for each in figure.joints}
    return {each.id: drawn[min(each.id, each.mirror or each.id)] for each in figure.joints}


@pytest.fixture(scope="module")
def trial() -> tuple[Figure, dict[str, float], Scaling]:
    figure = wearing("stick")
    factors = drawn_factors(figure)
    worn = scaled_figure(figure, factors)
    markers = seen(worn, swaying(worn, 14, part=0.3))
    return figure, factors, run(scaling_steps(figure, markers, ScaleBy(mass=82.5)))


def test_the_trial_tells_the_factors_of_all_bodies(trial: tuple[Figure, dict[str, float], Scaling]) -> None:
    figure, factors, found = trial
    for joint, factor in found.factors:
        assert factor == pytest.approx(factors[joint], abs=1e-3), joint
    assert found.before is not None
    assert found.after is not None
    assert found.before > 0.01
    assert found.after < 1e-4
    assert "82.50 kg" in found.lines(figure)


def test_the_edit_scales_and_the_mass_is_what_was_asked_for(trial: tuple[Figure, dict[str, float], Scaling]) -> None:
    figure, _, found = trial
    document = Document(actors=(actor_of(figure),))
    change = edit("scale_figure", actor="worn", factors=found.factors, heavier=found.heavier, points=found.points)
    scaled = change.apply(document).actor("worn").figure
    assert masses_of(scaled)[:, 0].sum() == pytest.approx(82.5)


def test_a_mass_is_refused_where_nothing_weighs_anything() -> None:
    figure = wearing("stick", 1)
    bare = replace(figure, joints=tuple(replace(each, shapes=()) for each in figure.joints))
    markers = seen(bare, swaying(bare, 2, part=0.1))
    with pytest.raises(NothingThere, match="weigh nothing"):
        run(scaling_steps(bare, markers, ScaleBy(mass=70.0)))


def test_pairs_tell_the_factors_of_their_bodies_and_the_others_take_the_mean() -> None:
    figure = wearing("stick")
    worn = scaled_figure(figure, {"hip_left": 1.2, "hip_right": 1.1})
    markers = seen(worn, swaying(worn, 4))
    pairs = (("hip_left", "HIP_LEFT.0", "HIP_LEFT.1"), ("hip_right", "HIP_RIGHT.0", "hip_right.2"))
    found = dict(run(scaling_steps(figure, markers, ScaleBy(pairs=pairs))).factors)
    assert found["hip_left"] == pytest.approx(1.2)
    assert found["hip_right"] == pytest.approx(1.1)
    assert found["head"] == pytest.approx(1.15)
    with pytest.raises(UnknownPart, match="KNEE"):
        run(scaling_steps(figure, markers, ScaleBy(pairs=(("head", "KNEE", "HEAD.0"),))))
    with pytest.raises(UnknownPart, match="tail"):
        run(scaling_steps(figure, markers, ScaleBy(pairs=(("tail", "HEAD.1", "HEAD.0"),))))
    with pytest.raises(InvalidArguments, match="mass"):
        ScaleBy(mass=0.0)


def test_handles_are_placed_where_the_markers_were() -> None:
    figure = wearing("stick")
    q = swaying(figure, 10)
    slipped = replace(
        figure,
        handles=tuple(
            replace(each, point=(each.point[0] + 0.004, each.point[1], each.point[2])) for each in figure.handles
        ),
    )
    markers = seen(slipped, q)
    pairs = tuple((each.id, f"{each.id}.0", f"{each.id}.1") for each in figure.joints)
    found = run(scaling_steps(figure, markers, ScaleBy(pairs=pairs, place=True)))
    document = edit("scale_figure", actor="worn", factors=(), points=found.points).apply(
        Document(actors=(actor_of(figure),))
    )
    before, after = (fit_to_markers(each, markers).rms for each in (figure, document.actor("worn").figure))
    assert after < 0.6 * before


def test_everything_on_a_body_grows_about_its_joint() -> None:
    figure = wearing("human", 1)
    factors = drawn_factors(figure)
    scaled = scaled_figure(figure, factors)
    before, after = rest_frames(figure), rest_frames(scaled)
    for joint in figure.joints:
        if joint.parent is not None:
            one = np.subtract(before[joint.id].position, before[joint.parent].position)
            other = np.subtract(after[joint.id].position, after[joint.parent].position)
            np.testing.assert_allclose(other, one * factors[joint.parent], atol=1e-12)
    rest = np.zeros((1, len(figure.coordinates)))
    ways = [
        handle_places(each, each.handles, rest)[0] - [frames[handle.joint].position for handle in each.handles]
        for each, frames in ((figure, before), (scaled, after))
    ]
    np.testing.assert_allclose(ways[1], ways[0] * [[factors[each.joint]] for each in figure.handles], atol=1e-12)
    grown = masses_of(scaled)[:, 0] / masses_of(figure)[:, 0]
    np.testing.assert_allclose(grown, [factors[each.id] ** 3 for each in figure.joints], rtol=1e-6)


def test_a_slide_goes_as_much_further_and_its_spring_rests_there() -> None:
    ways = (
        Dof(id="way", name="Way", kind="slide", lower=-0.1, upper=0.3, spring=50.0, neutral=0.2),
        Dof(id="turn", name="Turn", upper=1.0, spring=2.0, neutral=0.4),
    )
    figure = Figure(name="f", joints=(Joint(id="a", name="A"), Joint(id="b", name="B", parent="a", dofs=ways)))
    way, turn = scaled_figure(figure, {"a": 2.0, "b": 3.0}).dofs
    assert way == replace(ways[0], lower=-0.2, upper=0.6, neutral=0.4)
    assert turn == ways[1]


def test_a_stated_body_grows_as_its_mass_does() -> None:
    joint = load_figure("stick").joints[0]
    body = Body(mass=2.0, centre=(0.1, 0.0, 0.0), inertia=(0.3, 0.3, 0.2, 0.0, 0.0, 0.0))
    figure = Figure(name="one", joints=(replace(joint, body=body),))
    found = scaled_figure(figure, {joint.id: 2.0}, heavier=0.5).joints[0].body
    assert found == Body(mass=8.0, centre=(0.2, 0.0, 0.0), inertia=(4.8, 4.8, 3.2, 0.0, 0.0, 0.0))


def test_meshes_and_skins_grow() -> None:
    figure = load_figure("anatomy")
    joint = next(each for each in figure.joints if any(isinstance(shape, TriangleMesh) for shape in each.shapes))
    scaled = scaled_figure(figure, {joint.id: 1.5})
    for old, new in zip(joint.shapes, scaled.joint(joint.id).shapes, strict=True):
        if isinstance(old, TriangleMesh):
            assert isinstance(new, TriangleMesh)
            np.testing.assert_allclose(new.positions.array, 1.5 * old.positions.array, rtol=1e-6)


def test_muscles_grow_with_their_bones() -> None:
    arm = bent_arm()
    document = Document(actors=(arm,))
    twice = edit("scale_figure", actor=arm.id, factors=tuple((each.id, 2.0) for each in arm.figure.joints))
    scaled = twice.apply(document).actor(arm.id)
    before, after = muscles_of(arm), muscles_of(scaled)
    assert before is not None
    assert after is not None
    for old, new in zip(before.muscles, after.muscles, strict=True):
        if all(point.joint is not None for point in old.points):
            assert new.fibre == pytest.approx(2.0 * old.fibre)
            assert new.tendon == pytest.approx(2.0 * old.tendon)
        for one, other in zip(old.points, new.points, strict=True):
            if one.joint is not None:
                np.testing.assert_allclose(other.point, np.multiply(one.point, 2.0))
    for wrap, wider in zip(before.wraps, after.wraps, strict=True):
        if wrap.joint is not None:
            np.testing.assert_allclose(wider.radii, np.multiply(wrap.radii, 2.0))
    assert arm == document.actor(arm.id), "the edit is pure"


@pytest.mark.parametrize("factor", [0.0, -1.0, 1e9])
def test_a_factor_that_no_body_has_is_refused(factor: float) -> None:
    document = Document(actors=(actor_of(load_figure("stick")),))
    with pytest.raises(InvalidDocument, match="factor of head"):
        edit("scale_figure", actor="worn", factors=(("head", factor),)).apply(document)
    with pytest.raises(UnknownPart):
        edit("scale_figure", actor="worn", factors=(("tail", 1.1),)).apply(document)
    assert edit("scale_figure", actor="worn", factors=(("head", 1.0),)).apply(document) is document

"""Groups of muscles that a person chooses among: parts of the body, regions, joints."""

from __future__ import annotations

from engine.muscles.queries.crossed import PARTS, muscle_groups
from engine.muscles.uses import muscles_of
from engine.queries.examples import example
from tests.engine.muscles.arms import arm_figure, arm_muscles


def test_the_body_is_divided_into_left_right_and_medial_parts_with_each_muscle_in_one() -> None:
    owner = example("body").build().actors[0]
    muscles = muscles_of(owner)
    assert muscles is not None
    parts = [each for each in muscle_groups(owner.figure, muscles) if each.kind == "body"]
    assert [each.name for each in parts] == [
        "Left trunk", "Right trunk", "Medial trunk", "Left head", "Right head", "Left arm", "Right arm", "Left leg",
        "Right leg",
    ]  # fmt: skip
    assert sorted(id for each in parts for id in each.muscles) == sorted(each.id for each in muscles.muscles)
    sizes = {each.name: len(each.muscles) for each in parts}
    for part in ("trunk", "head", "arm", "leg"):
        assert sizes[f"Left {part}"] == sizes[f"Right {part}"]
    assert {each.region for each in muscles.muscles} == set(PARTS), "no region is forgotten"


def test_a_figure_of_other_regions_has_no_such_parts() -> None:
    assert not any(each.kind == "body" for each in muscle_groups(arm_figure(), arm_muscles()))

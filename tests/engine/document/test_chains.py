"""Which degrees of freedom a chain holds, on the human."""

from __future__ import annotations

import pytest

from engine.document.chains import chain
from engine.formats.figure_toml import load_figure
from engine.runtime.errors import InvalidDocument

HUMAN = load_figure("human")
HAND = next(handle.joint for handle in HUMAN.handles if "hand" in handle.id and "left" in handle.id)


def above(joint: str) -> list[str]:
    found = [joint]
    while (parent := HUMAN.joint(found[-1]).parent) is not None:
        found.append(parent)
    return found


def test_whole_is_every_degree_of_freedom() -> None:
    assert chain(HUMAN, HAND, "whole") == {dof.id for dof in HUMAN.dofs}


def test_part_is_the_joint_alone() -> None:
    first = next(joint for joint in above(HAND) if HUMAN.joint(joint).dofs)
    assert chain(HUMAN, HAND, "part") == {dof.id for dof in HUMAN.joint(first).dofs}


def test_branch_ends_below_the_joint_from_which_another_limb_leaves() -> None:
    path = above(HAND)
    children = {joint: sum(each.parent == joint for each in HUMAN.joints) for joint in path}
    end = next(place for place, joint in enumerate(path) if place > 0 and children[joint] > 1)
    assert chain(HUMAN, HAND, "branch") == {dof.id for joint in path[:end] for dof in HUMAN.joint(joint).dofs}
    assert 1 < end < len(path)


def test_chain_up_to_a_joint_holds_that_joint() -> None:
    path = above(HAND)
    found = chain(HUMAN, HAND, "joint", up_to=path[2])
    assert found == {dof.id for joint in path[:3] for dof in HUMAN.joint(joint).dofs}
    assert chain(HUMAN, HAND, "joint", up_to=path[-1]) == {dof.id for joint in path for dof in HUMAN.joint(joint).dofs}


@pytest.mark.parametrize("end", [None, "foot_right"])
def test_end_that_is_not_above_the_joint_is_refused(end: str | None) -> None:
    wrong = end if end is None else next(joint.id for joint in HUMAN.joints if joint.id not in above(HAND))
    with pytest.raises(InvalidDocument, match=f"between {HAND} and the root"):
        chain(HUMAN, HAND, "joint", up_to=wrong)

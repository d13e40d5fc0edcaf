"""Locks kept by Lagrange multipliers, one of the ways that a person may choose (`engine.ik.maintain`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.document import Placement
from engine.evaluation import Member
from engine.ik.problem import Problem, compile_problem
from engine.locks.as_goals import goals_of
from engine.locks.members import Rows
from engine.locks.places import Holding
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternion_of


def lead_by_multipliers(
    problem: Problem,
    linked: Sequence[Member],
    holdings: Sequence[Holding],
    places: Sequence[Array],
    poses: Rows,
    tolerance: float,
) -> tuple[Rows, Array]:
    """Newton's iteration with multipliers onto the constraints, compiled for this once; by how much they are missed."""
    from engine.ik.maintain import Maintain

    placed = []
    for member, participant in zip(linked, problem.participants, strict=True):
        x, y, z = member.base[:, 3].tolist()
        placement = Placement(position=(x, y, z), rotation=quaternion_of(member.base))
        placed.append(replace(participant, placement=placement))
    together = [each.actor for each in placed]
    goals = [goal for each, at in zip(holdings, places, strict=True) for goal in goals_of(each, at, together)]
    compiled, out, left = compile_problem(placed, goals), [rows.copy() for rows in poses], np.zeros(len(poses[0]))
    for place in range(len(left)):
        held = Maintain(tolerance=tolerance).start(compiled, [rows[place] for rows in poses])
        worst = held.report().worst
        left[place] = 0.0 if worst <= 2.0 * tolerance else worst
        for rows, row in zip(out, held.poses, strict=True):
            rows[place] = row
    return out, left

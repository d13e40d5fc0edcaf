"""Motions found by the library: how a search ended, in the words of the document."""

from __future__ import annotations

from dataclasses import replace

import sinew
from engine.document import Document
from engine.spacetime.uses import spacetime_of
from tests.spacetime_examples import pendulum


def without_muscles(document: Document) -> Document:
    owner = document.actors[0]
    plan = spacetime_of(owner)
    assert plan is not None
    return document.with_actor(owner.with_part(replace(plan, muscles=())))


def test_what_is_missed_and_what_is_wrong_with_a_plan_have_names_and_times() -> None:
    document = without_muscles(pendulum(pieces=4))
    _, report = sinew.find_motion(document)
    assert not report.solved
    words = str(report)
    assert "No muscle drives Double pendulum" in words
    assert " s: missed by " in words
    assert all(each.unit and not each.demand.startswith("value") for each in report.unmet)

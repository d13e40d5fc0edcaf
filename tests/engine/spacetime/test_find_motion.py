"""Searches for the window: a slice an iteration, minima ranked, what is missed named; in-betweens without a way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.document import Document, Key, Placement, Track
from engine.evaluate.evaluator import Evaluator
from engine.runtime.errors import NothingThere
from engine.runtime.progress import finish
from engine.spacetime.commands.fill_between import FillBetween
from engine.spacetime.parts import Spacetime, SpacetimeConstraint
from engine.spacetime.queries.find_motion import MotionFound, MotionUnderway, MotionWanted, find_motion
from tests.leaping_lamp import ROOT, leaping_lamp, nod

SECOND = 705_600_000


def searched(document: Document, wanted: MotionWanted) -> tuple[MotionFound, int]:
    """What a search comes to, and in how many slices."""
    values = list(find_motion(document, wanted))
    assert isinstance(values[-1], MotionFound)
    assert all(each is None or isinstance(each, MotionUnderway) for each in values[:-1])
    return values[-1], len(values)


def of(tmp_path: Path, plan: Spacetime) -> Document:
    return Document(actors=(leaping_lamp(tmp_path).with_part(plan),))


def test_each_iteration_is_several_slices_and_minima_are_ranked(tmp_path: Path) -> None:
    document = of(tmp_path, nod())
    found, slices = searched(document, MotionWanted(actor="lamp"))
    assert slices > 3 * len(found.iterates)
    assert [each.state for each in found.minima] == ["solved"]
    compared, _ = searched(document, MotionWanted(actor="lamp", compare=True))
    assert len(compared.iterates) > len(found.iterates)
    efforts = [each.objective for each in compared.minima]
    assert efforts == sorted(efforts)
    assert efforts[0] == pytest.approx(found.minima[0].objective, rel=1e-3)
    torques = found.minima[0].torques
    assert {dof: len(each) for dof, each in torques.items()} == dict.fromkeys(torques, len(found.minima[0].times))


def test_a_search_from_an_earlier_motion_that_leads_nowhere_begins_anew_and_names_what_is_missed(
    tmp_path: Path,
) -> None:
    first, _ = searched(of(tmp_path, nod()), MotionWanted(actor="lamp"))
    high = SpacetimeConstraint(
        id="high", name="High up", stage="stage", quantity="point", joint="head", position=(0.0, 3.0, 0.0), at=0.5
    )
    plan = nod(constraints=(*nod().constraints, high))
    found, _ = searched(of(tmp_path, plan), MotionWanted(actor="lamp", earlier=first.minima[0]))
    (ended,) = found.minima
    assert ended.state != "solved"
    assert [each.iteration for each in found.iterates].count(0) == 2, "from there, then from the straight line"
    assert ended.misses[0].constraint == "high"
    assert ended.misses[0].place is not None
    assert "Missed most" in found.report


def test_what_flies_between_takes_off_and_what_stands_on_its_root_cannot_go_elsewhere(tmp_path: Path) -> None:
    lamp = leaping_lamp(tmp_path)

    def filled(dof: str, value: float, height: float) -> Document:
        keys = Track(coordinate=dof, keys=(Key(0, 0.0), Key(SECOND // 4, value)))
        layers, placement = (replace(lamp.layers[0], tracks=(keys,)),), Placement(position=(0.0, height, 0.0))
        document = Document(actors=(replace(lamp, layers=layers, placement=placement),))
        filling = FillBetween(actor="lamp", id="between", begin=0, end=SECOND // 4)
        return finish(filling.work_through(Evaluator(), document)).apply(document)

    layer = filled("head.nod", 0.5, 2.0).actors[0].layers[-1]
    up = next(each for each in layer.tracks if each.coordinate == ROOT[1])
    assert max(key.value for key in up.keys) > 0.05, "a free fall of a quarter of a second, up and down again"
    with pytest.raises(NothingThere, match=r"No motion leads .* Missed most: .* at \d\.\d+ s: missed by"):
        filled(ROOT[0], 0.5, 0.0)

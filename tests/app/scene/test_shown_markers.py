"""Markers are collected and placed once for each picture, however often they are told of, and at once for who looks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QCoreApplication, QObject

from app.scene.markers import Marker
from app.scene.shown_markers import ShownMarkers
from app.scene.symbols import Symbol
from tests.app.scene.mannequins import snowman

if TYPE_CHECKING:
    from engine.model import Snapshot


def marker(id: str) -> Marker:
    body = snowman()
    return Marker(owner=body.owner, id=id, name=id, part=body.parts[-1], point=(0.0, 0.1, 0.0))


class Shown:
    """With a count of repaints and of how often markers were asked for."""

    def __init__(self) -> None:
        self.repaints, self.asked, self.parent = 0, list[str](), QObject()
        self.markers = ShownMarkers(self.parent, self._repaint)
        picture = SimpleNamespace(bodies=(snowman(),), ghosts=(), locks=(), muted_locks=())
        self.picture = cast("Snapshot", picture)
        self.markers.show(self.picture)

    def _repaint(self) -> None:
        self.repaints += 1

    def ask(self, id: str) -> None:
        def collect() -> tuple[Marker, ...]:
            self.asked.append(id)
            return (marker(id),)

        self.markers.ask(collect)

    def drawn(self) -> list[str]:
        return [each.marker.id for each in self.markers.for_picture()]

    def seen(self) -> list[str]:
        return [each.marker.id for each in self.markers.now()]


@pytest.fixture
def shown(qapp: QCoreApplication) -> Shown:
    return Shown()


def test_they_are_asked_for_once_for_a_picture_which_shows_the_newest(shown: Shown) -> None:
    for id in ("one", "two", "three"):
        shown.ask(id)
    assert shown.drawn() == ["three"]
    QCoreApplication.processEvents()
    assert (shown.asked, shown.repaints) == (["three"], 0)


def test_without_a_picture_they_bring_one_soon_unless_they_are_the_same(shown: Shown) -> None:
    shown.ask("one")
    assert shown.repaints == 0
    QCoreApplication.processEvents()
    assert (shown.asked, shown.repaints, shown.drawn()) == (["one"], 1, ["one"])
    shown.ask("one")
    QCoreApplication.processEvents()
    assert (shown.asked, shown.repaints) == (["one", "one"], 1)


def test_who_looks_finds_the_newest_and_a_picture_is_asked_for(shown: Shown) -> None:
    shown.ask("one")
    assert (shown.seen(), shown.repaints) == (["one"], 1)
    shown.ask("two")
    shown.markers.put((marker("three"),))
    assert (shown.seen(), shown.repaints, shown.asked) == (["three"], 2, ["one"])


def test_they_are_placed_anew_on_each_picture_symbols_below_handles(shown: Shown) -> None:
    body = snowman()
    shown.markers.put((marker("handle"),))
    symbol = Symbol(
        of="a", owner=body.owner, id="ring", name="", part=body.parts[0], shape="ring", place=(0.0, 1.0, 0.0)
    )
    shown.markers.put_symbols((symbol,), "a")
    assert shown.drawn() == ["ring", "handle"]
    assert shown.markers.for_picture() is shown.markers.for_picture()
    before = shown.markers.for_picture()
    shown.markers.show(shown.picture)
    assert shown.markers.for_picture() is not before
    shown.markers.put_symbols((), "a")
    assert (shown.drawn(), shown.repaints) == (["handle"], 3)

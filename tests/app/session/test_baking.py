"""Baking: a process that cannot be started is said, and leaves nothing behind."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from app.session import baking, scene_job
from tests.app.session.held import Held


def fail(*_: object, **__: object) -> None:
    raise OSError(12, "Cannot allocate memory")


@pytest.fixture
def dear(held: Held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Held:
    monkeypatch.setattr(baking, "is_dear", lambda document: True)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return held


def test_a_process_that_cannot_be_started_is_said(dear: Held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dear.session.baking, "_start_child", fail)
    dear.session.baking.bake()
    assert len(list(tmp_path.iterdir())) == 1
    dear.worker.answer(baking.BAKE)
    assert not dear.session.baking.running
    assert "Baking could not be started: [Errno 12] Cannot allocate memory" in dear.session.log[-1].text
    assert list(tmp_path.iterdir()) == []


def test_no_room_for_the_scene_is_said(dear: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene_job, "TemporaryDirectory", fail)
    dear.session.baking.bake()
    assert not dear.session.baking.running
    assert "Baking could not be started" in dear.session.log[-1].text

"""Garbage is not collected while the engine is loaded, and always afterwards."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from app.shell.collecting import hold_collection
from engine.runtime.errors import Diverged
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, deliver, hold


@pytest.fixture
def starting(qapp: object) -> Iterator[Held]:
    made = hold(small_document(), ready=False)
    gc.unfreeze()  # what the tests themselves set aside
    yield made
    made.session.close()
    made.session.deleteLater()
    gc.unfreeze()
    gc.enable()


def test_it_goes_on_when_the_engine_is_ready_and_leaves_out_what_was_loaded(starting: Held) -> None:
    hold_collection(starting.session)
    starting.session.engine.prepare()
    assert not gc.isenabled()
    assert gc.get_freeze_count() == 0
    starting.make_ready()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 1000


def test_it_goes_on_when_the_engine_cannot_be_loaded(starting: Held) -> None:
    hold_collection(starting.session)
    starting.session.engine.prepare()
    assert not gc.isenabled()
    request = next(each for each in starting.worker.requests if each.key == "engine")
    starting.worker.fail(request, Diverged(what="loading", value="nothing"))
    deliver()
    assert gc.isenabled()

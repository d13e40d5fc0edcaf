"""A file that another program has changed is told from one that stands as it was, or holds what led to the save."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.project.past import Past
from engine.project.save import save_project
from engine.project.stamp import refuse_changed, stamp
from engine.runtime.errors import ChangedMeanwhile
from tests.engine.figures import scene
from tests.engine.project.test_migrate import change
from tests.engine.project.test_save import past_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scene.sinew"


def test_a_file_as_it_was_is_not_looked_into(path: Path) -> None:
    path.write_bytes(b"anything")
    refuse_changed(path, stamp(path), past_of(1))


def test_no_file_is_no_change(path: Path) -> None:
    assert stamp(path) is None
    refuse_changed(path, None, past_of(1))


@pytest.mark.parametrize("touch", [True, False])
def test_a_revision_that_led_to_the_save_is_no_change(path: Path, touch: bool) -> None:
    past = past_of(3)
    save_project(path, past.entries[1].document)
    known = stamp(path) if touch else None
    if touch:
        os.utime(path, (1e9, 1e9))
    refuse_changed(path, known, past)


def test_work_that_is_not_in_the_undo_list_is_refused(path: Path) -> None:
    save_project(path, scene(7))
    with pytest.raises(ChangedMeanwhile, match=r"holds work that is not open here.*Save under another name"):
        refuse_changed(path, None, past_of(3))


def test_a_newer_file_is_refused_whatever_it_holds(path: Path) -> None:
    past = past_of(0)
    save_project(path, past.document, Past(past.entries, 0))
    change(path, "UPDATE meta SET value = '4' WHERE name = 'format'")
    with pytest.raises(ChangedMeanwhile, match="a newer Sinew has written it"):
        refuse_changed(path, None, past)


def test_what_is_no_project_is_refused(path: Path) -> None:
    path.write_bytes(b"text")
    with pytest.raises(ChangedMeanwhile, match="not a Sinew document"):
        refuse_changed(path, None, past_of(1))

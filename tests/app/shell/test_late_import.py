"""A module that is loaded when something of it is first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from app.shell.late_import import import_late


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A package of one module, `late_parcel.heavy`."""
    folder = tmp_path / "late_parcel"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "heavy.py").write_text("import late_parcel\nlate_parcel.loaded = True\nvalue = 7\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("late_parcel")
    for name in ("late_parcel", "late_parcel.heavy"):
        sys.modules.pop(name, None)


def test_it_is_loaded_as_something_of_it_is_used_however_often_it_is_imported(package: ModuleType) -> None:
    import_late("late_parcel.heavy")
    heavy = importlib.import_module("late_parcel.heavy")
    exec("import late_parcel.heavy", {})
    assert not hasattr(heavy, "__path__")
    assert not hasattr(package, "loaded")
    assert package.heavy.value == 7
    assert package.loaded
    assert type(heavy) is ModuleType
    with pytest.raises(AttributeError, match="nothing"):
        _ = heavy.nothing


def test_one_that_is_loaded_stays_as_it_is(package: ModuleType) -> None:
    before = importlib.import_module("late_parcel.heavy")
    import_late("late_parcel.heavy")
    assert sys.modules["late_parcel.heavy"] is before

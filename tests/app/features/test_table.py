"""The table of features: sound on paper, light before the first paint, and one object of each state in a session."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

from PySide6.QtCore import QObject

from app.features.table import FEATURES
from app.session import Session
from app.shell.preferences import Preferences, parse
from tests.app.session.held import Held
from tests.house.tree import ROOT


class Kept(QObject):
    """What a feature might keep of a session."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.closed = 0

    def close(self) -> bool:
        self.closed += 1
        return True


def test_names_docks_and_topics_stand_once() -> None:
    for names in (
        [feature.name for feature in FEATURES],
        [dock.name for feature in FEATURES for dock in feature.docks],
        [actions.place for feature in FEATURES for actions in feature.actions],
        [page[0] for feature in FEATURES for page in feature.help],
    ):
        assert [name for name, times in Counter(names).items() if times > 1] == []


def test_a_feature_stands_in_the_folder_of_its_name() -> None:
    folders = {path.parent.name for path in (ROOT / "app/features").glob("*/__init__.py")}
    assert folders == {feature.name for feature in FEATURES}


def test_the_table_brings_neither_numpy_nor_the_scene() -> None:
    asked = "import sys, app.features.table; print(*(n for n in ('numpy', 'numba', 'app.scene') if n in sys.modules))"
    told = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == ""


def test_a_session_keeps_one_object_of_a_class_and_closes_it(held: Held) -> None:
    kept = held.session.of(Kept)
    assert held.session.of(Kept) is kept
    assert held.session.close()
    assert kept.closed == 1


def test_a_switch_of_a_feature_is_kept_among_the_preferences() -> None:
    chosen = Preferences().having(show_count=False, seconds=True)
    assert chosen.switches == {"show_count": False}
    assert chosen.seconds
    assert parse('{"switches": {"show_count": false}}').switches == {"show_count": False}

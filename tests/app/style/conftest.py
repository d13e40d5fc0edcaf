"""The look that the widgets are tested in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.style.apply import apply_theme
from app.style.theme import dark
from tests.one_window import OneWindow


@pytest.fixture
def styled(qapp: QApplication) -> Iterator[QApplication]:
    before = qapp.font(), qapp.palette()
    apply_theme(qapp, dark)
    yield qapp
    qapp.setStyleSheet("")
    qapp.setFont(before[0])
    qapp.setPalette(before[1])


@pytest.fixture(scope="module", autouse=True)
def no_window_is_open(one_window: OneWindow) -> None:
    """These give the whole application another style, which a window would follow each time; who wants one opens it."""
    one_window.close()

"""The native file among the formats. What saves and files can suffer is tested with `engine.project`."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.document import Document
from engine.formats import sinew
from engine.runtime.errors import UnreadableFile, UnwritableFile
from tests.engine.figures import scene


def test_a_document_comes_back_exactly(tmp_path: Path) -> None:
    for document in (Document(), scene(1), scene(2)):
        path = tmp_path / "Ünïcode name.sinew"
        sinew.write(path, document)
        again = sinew.read(path)
        assert again == document
        assert again.digest == document.digest
    assert [each.name for each in tmp_path.iterdir()] == ["Ünïcode name.sinew"]


def test_folders_and_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="a folder"):
        sinew.read(tmp_path)
    with pytest.raises(UnreadableFile, match="no file of that name"):
        sinew.read(tmp_path / "none.sinew")
    with pytest.raises(UnwritableFile, match="it is a folder"):
        sinew.write(tmp_path, Document())
    with pytest.raises(UnwritableFile, match="No such file"):
        sinew.write(tmp_path / "gone" / "a.sinew", Document())

"""The cache folder, and what stands in when it cannot be written."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.runtime.folders import kernel_folder, writable_cache, write_whole


@pytest.fixture(autouse=True)
def asked_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("SINEW_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    writable_cache.cache_clear()
    kernel_folder.cache_clear()
    yield
    writable_cache.cache_clear()
    kernel_folder.cache_clear()


def test_without_a_home_a_temporary_folder_stands_in_with_one_warning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found = writable_cache()
    assert found is not None
    assert found.parent == tmp_path
    assert writable_cache() == found
    assert len(caplog.records) == 1


def test_with_nowhere_to_write_there_is_no_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SINEW_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    assert writable_cache() is None
    assert "compiled anew at each start" in caplog.text


def test_a_file_is_written_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    write_whole(path, b"one")

    def refuse(*_: object) -> None:
        raise OSError("no")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(OSError, match="no"):
        write_whole(path, b"two")
    assert path.read_bytes() == b"one"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("depth", [1, 2])
def test_a_file_in_the_place_of_a_folder_of_kernels_makes_way(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, depth: int
) -> None:
    monkeypatch.setenv("SINEW_CACHE", str(tmp_path))
    folder = kernel_folder()
    assert folder is not None
    obstacle = (folder.parent, folder)[depth - 1]
    shutil.rmtree(obstacle)
    obstacle.write_text("in the way")
    kernel_folder.cache_clear()
    assert kernel_folder() == folder
    write_whole(folder / "a.kernel", b"kernel")
    assert (folder / "a.kernel").read_bytes() == b"kernel"


def test_a_folder_of_kernels_that_may_only_be_read_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SINEW_CACHE", str(tmp_path))
    folder = kernel_folder()
    assert folder is not None
    make = tempfile.TemporaryFile

    def refuse(*, dir: Path) -> object:
        if dir == folder:
            raise PermissionError(13, "Permission denied")
        return make(dir=dir)

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    kernel_folder.cache_clear()
    assert kernel_folder() is None
    assert writable_cache() == tmp_path
    (said,) = caplog.messages
    assert said == f"cannot write {folder}; kernels are compiled anew at each start"

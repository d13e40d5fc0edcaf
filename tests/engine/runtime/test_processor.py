"""Whether shipped kernels are looked for on a processor."""

from pathlib import Path

import pytest

from engine.runtime import processor
from engine.runtime.processor import FEATURES, NAME, can_run_shipped

WHOLE = "avx avx2 bmi1 bmi2 cx16 f16c fma abm movbe popcnt sse4_1 sse4_2 xsave"


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A processor that a test describes, and nothing chosen."""
    for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(processor, "can_run_shipped", can_run_shipped.__wrapped__)
    monkeypatch.setattr(processor, "_CPUINFO", tmp_path / "cpuinfo")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    return tmp_path / "cpuinfo"


@pytest.mark.parametrize("missing", ["", *WHOLE.split()])
def test_all_that_kernels_use_must_be_there(anew: Path, missing: str) -> None:
    flags = " ".join(each for each in WHOLE.split() if each != missing)
    anew.write_text(f"processor: 0\nflags\t\t: fpu {flags} vme\nbogomips: 1\n")
    assert processor.can_run_shipped() is not bool(missing)


def test_another_kind_of_processor_has_none(anew: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anew.write_text(f"flags: {WHOLE}\n")
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert not processor.can_run_shipped()


def test_without_a_list_of_flags_the_compiler_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for has in (True, False):
        monkeypatch.setattr(
            "llvmlite.binding.get_host_cpu_features", lambda has=has: dict.fromkeys(processor._NAMED, has)
        )
        assert processor.can_run_shipped() is has


def test_a_processor_that_a_person_chose_stays(anew: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anew.write_text(f"flags: {WHOLE}\n")
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert not processor.can_run_shipped()


def test_a_child_of_a_process_that_uses_them_does_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CPU_NAME", NAME)
    monkeypatch.setenv("NUMBA_CPU_FEATURES", FEATURES)
    assert processor.can_run_shipped()

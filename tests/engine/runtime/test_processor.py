"""Whether shipped kernels are looked for on a processor."""

from pathlib import Path

import pytest

from engine.runtime import processor
from engine.runtime.processor import FEATURES, NAME, can_run_shipped, processor_digest

WHOLE = "avx avx2 bmi1 bmi2 cx16 f16c fma abm movbe popcnt sse4_1 sse4_2 xsave"


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A processor that a test describes, and nothing chosen."""
    for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(processor, "can_run_shipped", can_run_shipped.__wrapped__)
    monkeypatch.setattr(processor, "_host", processor._host.__wrapped__)
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


INFO = """processor\t: 0
vendor_id\t: {vendor}
model\t\t: 85
cpu MHz\t\t: {clock}
flags\t\t: fpu {flags}

processor\t: 1
vendor_id\t: another
"""


def test_a_processor_is_told_from_another_and_not_by_how_fast_it_runs_now(anew: Path) -> None:
    seen = []
    for vendor, clock, flags in (("A", 2000, "avx"), ("A", 900, "avx"), ("A", 2000, "avx avx512f"), ("B", 2000, "avx")):
        anew.write_text(INFO.format(vendor=vendor, clock=clock, flags=flags))
        seen.append(processor_digest())
    assert seen[0] == seen[1]
    assert len(set(seen)) == 3


def test_what_a_person_chose_tells_processors_apart_and_this_one_where_that_is_not_all(
    anew: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def on_both() -> list[str]:
        found = []
        for vendor in "AB":
            anew.write_text(INFO.format(vendor=vendor, clock=1, flags="avx"))
            found.append(processor_digest())
        return found

    of_this = on_both()
    monkeypatch.setenv("NUMBA_CPU_NAME", NAME)
    by_name = on_both()
    monkeypatch.setenv("NUMBA_CPU_FEATURES", FEATURES)
    chosen = on_both()
    assert len({*of_this, *by_name}) == 4
    assert chosen[0] == chosen[1] not in {*of_this, *by_name}


def test_without_a_list_the_compiler_tells_processors_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()
    for name in ("znver3", "znver4"):
        monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda name=name: name)
        seen.add(processor_digest())
    assert len(seen) == 2

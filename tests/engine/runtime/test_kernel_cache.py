"""What recompiles when sources change, and what happens when the cache on disk is damaged or cannot be written."""

import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numba
import pytest

from engine.runtime import kernel_cache
from engine.runtime.processor import FEATURES, NAME, can_run_shipped
from tests.engine.runtime.rooms_in_small import ALL_ROOMS, SmallEngine, build, starting

TWO, ALL = {"maths", "model"}, {"maths", "model", "water"}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallEngine]:
    """The small engine after its first run: never changed, only copied."""
    with starting() as starter:
        engine = build(tmp_path_factory.mktemp("small"), starter)
        answer = engine.run(program=ALL_ROOMS)
        assert answer.compiled_rooms == ALL
        assert (answer.values["maths"], answer.values["model"]) == (6.0, 15.0)
        yield engine


@pytest.fixture
def engine(compiled: SmallEngine, tmp_path: Path) -> SmallEngine:
    return compiled.moved(tmp_path)


@pytest.fixture(scope="module")
def whole(compiled: SmallEngine) -> dict[str, object]:
    """What it computes."""
    return compiled.run(program=ALL_ROOMS).values


def test_second_process_compiles_nothing_even_from_a_moved_install(engine: SmallEngine) -> None:
    answer = engine.run(program=ALL_ROOMS)
    assert answer.compiled_rooms == set()
    assert set(answer.loaded) == ALL
    assert answer.log == ""


def test_kernels_are_the_same_bytes_from_any_folder_and_name_none(engine: SmallEngine, tmp_path: Path) -> None:
    other = replace(engine.moved(tmp_path / "a folder of another name"), cache=tmp_path / "empty")
    assert other.run(program=ALL_ROOMS).compiled_rooms == ALL
    here, there = ({path.name: path.read_bytes() for path in each.kernels} for each in (engine, other))
    assert there == here
    everything = b"".join(there.values())
    assert b"engine/model/fall.py" in everything  # where its error is raised
    assert b"do not match on engine/water/pour.py (" in everything  # of sizes
    for folder in (other.folder, numba.__path__[0], sys.base_prefix):
        assert os.fsencode(folder) not in everything


def test_an_error_that_a_kernel_raises_says_where(engine: SmallEngine) -> None:
    code = "import numpy as np; from engine.model.fall import fall; fall(-20.0, np.ones((2, 3)), np.zeros(2))"
    said = engine.python(code, {}, ends_with=1).stderr
    assert 'File "engine/model/fall.py", line 10' in said
    assert said.endswith("ValueError: upwards\n")


def test_editing_what_a_kernel_names_recompiles_it_and_those_that_call_it_and_no_other(engine: SmallEngine) -> None:
    before = engine.run(program=ALL_ROOMS).values
    engine.edit("maths/scale.py", "FACTOR = 2.0", "FACTOR = 10.0")
    answer = engine.run(program=ALL_ROOMS)
    assert answer.compiled_rooms == {"maths", "model"}
    assert answer.values == {"maths": 30.0, "model": 111.0, "water": before["water"]}


def test_editing_a_room_that_nobody_calls_recompiles_it_alone(engine: SmallEngine) -> None:
    engine.edit("water/pour.py", "5.0", "6.0")
    assert engine.run(program=ALL_ROOMS).compiled_rooms == {"water"}


def test_undoing_an_edit_finds_the_old_kernels(engine: SmallEngine) -> None:
    engine.edit("maths/scale.py", "FACTOR = 2.0", "FACTOR = 10.0")
    engine.run()
    engine.edit("maths/scale.py", "FACTOR = 10.0", "FACTOR = 2.0")
    answer = engine.run()
    assert answer.compiled_rooms == set()
    assert answer.values["model"] == 15.0


READ_BY_NOBODY = (  # file, what stands there, what comes in its place
    ("maths/scale.py", "Doubles.", "Gives twice the number."),
    ("maths/scale.py", "@kernel\ndef scale", "# a remark\n\n\n@kernel\ndef scale"),
    ("model/fall.py", "@kernel\ndef fall(x: float,", '"""A module."""\n\nOTHER = 3\n\n\n@kernel\ndef fall(x,'),
    ("runtime/errors.py", "meant for a person", "for a person"),
    ("runtime/jit.py", "the only way to numba", "the one way to numba"),
)


def test_text_that_no_kernel_reads_recompiles_nothing(engine: SmallEngine) -> None:
    for edits in (READ_BY_NOBODY, [("maths/scale.py", '    """Gives twice the number."""\n', "")]):
        for source, old, new in edits:
            engine.edit(source, old, new)
        answer = engine.run()
        assert answer.compiled_rooms == set()
        assert answer.values["model"] == 15.0


def test_a_changed_kernel_recompiles_only_what_reaches_it(engine: SmallEngine) -> None:
    engine.edit("model/fall.py", "+ out_sums[0]", "- out_sums[0]")
    answer = engine.run()
    assert answer.compiled == {"maths": 0, "model": 1}
    assert answer.values["model"] == -3.0


def test_a_kernel_that_is_decorated_otherwise_is_compiled_again_and_so_is_what_reaches_it(engine: SmallEngine) -> None:
    engine.edit("maths/scale.py", "import kernel", "import kernel, parallel_kernel")
    assert engine.run().compiled_rooms == set()
    engine.edit("maths/scale.py", "@kernel\ndef scale", "@parallel_kernel\ndef scale")
    answer = engine.run()
    assert answer.compiled_rooms == {"maths", "model"}
    assert answer.values["model"] == 15.0


def test_kernels_that_cannot_be_told_apart_are_compiled_at_each_start_and_said(engine: SmallEngine) -> None:
    engine.edit("maths/scale.py", "FACTOR = 2.0", "from numba import float64\n\nFACTOR = 2.0")
    engine.edit("maths/scale.py", "return FACTOR * x", "return float64(FACTOR * x)")
    kept = len(engine.kernels)
    for _ in range(2):
        answer = engine.run()
        assert answer.compiled_rooms == {"maths", "model"}
        assert (answer.values["maths"], answer.values["model"]) == (6.0, 15.0)
        assert sorted(line.split(" cannot be cached: a kernel names ")[0] for line in answer.log.splitlines()) == [
            "kernel engine.maths.scale.fold",
            "kernel engine.maths.scale.scale",
            "kernel engine.model.fall.fall",
        ]
    assert len(engine.kernels) == kept


def test_settings_that_change_machine_code_do_not_share_kernels(engine: SmallEngine) -> None:
    assert engine.run(NUMBA_BOUNDSCHECK="1").compiled_rooms == TWO


def test_sources_edited_after_the_start_are_not_kept_under_the_digest_of_the_new_text(engine: SmallEngine) -> None:
    program = """
import numpy as np
import engine.model.fall, engine.runtime.rooms
path = engine.runtime.rooms.ENGINE / "maths" / "scale.py"
path.write_text(path.read_text().replace("FACTOR = 2.0", "FACTOR = 9.0"))
assert engine.model.fall.fall(3.0, np.ones((2, 3)), np.zeros(2)) == 15.0
"""
    engine.python(program, {})
    assert engine.run().values["model"] == 99.0


def test_arrays_that_may_only_be_read_and_constants_share_the_code_of_the_others(engine: SmallEngine) -> None:
    program = """
import numpy as np
from engine.maths.scale import fold
rows, sums = np.ones((2, 3)), np.zeros(2)
fold(3.0, rows, sums)
rows.flags.writeable = False
fold(3.0, rows, sums)
assert sums.tolist() == [9.0, 9.0]
assert sum(fold.stats.cache_misses.values()) + sum(fold.stats.cache_hits.values()) == 1
"""
    engine.python(program, {})


def test_a_kernel_that_is_called_by_symbol_is_made_again_where_its_file_has_gone(engine: SmallEngine) -> None:
    (path,) = (each for each in engine.kernels if ".fold-" in each.name)
    path.unlink()
    answer = engine.run()
    assert answer.compiled == {"maths": 1, "model": 0}
    assert answer.values["model"] == 15.0


def test_kernels_that_came_with_the_program_are_found_first_and_never_written(engine: SmallEngine) -> None:
    if not can_run_shipped():
        pytest.skip("this processor is older than those that kernels are shipped for")
    engine.run(NUMBA_CPU_NAME=NAME, NUMBA_CPU_FEATURES=FEATURES)
    folder = engine.kernels[0].parent
    shipped = engine.folder / "resources" / "kernels" / folder.name
    shipped.parent.mkdir(parents=True)
    folder.rename(shipped)
    for path in shipped.glob("*.fall-*"):
        damage(path, "one bit")
    before = {path.name: path.read_bytes() for path in shipped.iterdir()}
    answer = engine.run()
    assert answer.compiled == {"maths": 0, "model": 1}
    assert answer.values["model"] == 15.0
    assert {path.name: path.read_bytes() for path in shipped.iterdir()} == before
    assert [path.name.split("-")[0] for path in engine.kernels if path.parent != shipped] == ["engine.model.fall.fall"]


def damage(path: Path, kind: str) -> None:
    content = path.read_bytes()
    middle = len(content) // 2
    head = b"sinew kernel 3\n"
    match kind:
        case "empty":
            path.write_bytes(b"")
        case "truncated":
            path.write_bytes(content[:middle])
        case "noise":
            path.write_bytes(hashlib.shake_256(b"seed").digest(len(content)))
        case "one bit":
            path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
        case "too long":
            path.write_bytes(content + b"!")
        case "not a pickle":
            path.write_bytes(head + hashlib.sha256(path.name.encode() + b"no pickle").digest() + b"no pickle")
        case "another build":
            payload = kernel_cache._dumps((False, (), ("parts", "of", "another", "version")))
            path.write_bytes(head + hashlib.sha256(path.name.encode() + payload).digest() + payload)
        case "another's":
            names = sorted(path.parent.glob("*.kernel"))
            path.write_bytes(names[names.index(path) - 1].read_bytes())
        case "folder":
            path.unlink()
            path.mkdir()


@pytest.mark.parametrize(
    "kinds",
    [
        ("empty", "truncated", "noise", "empty"),
        ("one bit", "not a pickle", "too long", "noise"),
        ("another build", "another build", "another's", "another's"),
    ],
)
def test_damaged_entries_are_made_again(engine: SmallEngine, whole: dict[str, object], kinds: tuple[str, ...]) -> None:
    for path, kind in zip(engine.kernels, kinds, strict=True):
        damage(path, kind)
    answer = engine.run(program=ALL_ROOMS)
    assert answer.values == whole
    assert answer.compiled_rooms == ALL
    assert engine.run(program=ALL_ROOMS).compiled_rooms == set()


def test_an_entry_that_can_be_neither_read_nor_replaced_costs_a_warning_and_no_more(engine: SmallEngine) -> None:
    for path in engine.kernels:
        damage(path, "folder")
    answer = engine.run()
    assert answer.values["model"] == 15.0
    assert len(answer.log.splitlines()) == 1  # of the folder, once


def test_a_cache_that_cannot_be_made_is_replaced_by_a_private_temporary_one(
    engine: SmallEngine, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "temporary").mkdir()
    elsewhere = {"SINEW_CACHE": str(tmp_path / "file" / "cache"), "TMPDIR": str(tmp_path / "temporary")}
    first = engine.run(**elsewhere)
    assert first.values["model"] == 15.0
    assert first.log.count("cannot write the cache folder") == len(first.log.splitlines()) == 1
    assert engine.run(**elsewhere).compiled_rooms == set()
    (private,) = (tmp_path / "temporary").glob("sinew-*")
    assert stat.S_IMODE(private.stat().st_mode) == 0o700


def test_a_temporary_folder_that_others_may_write_is_not_trusted(engine: SmallEngine, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    elsewhere = {"SINEW_CACHE": str(tmp_path / "file"), "TMPDIR": str(tmp_path)}
    open_to_all = tmp_path / f"sinew-{os.getuid()}"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    answer = engine.run(**elsewhere)
    assert answer.values["model"] == 15.0
    assert "compiled anew at each start" in answer.log
    assert list(open_to_all.iterdir()) == []


def test_parallel_kernels_give_the_same_bytes_with_one_thread_or_two(engine: SmallEngine) -> None:
    one, two = (engine.run(program=ALL_ROOMS, NUMBA_NUM_THREADS=count).values for count in "12")
    assert one == two

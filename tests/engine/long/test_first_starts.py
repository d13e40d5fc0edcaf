"""First starts that go wrong, and kernels for a release, in the small engine: compiled again or said, never a crash,
never another number.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.runtime.processor import can_run_shipped
from tests.engine.runtime.rooms_in_small import (
    ALL_ROOMS,
    PURPOSES,
    TWO_ROOMS,
    Answer,
    SmallEngine,
    Starter,
    build,
    starting,
)

TWO = {"maths", "model"}

WARM_UP = f"""
import json
{PURPOSES}
from engine.runtime.errors import EngineError
said = []
try:
    for message in room.warm_up({{}}):
        said.append(message.get("ready"))
except EngineError as problem:
    said.append(str(problem))
print(json.dumps([[each for each in said if each], [room.is_warm(each.name) for each in room.WARM]]))
"""
ARE_WARM = f"""
import json
{PURPOSES}
print(json.dumps([room.is_warm(each.name) for each in room.WARM]))
"""
SHIP = f"""
{PURPOSES}
from pathlib import Path
import engine
from engine.long.ship_kernels import ship_kernels
list(ship_kernels({{"folder": str(Path(engine.__file__).parents[1] / "resources" / "kernels")}}))
"""
NO_ROOM = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # a file breaks off in the middle
"""


@pytest.fixture(scope="module")
def starter() -> Iterator[Starter | None]:
    with starting() as starter:
        yield starter


@pytest.fixture
def empty(tmp_path: Path, starter: Starter | None) -> SmallEngine:
    return build(tmp_path, starter)


@pytest.fixture(scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory, starter: Starter | None) -> SmallEngine:
    """The small engine after its first warm-up: never changed, only copied."""
    engine = build(tmp_path_factory.mktemp("warmed"), starter)
    assert warm_up(engine) == (["falling", "pouring"], [True, True])
    return engine


@pytest.fixture
def engine(warmed: SmallEngine, tmp_path: Path) -> SmallEngine:
    return warmed.moved(tmp_path)


def warm_up(engine: SmallEngine, before: str = "") -> tuple[list[str], list[bool]]:
    """What was ready, or said, in order; and whether each purpose is warm then."""
    said, are_warm = json.loads(engine.python(before + WARM_UP, {}).stdout)
    return said, are_warm


def are_warm(engine: SmallEngine, **environment: str) -> list[bool]:
    found: list[bool] = json.loads(engine.python(ARE_WARM, environment).stdout)
    return found


def numbers(answer: Answer) -> tuple[float, float]:
    return answer.values["maths"], answer.values["model"]


def test_what_is_warm_compiles_nothing(engine: SmallEngine) -> None:
    assert are_warm(engine) == [True, True]
    answer = engine.run()
    assert answer.compiled_rooms == set()
    assert numbers(answer) == (6.0, 15.0)


def test_on_another_processor_it_is_cold_and_has_kernels_of_its_own(engine: SmallEngine) -> None:
    assert are_warm(engine, NUMBA_CPU_NAME="generic") == [False, False]
    mine, answer = engine.run(), engine.run(NUMBA_CPU_NAME="generic")
    assert answer.compiled_rooms == TWO
    assert answer.values == mine.values
    assert engine.run().compiled_rooms == set()
    assert are_warm(engine) == [True, True]


def test_kernels_of_another_build_of_python_are_left_alone(engine: SmallEngine) -> None:
    (mine,) = (engine.cache / "kernels").iterdir()
    other = mine.rename(mine.with_name("0" * 16))
    before = {path.name: path.read_bytes() for path in other.iterdir()}
    assert are_warm(engine) == [False, False]
    answer = engine.run()
    assert answer.compiled_rooms == TWO
    assert numbers(answer) == (6.0, 15.0)
    assert {path.name: path.read_bytes() for path in other.iterdir()} == before


def test_two_first_starts_at_once_both_answer_and_leave_all_that_the_next_needs(empty: SmallEngine) -> None:
    started = [empty.begin(), empty.begin()]
    ends = [each.communicate(timeout=240) for each in started]
    answers = [Answer(**json.loads(told), log=log) for told, log in ends]
    assert [(numbers(each), each.log) for each in answers] == [((6.0, 15.0), "")] * 2
    assert answers[0].values == answers[1].values
    assert engine_is_whole(empty)


def test_a_child_that_is_killed_while_it_writes_leaves_what_is_whole_and_nothing_that_harms(empty: SmallEngine) -> None:
    killed = """
import os
replace, count = os.replace, 0
def end_at_the_third(*names):
    global count
    count += 1
    if count == 3:
        os._exit(9)  # as a signal does: nothing is put in order
    replace(*names)
os.replace = end_at_the_third
"""
    empty.python(killed + WARM_UP, {}, ends_with=9)
    assert len(empty.kernels) == 2
    (part,) = empty.cache.rglob("*.part")
    part.write_bytes(part.read_bytes()[:100])
    assert warm_up(empty) == (["falling", "pouring"], [True, True])
    assert len(empty.kernels) == 4
    assert engine_is_whole(empty)


def engine_is_whole(engine: SmallEngine) -> bool:
    answer = engine.run()
    return answer.compiled_rooms == set() and numbers(answer) == (6.0, 15.0)


def test_on_a_full_disk_kernels_work_and_warming_ends_with_a_sentence(empty: SmallEngine) -> None:
    pytest.importorskip("resource")
    answer = empty.run(program=NO_ROOM + TWO_ROOMS)
    assert numbers(answer) == (6.0, 15.0)
    assert len(answer.log.splitlines()) == 1
    assert "compiled kernels cannot be kept in" in answer.log
    (folder,) = (empty.cache / "kernels").iterdir()
    assert list(folder.iterdir()) == []
    (sentence,), warm = warm_up(empty, NO_ROOM)
    assert sentence.startswith(f"cannot write {folder}: File too large. Until files can be kept there, or in")
    assert warm == [False, False]
    assert warm_up(empty) == (["falling", "pouring"], [True, True])


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="a process cannot be given one core here")
def test_on_one_core_kernels_that_many_compiled_give_the_same_bytes(engine: SmallEngine) -> None:
    one_core = "import os\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    one, many = engine.run(program=one_core + ALL_ROOMS), engine.run(program=ALL_ROOMS)
    assert one == many
    assert one.compiled_rooms == set()
    assert warm_up(engine, one_core) == (["falling", "pouring"], [True, True])


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> SmallEngine:
    """The small engine with kernels that came with it, and an empty cache: never changed, only copied."""
    if not can_run_shipped():
        pytest.skip("this processor is older than those that kernels are shipped for")
    engine = build(tmp_path_factory.mktemp("shipped"))
    engine.python(SHIP, {})
    engine.cache.mkdir()
    return engine


def kernels_shipped(engine: SmallEngine) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (engine.folder / "resources").rglob("*.*")}


@pytest.mark.parametrize("factor", [pytest.param("2.0", marks=pytest.mark.deep), "10.0"])
def test_a_second_shipment_is_as_whole_as_the_first(shipped: SmallEngine, tmp_path: Path, factor: str) -> None:
    engine = shipped.moved(tmp_path)
    before = kernels_shipped(engine)
    engine.edit("maths/scale.py", "FACTOR = 2.0", f"FACTOR = {factor}")
    engine.python(SHIP, {})
    after = kernels_shipped(engine)
    assert len(after) == len(before)
    assert (after.keys() == before.keys()) is (factor == "2.0")
    assert are_warm(engine) == [True, True]
    answer = engine.run()
    assert answer.compiled_rooms == set()
    assert answer.values["maths"] == 3.0 * float(factor)
    assert engine.kernels == [path for path in engine.kernels if "resources" in path.parts]


def test_kernels_that_lack_one_are_not_shipped_and_those_before_stay(shipped: SmallEngine, tmp_path: Path) -> None:
    engine = shipped.moved(tmp_path)
    before = kernels_shipped(engine)
    refuse = """
import os
replace = os.replace
def refuse(source, target):
    if ".scale-" in str(target):
        raise OSError(28, "No space left on device")
    replace(source, target)
os.replace = refuse
from engine.runtime.errors import UnwritableFile
try:
"""
    ship = "\n".join(f"    {line}" for line in SHIP.splitlines())
    done = engine.python(f"{refuse}{ship}\nexcept UnwritableFile as problem:\n    print(problem)", {})
    assert "kernels of falling, pouring could not be kept" in done.stdout
    assert kernels_shipped(engine) == before


def test_a_shipped_kernel_that_is_cut_off_is_made_once_and_then_found(shipped: SmallEngine, tmp_path: Path) -> None:
    engine = shipped.moved(tmp_path)
    (path,) = (engine.folder / "resources").rglob("*.fall-*")
    path.write_bytes(path.read_bytes()[:100])
    assert are_warm(engine) == [False, False]
    assert warm_up(engine) == (["falling", "pouring"], [True, True])
    assert engine.run().compiled_rooms == set()

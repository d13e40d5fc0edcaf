"""The table of systems: what it names is there, and reading it loads nothing heavy."""

import subprocess
import sys
from dataclasses import replace

import pytest

from engine.document import Document
from engine.document.part_reader import decode
from engine.edits import EDIT_LABELS, EDITS
from engine.evaluation import Stage
from engine.motion.changed import Changes
from engine.runtime.errors import InvalidDocument
from engine.runtime.rooms import ENGINE
from engine.systems import SYSTEMS, System, load, systems
from tests.engine.figures import scene


def test_the_folders_of_the_table_are_there() -> None:
    assert all((ENGINE / folder / "system.py").is_file() for folder in SYSTEMS)
    assert len({each.name for each in systems()}) == len(SYSTEMS)


@pytest.mark.parametrize("system", systems(), ids=lambda system: system.name)
def test_what_a_system_names_is_there(system: System) -> None:
    assert load(system.uses)(Document(), ()) is False
    assert system.stage is None or Stage in load(system.stage).__mro__
    assert system.changes is None or issubclass(load(system.changes), Changes)
    functions = system.kernels.functions if system.kernels is not None else ()
    assert all(callable(load(text)) for text in (*system.parts, *functions, *(system.long or {}).values()))
    assert all(callable(EDITS[name]) and EDIT_LABELS[name] == label for _, name, label in system.edits)
    assert system.kernel_edits <= {name for _, name, _ in system.edits}


def test_the_table_loads_no_numpy() -> None:
    program = "import sys, engine.systems; engine.systems.systems(); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ENGINE.parent, capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


def test_a_part_of_no_system_is_refused() -> None:
    document = scene()
    with pytest.raises(InvalidDocument, match="the parts of"):
        replace(document.actors[0], parts=(document.actors[0].figure,))
    with pytest.raises(InvalidDocument, match="the parts of the scene"):
        replace(document, parts=(document.actors[0],))
    with pytest.raises(InvalidDocument, match="a part's type"):
        decode({"type": "Drift", "coordinate": "x"})

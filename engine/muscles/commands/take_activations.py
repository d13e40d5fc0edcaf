"""TakeActivations: columns of a MOT or STO file that have the names of an actor's muscles, as few keys of activations.

A column is a muscle's whose id or name it has, by itself as in controls, with `activation` behind it (as in
`soleus_r.activation` and `soleus_r_activation`), or as a path of OpenSim, `/forceset/soleus_r` of controls and
`/forceset/soleus_r/activation` of states. Where keys are excitations, activations become those that lead to them;
columns of `excitation` and such controls are excitations already. The edit puts keys in place of all that these
muscles have over the time of the file. Importing this module loads no kernel.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.edits import Edit, edit
from engine.muscles.commands.activate import TOLERANCE, thinned
from engine.muscles.parts import Muscle
from engine.muscles.uses import activations_of, muscled_actors, required_muscles
from engine.runtime.errors import EngineError, InvalidArguments, UnreadableFile
from engine.runtime.progress import within
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.formats.storage import Storage
    from engine.maths.arrays import Array

SUFFIXES = (".sto", ".mot")
BEYOND = 1e-6  # by which a number may be outside of 0 to 1, as rounding leaves it
_ENDING = re.compile(r"[./_ ](activation|excitation)$")
_EXCITED = 0.5  # share of the work after which excitations are found


@dataclass(frozen=True)
class MuscleColumn:
    """A column of a file that is a muscle's."""

    muscle: str  # id
    label: str
    place: int  # among the columns after the time
    excites: bool  # whether it is known to be an excitation


@dataclass(frozen=True, eq=False)
class TakenActivations:
    """The edit, and what was found."""

    edit: Edit
    muscles: int
    keys: int
    notes: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Say what was taken, what is missing and what was left out."""
        return (f"{self.keys} keys of {self.muscles} {'muscle' if self.muscles == 1 else 'muscles'}", *self.notes)


@dataclass(frozen=True, kw_only=True)
class TakeActivations(Gradual):
    """The command to key an actor's muscles as a file says."""

    uses = ("muscles",)

    actor: str
    path: Path
    tolerance: float = TOLERANCE  # by which keys may be off at a row

    def __post_init__(self) -> None:
        if not 0.0 < self.tolerance <= 0.5:
            what = "the tolerance of keys of activations"
            raise InvalidArguments(what=what, value=self.tolerance, allowed="above 0, 0.5 at most")

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Activations of {document.actor(self.actor).name} from {self.path.name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, TakenActivations]:
        """Find the edit; yields the share that is done."""
        import numpy as np

        from engine.formats.losses import listed
        from engine.formats.storage import read_storage
        from engine.muscles.inverted import find_excitations

        owner = document.actor(self.actor)
        muscles = required_muscles(owner)
        table = read_storage(self.path)
        found = muscle_columns(self.path, table.labels, muscles.muscles)
        if not found:
            what = f"no column of a muscle of {owner.name} among {listed(table.labels)}"
            raise UnreadableFile(path=self.path, found=what, remedy="Name columns as its muscles are named.")
        times = tuple(table.start + frame_time(frame, table.rate) for frame in range(len(table.values)))
        values, notes = _within(self.path, table, times, found), list(table.notes)
        if activations_of(owner).excited:
            followed = [number for number, each in enumerate(found) if not each.excites]
            if followed:
                lead = find_excitations(times, np.ascontiguousarray(values[:, followed]))
                values[:, followed], _ = yield from within(lead, 0.0, _EXCITED)
        elif any(each.excites for each in found):
            notes.append("excitations, taken for activations: keys are activations here")
        ids = tuple(each.muscle for each in found)
        keys = yield from within(thinned(ids, times, values, self.tolerance), _EXCITED, 1.0)
        change = edit("put_muscle_activations", actor=self.actor, start=times[0], end=times[-1], keys=keys)
        notes += _what_differs(owner.name, table.labels, found, muscles.muscles)
        return TakenActivations(change, len(ids), sum(len(each) for _, each in keys), tuple(notes))


def muscle_columns(path: Path, labels: Sequence[str], muscles: Iterable[Muscle]) -> tuple[MuscleColumn, ...]:
    """Find the columns that are muscles', in the file's order; refuse two of one muscle."""
    from engine.formats.sto_table import unique

    known: dict[str, str] = {}
    for each in muscles:
        for word in (each.id, each.name):
            known.setdefault(unique([word])[0], each.id)
    found: dict[str, MuscleColumn] = {}
    for place, label in enumerate(labels):
        column = _column_of(label, place, known)
        if column is None:
            continue
        if column.muscle in found:
            what = f"two columns of the muscle {column.muscle}: {found[column.muscle].label} and {label}"
            raise UnreadableFile(path=path, found=what, remedy="Give each muscle one column.")
        found[column.muscle] = column
    return tuple(found.values())


def takes(document: Document, path: Path) -> TakeActivations | None:
    """Give the command for a file of activations of some actor's muscles, that with the most of them; None of one of
    anything else, as of coordinates."""
    from engine.formats.storage import of_figure, read_storage

    actors = [(actor, muscles) for actor, muscles in muscled_actors(document) if not actor.frozen]
    if path.suffix.lower() not in SUFFIXES or not actors:
        return None
    try:
        table = read_storage(path)
        counts = [len(muscle_columns(path, table.labels, muscles.muscles)) for _, muscles in actors]
    except EngineError:
        return None  # whoever reads it next says what is wrong
    most = counts.index(max(counts))
    if counts[most] == 0 or of_figure(table, actors[most][0].figure)[1]:
        return None
    return TakeActivations(actor=actors[most][0].id, path=path)


def _column_of(label: str, place: int, known: Mapping[str, str]) -> MuscleColumn | None:
    """The column that a label names: as it stands, or without what it says behind the muscle."""
    if label in known:
        return MuscleColumn(known[label], label, place, excites=False)
    ending = _ENDING.search(label)
    word = label if ending is None else label[: ending.start()]
    control = ending is None and label.startswith("/forceset/")
    if label.startswith("/"):
        parts = word.strip("/").split("/")
        if parts[0] != "forceset" or len(parts) != 2:
            return None
        word = parts[1]
    elif ending is None:
        return None
    excites = control or (ending is not None and ending[1] == "excitation")
    return None if word not in known else MuscleColumn(known[word], label, place, excites)


def _within(path: Path, table: Storage, times: Sequence[int], found: Sequence[MuscleColumn]) -> Array:
    """The columns of muscles; refuse what is outside of 0 to 1."""
    import numpy as np

    values = table.values[:, [each.place for each in found]]
    wrong = np.argwhere(~((values >= -BEYOND) & (values <= 1.0 + BEYOND)))
    if len(wrong):
        row, column = wrong[0].tolist()
        said = f"{found[column].label} is {values[row, column]:g} at {times[row] / TICKS_PER_SECOND:g} s"
        raise UnreadableFile(path=path, found=said, remedy="Write activations within 0 to 1.")
    inside: Array = values.clip(0.0, 1.0)
    return inside


def _what_differs(
    name: str, labels: Sequence[str], found: Sequence[MuscleColumn], muscles: Sequence[Muscle]
) -> list[str]:
    from engine.formats.losses import listed

    taken, places = {each.muscle for each in found}, {each.place for each in found}
    missing = [each.id for each in muscles if each.id not in taken]
    others = [label for place, label in enumerate(labels) if place not in places]
    said = []
    if missing:
        said.append(f"muscles without a column, left as they are: {listed(missing)}")
    if others:
        said.append(f"columns that are no muscles of {name}, left out: {listed(others)}")
    return said

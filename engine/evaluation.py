"""Interfaces between an evaluator and the stages of systems (see `engine.systems`).

The pose of an actor is made in a stack: its layers, then the stages of systems in their order, each of which may
replace poses that stand below it. A stage works for one group of actors, which move each other, at some times side by
side; no time knows of the others, so that a frame alone is the same bytes as in sequence. A stage with a clock, whose
poses follow from those at earlier times, is stepped ahead in slices by `prepare`; asked for a time that it has not come
to it steps there first. It reads what stands below itself by `Evaluation.rows_at`.

Times are ticks, places metres, transforms arrays of shape [3, 4], rotation and position; rows are base and coordinates.
Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from engine.document.resting import at_rest
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.document import Actor, Document
    from engine.document.order import Group
    from engine.maths.arrays import Array
    from engine.model.compile import Model
    from engine.model.snapshot import Snapshot, SnapshotItem
    from engine.motion.motion import Motion
    from engine.runtime.child import Json

Frames = Mapping[tuple[str, str], "Array"]  # world transforms by actor and joint
Rows = Mapping[str, "Array"]  # of each actor: its base, then its coordinates, shape [12 + coordinate_count]


@dataclass(frozen=True, eq=False)
class Member:
    """An actor in a pose: where it stands or hangs, and what of it may not move since it hangs there."""

    actor: Actor
    q: Array
    base: Array  # world from actor, shape [3, 4]
    fixed: frozenset[str] = frozenset()  # joints between its root and one that hangs on something


@dataclass(frozen=True)
class BakeProgress:
    """How far long work is."""

    share: float  # that is done, 0 to 1
    left: float | None  # [s] that it takes from here; None where nobody knows yet


Members = dict[str, Member]  # of a group at one time, in its order, or some of it


@dataclass(frozen=True, eq=False)
class Instants:
    """A group of a document at some times, and at each the joints of others that it hangs on or holds on to."""

    document: Document
    group: Group
    times: Sequence[float]
    frames: Sequence[Frames]


Below = Callable[[Sequence[int]], list[Members]]  # all of the group as they stand below a stage, at some of the times


class SceneState(Protocol):
    """How all actors stand at a time, at the end of the stack."""

    @property
    def frames(self) -> Frames:
        """The joints that stages have asked for, and those that something hangs on."""

    def member(self, actor: str) -> Member:
        """An actor."""

    def centre_of_mass(self, actor: str) -> Array:
        """Of an actor [m], in the world."""


class Pictures(Protocol):
    """Source of pictures of a document at a time."""

    def snapshot(self, document: Document, time: int, *, skins: bool) -> Snapshot:
        """The picture, with or without the surfaces that bend."""


def picture_of(source: Pictures, document: Document, time: int, *, skins: bool, rest: str | None) -> Snapshot:
    """The picture of a document; the actor `rest` is in its rest pose, for whoever edits its figure."""
    resting = at_rest(document, rest)
    snapshot = source.snapshot(resting, time, skins=skins)
    return snapshot if resting is document else replace(snapshot, document=document)


@dataclass(frozen=True)
class Carrier:
    """The joint that carries a point of an actor which a stage draws, and where that is while nothing gives way."""

    actor: str
    joint: str
    point: tuple[float, float, float]  # [m] in that frame


Wrenches = Mapping[str, "Array"]
"""Of actors: force [N] on each joint's body, and torque about the joint's origin [N m], world axes, shape [joint_count,
6]; what is not named feels none."""


@dataclass(frozen=True)
class OffGround:
    """A body that the ground leaves alone from one tick to another: what pushes it is what the ground does to it."""

    actor: str
    joint: str
    start: int
    end: int


@dataclass(frozen=True)
class Pushes:
    """The actors that the stage of a system pushes while physics simulates them, and how finely it does; those whose
    secondary motion it pushes; and the bodies that it pushes in place of the ground."""

    actors: frozenset[str] = frozenset()
    swinging: frozenset[str] = frozenset()
    steps: int = 1  # its own steps in a frame; physics takes a multiple of them
    off_ground: tuple[OffGround, ...] = ()


class Drive(Protocol):
    """Drives the joints of an actor that physics simulates, by how they stand and move."""

    def torques(self, time: float, q: Array, qd: Array, dt: float) -> tuple[Array, Array]:
        """Give torques [N m] or forces [N] on all rates of the actor's figure, those that act at the end of a step of
        dt [s] were its rates to stay; and by how much each falls as its rate rises over the step, times dt: at least
        so much that the step is stable. `time` [ticks] is the middle of the step; `q` and `qd` how the figure stands
        and moves at its beginning."""


class MovingBodies(Protocol):
    """Bodies that physics simulates at the beginning of one of its steps, as those see them who push over that step."""

    @property
    def time(self) -> int:
        """The tick at which the step begins."""

    @property
    def dt(self) -> float:
        """How long the step is [s]."""

    @property
    def frames(self) -> Mapping[str, Array]:
        """World transforms of the joints of each actor that is free, shape [joint_count, 3, 4]."""

    @property
    def speeds(self) -> Mapping[str, Array]:
        """Velocity of the origin of each joint [m/s] and how fast its body turns [rad/s], world axes, shape
        [joint_count, 6]."""

    def respond(self, wrenches: Wrenches) -> Mapping[str, Array]:
        """How much wrenches over the step change these speeds, dt J M^-1 J^T w, shape [joint_count, 6]: it is linear,
        with servos and damping implicit as in the step, and knows of no contact and no stop."""

    def responses(self, joints: Sequence[tuple[str, int]]) -> Array:
        """How much impulses on some joints of free actors, each by its number, change their speeds: J M^-1 J^T of all
        of them together, as `respond` has it, shape [6 count, 6 count]."""

    def ahead(self, wrenches: Wrenches, steps: int) -> tuple[Mapping[str, Array], Mapping[str, Array]]:
        """Find the frames and speeds to which some steps lead under wrenches that stay, with all contacts and stops;
        nothing is changed by it."""


class Evaluation(Protocol):
    """The evaluator as a stage, query, command or job of a system sees it. Used by one thread."""

    def rows(self, document: Document, time: int) -> dict[str, Array]:
        """Where each actor stands and how it is posed at a time; fresh arrays."""

    def rows_at(
        self,
        document: Document,
        times: Sequence[float],
        *,
        below: str | None = None,
        of: Collection[str] | None = None,
    ) -> list[dict[str, Array]]:
        """Find the rows at many times, side by side. `below` names a system: without its stage and those above it;
        `of`: of these actors, and of others in full."""

    def coordinates(self, document: Document, actor: str, times: Sequence[float]) -> Array:
        """An actor's coordinates as they are seen at some times, shape [len(times), coordinate_count]; fresh."""

    def motion_at(self, document: Document, actor: str, time: float) -> Array:
        """Coordinates as they are seen with their rates and accelerations, shape [3, coordinate_count]; fresh."""

    def layered(self, actor: Actor, times: Sequence[float]) -> Array:
        """An actor's coordinates as its layers have them, drafts and all; fresh."""

    def motion(self, actor: Actor, time: float | None = None) -> Motion:
        """An actor's layers, compiled; with a time what they have there, drafts and all."""

    def model(self, actor: Actor) -> Model:
        """An actor's figure, compiled."""

    def member(self, actor: Actor, time: float, frames: Frames, q: Array) -> Member:
        """An actor in a pose, where it stands or hangs."""

    def scene_at(self, document: Document, time: float) -> SceneState:
        """How all actors stand at a time."""

    def seen(self, document: Document, actor: str, time: int) -> tuple[dict[str, Array], Array]:
        """The poses of an actor and all that it depends on, and the world transform of each of its joints."""

    def joint_transforms(self, document: Document, actor: str, time: int = 0) -> Array:
        """World transform of every joint of an actor at a time, shape [joint_count, 3, 4]; fresh."""

    def centre_of_mass(self, document: Document, actor: str, time: int = 0) -> Array:
        """Of an actor at a time [m], in the world, shape [3]."""

    def stage(self, system: str) -> Stage:
        """The stage of a system."""

    def places(self, document: Document, actor: str, spot: int, times: Sequence[int]) -> Array:
        """Where a numbered point of what a stage draws of an actor is at some times [m], shape [len(times), 3]."""

    def carrier(self, document: Document, actor: str, spot: int, time: int) -> Carrier:
        """Find what carries such a point, by how they stand at a time."""

    def snapshot(self, document: Document, time: int = 0, *, skins: bool = True, bare: bool = True) -> Snapshot:
        """The picture of a document at a time."""

    def step(self, document: Document, time: int) -> Generator[float, None, None]:
        """Step what of a document has a clock to a time, in slices; none where nothing has."""

    def prepare(self, document: Document, time: int | None = None) -> Generator[float, None, None]:
        """Compile the motions of a document in slices; with a time, step what has a clock there, too."""


class Stage:
    """One step of the stack, of one evaluator. What a stage does not override does nothing."""

    def replaced(self, instants: Instants, below: Below) -> list[Members]:
        """Give at each time those whose poses are others than below; what is not read from `below` costs nothing."""
        return [{} for _ in instants.times]

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell whether the pose of an actor may be another than its layers have it at some times, by what the stage
        does to it; the document holds it and all that moves it."""
        return True

    def joints(self, actor: Actor) -> Iterable[tuple[str, str]]:
        """Name the joints, each by its actor, that an actor's poses or its items depend on."""
        return ()

    def keyed_pose(self, document: Document, group: Group, actor: Actor, time: float) -> Array | None:
        """Give the coordinates that a person sets, where the stage shows others: what a drag begins from."""
        return None

    def items(self, document: Document, time: int, scene: SceneState) -> Iterable[SnapshotItem]:
        """Give what is drawn beside bodies and skins."""
        return ()

    def places(self, document: Document, actor: str, spot: int, times: Sequence[int]) -> Array | None:
        """Find where a point of what the stage draws of an actor is at some times [m]; None where it draws nothing."""
        return None

    def carrier(self, document: Document, actor: str, spot: int, time: int) -> Carrier | None:
        """Find what carries such a point; None where nothing does."""
        return None

    def push(self, document: Document, moving: MovingBodies) -> Wrenches:
        """Push what physics simulates over its next step. What is asked stands at times that come one after the other,
        but for those that were asked before; it may read what stands below physics, and nothing that physics moves."""
        return {}

    def drive(self, document: Document, actor: str) -> Drive | None:
        """Give what drives the joints of an actor while physics simulates it, for the motion of one document."""
        return None

    def push_soft(self, document: Document, time: int, moving: MovingBodies | None) -> Mapping[str, Array]:
        """Push soft bodies over their step that begins at a tick: forces on the vertices of their surfaces [N], by
        actor. They were stepped up to there, and physics too, which stands as `moving` says where it asked for them."""
        return {}

    def push_over(self, document: Document, actor: str, times: Array) -> tuple[Array, Array]:
        """Give what pushes an actor along its motion below secondary motion at some rising times [ticks], which lie in
        a window that ends with the last, and how much of that is mere weight: each of shape [len(times), joint_count,
        6]. It depends on the window alone."""
        raise NotImplementedError

    def has_pushed(self, document: Document, time: int) -> bool:
        """Tell whether it can say how it pushes from a time [ticks] on: whether it was asked for all before."""
        return True

    def has_clock(self, document: Document) -> bool:
        """Tell whether what is seen of a document has to be stepped to its time."""
        return False

    def prepare(self, document: Document, time: int) -> Generator[float, None, None]:
        """Step to a time in slices; yields the share that is done. Leaving off in between keeps what was stepped."""
        yield from ()

    def bake(self, document: Document, actor: str, end: int) -> Generator[BakeProgress, None, Mapping[str, Json]]:
        """Keep what is drawn of an actor up to a tick on the disk, where it is read from then on; yields how far that
        is, and gives what a person may read of it. In a process of its own."""
        yield BakeProgress(0.0, None)
        raise InvalidArguments(what="the actor to bake", value=actor, allowed="one whose system keeps bakes of its own")

    def search(self, document: Document) -> Generator[Mapping[str, Json], None, Json]:
        """Search for what a document wants of the system; yields messages (`engine.runtime.child`), each with all that
        is known by then. In a process of its own."""
        yield {"progress": 0.0}
        raise InvalidArguments(what="the system to search", value=type(self).__name__, allowed="one that searches")

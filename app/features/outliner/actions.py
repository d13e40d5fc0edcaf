"""Actions that add to the scene."""

from __future__ import annotations

from app.features.action import Action, Topic
from app.features.outliner.skeletons import Skeletons
from app.session import Item, actors
from engine.document import Actor
from engine.edits import edit


class AddCommands(Topic):
    """The commands that add to the scene."""

    def add_human(self) -> None:
        """Add a human beside what is there."""
        self._add(actors.human(self._session.document))

    def add_skeleton(self) -> None:
        """Add a skeleton of 103 bones with its 823 muscles beside what is there."""
        self._session.of(Skeletons).add()

    def may_add_skeleton(self) -> bool:
        """True if the engine is there to read it."""
        return self._session.engine_state.ready

    def add_figure(self) -> None:
        """Add a figure of one joint, to which bones are added."""
        self._add(actors.empty(self._session.document))

    def add_ball(self) -> None:
        """Add a ball."""
        self._add(actors.ball(self._session.document))

    def add_box(self) -> None:
        """Add a box."""
        self._add(actors.box(self._session.document))

    def add_stick(self) -> None:
        """Add a stick."""
        self._add(actors.stick(self._session.document))

    def _add(self, actor: Actor) -> None:
        self._session.do(edit("add_actor", actor=actor), choose=Item(actor.id))

    def add_reference(self) -> None:
        """Choose a picture that hangs in the views like the active one."""
        self._window.asking.choose_picture()

    def add_reference_video(self) -> None:
        """Choose a video that hangs in the views like the active one and runs with the time."""
        self._window.asking.choose_video()

    def add_sound(self) -> None:
        """Choose a sound that is heard with the motion, in place of another."""
        self._window.asking.choose_sound()

    def open(self) -> None:
        """Choose a file and open it."""
        self._window.asking.choose_and_open()


Do = AddCommands

ACTIONS: tuple[Action, ...] = (
    Action(id="add.human", label="Human", menu="Add", call=Do.add_human, keys=("Shift+H",), icon="person-standing"),
    Action(
        id="add.skeleton", label="Skeleton with muscles", menu="Add", call=Do.add_skeleton, icon="activity",
        when=Do.may_add_skeleton,
    ),
    Action(id="add.figure", label="Empty figure", menu="Add", call=Do.add_figure, icon="bone"),
    Action(id="add.ball", label="Ball", menu="Add", call=Do.add_ball, icon="circle", begins_group=True),
    Action(id="add.box", label="Box", menu="Add", call=Do.add_box, icon="box"),
    Action(id="add.stick", label="Stick", menu="Add", call=Do.add_stick, icon="slash"),
    Action(id="add.mesh", label="Mesh from file…", menu="Add", call=Do.open, icon="triangle"),
    Action(
        id="add.reference", label="Reference image…", menu="Add", call=Do.add_reference, icon="image",
        begins_group=True,
    ),
    Action(
        id="add.reference_video", label="Reference video…", menu="Add", call=Do.add_reference_video, icon="film",
    ),
    Action(id="add.sound", label="Sound…", menu="Add", call=Do.add_sound, icon="volume-2", begins_group=True),
)  # fmt: skip

"""Adding: soft bodies that a person can add: simple shapes, toys, mesh files and figures' skins."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from app.features.action import Action, Topic
from app.features.soft.sheet import OF_CELLS, OF_SKIN, OF_SURFACE, SoftSheet
from app.features.window import FileKind
from app.session import Item
from app.session.actors import free_name, free_place
from engine.command import Gradual
from engine.document import Actor
from engine.document.values import Vector3, new_id
from engine.soft.commands.make_soft import (
    MakeSoftBox,
    MakeSoftCylinder,
    MakeSoftMesh,
    MakeSoftSkin,
    MakeSoftToy,
)
from engine.soft.queries.mesh_endings import mesh_endings

ABOUT_SURFACE = "The surface is filled with cells, which carry it. It has to be closed, or its holes are."
ABOUT_CELLS = "The file holds cells, which are taken as they are."
ABOUT_SKIN = "The skin is filled with cells: stiff about the bones, which carry it, and soft beside them."
FALLS = 0.6  # [m] above the floor, from where a new body falls
_Soft = partial(Action, menu="Add", submenu="Soft body")


def mesh_kind() -> FileKind:
    """Return the kind of files that hold meshes."""
    surfaces, cells = mesh_endings()
    endings = dict.fromkeys((*surfaces, *cells), "")
    return FileKind(name="soft body", title="Add a soft body from a mesh", endings=endings, together="Meshes")


class AddSoftCommands(Topic):
    """The commands that add a soft body."""

    def add_box(self) -> None:
        """Add a soft box, which falls to the floor."""
        name, place = self._beside("Soft box", FALLS)
        self._make(MakeSoftBox(id=new_id("soft"), name=name, position=place, options=self._from_here))

    def add_cylinder(self) -> None:
        """Add a soft cylinder, which falls to the floor."""
        name, place = self._beside("Soft cylinder", FALLS)
        self._make(MakeSoftCylinder(id=new_id("soft"), name=name, position=place, options=self._from_here))

    def add_table(self) -> None:
        """Add a planar table on two legs, which may learn to walk."""
        name, place = self._beside("Soft table", 0.0)
        self._make(MakeSoftToy(id=new_id("soft"), name=name, toy="table", position=place, options=self._from_here))

    def add_stool(self) -> None:
        """Add a stool of cubes on four legs, which may learn to walk."""
        name, place = self._beside("Soft stool", 0.0)
        self._make(MakeSoftToy(id=new_id("soft"), name=name, toy="stool", position=place, options=self._from_here))

    def add_snake(self) -> None:
        """Add a snake, whose skin slides forwards more easily than back."""
        name, place = self._beside("Soft snake", 0.0)
        self._make(MakeSoftToy(id=new_id("soft"), name=name, toy="snake", position=place, options=self._from_here))

    def add_mesh(self) -> None:
        """Choose a mesh file and add a soft body of it, that stands on the floor."""
        self._window.asking.choose_of(mesh_kind(), self._ask_about)

    def add_skin(self) -> None:
        """Add the flesh of the selected figure: a soft body over its skin, held by its bones."""
        owner = self._with_skin
        if owner is None:
            return
        sheet = SoftSheet(self._window, f"Soft body of {owner.name}'s skin", OF_SKIN, ABOUT_SKIN)
        name, id = free_name(self._session.document, f"{owner.name}'s flesh"), owner.id
        sheet.accepted.connect(lambda: self._make(MakeSoftSkin(id=new_id("soft"), name=name, actor=id, **sheet.values)))
        sheet.open()

    def has_skin(self) -> bool:
        """True if a figure with a skin is selected, and the engine is ready."""
        return self._with_skin is not None and self._session.engine_state.ready

    @property
    def _with_skin(self) -> Actor | None:
        session = self._session
        for item in reversed(session.selection.items):
            if item.actor in session.document.actor_index and session.document.actor(item.actor).figure.skins:
                return session.document.actor(item.actor)
        return None

    def _ask_about(self, path: Path) -> None:
        holds_cells = path.suffix.lower() in mesh_endings()[1]
        asked, about = (OF_CELLS, ABOUT_CELLS) if holds_cells else (OF_SURFACE, ABOUT_SURFACE)
        sheet = SoftSheet(self._window, f"Soft body of {path.name}", asked, about)
        name, place = self._beside(path.name.split(".")[0] or "Soft body", 0.0)
        sheet.accepted.connect(
            lambda: self._make(
                MakeSoftMesh(
                    id=new_id("soft"), name=name, path=str(path), floor=place, options=self._from_here, **sheet.values
                )
            )
        )
        sheet.open()

    def _beside(self, kind: str, height: float) -> tuple[str, Vector3]:
        document = self._session.document
        return free_name(document, kind), free_place(document, height).position

    @property
    def _from_here(self) -> tuple[tuple[str, object], ...]:
        """Options of a new body, which stands as it is placed up to the playhead and is simulated from there."""
        return (("start", self._session.playhead),)

    def _make(self, command: Gradual) -> None:
        """Work it out, and choose what it made."""
        id: str = command.id  # type: ignore[attr-defined]
        self._session.work_out(command)
        self._session.when_free(lambda: self._choose(id))

    def _choose(self, id: str) -> None:
        if id in self._session.document.actor_index:
            self._session.select([Item(id)])
            self._window.show_panel("soft")


Do = AddSoftCommands

ADDING: tuple[Action, ...] = (
    _Soft(id="add.soft_box", label="Box", call=Do.add_box, icon="box", begins_group=True),
    _Soft(id="add.soft_cylinder", label="Cylinder", call=Do.add_cylinder, icon="circle"),
    _Soft(id="add.soft_table", label="Table in a plane", call=Do.add_table, begins_group=True),
    _Soft(id="add.soft_stool", label="Stool", call=Do.add_stool),
    _Soft(id="add.soft_snake", label="Snake", call=Do.add_snake),
    _Soft(id="add.soft_mesh", label="Mesh from file…", call=Do.add_mesh, icon="triangle", begins_group=True),
    _Soft(
        id="add.soft_skin", label="Skin of the figure…", call=Do.add_skin, icon="person-standing", when=Do.has_skin,
    ),
)  # fmt: skip

"""Adding: soft bodies that a person can add: simple shapes, toys, mesh files and figures' skins."""

from __future__ import annotations

from functools import partial

from app.features.action import Action, Topic
from app.features.window import FileKind
from app.session import Item
from app.session.actors import free_name, free_place
from engine.command import Gradual
from engine.document.values import Vector3, new_id
from engine.soft.commands.make_soft import MakeSoftBox, MakeSoftCylinder
from engine.soft.commands.make_toy import MakeSoftToy

FALLS = 0.6  # [m] above the floor, from where a new body falls
_Soft = partial(Action, menu="Add", submenu="Soft body")


def mesh_kind() -> FileKind:
    """Return the kind of files that hold meshes."""
    from engine.formats.table import readers

    endings = [suffix for each in readers() if each.kind == "mesh" for suffix in each.suffixes]
    endings += [".glb", ".gltf"]
    return FileKind(
        name="soft body", title="Add a soft body from a mesh", endings=dict.fromkeys(endings, ""), together="Meshes"
    )


class AddSoftCommands(Topic):
    """The commands that add a soft body."""

    def add_box(self) -> None:
        """Add a soft box, which falls to the floor."""
        name, place = self._beside("Soft box", FALLS)
        self._make(MakeSoftBox(id=new_id("soft"), name=name, position=place))

    def add_cylinder(self) -> None:
        """Add a soft cylinder, which falls to the floor."""
        name, place = self._beside("Soft cylinder", FALLS)
        self._make(MakeSoftCylinder(id=new_id("soft"), name=name, position=place))

    def add_table(self) -> None:
        """Add a planar table on two legs, which may learn to walk."""
        name, place = self._beside("Soft table", 0.0)
        self._make(MakeSoftToy(id=new_id("soft"), name=name, toy="table", position=place))

    def add_stool(self) -> None:
        """Add a stool of cubes on four legs, which may learn to walk."""
        name, place = self._beside("Soft stool", 0.0)
        self._make(MakeSoftToy(id=new_id("soft"), name=name, toy="stool", position=place))

    def add_snake(self) -> None:
        """Add a snake, whose skin slides forwards more easily than back."""
        name, place = self._beside("Soft snake", 0.0)
        self._make(MakeSoftToy(id=new_id("soft"), name=name, toy="snake", position=place))

    def _beside(self, kind: str, height: float) -> tuple[str, Vector3]:
        document = self._session.document
        return free_name(document, kind), free_place(document, height).position

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
)  # fmt: skip

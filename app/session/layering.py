"""Layering: the layer that a person works on, and what can be done with it, for the panel and the actions alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.commands.bake_layers import BakeLayers, MakeKeys, moves
from engine.document import Actor, Document, Layer
from engine.document.pose import coordinates_of
from engine.document.values import new_id
from engine.edits import edit

if TYPE_CHECKING:
    from app.session.session import Session


class Layering(QObject):
    """The layers of the figure that was selected last, of the first where nothing is."""

    chosen = Signal()  # another layer is worked on
    rename_wished = Signal()  # by whoever shows the layers

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._chosen: dict[str, str] = {}  # layer by actor
        self._asked = ("", "")  # actor and layer that the engine was asked to make last
        session.document_changed.connect(self._choose_made)

    @property
    def owner(self) -> Actor | None:
        """The figure whose layers are meant."""
        document, active = self._session.document, self._session.selection.active
        if active is not None and active.actor in document.actor_index:
            return document.actor(active.actor)
        return document.actors[0] if document.actors else None

    @property
    def layer(self) -> Layer | None:
        """The layer that is worked on: the one chosen last, else the one that keys go to."""
        owner = self.owner
        if owner is None:
            return None
        found = next((each for each in owner.layers if each.id == self._chosen.get(owner.id)), None)
        return found or owner.layer_for(self._session.playhead)

    @property
    def below(self) -> Layer | None:
        """The next layer below it that counts."""
        owner, layer = self.owner, self.layer
        if owner is None or layer is None:
            return None
        under = owner.layers[: owner.layers.index(layer)]
        return next((each for each in reversed(under) if not each.mute), None)

    def choose(self, layer: str) -> None:
        """Work on a layer."""
        owner = self.owner
        if owner is not None and self._chosen.get(owner.id) != layer:
            self._chosen[owner.id] = layer
            self.chosen.emit()

    def do(self, name: str, /, *, layer: str | None = None, **arguments: object) -> None:
        """Change a layer; the one that is worked on, where none is named."""
        owner = self.owner
        meant = layer if layer is not None else None if self.layer is None else self.layer.id
        if owner is not None and meant is not None:
            self._session.do(edit(name, actor=owner.id, layer=meant, **arguments))

    def add(self) -> None:
        """Add a layer above all, which is worked on from then on."""
        owner = self.owner
        if owner is not None:
            made = Layer(id=new_id("layer"), name=f"Layer {len(owner.layers) + 1}")
            self._session.do(edit("add_layer", actor=owner.id, layer=made))
            self.choose(made.id)

    def duplicate(self) -> None:
        """Copy the layer, and put the copy above it."""
        layer = self.layer
        if layer is not None:
            made = new_id("layer")
            self.do("duplicate_layer", layer=layer.id, id=made, name=f"{layer.name} copy")
            self.choose(made)

    def remove(self) -> None:
        """Take it away; what that leaves behind is said."""
        session, owner, layer = self._session, self.owner, self.layer
        if owner is None or layer is None:
            return
        played = session.player.playing and moves(layer) and not layer.mute
        self.do("remove_layer", layer=layer.id)
        left = session.document.actor(owner.id).layers if owner.id in session.document.actor_index else ()
        if layer in left:
            return
        if not left:
            session.note("note", f"{owner.name} has no layer left and stands at rest. Undo brings {layer.name} back.")
        elif played:
            session.note("note", f"{layer.name} has gone while it played; what is left plays on. Undo brings it back.")

    def rename(self, layer: str, name: str) -> None:
        """Give a layer another name; without letters it keeps its own."""
        name = " ".join(name.split())
        if name:
            self.do("rename_layer", layer=layer, name=name)

    def move(self, layer: str, index: int) -> None:
        """Put a layer to a place of the list, the lowest being 0."""
        owner = self.owner
        if owner is not None:
            self.do("move_layer", layer=layer, index=max(0, min(index, len(owner.layers) - 1)))

    def receive(self, layer: str) -> None:
        """Let keys go to a layer; to the uppermost that counts again, where they went to it by choice."""
        owner = self.owner
        if owner is not None:
            self.do("choose_layer", layer=layer) if owner.receiver != layer else self._receive_any(owner)

    def mask_selected(self) -> None:
        """Let it touch the selected joints alone."""
        owner = self.owner
        joints = self.selected_joints
        if owner is not None and joints:
            self.do("set_layer_mask", mask=coordinates_of(owner.figure, joints))

    @property
    def selected_joints(self) -> tuple[str, ...]:
        """The joints of the figure that are selected."""
        owner, items = self.owner, self._session.selection.items
        return tuple(dict.fromkeys(item.part for item in items if owner and item.actor == owner.id and item.part))

    def merge_down(self) -> None:
        """Merge it and the next below it that counts."""
        layer, below = self.layer, self.below
        if layer is not None and below is not None:
            self._bake([below, layer], below.name, f"Merge {layer.name} into {below.name}")

    def bake(self) -> None:
        """Merge all layers that count; none while one counts alone: baked is what all of them show."""
        owner = self.owner
        if owner is None:
            return
        alone = ", ".join(each.name for each in owner.layers if each.solo)
        if alone:
            self._session.note(
                "note", f"Layers of {owner.name} are not baked while {alone} counts alone: end Alone first."
            )
        else:
            self._bake([each for each in owner.layers if not each.mute], "Baked", f"Bake layers of {owner.name}")

    def make_keys(self) -> None:
        """Keys of one's own in the place of its samples."""
        owner, layer = self.owner, self.layer
        if owner is not None and layer is not None:
            self._session.work_out(MakeKeys(actor=owner.id, layer=layer.id))

    def _bake(self, layers: Sequence[Layer], name: str, title: str) -> None:
        owner, made = self.owner, new_id("layer")
        if owner is not None:
            ids = tuple(each.id for each in layers)
            self._asked = (owner.id, made)
            self._session.work_out(BakeLayers(id=made, actor=owner.id, layers=ids, name=name, title=title))

    def _choose_made(self, old: Document, new: Document) -> None:
        """Choose the layer that the engine was asked to make, once it is there."""
        actor, layer = self._asked
        if actor in new.actor_index and any(each.id == layer for each in new.actor(actor).layers):
            self._asked, self._chosen[actor] = ("", ""), layer

    def _receive_any(self, owner: Actor) -> None:
        self._session.do(edit("choose_layer", actor=owner.id))

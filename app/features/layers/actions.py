"""Layers of the figure that was selected last: the one that is worked on in the Layers panel."""

from __future__ import annotations

from functools import partial

from app.features.action import Action, Topic

_Layer = partial(Action, menu="Animate", submenu="Layers", contexts=("layer",))


class LayersCommands(Topic):
    """Layers of the figure that was selected last, of the first where nothing is."""

    def add(self) -> None:
        """Add a layer above all others."""
        self._session.layering.add()

    def duplicate(self) -> None:
        """Copy the layer, and put the copy above it."""
        self._session.layering.duplicate()

    def rename(self) -> None:
        """Give the layer another name, in the Layers panel."""
        self._window.show_panel("layers")
        self._session.layering.rename_wished.emit()

    def remove(self) -> None:
        """Take the layer away with all that it holds."""
        self._session.layering.remove()

    def receive(self) -> None:
        """Let poses and keys go to this layer, or to the uppermost that counts again."""
        layer = self._session.layering.layer
        if layer is not None:
            self._session.layering.receive(layer.id)

    def mute(self) -> None:
        """Leave the layer out, or let it count again."""
        self._session.layering.do("mute_layer", mute=not self.is_muted())

    def solo(self) -> None:
        """Play the layer without the others, or with them again."""
        self._session.layering.do("solo_layer", solo=not self.is_alone())

    def turn_mode(self) -> None:
        """Let the layer add to what is below it, or take its place."""
        self._session.layering.do("set_layer_mode", mode="replace" if self.adds() else "add")

    def move_up(self) -> None:
        """Put the layer above the next one."""
        self._move(1)

    def move_down(self) -> None:
        """Put the layer below the one before."""
        self._move(-1)

    def mask_selected(self) -> None:
        """Let the layer touch the joints that are selected, and no others."""
        self._session.layering.mask_selected()

    def mask_none(self) -> None:
        """Let the layer touch all joints."""
        self._session.layering.do("set_layer_mask", mask=None)

    def merge_down(self) -> None:
        """Merge this layer and the next below that counts; every frame stays as it is."""
        self._session.layering.merge_down()

    def bake(self) -> None:
        """Merge all layers that count; every frame stays as it is."""
        self._session.layering.bake()

    def make_keys(self) -> None:
        """Few keys in the place of the layer's samples, within half a degree and a millimetre of them."""
        self._session.layering.make_keys()

    def has_figure(self) -> bool:
        """True if there is a figure."""
        return self._session.layering.owner is not None

    def has_layer(self) -> bool:
        """True if the figure has a layer."""
        return self._session.layering.layer is not None

    def receives(self) -> bool:
        """True if keys go to the layer because a person said so."""
        owner, layer = self._session.layering.owner, self._session.layering.layer
        return owner is not None and layer is not None and owner.receiver == layer.id

    def is_muted(self) -> bool:
        """True if the layer is muted."""
        layer = self._session.layering.layer
        return layer is not None and layer.mute

    def is_alone(self) -> bool:
        """True if the layer plays alone."""
        layer = self._session.layering.layer
        return layer is not None and layer.solo

    def adds(self) -> bool:
        """True if the layer adds."""
        layer = self._session.layering.layer
        return layer is not None and layer.mode == "add"

    def can_rise(self) -> bool:
        """True if a layer stands above the chosen one."""
        owner, layer = self._session.layering.owner, self._session.layering.layer
        return owner is not None and layer is not None and owner.layers[-1] is not layer

    def can_sink(self) -> bool:
        """True if a layer stands below the chosen one."""
        owner, layer = self._session.layering.owner, self._session.layering.layer
        return owner is not None and layer is not None and owner.layers[0] is not layer

    def has_layer_and_joints(self) -> bool:
        """True if joints of the figure are selected."""
        return self.has_layer() and bool(self._session.layering.selected_joints)

    def is_masked(self) -> bool:
        """True if the layer touches only some joints."""
        layer = self._session.layering.layer
        return layer is not None and layer.mask is not None

    def has_layer_below(self) -> bool:
        """True if the layer counts, and one below it."""
        layering = self._session.layering
        counts = layering.layer is not None and not layering.layer.mute and layering.below is not None
        return counts and self._session.engine_state.ready

    def has_counting(self) -> bool:
        """True if a layer counts."""
        owner = self._session.layering.owner
        return owner is not None and self._session.engine_state.ready and not all(each.mute for each in owner.layers)

    def has_samples(self) -> bool:
        """True if the layer holds samples, as a capture or a bake does."""
        layer = self._session.layering.layer
        return layer is not None and layer.samples is not None and self._session.engine_state.ready

    def _move(self, up: int) -> None:
        owner, layer = self._session.layering.owner, self._session.layering.layer
        if owner is not None and layer is not None:
            self._session.layering.move(layer.id, owner.layers.index(layer) + up)


Do = LayersCommands

ACTIONS: tuple[Action, ...] = (
    _Layer(id="layer.add", label="Add layer", call=Do.add, icon="plus", when=Do.has_figure),
    _Layer(id="layer.duplicate", label="Duplicate layer", call=Do.duplicate, icon="copy", when=Do.has_layer),
    _Layer(id="layer.rename", label="Rename layer", call=Do.rename, icon="pencil", when=Do.has_layer),
    _Layer(id="layer.remove", label="Remove layer", call=Do.remove, icon="trash-2", when=Do.has_layer),
    _Layer(
        id="layer.receive", label="Make active layer", call=Do.receive, icon="key-round", when=Do.has_layer,
        checked=Do.receives, begins_group=True,
    ),
    _Layer(id="layer.mute", label="Mute layer", call=Do.mute, icon="eye-off", when=Do.has_layer, checked=Do.is_muted),
    _Layer(
        id="layer.solo", label="Solo layer", call=Do.solo, icon="headphones", when=Do.has_layer, checked=Do.is_alone,
    ),
    _Layer(id="layer.adds", label="Additive layer", call=Do.turn_mode, when=Do.has_layer, checked=Do.adds),
    _Layer(id="layer.up", label="Move up", call=Do.move_up, icon="chevron-up", when=Do.can_rise, begins_group=True),
    _Layer(id="layer.down", label="Move down", call=Do.move_down, icon="chevron-down", when=Do.can_sink),
    _Layer(
        id="layer.mask_selected", label="Mask to the selected joints", call=Do.mask_selected, icon="bone",
        when=Do.has_layer_and_joints, begins_group=True,
    ),
    _Layer(id="layer.mask_none", label="Remove mask", call=Do.mask_none, when=Do.is_masked),
    _Layer(
        id="layer.merge", label="Merge down", call=Do.merge_down, icon="layers", when=Do.has_layer_below,
        begins_group=True,
    ),
    _Layer(id="layer.bake", label="Bake all layers", call=Do.bake, when=Do.has_counting),
    _Layer(id="layer.make_keys", label="Convert samples to keys", call=Do.make_keys, when=Do.has_samples),
)  # fmt: skip

"""Sequences: motions of the library put on figures, and motions kept there."""

from __future__ import annotations

from app.features.action import Action, Topic
from app.features.sequences.library import SequenceLibrary, with_manner


class SequencesCommands(Topic):
    """The sequence that was chosen last, on what is selected; on the first figure, where nothing is."""

    def keep(self) -> None:
        """Keep what the selected figure, or its selected joints, does while it plays, in the library."""
        self._window.show_panel("sequences")  # where it is given its name
        self._session.of(SequenceLibrary).keep_present()

    def apply(self) -> None:
        """Put the sequence that was chosen last on what is selected, from the playhead on."""
        self._apply()

    def apply_mirrored(self) -> None:
        """Apply the sequence with its left as right and its right as left."""
        self._apply(mirrored=True)

    def apply_selected(self) -> None:
        """Apply the sequence to the selected joints alone."""
        self._apply(on_selected=True)

    def has_figure(self) -> bool:
        """True if there is a figure."""
        return bool(self._session.posing.targets()) and self._session.engine_state.ready

    def has_joints(self) -> bool:
        """True if joints are selected."""
        return self.has_figure() and self._session.posing.has_joints

    def can_keep(self) -> bool:
        """True if a figure moves, by keys or samples of its own, or by pins."""
        targets = self._session.posing.targets()
        if not targets or not self._session.engine_state.ready:
            return False
        owner = targets[-1][0]
        return bool(owner.locks) or any(layer.tracks or layer.samples is not None for layer in owner.layers)

    def _apply(self, **changes: object) -> None:
        library = self._session.of(SequenceLibrary)
        chosen = library.chosen
        if chosen is not None:
            library.put(chosen, manner=with_manner(library.manner, **changes))


Do = SequencesCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="sequence.keep", label="Keep motion as sequence", menu="Animate", call=Do.keep, icon="bookmark-plus",
        when=Do.can_keep, keys=("Ctrl+Alt+L",),
    ),
    Action(
        id="sequence.apply", label="Apply sequence", menu="Animate", call=Do.apply, icon="film", when=Do.has_figure,
        begins_group=True, keys=("Ctrl+Alt+Y",),
    ),
    Action(
        id="sequence.apply_mirrored", label="Apply sequence mirrored", menu="Animate", call=Do.apply_mirrored,
        icon="flip-horizontal-2", when=Do.has_figure,
    ),
    Action(
        id="sequence.apply_selected", label="Apply sequence to selected joints", menu="Animate", call=Do.apply_selected,
        icon="bone", when=Do.has_joints,
    ),
)  # fmt: skip

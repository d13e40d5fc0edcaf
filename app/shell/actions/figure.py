"""What figures are made of."""

from __future__ import annotations

from app.shell.actions.action import Action, Topic
from engine.document import Actor
from engine.edits import edit

ACTIONS: tuple[Action, ...] = (
    Action(
        id="figure.bind_skin", label="Bind mesh as skin…", menu="Figure", call="bind_skin", icon="person-standing",
        when="can_bind_skin",
    ),
    Action(
        id="figure.remove_skins", label="Remove skins", menu="Figure", call="remove_skins", when="has_skins",
    ),
)  # fmt: skip


class FigureCommands(Topic):
    """What figures are made of."""

    def bind_skin(self) -> None:
        """Choose a mesh that becomes a skin of the figure that is selected."""
        self._files.choose_skin(self._figures()[0].id)

    @property
    def can_bind_skin(self) -> bool:
        """Whether one figure is selected and the engine is ready to bind a mesh to it."""
        free = self._session.engine_state.ready and not self._session.binding.running
        return free and len(self._figures()) == 1

    def remove_skins(self) -> None:
        """Take the skins off the figures that are selected."""
        for actor in self._figures():
            for skin in actor.figure.skins:
                self._session.do(edit("remove_skin", actor=actor.id, skin=skin.id))

    @property
    def has_skins(self) -> bool:
        """Whether a selected figure has a skin."""
        return any(actor.figure.skins for actor in self._figures())

    def _figures(self) -> list[Actor]:
        """Figures of which something is selected; props are none."""
        chosen = {item.actor for item in self._session.selection.items}
        actors = (actor for actor in self._session.document.actors if actor.id in chosen)
        return [actor for actor in actors if not actor.figure.is_prop]

"""Poses: copied, pasted, mirrored, put back, keyed, drafted."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from app.features.action import PART, Action, Topic
from app.features.poses.library import PoseLibrary
from engine.document.drafts import draft_times


class PoseCommands(Topic):
    """Poses of what is selected; of the first figure, where nothing is."""

    def copy(self) -> None:
        """Onto the system's clipboard, as text."""
        self._session.posing.copy(QGuiApplication.clipboard().setText)

    def paste(self) -> None:
        """Paste the pose that was copied on the selected figures."""
        self._session.posing.paste(QGuiApplication.clipboard().text())

    def paste_mirrored(self) -> None:
        """Paste the pose with its left as right and its right as left."""
        self._session.posing.paste(QGuiApplication.clipboard().text(), mirrored=True)

    def paste_on_selected(self) -> None:
        """Paste the pose on the selected joints alone."""
        self._session.posing.paste(QGuiApplication.clipboard().text(), on_selected=True)

    def flip(self) -> None:
        """Exchange left and right: of the selected joints with those opposite, else of the whole figure."""
        self._session.posing.flip()

    def flip_text(self) -> str:
        """Say how much of the figure is flipped."""
        return "Flip pose of selected joints" if self.has_joints() else "Flip pose"

    def mirror_across(self) -> None:
        """Give the other side the pose of the selected joints."""
        self._session.posing.mirror_across()

    def reset(self) -> None:
        """Back to rest: the figures that are selected."""
        self._session.posing.reset()

    def reset_selected(self) -> None:
        """Back to rest: the joints that are selected."""
        self._session.posing.reset(on_selected=True)

    def save(self) -> None:
        """Put the pose that is seen, with a picture of it, into the library, and ask for its name."""
        self._window.show_panel("poses")  # where it is given its name
        self._session.of(PoseLibrary).save_present()

    def key(self) -> None:
        """Set keys to what is seen."""
        self._session.posing.key()

    def key_selected(self) -> None:
        """Set keys to what is seen of the selected joints."""
        self._session.posing.key(on_selected=True)

    def toggle_auto_key(self) -> None:
        """Key each pose of a figure that has keys; without it, a pose becomes a working pose."""
        self._session.posing.set_auto_key(not self._session.posing.auto_key)

    def key_draft(self) -> None:
        """Make keys of the working pose that is shown."""
        self._session.posing.key_draft()

    def drop_draft(self) -> None:
        """Show what is keyed again."""
        self._session.posing.drop_draft()

    def to_next_draft(self) -> None:
        """Go to a working pose that waits to be keyed."""
        self._session.posing.to_next_draft()

    def is_auto_key(self) -> bool:
        """True if poses are keyed."""
        return self._session.posing.auto_key

    def has_figure(self) -> bool:
        """True if there is anything to pose."""
        return bool(self._session.posing.targets())

    def has_joints(self) -> bool:
        """True if joints are selected."""
        return self._session.posing.has_joints

    def can_save(self) -> bool:
        """True if there is a pose to save."""
        return self.has_figure() and self._session.engine_state.ready

    def has_draft(self) -> bool:
        """True if a draft is shown."""
        return self._session.posing.drafted

    def has_drafts(self) -> bool:
        """True if there is any draft."""
        return bool(draft_times(self._session.document))


Do = PoseCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="pose.copy", label="Copy pose", menu="Pose", call=Do.copy, keys=("Ctrl+C",), icon="copy", when=Do.has_figure,
        contexts=("part", "actor"),
    ),
    Action(
        id="pose.paste", label="Paste pose", menu="Pose", call=Do.paste, keys=("Ctrl+V",), icon="clipboard",
        when=Do.has_figure, contexts=("part", "actor"),
    ),
    Action(
        id="pose.paste_mirrored", label="Paste pose mirrored", menu="Pose", call=Do.paste_mirrored,
        keys=("Ctrl+Shift+V",), when=Do.has_figure,
    ),
    Action(
        id="pose.paste_selected", label="Paste on selected joints", menu="Pose", call=Do.paste_on_selected,
        keys=("Ctrl+Alt+V",), when=Do.has_joints,
    ),
    Action(
        id="pose.flip", label="Flip pose", menu="Pose", call=Do.flip, keys=("Ctrl+M",), icon="flip-horizontal-2",
        when=Do.has_figure, text=Do.flip_text, begins_group=True, contexts=("part", "actor"),
    ),
    Action(
        id="pose.mirror_across", label="Mirror to the other side", menu="Pose", call=Do.mirror_across,
        keys=("Ctrl+Alt+M",), when=Do.has_joints, contexts=PART,
    ),
    Action(
        id="pose.reset", label="Reset pose", menu="Pose", call=Do.reset, keys=("Alt+R",), icon="rotate-ccw",
        when=Do.has_figure, begins_group=True, contexts=("part", "actor"),
    ),
    Action(
        id="pose.reset_selected", label="Reset selected joints", menu="Pose", call=Do.reset_selected,
        keys=("Alt+Shift+R",), when=Do.has_joints, contexts=PART,
    ),
    Action(
        id="pose.save", label="Save pose in the library", menu="Pose", call=Do.save, keys=("Ctrl+Shift+L",),
        icon="bookmark-plus", when=Do.can_save, begins_group=True,
    ),
    Action(
        id="pose.key", label="Key pose", menu="Pose", call=Do.key, keys=("S",), icon="key-round", when=Do.has_figure,
        begins_group=True, contexts=("part", "actor"),
    ),
    Action(
        id="pose.key_selected", label="Key selected joints", menu="Pose", call=Do.key_selected, keys=("Shift+S",),
        when=Do.has_joints, contexts=PART,
    ),
    Action(
        id="pose.auto_key", label="Auto-key", menu="Pose", call=Do.toggle_auto_key, keys=("Ctrl+Shift+K",),
        icon="circle-dot", checked=Do.is_auto_key,
    ),
    Action(
        id="pose.key_draft", label="Key the working pose", menu="Pose", call=Do.key_draft, keys=("Alt+D",),
        when=Do.has_draft, begins_group=True,
    ),
    Action(
        id="pose.drop_draft", label="Drop the working pose", menu="Pose", call=Do.drop_draft, keys=("Alt+Shift+D",),
        when=Do.has_draft,
    ),
    Action(
        id="pose.next_draft", label="To the next working pose", menu="Pose", call=Do.to_next_draft, keys=("Alt+N",),
        when=Do.has_drafts,
    ),
)  # fmt: skip

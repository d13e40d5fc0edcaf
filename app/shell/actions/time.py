"""Playing and stepping."""

from __future__ import annotations

from app.shell.actions.action import Action, Topic

ACTIONS: tuple[Action, ...] = (
    Action(
        id="time.play", label="Play", menu="Time", call="play", keys=("Space",), icon="play", text="play_text",
    ),
    Action(
        id="time.back", label="One frame back", menu="Time", call="frame_back", keys=(",",), icon="step-back",
        begins_group=True,
    ),
    Action(id="time.on", label="One frame on", menu="Time", call="frame_on", keys=(".",), icon="step-forward"),
    Action(id="time.start", label="To the start", menu="Time", call="to_start", keys=("Ctrl+,",), icon="skip-back"),
    Action(id="time.end", label="To the end", menu="Time", call="to_end", keys=("Ctrl+.",), icon="skip-forward"),
    Action(
        id="time.loop", label="Loop", menu="Time", call="toggle_loop", keys=("Ctrl+L",), icon="repeat",
        checked="is_looping", begins_group=True,
    ),
)  # fmt: skip


class TimeCommands(Topic):
    """Playing and stepping."""

    def play(self) -> None:
        """Play, or pause on the picture that is seen."""
        self._session.play()

    @property
    def play_text(self) -> str:
        """What it would do now."""
        return "Pause" if self._session.player.playing else "Play"

    def frame_back(self) -> None:
        """One frame back."""
        self._window.transport.step(-1)

    def frame_on(self) -> None:
        """One frame on."""
        self._window.transport.step(1)

    def to_start(self) -> None:
        """To the first frame that is played."""
        self._window.transport.go_to_end(last=False)

    def to_end(self) -> None:
        """To the last frame that is played."""
        self._window.transport.go_to_end(last=True)

    def toggle_loop(self) -> None:
        """Whether the start follows on the end."""
        self._session.player.set_looping(not self._session.player.looping)

    @property
    def is_looping(self) -> bool:
        """Whether it plays over and over."""
        return self._session.player.looping

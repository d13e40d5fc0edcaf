"""Playing and stepping, what is played, and how time is counted."""

from __future__ import annotations

from functools import partial

from app.features.action import Action
from app.shell.actions.topic import ShellTopic
from engine.document import Document
from engine.document.extent import keyed_extent, play_extent, scene_extent
from engine.document.key_times import between_frames, key_times
from engine.edits import edit

_Time = partial(Action, menu="Time")
_Range = partial(Action, menu="Time", submenu="Play range")
_Scene = partial(Action, menu="Time", submenu="Scene range")
_Sound = partial(Action, menu="Time", submenu="Sound")
_Rate = partial(Action, menu="Time", submenu="Frame rate")


class TimeCommands(ShellTopic):
    """Playing and stepping, what is played, and how time is counted."""

    _looked_at: Document | None = None  # for keys between frames
    _between = 0

    def play(self) -> None:
        """Play, or pause on the picture that is seen."""
        self._session.play()

    def play_text(self) -> str:
        """Return the label as it is now: Play or Pause."""
        return "Pause" if self._session.player.playing else "Play"

    def play_forwards(self) -> None:
        """Play forwards; twice as fast if it does already."""
        self._session.play(1, again=True)

    def play_backwards(self) -> None:
        """Play backwards; twice as fast if it does already."""
        self._session.play(-1, again=True)

    def stop(self) -> None:
        """Stop on the picture that is seen."""
        self._session.player.pause()

    def frame_back(self) -> None:
        """Go one frame back."""
        self._window.transport.step(-1)

    def frame_on(self) -> None:
        """Go one frame on."""
        self._window.transport.step(1)

    def key_before(self) -> None:
        """To the key before, of what is selected or of everything."""
        self._window.transport.go_to_key(-1)

    def key_after(self) -> None:
        """To the key after, of what is selected or of everything."""
        self._window.transport.go_to_key(1)

    def to_start(self) -> None:
        """To the first frame that is played."""
        self._window.transport.go_to_end(last=False)

    def to_end(self) -> None:
        """To the last frame that is played."""
        self._window.transport.go_to_end(last=True)

    def toggle_loop(self) -> None:
        """Start again at the end, over and over."""
        self._session.player.set_looping(not self._session.player.looping)

    def is_looping(self) -> bool:
        """True if it plays over and over."""
        return self._session.player.looping

    def toggle_every_frame(self) -> None:
        """Show each frame, however long it takes; else frames are left out to keep to real time."""
        self._window.prefer(every_frame=not self.shows_every_frame())

    def shows_every_frame(self) -> bool:
        """True if no frame is left out."""
        return self._window.preferences.every_frame

    def toggle_seconds(self) -> None:
        """Show times in seconds, else in frames."""
        self._window.prefer(seconds=not self.counts_seconds())

    def counts_seconds(self) -> bool:
        """True if times are shown in seconds."""
        return self._window.preferences.seconds

    def bake(self) -> None:
        """Bake every frame that is played and keep it beside the project, so that it plays without solving pins."""
        self._session.baking.bake()

    def may_bake(self) -> bool:
        """True if there are pins, which take long, and none are being baked."""
        return self._session.baking.may_start

    def remove_bakes(self) -> None:
        """Delete the baked frames from the disk; they can be baked again."""
        self._session.baking.remove()

    def has_bakes(self) -> bool:
        """True if frames of this scene were baked, and none are being baked."""
        return bool(self._session.baking.files) and not self._session.baking.running

    # What is played

    def start_here(self) -> None:
        """Play from the playhead on."""
        self._play_range(self._session.playhead, play_extent(self._session.document)[1])

    def end_here(self) -> None:
        """Play up to the playhead."""
        self._play_range(play_extent(self._session.document)[0], self._session.playhead)

    def range_of_keys(self) -> None:
        """Play from the first to the last key of what is selected, or of everything."""
        session = self._session
        times = key_times(session.document, [(each.actor, each.part, each.added) for each in session.selection.items])
        if times and times[0] < times[-1]:
            session.do(edit("set_play_range", start=times[0], end=times[-1]))
        else:
            what = "What is selected" if session.selection else "This scene"
            session.note("warning", f"{what} has no keys at two different times, which a range could reach between.")

    def clear_range(self) -> None:
        """Play the whole scene."""
        self._session.do(edit("set_play_range"))

    def has_range(self) -> bool:
        """True if a play range is set."""
        return self._session.document.play is not None

    def start_scene_here(self) -> None:
        """Let the scene begin at the playhead."""
        self._scene_range(self._session.playhead, scene_extent(self._session.document)[1])

    def end_scene_here(self) -> None:
        """Let the scene end at the playhead."""
        self._scene_range(scene_extent(self._session.document)[0], self._session.playhead)

    def fit_scene(self) -> None:
        """Let the scene last from its first key or captured frame to its last."""
        session = self._session
        found = keyed_extent(session.document)
        if found is not None and found[0] < found[1]:
            session.do(edit("set_scene_range", start=found[0], end=found[1]))
        else:
            session.note(
                "warning", "This scene has no keys at two different times, which it could last between. Key two poses."
            )

    def _scene_range(self, start: int, end: int) -> None:
        session = self._session
        if start < end:
            session.do(edit("set_scene_range", start=start, end=end))
            return
        first, last = (session.clock.name(each, session.document.rate) for each in (start, end))
        session.note(
            "warning", f"The scene cannot last from {first} to {last}: go where its end comes after its start."
        )

    def _play_range(self, start: int, end: int) -> None:
        session = self._session
        if start < end:
            session.do(edit("set_play_range", start=start, end=end))
            return
        first, last = (session.clock.name(each, session.document.rate) for each in (start, end))
        session.note(
            "warning", f"Nothing could be played from {first} to {last}: go where its end comes after its start."
        )

    # How it is counted

    def count(self, *, frames: int) -> None:
        """Count {frames} frames a second; keys keep their time."""
        self._session.do(edit("set_rate", frames=frames))

    def counts(self, *, frames: int) -> bool:
        """True if the document has so many frames per second."""
        return self._session.document.rate == (frames, 1)

    def ask_for_rate(self) -> None:
        """Type how many frames a second are counted."""
        self._window.transport.rate.ask()

    def snap_keys(self) -> None:
        """Move each key that stands between frames to the nearest frame; frozen actors keep theirs."""
        self._session.do(edit("snap_keys"))

    def has_keys_between(self) -> bool:
        """True if keys stand between frames."""
        document = self._session.document
        if document is not self._looked_at:
            self._looked_at, self._between = document, between_frames(document)
        return self._between > 0

    # What is heard

    def toggle_sound(self) -> None:
        """Let the sound not be heard, or be heard again."""
        self._session.sounds.mute(not self.is_sound_muted())

    def is_sound_muted(self) -> bool:
        """True if the sound is muted."""
        sound = self._session.sounds.sound
        return sound is not None and sound.mute

    def begin_sound_here(self) -> None:
        """Let the sound begin at the playhead."""
        self._session.sounds.move(self._session.playhead)

    def louder(self) -> None:
        """Let the sound be louder by 3 dB."""
        self._session.sounds.louder(1)

    def quieter(self) -> None:
        """Let the sound be quieter by 3 dB."""
        self._session.sounds.louder(-1)

    def remove_sound(self) -> None:
        """Take the sound away."""
        self._session.sounds.remove()

    def has_sound(self) -> bool:
        """True if there is a sound."""
        return self._session.sounds.sound is not None


Do = TimeCommands

ACTIONS: tuple[Action, ...] = (
    _Time(id="time.play", label="Play", call=Do.play, keys=("Space",), icon="play", text=Do.play_text),
    _Time(id="time.forwards", label="Play forwards, then faster", call=Do.play_forwards, keys=("L",)),
    _Time(id="time.backwards", label="Play backwards, then faster", call=Do.play_backwards, keys=("J",)),
    _Time(id="time.stop", label="Stop", call=Do.stop, keys=("K",), icon="pause"),
    _Time(
        id="time.back", label="One frame back", call=Do.frame_back, keys=(",",), icon="step-back", begins_group=True,
    ),
    _Time(id="time.on", label="One frame on", call=Do.frame_on, keys=(".",), icon="step-forward"),
    _Time(id="time.key_before", label="To the key before", call=Do.key_before, keys=("Alt+,",), icon="chevron-left"),
    _Time(id="time.key_after", label="To the key after", call=Do.key_after, keys=("Alt+.",), icon="chevron-right"),
    _Time(id="time.start", label="To the start", call=Do.to_start, keys=("Ctrl+,",), icon="skip-back"),
    _Time(id="time.end", label="To the end", call=Do.to_end, keys=("Ctrl+.",), icon="skip-forward"),
    _Time(
        id="time.loop", label="Loop", call=Do.toggle_loop, keys=("Ctrl+L",), icon="repeat", checked=Do.is_looping,
        begins_group=True,
    ),
    _Time(
        id="time.every_frame", label="Play every frame", call=Do.toggle_every_frame, checked=Do.shows_every_frame,
    ),
    _Time(id="time.seconds", label="Show times in seconds", call=Do.toggle_seconds, checked=Do.counts_seconds),
    _Time(id="time.bake", label="Bake what is played", call=Do.bake, when=Do.may_bake, begins_group=True),
    _Time(
        id="time.remove_bakes", label="Remove bake", call=Do.remove_bakes, icon="trash-2", when=Do.has_bakes,
    ),
    _Scene(id="time.scene_start", label="Start here", call=Do.start_scene_here, begins_group=True),
    _Scene(id="time.scene_end", label="End here", call=Do.end_scene_here),
    _Scene(id="time.scene_fit", label="Fit to keys", call=Do.fit_scene),
    _Range(id="time.range_start", label="Start here", call=Do.start_here, keys=("I",)),
    _Range(id="time.range_end", label="End here", call=Do.end_here, keys=("O",)),
    _Range(id="time.range_keys", label="From first to last key selected", call=Do.range_of_keys),
    _Range(
        id="time.range_clear", label="Play the whole scene", call=Do.clear_range, keys=("Alt+X",), when=Do.has_range,
    ),
    *(
        _Rate(
            id=f"time.rate_{rate}", label=f"{rate} frames a second", call=partial(Do.count, frames=rate),
            checked=partial(Do.counts, frames=rate),
        )
        for rate in (24, 25, 30, 60)
    ),
    _Rate(id="time.rate_other", label="Another…", call=Do.ask_for_rate),
    _Rate(
        id="time.snap_keys", label="Snap keys to frames", call=Do.snap_keys, when=Do.has_keys_between,
        begins_group=True,
    ),
    _Sound(
        id="time.mute_sound", label="Mute", call=Do.toggle_sound, icon="volume-x", when=Do.has_sound,
        checked=Do.is_sound_muted,
    ),
    _Sound(id="time.sound_here", label="Start here", call=Do.begin_sound_here, when=Do.has_sound),
    _Sound(id="time.louder", label="Louder", call=Do.louder, when=Do.has_sound),
    _Sound(id="time.quieter", label="Quieter", call=Do.quieter, when=Do.has_sound),
    _Sound(
        id="time.remove_sound", label="Remove sound", call=Do.remove_sound, icon="trash-2", when=Do.has_sound,
        begins_group=True,
    ),
)  # fmt: skip

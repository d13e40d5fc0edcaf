"""The steps of the first scene: what each asks for, and how one sees that it was done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.document.motion import TICKS_PER_SECOND
from engine.runtime.quick_dataclass import dataclass

TURNED = 0.05  # [rad] of a view, that is no accident
NEAR = 0.1  # [m] of where the pointer wanted it: a drag that missed by more did not do what was asked for
APART = TICKS_PER_SECOND // 4  # from the nearest key, so that another pose is another time
SIDES = ("left", "right")
HAND = ("forearm", "wrist", "thumb", "thumb_tip", "index", "index_tip", "middle", "ring", "little", "little_tip")
HANDS = frozenset(f"{joint}_{side}" for joint in HAND for side in SIDES)
FEET = frozenset(f"{joint}_{side}" for joint in ("ankle", "toes") for side in SIDES)
HIPS = frozenset(("pelvis",))


@dataclass(frozen=True, kw_only=True)
class TourState:
    """The state of the scene, as far as the tour looks at it."""

    directions: tuple[tuple[float, float], ...]  # azimuth and elevation of each view [rad]
    dragged: str | None  # the body that was dragged since the step began
    missed: float = 0.0  # [m] by how much that drag missed the pointer in the end
    held: bool  # whether a round mark was clicked, which holds it while others are pulled
    locked: frozenset[str]  # joints
    keyed: tuple[int, ...]  # ticks that have keys, in order
    time: int  # [ticks]
    playing: bool
    exported: bool = False  # or being exported


@dataclass(frozen=True, kw_only=True)
class TourStep:
    """One thing to do. `{pose.key}` in its text stands for the keys of that action, `{orbit}` for the
    gestures that do that."""

    title: str
    text: str
    done: Callable[[TourState, TourState], bool]  # how things stood as the step began, and now
    aside: Callable[[TourState], str] = lambda now: ""  # what is said where something else was done


def why_not_locked(now: TourState) -> str:
    """Say what else was done to pin something."""
    if now.locked:
        return "That is pinned, too. Now click a foot."
    return "A round mark is pinned for drags alone. Click the foot beside it." if now.held else ""


def is_dragged(now: TourState, joints: frozenset[str]) -> bool:
    """True if one of these bodies was dragged, and came to where the pointer was."""
    return now.dragged in joints and now.missed <= NEAR


def why_not_dragged(now: TourState, joints: frozenset[str], name: str) -> str:
    """Say what else was dragged, or that it was left behind."""
    if now.dragged is None or is_dragged(now, joints):
        return ""
    if now.dragged not in joints:
        return f"That moved, too. Now take {name}."
    far = round(1000.0 * now.missed)
    return f"It stayed {far} mm behind the pointer: that is out of reach. Drag it less far, slowly."


def why_no_later(now: TourState) -> str:
    """Say what to do for it to be another time than that of the key."""
    if not now.keyed:
        return "Set a key first, to go on from."
    return "" if now.time in now.keyed else "A little further from the key."


def why_not_keyed(now: TourState) -> str:
    """Say what to do for a drag to become a second key."""
    if now.dragged is None:
        return ""
    return "Auto-key is off: set a key of this pose." if is_apart(now) else "That changed the key. Go on in time first."


def has_turned(before: TourState, now: TourState) -> bool:
    """True if a view looks from another side."""
    pairs = zip(before.directions, now.directions, strict=True)
    return any(max(abs(a - b) for a, b in zip(was, is_now, strict=True)) > TURNED for was, is_now in pairs)


def is_apart(now: TourState) -> bool:
    """True if it is another time than that of any key."""
    return bool(now.keyed) and min(abs(now.time - each) for each in now.keyed) >= APART


STEPS: Sequence[TourStep] = (
    TourStep(
        title="Look around",
        text="Turn the view: drag with {orbit}, or click a face of the cube in the corner. The wheel zooms.",
        done=has_turned,
    ),
    TourStep(
        title="Drag a hand",
        text="Press on a hand and drag it. The arm follows, and no joint goes beyond its limits.",
        done=lambda before, now: is_dragged(now, HANDS),
        aside=lambda now: why_not_dragged(now, HANDS, "a hand"),
    ),
    TourStep(
        title="Pin a foot",
        text="Click a foot, beside its round mark, then press {lock.both}. A pinned part stays, whatever is dragged.",
        done=lambda before, now: bool(now.locked & FEET),
        aside=why_not_locked,
    ),
    TourStep(
        title="Drag the pelvis",
        text="Press on the hips and drag them down. The knee bends, and the pinned foot stays where it is.",
        done=lambda before, now: is_dragged(now, HIPS),
        aside=lambda now: why_not_dragged(now, HIPS, "the hips"),
    ),
    TourStep(
        title="Set a key",
        text="{pose.key} keeps this pose as a key at this time: a mark appears on the ruler below the picture.",
        done=lambda before, now: bool(now.keyed),
    ),
    TourStep(
        title="Go on in time",
        text="Drag along the ruler below the picture, about a second to the right.",
        done=lambda before, now: is_apart(now),
        aside=why_no_later,
    ),
    TourStep(
        title="Pose, and key again",
        text="Drag the hips, a hand, or both. The figure has keys now, so Auto-key keeps each pose by itself; "
        "where Auto-key is off, {pose.key} does.",
        done=lambda before, now: len(now.keyed) > 1,
        aside=why_not_keyed,
    ),
    TourStep(
        title="Play",
        text="{time.play} plays from key to key, over and over. See the foot: its pin holds in between, too.",
        done=lambda before, now: now.playing,
    ),
    TourStep(
        title="Export a video",
        text="{file.export_film} shows what a video of it would be: choose a file there. It is drawn while you go on, "
        "and the status line says how far it is. File › Export… writes the motion for other programs.",
        done=lambda before, now: now.exported,
        aside=lambda now: "" if len(now.keyed) > 1 else "It has no motion yet: set a second key first.",
    ),
)
LAST = TourStep(
    title="That is animating",
    text="Pose, key, go on in time. {edit.undo} takes anything back, {help.here} tells of the panel under the pointer, "
    "and File › Open example shows more.",
    done=lambda before, now: False,
)

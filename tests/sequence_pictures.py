"""`python -m tests.sequence_pictures`: writes the sequences that come with Sinew and their flipbooks.

Into resources/sequences. Our own work, no captured data: the walk, the jump and the wave are the motions that ship,
with fewer keys; the others are keys by eye, in degrees and metres, and where feet stand they are locked: what the locks
make of the keys is sampled and reduced to keys again.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from app.features.sequences.library import KeptSequence, SequenceLibrary
from app.session import Item
from app.session.motions import SUFFIX
from engine.commands.sequences import read_sequence
from engine.document import Actor, Document, Key, Layer, Samples, Track
from engine.document.motion import TICKS_PER_SECOND, Extrapolation
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import load_motion, motion_text
from engine.locks.commands.lock_here import LockHere
from engine.motion.reduce import Tolerance, reduce_gradually
from engine.runtime.progress import finish
from engine.sampling import sampled
from tests.stage import Stage, stage

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "sequences"
HUMAN = load_figure("human")
RATE = (60, 1)
DEGREE = math.pi / 180.0
FEET = ("ankle_left", "ankle_right")
Moves = Mapping[str, Sequence[tuple[float, float]]]  # (time [s], degrees or m); "@" stands for both sides

CROUCH: Moves = {
    "pelvis.move_y": [(0, 0), (1.1, -0.38), (1.6, -0.38), (2.7, 0)],
    "pelvis.move_z": [(0, 0), (0.5, -0.08), (1.1, -0.25), (1.6, -0.25), (2.2, -0.1), (2.7, 0)],
    "pelvis.tilt": [(0, 0), (1.1, 38), (1.6, 38), (2.7, 0)],
    "lower_spine.flexion": [(0, 0), (1.15, 12), (1.6, 12), (2.7, 0)],
    "middle_spine.flexion": [(0, 0), (1.2, 8), (1.6, 8), (2.7, 0)],
    "neck.flexion": [(0, 0), (1.1, -18), (1.6, -18), (2.7, 0)],
    "head.flexion": [(0, 0), (1.1, -14), (1.6, -14), (2.7, 0)],
    "shoulder_@.flexion": [(0, 0), (1.2, 88), (1.65, 88), (2.7, 0)],
    "shoulder_@.abduction": [(0, -4), (1.2, 2), (1.65, 2), (2.7, -4)],
    "elbow_@.flexion": [(0, 6), (1.25, 26), (1.7, 26), (2.7, 6)],
}
SIT: Moves = {
    "pelvis.move_y": [(0, 0), (0.45, -0.04), (1.0, -0.24), (1.5, -0.41), (1.7, -0.42), (2.4, -0.42)],
    "pelvis.move_z": [(0, 0), (0.45, -0.10), (1.0, -0.31), (1.5, -0.41), (1.7, -0.42), (2.4, -0.42)],
    "pelvis.tilt": [(0, 0), (0.5, 22), (1.0, 36), (1.5, 26), (2.1, 0), (2.4, -2)],
    "lower_spine.flexion": [(0, 0), (1.0, 10), (2.2, 3), (2.4, 3)],
    "middle_spine.flexion": [(0, 0), (1.0, 8), (2.2, 3), (2.4, 3)],
    "neck.flexion": [(0, 0), (0.9, -14), (2.1, 2), (2.4, 2)],
    "head.flexion": [(0, 0), (0.9, -8), (2.1, 2), (2.4, 2)],
    "shoulder_@.flexion": [(0, 0), (1.0, 38), (1.7, 30), (2.3, 22), (2.4, 22)],
    "shoulder_@.abduction": [(0, -4), (1.0, 4), (2.3, 0), (2.4, 0)],
    "elbow_@.flexion": [(0, 6), (1.0, 20), (2.2, 52), (2.4, 52)],
    "forearm_@.pronation": [(0, 15), (2.2, 55), (2.4, 55)],
}
BOW: Moves = {
    "pelvis.move_z": [(0, 0), (0.9, -0.10), (1.3, -0.10), (2.2, 0)],
    "pelvis.tilt": [(0, 0), (0.9, 32), (1.3, 32), (2.2, 0)],
    "lower_spine.flexion": [(0, 0), (0.95, 9), (1.35, 9), (2.2, 0)],
    "middle_spine.flexion": [(0, 0), (1.0, 8), (1.4, 8), (2.2, 0)],
    "upper_spine.flexion": [(0, 0), (1.0, 6), (1.4, 6), (2.2, 0)],
    "neck.flexion": [(0, 0), (1.0, 8), (1.4, 8), (2.2, 0)],
    "shoulder_@.flexion": [(0, 0), (1.0, 26), (1.4, 26), (2.2, 0)],
    "shoulder_@.abduction": [(0, -4), (2.2, -4)],
    "elbow_@.flexion": [(0, 6), (1.0, 10), (2.2, 6)],
}
TURN: Moves = {
    "neck.rotation": [(0, 0), (0.55, 26), (1.1, 27), (1.8, -26), (2.35, -27), (2.9, 0)],
    "head.rotation": [(0, 0), (0.5, 30), (1.1, 31), (1.75, -30), (2.35, -31), (2.85, 0), (2.9, 0)],
    "upper_spine.rotation": [(0, 0), (0.7, 5), (1.15, 5.5), (1.95, -5), (2.4, -5.5), (2.9, 0)],
    "neck.flexion": [(0, 0), (0.28, 5), (0.6, 0), (1.45, 6), (1.85, 0), (2.6, 4), (2.9, 0)],
}
BREATHE: Moves = {
    "middle_spine.flexion": [(0, 0), (1.6, -1.6), (3.4, 0), (4, 0)],
    "upper_spine.flexion": [(0, 0), (1.6, -2.6), (3.4, 0), (4, 0)],
    "neck.flexion": [(0, 0), (1.7, 2.4), (3.5, 0), (4, 0)],
    "collar_@.elevation": [(0, 0), (1.65, 2), (3.3, 0), (4, 0)],
    "shoulder_@.abduction": [(0, -4), (1.65, -5), (3.4, -4), (4, -4)],
    "elbow_@.flexion": [(0, 6), (1.7, 7.5), (3.5, 6), (4, 6)],
}


def keyed(moves: Moves) -> tuple[Track, ...]:
    """Keys that come to rest at every turning point."""
    tracks = []
    for name, keys in moves.items():
        for coordinate in (name.replace("@", side) for side in (("left", "right") if "@" in name else ("",))):
            unit = 1.0 if HUMAN.coordinate_dof[coordinate].kind == "slide" else DEGREE
            made = tuple(Key(round(time * TICKS_PER_SECOND), value * unit) for time, value in keys)
            tracks.append(Track(coordinate=coordinate, keys=made))
    return tuple(tracks)


def standing(moves: Moves) -> tuple[Track, ...]:
    """What becomes of keys while both feet stay where they stand, sampled and reduced."""
    evaluator = Evaluator()
    layer = Layer(id="keys", tracks=keyed(moves))
    document = Document(actors=(Actor(id="human", name="Human", figure=HUMAN, layers=(layer,)),), rate=RATE)
    for foot in FEET:
        wish = LockHere(id=f"hold_{foot}", name=foot, actor="human", joint=foot, axes=("i", "j", "k"), time=0)
        document = wish.work_out(evaluator, document).apply(document)
    end = max(key.time for track in layer.tracks for key in track.keys)
    return reduced(sampled(evaluator, document, "human", RATE, 0, end), handle=1.5)


def shipped(name: str) -> tuple[Track, ...]:
    """A motion that ships, with fewer keys."""
    (layer,) = load_motion(name).layers
    if all(len(track.keys) < 20 for track in layer.tracks):
        return layer.tracks
    document = Document(actors=(Actor(id="human", name="Human", figure=HUMAN, layers=(layer,)),), rate=RATE)
    end = max(track.keys[-1].time for track in layer.tracks)
    samples = sampled(Evaluator(), document, "human", RATE, 0, end)
    ends = {track.coordinate: track.after for track in layer.tracks}
    made = (
        replace(track, before=ends.get(track.coordinate, "hold"), after=ends.get(track.coordinate, "hold"))
        for track in reduced(samples, handle=4.0)
    )
    return tuple(_closed(track) if track.after in ("cycle", "cycle_offset") else track for track in made)


def reduced(samples: Samples, *, handle: float) -> tuple[Track, ...]:
    """Few keys near samples, its ends within so many millimetres, without what never leaves its rest."""
    handles = tuple(each.id for each in HUMAN.handles)
    tolerance = Tolerance(degrees=0.4, millimetres=0.8, handles=handles, handle_millimetres=handle)
    tracks = finish(reduce_gradually(HUMAN, samples, tolerance)).tracks
    return tuple(track for track in tracks if max(abs(key.value) for key in track.keys) > 1e-3)


def _closed(track: Track) -> Track:
    """Both ends of a cycle with one slope, and one value unless it goes on from where it ends."""
    first, last = track.keys[0], track.keys[-1]
    if first is last:
        return track
    slope = 0.5 * (first.slope_out + last.slope_in)
    value = last.value if track.after == "cycle_offset" else first.value
    first = replace(first, slope_in=slope, slope_out=slope)
    return replace(track, keys=(first, *track.keys[1:-1], replace(last, value=value, slope_in=slope, slope_out=slope)))


def cycling(tracks: Iterable[Track], kind: Extrapolation = "cycle") -> tuple[Track, ...]:
    """Tracks that run on and on."""
    return tuple(replace(track, before=kind, after=kind) for track in tracks)


def sequences() -> dict[str, tuple[Track, ...]]:
    """All of them by name."""
    walk = shipped("walk")
    return {
        "Walk": walk,
        "Walk in place": tuple(track for track in walk if track.coordinate != "pelvis.move_z"),
        "Jump": shipped("jump"),
        "Wave": shipped("wave"),
        "Crouch and rise": standing(CROUCH),
        "Sit down": standing(SIT),
        "Bow": standing(BOW),
        "Turn the head": keyed(TURN),
        "Breathe": cycling(keyed(BREATHE)),
    }


def rounded(track: Track) -> Track:
    """Values of 0.01 mm or 0.001 degrees, so that a person can read the file."""
    dof = HUMAN.coordinate_dof[track.coordinate]
    unit, digits = (1.0, 5) if dof.kind == "slide" else (DEGREE, 3)

    def short(value: float) -> float:
        return round(value / unit, digits) * unit + 0.0  # no minus before nought

    keys = (
        replace(key, value=dof.clamp(short(key.value)), slope_in=short(key.slope_in), slope_out=short(key.slope_out))
        for key in track.keys
    )
    return replace(track, keys=tuple(keys))


def write(name: str, tracks: Sequence[Track]) -> Path:
    """Its file."""
    order = HUMAN.coordinate_index
    made = sorted((rounded(track) for track in tracks), key=lambda track: order[track.coordinate])
    about = f"# {name}: made by tests/sequence_pictures.py; our own work, no captured data.\n\n"
    path = FOLDER / (name + SUFFIX)
    text = motion_text(HUMAN, Layer(id="motion", name=name, tracks=tuple(made)), "human")
    path.write_text(about + text, encoding="utf-8")
    return path


def draw(opened: Stage, path: Path) -> None:
    """Its flipbook, as the library draws those of a person."""
    library, kept, done = opened.session.of(SequenceLibrary), KeptSequence(path, own=False), []
    photograph = library.photograph
    assert photograph is not None
    library.photograph = lambda at, snapshots, then: photograph(at, snapshots, lambda: done.append(at))
    library._ask_for_flipbook(path, read_sequence(path), figure=opened.session.document.actors[0].figure)
    opened.until(lambda: bool(done))
    library.photograph = photograph
    print(kept.picture)


def main() -> int:
    """Write all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    paths = [write(name, tracks) for name, tracks in sequences().items()]
    if "--text" in sys.argv:
        return 0
    with stage(anti_aliasing="on") as opened:
        opened.session.select([Item(opened.session.document.actors[0].id)])
        for path in paths:
            draw(opened, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.first_videos [FOLDER]`: the two videos of the first hour, by default into docs/videos.

Everything is done by events of mouse and keyboard in the real window, from an empty scene to the file, and counted. A
short form is made by the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from imageio_ffmpeg import get_ffmpeg_exe
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.features.films.films import Films
from app.features.films.view.sheet import FilmSheet
from app.scene.panes import PERSPECTIVE, RIGHT
from app.shell.file_chooser import FileChooser
from engine.document import Document
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from tests.counted import Counted
from tests.engine.shared_data import shared_folder
from tests.stage import Stage, stage

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "videos"
STRIDE, FOOT = 0.5, 0.068  # [m]: how far a step goes, and how high an ankle stands
MOST_ACTIONS, MOST_SLIDE = 60, 1e-3  # [m]
LAST, SIZE = 118, (1280, 800)  # frame, [logical px] of the window
RATE, SIDE = 15, 400  # frames a second and [px] of what pages show
DANCED, ROUND = 126, 200  # frame, [px] to see the dancer from the front
DANCE = "data/mocap/asfamc/cmu_charleston1.amc"
COMPILED_IN = 3600.0  # [s]
WITHIN = 4  # times within each frame that are looked at


def begin(hand: Counted) -> None:
    """An empty scene, a human, both feet pinned, and a first key."""
    hand.press("file.new")
    hand.press("select.all")
    hand.press("edit.delete")
    hand.press("add.human")
    hand.click("ankle_left")
    hand.click("ankle_right", add=True)
    hand.press("lock.both")
    hand.press("pose.key")


def wave(hand: Counted) -> None:
    """Two seconds: the weight goes over to one leg, the hand up, out and in again, and down."""
    hand.go(6)
    hand.drag("pelvis", (-0.035, -0.02, 0.0))
    hand.go(15)
    hand.drag("wrist_right", (-0.30, 0.78, 0.0))
    hand.drag("head", (-0.06, 0.0, 0.0))
    for frame, out, up in ((22, 0.20, 0.09), (29, -0.22, -0.10), (36, 0.22, 0.10), (43, -0.18, -0.06)):
        hand.go(frame)
        hand.drag("wrist_right", (out, up, 0.0))
    hand.go(60)
    hand.press("pose.reset")


def step(hand: Counted) -> None:
    """The left foot forwards, the right one beside it; each is planted until it is lifted, and where it comes down."""
    first_step(hand)
    second_step(hand)


def first_step(hand: Counted) -> None:
    """The weight goes over to the right leg, the left foot past it and down."""
    hand.go(68)
    hand.drag_to("pelvis", x=-0.06, y=0.945)
    lift(hand, "ankle_left")
    hand.go(76)
    hand.drag_to("pelvis", y=0.935, z=0.10, view=RIGHT)
    hand.drag_to("ankle_left", y=0.17, z=0.22, view=RIGHT)
    hand.go(84)
    hand.drag_to("pelvis", y=0.915, z=0.26, view=RIGHT)
    hand.drag_to("ankle_left", y=FOOT, z=STRIDE, view=RIGHT)
    hand.press("lock.both")


def second_step(hand: Counted) -> None:
    """The right foot comes beside the left one."""
    hand.go(88)
    lift(hand, "ankle_right")
    hand.go(97)
    hand.drag_to("pelvis", y=0.945, z=STRIDE - 0.08, view=RIGHT)
    hand.drag_to("ankle_right", y=0.16, z=STRIDE - 0.18, view=RIGHT)
    hand.go(106)
    hand.drag_to("pelvis", y=0.952, z=STRIDE + 0.005, view=RIGHT)
    hand.drag_to("ankle_right", y=FOOT, z=STRIDE, view=RIGHT)
    hand.press("lock.both")
    hand.drag_to("pelvis", x=0.0)


def lift(hand: Counted, foot: str) -> None:
    """Select a foot, and let its pin end here."""
    hand.click(foot, view=RIGHT)
    hand.press("lock.end_here")


def finish(hand: Counted, path: Path) -> None:
    """The video of what is played, as the perspective view shows it."""
    hand.press("file.export_film")
    sheet = shown(hand.opened, FilmSheet)
    assert isinstance(sheet, FilmSheet)
    hand.push(sheet.choose)
    name_file(hand, path)
    exports = hand.opened.window.of(Films).exports
    hand.opened.until(lambda: bool(exports.exports) and not exports.busy, patience=900.0)


def for_a_page(video: Path, picture: Path) -> None:
    """An animated picture of a video, which pages show."""
    smaller = f"fps={RATE},crop=ih:ih,scale={SIDE}:{SIDE}:flags=area"
    command = [get_ffmpeg_exe(), "-y", "-loglevel", "error", "-i", str(video), "-vf", smaller, "-loop", "0"]
    subprocess.run([*command, "-quality", "88", "-compression_level", "6", str(picture)], check=True)


def name_file(hand: Counted, path: Path) -> None:
    """In the dialogue of files."""
    name = shown(hand.opened, FileChooser).findChild(QLineEdit, "fileNameEdit")
    assert isinstance(name, QLineEdit)
    hand.type(name, str(path))


def dance(hand: Counted, clip: Path) -> None:
    """A capture put onto the human of a new scene, its joints found by their names."""
    hand.press("file.new")
    before = hand.session.document
    hand.choose("Animate", "Retarget a capture onto the figure…")
    name_file(hand, clip)
    hand.opened.until(lambda: hand.session.document is not before and hand.session.at_rest, patience=300.0)
    hand.opened.settle()


def shown(opened: Stage, kind: type[QWidget]) -> QWidget:
    """The dialogue of a kind, once it is there."""
    opened.until(lambda: any(isinstance(each, kind) and each.isVisible() for each in QApplication.topLevelWidgets()))
    return next(each for each in QApplication.topLevelWidgets() if isinstance(each, kind) and each.isVisible())


def planted(document: Document) -> list[tuple[str, tuple[int, int] | None]]:
    """Each pinned foot, and from which frame to which; None: always."""
    frame = frame_time(1, document.rate)
    spans = [(lock.joint, lock.span) for lock in document.actors[0].locks]
    return [(joint, None if span is None else (span.start // frame, span.end // frame)) for joint, span in spans]


def slide(document: Document) -> float:
    """How far pinned feet are at most from where they came down [m], in every frame and in between."""
    actor, evaluator, worst = document.actors[0], Evaluator(), 0.0
    step = frame_time(1, document.rate) // (WITHIN + 1)
    for lock in actor.locks:
        index = actor.figure.joint_index[lock.joint]
        start, end = (0, LAST) if lock.span is None else (lock.span.start, lock.span.end)
        times = range(start, min(end, frame_time(LAST, document.rate)), step)
        places = np.array([evaluator.joint_transforms(document, actor.id, time)[index][:, 3] for time in times])
        worst = max(worst, float(np.linalg.norm(places - lock.position, axis=1).max()))
    return worst


def wait_for_kernels(opened: Stage) -> None:
    """Until nothing is compiled any more: a machine that has no kernels yet takes minutes for those of secondary
    motion, and a hand that goes on meanwhile would wait in vain."""
    preparing = opened.session.engine.preparing
    opened.until(lambda: not (preparing.running and preparing.missing), patience=COMPILED_IN)


def make_wave_and_step(path: Path) -> None:
    """Animate it, and write the video."""
    with stage(size=SIZE) as opened:
        wait_for_kernels(opened)
        hand = Counted(opened)
        begin(hand)
        wave(hand)
        step(hand)
        hand.choose("Pose", "Secondary motion", "Relaxed")
        hand.go(LAST)
        hand.press("time.range_end")
        hand.click_floor(PERSPECTIVE)
        hand.wheel(PERSPECTIVE, -1)
        finish(hand, path)
        print(f"{path}: {hand.count} actions, feet slide {1e3 * slide(opened.session.document):.4f} mm")


def make_dance(path: Path, clip: Path) -> None:
    """Put the capture onto the human, and write the video."""
    with stage(size=SIZE) as opened:
        wait_for_kernels(opened)
        hand = Counted(opened)
        dance(hand, clip)
        hand.go(DANCED)
        hand.press("time.range_end")
        hand.orbit(PERSPECTIVE, ROUND, 0)
        finish(hand, path)
        print(f"{path}: {hand.count} actions, with {clip.name}")


def main(arguments: list[str]) -> int:
    """Make the videos, without a person's own poses in reach; the dance where there is a capture of it."""
    folder, clip = Path(arguments[0]).resolve() if arguments else FOLDER, shared_folder() / DANCE
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as nobody:
        os.environ["SINEW_DATA"] = nobody
        made = Path(nobody)
        make_wave_and_step(made / "wave-and-step.mp4")
        for_a_page(made / "wave-and-step.mp4", folder / "wave-and-step.webp")
        if clip.exists():
            make_dance(made / "dance.mp4", clip)
            for_a_page(made / "dance.mp4", folder / "dance.webp")
        else:
            print(f"no dance: {clip} is not here; SINEW_SHARED names the folder of shared data")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

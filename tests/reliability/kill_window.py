"""`python -m tests.reliability.kill_window [--times 200] [--seed 1]`: the whole window, killed while it works.

Each child opens a real window, edits without end, and saves, bakes what is played and exports a film and a figure with
its motion meanwhile; it says what was begun and what is done. It is killed, with all that it had started, at a random
moment. Then the project has to open as some save left it, no older than the last that was done; the copy has to be
offered and to hold every edit that was done a second before; what was exported has to be whole; and nothing of the
killed one may stay behind. Ends with 1 at the first that is not so, which is kept.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import Edit, edit
from engine.formats.format import Options
from engine.project import disk
from engine.project.own_folder import own_folder
from engine.project.runs import left_runs
from engine.project.save import open_project, save_project
from engine.runtime.errors import EngineError
from engine.runtime.progress import finish
from start import virtual_screen
from tests.reliability.deeds import Unsound

SAVED, COPIES, FIGURE, FILM = "scene.sinew", "copies", "walk.bvh", "film.mp4"
GRACE = 1.0  # [s] by which edits may be lost
READY, LONGEST = 120.0, 6.0  # [s] until the window stands, and from then until the kill, at most
EDIT_EVERY = 0.05  # [s]
FRAMES = 6  # of the film
UNDER_WAY = {"edit": "edit", "figure": "export", "film": "film"}  # what is said when it begins, and when it is done
NAME = re.compile(r"Name (\d+)")


def work(folder: Path) -> None:
    """Open the window and work until killed; what a child does."""
    from app.export.exports import Export
    from app.features.films.films import Films
    from app.session.states import FileOutcome
    from tests.app.export.films import plan_for, waving
    from tests.stage import stage

    def tell(what: str) -> None:
        os.write(1, f"{time.monotonic():.6f} {what}\n".encode())

    scene = waving()
    with stage(scene, copies=folder / COPIES) as opened:
        session, number = opened.session, 0
        saving = 0

        def edited() -> None:
            nonlocal number
            number += 1
            tell(f"begun edit {number}")
            session.do(rename(number))
            tell(f"done edit {number}")

        def filed(outcome: FileOutcome) -> None:
            tell(f"done {outcome.kind} {saving}" if outcome.went_well else f"problem {outcome.kind}: {outcome.problem}")

        def filmed(export: Export) -> None:
            tell("done film" if export.state == "done" else f"problem film: {export.state}")

        session.filed.connect(filed)
        exports = opened.window.of(Films).exports
        exports.ended.connect(filmed)
        edited()
        saving = number
        session.exchange.save(folder / SAVED)
        opened.until(lambda: session.exchange.idle)
        tell("ready")
        for turn in range(1, 10_000):
            opened.until(partial(past, time.monotonic() + EDIT_EVERY))
            edited()
            if turn % 7 == 0 and session.exchange.idle:
                saving = number
                tell(f"begun save {number}")
                session.exchange.save(folder / SAVED)
            elif turn % 7 == 2 and session.exchange.idle:
                tell("begun figure")
                session.exchange.export(folder / FIGURE, [scene.actors[0].id], Options(rate=(30, 1)))
            elif turn % 7 == 4 and not session.baking.running:
                tell("begun bake")
                session.baking.bake()
            elif turn % 7 == 5 and not exports.busy:
                tell("begun film")
                exports.add(plan_for(folder / FILM, session.document, end=TICKS_PER_SECOND, rate=(FRAMES - 1, 1)))


def past(moment: float) -> bool:
    """Tell whether a moment is past."""
    return time.monotonic() > moment


def rename(number: int) -> Edit:
    """An edit that can be told from all others."""
    return edit("rename_actor", actor="human", name=f"Name {number}")


@dataclass
class Heard:
    """What a child said, with its clock [s]."""

    lines: list[tuple[float, str]] = field(default_factory=list)

    def last(self, what: str, before: float = float("inf")) -> int:
        """The largest number of a thing that was said by then; 0 if it was not."""
        found = [int(line.split()[2]) for at, line in self.lines if line.startswith(what) and at <= before]
        return max(found, default=0)

    def says(self, what: str) -> bool:
        """Tell whether it said a thing."""
        return any(line.startswith(what) for _, line in self.lines)


def kill(folder: Path, random: Random) -> Heard:
    """Kill one window at a random moment; what it had said."""
    heard, ready = Heard(), threading.Event()
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.reliability.kill_window", "--child", str(folder)],
        stdout=subprocess.PIPE,
        stderr=(folder / "errors.txt").open("w"),
        text=True,
        start_new_session=True,
    )
    assert child.stdout is not None, "it was asked for"
    told = child.stdout

    def listen() -> None:
        for line in told:
            at, _, what = line.strip().partition(" ")
            if re.fullmatch(r"[\d.]+", at):
                heard.lines.append((float(at), what))
                if what == "ready":
                    ready.set()
        ready.set()

    listener = threading.Thread(target=listen)
    listener.start()
    if not ready.wait(READY) or child.poll() is not None:
        os.killpg(child.pid, signal.SIGKILL)
        raise Unsound(f"no window: {(folder / 'errors.txt').read_text()[-2000:]}")
    threading.Event().wait(random.uniform(0.0, LONGEST))
    ended = child.poll() is not None
    heard.lines.append((time.monotonic(), "killed"))
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    listener.join(10.0)
    problem = next((what for _, what in heard.lines if what.startswith("problem")), "")
    if problem:
        raise Unsound(problem)
    if ended:
        raise Unsound(f"it ended by itself: {(folder / 'errors.txt').read_text()[-2000:]}")
    return heard


def check(folder: Path, heard: Heard) -> None:
    """Look at what is left; raise `Unsound`."""
    killed = next(at for at, what in heard.lines if what == "killed")
    begun = heard.last("begun edit")
    saved, newest = number_in(folder), heard.last("done save")
    if not newest <= saved <= begun:
        raise Unsound(f"the project holds edit {saved}; {newest} was saved, {begun} begun")
    sure = heard.last("done edit", killed - GRACE)
    left = left_runs(folder / COPIES)
    copied = max((copied_number(finish(each.read()).past.document) for each in left if each.is_offered), default=0)
    if max(copied, saved) < sure:
        raise Unsound(f"the copy holds edit {copied}, the project {saved}; {sure} was done {GRACE} s before")
    check_exports(folder, heard)
    opened = open_project(folder / SAVED)
    for each in folder.iterdir():
        os.utime(each, (0.0, 0.0))  # drafts are cleared away some time after whoever wrote them has gone
    disk.sweep(folder)
    with own_folder(folder / FILM):
        save_project(folder / SAVED, opened.document)
    more = {each.name for each in folder.iterdir()} - {SAVED, COPIES, FIGURE, FILM, "errors.txt", "scene.bakes"}
    if any(not name.startswith(".") or name.endswith(disk.PART) for name in more):
        raise Unsound(f"left behind: {sorted(more)}")


def number_in(folder: Path) -> int:
    """The edit that the project holds."""
    try:
        return copied_number(open_project(folder / SAVED).document)
    except EngineError as error:
        raise Unsound(f"the project cannot be read: {error}") from error


def copied_number(document: Document) -> int:
    """The edit that a document came of."""
    found = NAME.fullmatch(document.actors[0].name)
    return int(found[1]) if found else 0


def check_exports(folder: Path, heard: Heard) -> None:
    """What was exported is whole, or not there."""
    from engine.formats import bvh
    from tests.app.export.films import read

    figure, film = folder / FIGURE, folder / FILM
    if figure.exists():
        try:
            bvh.read(figure, Options())
        except EngineError as error:
            raise Unsound(f"an exported figure is not whole: {error}") from error
    elif heard.says("done export"):
        raise Unsound("an exported figure is gone")
    if film.exists() and len(read(film).frames) != FRAMES:
        raise Unsound("a film is not whole")


def main(arguments: Sequence[str]) -> int:
    """Run all kills."""
    parser = argparse.ArgumentParser(prog="python -m tests.reliability.kill_window")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=Path, default=None)
    options = parser.parse_args(arguments)
    if options.child is not None:
        work(options.child)
        return 0
    root, said = Path(tempfile.mkdtemp(prefix="sinew-killed-")), Counter[str]()
    with virtual_screen() as variables:
        os.environ.update(variables)
        for number in range(options.times):
            folder = root / str(number)
            folder.mkdir()
            try:
                heard = kill(folder, Random(options.seed * 1_000_003 + number))
                check(folder, heard)
            except (Unsound, EngineError) as error:
                print(f"kill {number} of seed {options.seed}: {error}\nthe files are kept in {folder}")
                return 1
            said.update(line.rstrip("0123456789 ") for _, line in heard.lines)
            shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(root, ignore_errors=True)
    under = {what: said[f"begun {what}"] - said[f"done {done}"] for what, done in UNDER_WAY.items()}
    print(f"{options.times} windows killed, nothing lost; said: {dict(said)}; under way when killed: {under}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

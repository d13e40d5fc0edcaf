"""`python3 start.py smoke PACKAGE | COMMAND...`: tries a package, or a command that starts an installed Sinew.

PACKAGE is a `.deb`, a `.tar.xz`, a wheel, or the folder of the sources, whose wheel is built then. A wheel is installed
into an environment of its own with all that it asks for, in the versions of `--lock FILE` or the newest that it allows.
All else is a newcomer's: an empty home and nothing of this checkout. The window is started on a virtual screen from two
folders, opens every example, is looked at, closed; a picture and a clip are exported; somebody else starts it, and
somebody whose home cannot be written. Exit code 1 and one line where something is not as it should be. At most four
minutes in all, or `--within SECONDS` where many share a machine. `--keep FOLDER` keeps the pictures and the clip,
`--examples N` opens N examples only. `--linked` takes what a wheel asks for from the environment that runs this, where
pip would fetch it. `--compiles` allows kernels to be compiled, for a Sinew without any; `--kernels` gives it those that
this person has, as an earlier start would have left them, after which none may be compiled.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NoReturn

import start
from engine.runtime.places import CACHE
from smoke.installing import install
from smoke.screen import OpenWindow, Screen, colours, write_png
from smoke.second_names import second_name

AT_MOST = 240.0  # [s] in all
FIRST_SIZE = (1280, 800)
FEWEST_COLOURS = 200
HOMELESS = Path("/proc/nobody")  # where nobody can write, root neither
NOBODY = 65534  # a user that may do nothing but what all may


class Trial:
    """One person's Sinew: a home, a screen, and the time that is left."""

    def __init__(
        self, command: Sequence[str], home: Path, screen: dict[str, str], ends: float, *, kept: Path, runs: Path
    ) -> None:
        """What is kept goes to the folder `kept`; sockets and the like lie in `runs`, which is made."""
        self.command, self.home, self.ends, self.kept, self.folder = list(command), home, ends, kept, runs
        self._user: int | None = None
        self._given = 0
        runs.mkdir()
        self.screen = Screen(screen["DISPLAY"])
        self._variables = {
            **screen,
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PATH": "/usr/bin:/bin",
            "XDG_RUNTIME_DIR": str(self.folder),
            "TMPDIR": str(self.folder),
        }
        self.errors, self.output = self.folder / "errors.txt", self.folder / "output.txt"

    def become(self, user: int) -> None:
        """Be another user of the machine, with the home and all that is made from now on; for root."""
        self._user = user
        for place in (self.home, self.folder):
            os.chown(place, user, -1)

    def take_kernels(self, kernels: Path) -> None:
        """Have compiled kernels from the start on, by second names of their files."""
        cache = self.home / ".cache" / "sinew"
        if not self.home.is_dir():
            cache = self.folder / f"sinew-{os.getuid()}"  # which stands in for it
            cache.mkdir(mode=0o700)
        shutil.copytree(kernels, cache / "kernels", copy_function=second_name, ignore=shutil.ignore_patterns("*.part"))
        self._given = self.compiled()

    def left(self) -> float:
        """Seconds that are left."""
        seconds = self.ends - time.monotonic()
        if seconds <= 0.0:
            fail("it took longer than it may")
        return seconds

    def run(self, *arguments: str, folder: Path | str = "/") -> str:
        """Run a command of Sinew's to its end; what it printed."""
        process = subprocess.Popen(
            [*self.command, *arguments],
            cwd=folder,
            env=self._variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            printed, said = process.communicate(timeout=self.left())
        except subprocess.TimeoutExpired:
            process.kill()
            fail(f"it took longer than it may: sinew {' '.join(arguments)} was not done")
        if process.returncode:
            fail(f"sinew {' '.join(arguments)} ended with {process.returncode}: {said.strip()[-2000:]}")
        return printed

    def hand_over(self, project: Path) -> None:
        """Have the window that is open open a project, by the socket on which a second start does."""
        (place,) = (each for each in self.folder.glob("sinew-*") if each.is_socket())
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(self.left())
            link.connect(str(place))
            link.sendall(json.dumps({"open": str(project)}).encode() + b"\n")
            link.recv(16)

    @contextmanager
    def started(self, folder: Path | str, *arguments: str) -> Iterator[dict[str, float]]:
        """The window, from a folder: gives the seconds of its milestones once poses can be computed; ends it."""
        output = self.output
        with output.open("w") as lines, self.errors.open("a") as errors:
            process = subprocess.Popen(
                [*self.command, "--timing", *arguments],
                cwd=folder,
                env=self._variables,
                stdout=lines,
                stderr=errors,
                user=self._user,
            )
            try:
                until(self, lambda: "engine" in milestones(output) or process.poll() is not None, "poses are computed")
                yield milestones(output)
                code = process.wait(self.left())
                if code:
                    fail(f"the window ended with {code}: {self.errors.read_text()[-2000:]}")
            finally:
                process.kill()
                process.wait()
        self._check_errors(output)

    def _check_errors(self, output: Path) -> None:
        """Nothing went wrong that only the window's log says, or the terminal."""
        found = [line for line in output.read_text().splitlines() if line.startswith('{"error"')]
        text = self.errors.read_text()
        if found or "Traceback" in text:
            fail(f"errors: {found} {text[-3000:]}")

    def warned(self, words: str) -> bool:
        """Tell whether a warning of the window's log has these words."""
        return any(line.startswith('{"warning"') and words in line for line in self.output.read_text().splitlines())

    def window(self) -> OpenWindow:
        """The main window."""
        found = [each for each in self.screen.windows() if each.title.endswith("Sinew")]
        if not found:
            fail("there is no window")
        return found[0]

    def shows(self, name: str) -> bool:
        """Tell whether the window shows a project."""
        return self.window().title.startswith(name)

    def differs(self, before: bytes) -> bool:
        """Tell whether the screen is another than it was."""
        return self.screen.content() != before

    def compiled(self) -> int:
        """How many kernels were compiled for this home."""
        return len(list(self.home.rglob("*.kernel"))) - self._given if self.home.is_dir() else 0


def anybody_can_run(tree: Path) -> bool:
    """Tell whether all users may run what is installed: where it lies, and, of a wheel, the Python of this machine."""
    python = tree / "bin" / "python"
    places = [tree.resolve(), *([python.resolve()] if python.exists() else [])]
    return all(each.stat().st_mode & stat.S_IXOTH for place in places for each in place.parents)


def milestones(output: Path) -> dict[str, float]:
    """The seconds of the steps that a start has reached."""
    found = {}
    for line in output.read_text().splitlines():
        if line.startswith('{"milestone"'):
            step = json.loads(line)
            found[step["milestone"]] = step["seconds"]
    return found


def until(trial: Trial, is_so: Callable[[], object], what: str, seconds: float = 120.0) -> None:
    """Wait for something, and no longer than that."""
    ends = time.monotonic() + min(seconds, trial.left())
    while not is_so():
        if time.monotonic() > ends:
            fail(f"waited in vain until {what}; windows: {[each.title for each in trial.screen.windows()]}")
        time.sleep(0.05)


def say(text: str) -> None:
    """Say what was found, and how much processor time all took so far."""
    spent = os.times()
    print(f"smoke: {text} ({spent.children_user + spent.children_system:.0f} s of processor time so far)", flush=True)


def fail(text: str) -> NoReturn:
    """Say what is wrong, and end."""
    print(f"smoke: {text}", file=sys.stderr, flush=True)
    raise SystemExit(1)


def told(steps: dict[str, float]) -> str:
    """The milestones as words."""
    return ", ".join(f"{name} {seconds:.2f} s" for name, seconds in steps.items())


def first_start(trial: Trial, projects: Path, opened: int | None, *, compiles: bool) -> None:
    """The window, with every example opened in it, or as many as are said, from the first to the last."""
    trial.run("engine", "example", "--all", str(projects))
    names = [each.stem for each in sorted(projects.glob("*.sinew"))]
    if opened is not None:
        names = names[:: max(1, -(-len(names) // opened))]
    with trial.started("/") as steps:
        say(f"first start, from /: {told(steps)}")
        window = trial.window()
        if (window.width, window.height) != FIRST_SIZE:
            fail(f"the first window is {window.width} x {window.height}, not {FIRST_SIZE[0]} x {FIRST_SIZE[1]}")
        look(trial, "first")
        shown = trial.screen.content()
        began = time.monotonic()
        for name in names:
            if name == names[0]:
                trial.run(f"{name}.sinew", folder=projects)  # a second start, which hands it to the window
            else:
                trial.hand_over(projects / f"{name}.sinew")
            until(trial, partial(trial.shows, name), f"{name} is open")
            until(trial, partial(trial.differs, shown), f"{name} is drawn")
            shown = trial.screen.content()
        say(f"{len(names)} examples opened, {time.monotonic() - began:.1f} s")
        look(trial, "last")
        trial.screen.close(trial.window().id)
    check_compiled(trial, compiles=compiles)


def look(trial: Trial, name: str) -> None:
    """Take a picture of the screen and keep it; nothing but a drawn window has that many colours."""
    width, height, pixels = trial.screen.picture()
    write_png(trial.kept / f"{name}.png", width, height, pixels)
    if colours(pixels) < FEWEST_COLOURS:
        fail(f"the picture has {colours(pixels)} colours: nothing is drawn ({name}.png)")


def check_compiled(trial: Trial, *, compiles: bool) -> None:
    """Nothing was compiled where all kernels came along."""
    count = trial.compiled()
    if count and not compiles:
        fail(f"{count} kernels were compiled, though they are said to come along")
    say(f"{count} kernels were compiled")


def exports(trial: Trial, projects: Path) -> None:
    """A picture and a clip without a window."""
    small = ["--size", "320x180", "--samples", "2", "--replace"]
    trial.run("render", "walk.sinew", "--out", str(trial.kept / "walk.png"), *small, "--range", "0.5", folder=projects)
    trial.run(
        "render", "walk.sinew", "--out", str(trial.kept / "walk.mp4"), *small, "--range", "0:0.4", folder=projects
    )
    clip = (trial.kept / "walk.mp4").read_bytes()
    if clip[4:8] != b"ftyp" or len(clip) < 5000:
        fail(f"the clip is none: {len(clip)} bytes, {clip[:12]!r}")
    say(f"a picture and a clip of {len(clip):,} bytes exported")


def later_start(trial: Trial, folder: Path, what: str, *, compiles: bool) -> None:
    """The window once more, closed by itself; nothing is compiled that was before."""
    before = trial.compiled()
    with trial.started(folder, "walk.sinew", "--quit-after-ready") as steps:
        pass
    say(f"{what}: {told(steps)}")
    if trial.compiled() > before and not compiles:
        fail(f"{trial.compiled() - before} kernels were compiled: {what}")


def main() -> int:
    """Try a package; the exit code."""
    parser = argparse.ArgumentParser(prog="start.py smoke", description=__doc__)
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--compiles", action="store_true")
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("--examples", type=int, metavar="N")
    parser.add_argument("--lock", type=Path, metavar="FILE")
    parser.add_argument("--linked", action="store_true")
    parser.add_argument("--within", type=float, default=AT_MOST, metavar="SECONDS")
    parser.add_argument("command", nargs="+", metavar="PACKAGE | COMMAND")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # and leave nothing behind
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="sinew-smoke-") as made, start.virtual_screen() as screen:
        folder = Path(made)
        folder.chmod(0o755)
        kept = (chosen.keep or folder / "kept").absolute()
        kept.mkdir(parents=True, exist_ok=True)
        tree, projects = folder / "tree", folder / "projects of mine"
        command = install(chosen.command, tree, chosen.lock, linked=chosen.linked)
        say(f"installed, {time.monotonic() - began:.0f} s")
        homes = [folder / name for name in ("somebody", "somebody else")]
        for home in homes:
            home.mkdir()
        people = [
            Trial(command, home, screen, began + chosen.within, kept=kept, runs=folder / f"runs of {number}")
            for number, home in enumerate((*homes, HOMELESS))
        ]
        if os.geteuid() == 0 and tree.is_dir() and anybody_can_run(tree):
            people[1].become(NOBODY)
        own = CACHE.folder()
        if chosen.kernels and own is not None and (own / "kernels").is_dir():
            for person in people:
                person.take_kernels(own / "kernels")
        first_start(people[0], projects, chosen.examples, compiles=chosen.compiles)
        exports(people[0], projects)
        later_start(people[0], projects, "second start, from another folder", compiles=False)
        later_start(people[1], projects, "somebody else's first start", compiles=chosen.compiles)
        later_start(people[2], projects, "a home that cannot be written", compiles=True)
        if not people[2].warned("cannot write"):
            fail("nothing was said of a home that cannot be written")
    say(f"all as it should be, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    sys.exit(main())

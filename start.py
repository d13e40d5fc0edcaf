#!/usr/bin/env python3
"""Two commands on a bare machine: `python3 start.py` runs Sinew, `python3 start.py test` passes all checks.

Standard library only, because nothing else is there yet. A run goes through the same three steps each
time, and each is skipped when it is already done: the system libraries that the packages need (Linux
alone), a virtual environment from the hash-checked lock, and a virtual screen where there is no other.

Exit codes: the child's own; 2 for a command line that is not understood; 3 where the machine lacks
something that this script may not install, after printing the one line that does; 69 where packages
of Python cannot be had, since nobody answers.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import importlib.util
import json
import os
import platform
import select
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, NoReturn

ROOT = Path(__file__).resolve().parent
LOCK = ROOT / "requirements.lock"
TEST_LOCK = ROOT / "requirements-test.lock"
DOCS_LOCK = ROOT / "requirements-docs.lock"
PACKAGE_LOCK = ROOT / "requirements-package.lock"
ENVIRONMENTS = ROOT / ".venv"
LOWEST_PYTHON, HIGHEST_PYTHON = (3, 11), (3, 14)  # those that every package of the locks has wheels for
SCREEN = "1600x1000x24"
LINUX = sys.platform.startswith("linux")
WINDOWS = os.name == "nt"
UNUSED_AFTER_DAYS = 14

USAGE_ERROR = 2
MACHINE_LACKS_SOMETHING = 3
NOBODY_ANSWERS = 69  # as sysexits.h has it

# What the packages of the lock link to and do not bring, with the Debian package of each. A test reads the same from
# their own files. Qt's error names the wrong library where one is missing, so every one is tried.
LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libbrotlicommon.so.1": "libbrotli1",
    "libbrotlidec.so.1": "libbrotli1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgcc_s.so.1": "libgcc-s1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}
WAYLAND_LIBRARIES = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
TEST_LIBRARIES = {"libgomp.so.1": "libgomp1"}

HELP = """\
python3 start.py [FILE]              run Sinew (and open FILE)
python3 start.py test                all checks, as many at a time as there are cores, or --workers N; --fast leaves out
                                     slow tests and those without compiled kernels, --deep adds long random ones,
                                     --record keeps how long each file took, by which the next run sorts them;
                                     --shuffle SEED takes them in another order, the mouse pointer elsewhere
python3 start.py test PYTEST-ARGS    only pytest, with these arguments, under the virtual screen
python3 start.py python ARGS         the Python of Sinew's environment, for example: start.py python -m engine version
python3 start.py bench [ARGS]        the benchmarks, with the peers they are measured against
python3 start.py docs                make the site of docs/ in build/docs; a warning is an error
python3 start.py shots [ARGS]        draw the pictures of docs/pictures again
python3 start.py videos [ARGS]       make the videos of docs/videos again, by events of mouse and keyboard
python3 start.py goldens [ARGS]      compare with what earlier versions answered; --record keeps it anew
python3 start.py faults [ARGS]       plant faults in a copy of this tree and see which tests find them, or --list them
python3 start.py ship                compile the kernels that a release takes along, into resources/kernels
python3 start.py package             make the packages of this system, into dist (packaging/README.md)
python3 start.py wheel               build the wheel, into dist, with the kernels of ship where there are any
python3 start.py smoke PACKAGE       install one in an empty tree, start it, open every example, export, quit; of a
                                     wheel, or of `.`, in an environment of its own
python3 start.py lock                pin the newest versions that pyproject.toml allows
"""


def main(arguments: Sequence[str]) -> int:
    if not LOWEST_PYTHON <= sys.version_info[:2] <= HIGHEST_PYTHON:
        lowest, highest = (".".join(map(str, each)) for each in (LOWEST_PYTHON, HIGHEST_PYTHON))
        taken = f"Sinew's packages are made for Python {lowest} to {highest}; this is {platform.python_version()}."
        fail(MACHINE_LACKS_SOMETHING, f"{taken} Start it with one of those, for example: python{highest} start.py")
    # A terminated run still stops its children and its screen: SIGTERM becomes an exception.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    verb, rest = (arguments[0], arguments[1:]) if arguments else ("run", arguments)
    if verb in ("-h", "--help", "help"):
        print(HELP, end="")
        return 0
    if verb in COMMANDS:
        return COMMANDS[verb](rest)
    if verb.startswith("-") or Path(verb).exists() or Path(verb).suffix:
        return run_application(arguments)
    fail(USAGE_ERROR, f"start.py does not know '{verb}', and there is no file of that name. It knows:\n\n{HELP}")


def say(text: str) -> None:
    print(f"start: {text}", flush=True)


def fail(code: int, text: str) -> NoReturn:
    print(f"start: {text}", file=sys.stderr, flush=True)
    raise SystemExit(code)


# The commands


def run_application(arguments: Sequence[str]) -> int:
    screenless = LINUX and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    install_libraries(LOCK, screen=screenless)
    python = prepare_environment(LOCK)
    command = [str(python), "-m", "app", *arguments]
    # FILE is relative to the folder that a person stands in, which must not hide Sinew's own modules.
    from_anywhere = {"PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"}
    if not screenless:
        return call(command, from_anywhere, folder=Path.cwd())
    say("there is no screen here, so Sinew runs on a virtual one")
    with virtual_screen() as screen:
        return call(command, {**from_anywhere, **screen}, folder=Path.cwd())


def run_tests(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="start.py test", add_help=False)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--deep", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--workers")
    parser.add_argument("--shuffle")
    options, pytest_arguments = parser.parse_known_args(list(arguments))
    if pytest_arguments and (options.record or options.workers or options.shuffle):
        others = "--record, --workers and --shuffle"
        fail(USAGE_ERROR, f"{others} are for all checks; leave them out, or what is given to pytest")
    install_libraries(TEST_LOCK, screen=LINUX)
    python = str(prepare_environment(TEST_LOCK))
    if not pytest_arguments:
        return call([python, "-m", "tests.run", *arguments], {})
    chosen = [*(["-m", "not slow"] if options.fast else []), *(["--deep"] if options.deep else [])]
    with virtual_screen() as variables:
        return call([python, "-m", "pytest", *chosen, *pytest_arguments], variables)


def run_python(arguments: Sequence[str]) -> int:
    return call([str(prepare_environment(LOCK)), *arguments], {"PYTHONPATH": str(ROOT)}, folder=Path.cwd())


def ship_kernels(arguments: Sequence[str]) -> int:
    """See packaging/README.md."""
    if arguments:
        fail(USAGE_ERROR, f"ship takes no arguments; it was given: {shlex.join(arguments)}")
    into = json.dumps({"folder": str(ROOT / "resources" / "kernels")})
    same = {"PYTHONHASHSEED": "0"}  # numba names constants by Python's hashes of their bytes
    return call([str(prepare_environment(LOCK)), "-m", "engine", "job", "ship_kernels", into], same)


def make_packages(arguments: Sequence[str]) -> int:
    """See packaging/README.md."""
    if arguments:
        fail(USAGE_ERROR, f"package takes no arguments; it was given: {shlex.join(arguments)}")
    install_libraries(PACKAGE_LOCK, screen=False)
    install_package_tools()
    python = str(prepare_environment(PACKAGE_LOCK))
    return call([python, str(ROOT / "packaging" / "make_package.py")], {"PYTHONPATH": str(ROOT)})


def make_wheel(arguments: Sequence[str]) -> int:
    if arguments:
        fail(USAGE_ERROR, f"wheel takes no arguments; it was given: {shlex.join(arguments)}")
    return call([str(prepare_environment(LOCK)), str(ROOT / "packaging" / "make_wheel.py")], {})


def try_package(arguments: Sequence[str]) -> int:
    """With this Python and nothing else, as a package finds a machine."""
    install_libraries(LOCK, screen=True)
    path = os.pathsep.join([str(ROOT / "packaging"), str(ROOT)])
    return call([sys.executable, "-m", "smoke", *arguments], {"PYTHONPATH": path}, folder=Path.cwd())


def run_module(module: str, arguments: Sequence[str]) -> int:
    """A module of the tests, on a virtual screen."""
    install_libraries(TEST_LOCK, screen=LINUX)
    python = prepare_environment(TEST_LOCK)
    with virtual_screen() as variables:
        return call([str(python), "-m", module, *arguments], variables)


def build_docs(arguments: Sequence[str]) -> int:
    """The pages of this tree as a site: written by Sinew's environment, made a site by Sphinx in one of its own."""
    if arguments:
        fail(USAGE_ERROR, f"docs takes no arguments; it was given: {shlex.join(arguments)}")
    install_libraries(LOCK, screen=False)
    pages, site = ROOT / "build" / "docs-pages", ROOT / "build" / "docs"
    # The environment of the tests has all that Sinew's has: where that runs this, no other is made.
    own = sys.executable if Path(sys.prefix).parent == ENVIRONMENTS else str(prepare_environment(LOCK))
    code = call([own, "-m", "tests.manual", str(pages)], {})
    if code:
        return code
    shutil.rmtree(site, ignore_errors=True)
    made = [str(prepare_environment(DOCS_LOCK)), "-m", "sphinx", "-b", "html", "-d", str(site.with_name("docs-read"))]
    code = call([*made, "--quiet", "--fresh-env", "--nitpicky", "--fail-on-warning", str(pages), str(site)], {})
    if not code:
        say(f"the pages are in {site / 'index.html'}")
    return code


def write_locks(arguments: Sequence[str]) -> int:
    """Resolve for every platform and Python at once; the locks hold names, versions and hashes, never an address."""
    with tempfile.TemporaryDirectory(prefix="sinew-lock-") as folder:
        python = create_environment(Path(folder))
        check([str(python), "-m", "pip", "install", "--quiet", "uv"])
        resolve = [str(python), "-m", "uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
        resolve += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", *arguments]
        check([*resolve, "--extra", "app", "pyproject.toml", "-o", LOCK.name])
        check([*resolve, "--extra", "app", "--extra", "test", "-c", LOCK.name, "pyproject.toml", "-o", TEST_LOCK.name])
        check([*resolve, "--group", "docs", "-o", DOCS_LOCK.name])
        # Not bound to the first, for of ffmpeg a package has an earlier one.
        check([*resolve, "--extra", "app", "--extra", "package", "pyproject.toml", "-o", PACKAGE_LOCK.name])
    say(f"wrote {LOCK.name}, {TEST_LOCK.name}, {DOCS_LOCK.name} and {PACKAGE_LOCK.name}")
    return 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "run": run_application,
    "test": run_tests,
    "python": run_python,
    "docs": build_docs,
    "bench": partial(run_module, "tests.benchmarks"),
    "shots": partial(run_module, "tests.shots"),
    "videos": partial(run_module, "tests.first_videos"),
    "goldens": partial(run_module, "tests.golden"),
    "faults": partial(run_module, "tests.faults"),
    "ship": ship_kernels,
    "package": make_packages,
    "wheel": make_wheel,
    "smoke": try_package,
    "lock": write_locks,
}


# The virtual screen, and children


def call(command: list[str], variables: dict[str, str], folder: Path = ROOT) -> int:
    """Run to the end. After Ctrl+C the child gets a moment to close by itself; it never outlives this run."""
    child = subprocess.Popen(command, cwd=folder, env={**os.environ, **variables})
    try:
        code = child.wait()
    except BaseException as stopped:
        if not isinstance(stopped, KeyboardInterrupt):
            child.terminate()
        end_child(child, patience=5.0)
        if isinstance(stopped, KeyboardInterrupt):
            return 128 + signal.SIGINT
        raise
    return code if code >= 0 else 128 - code


def end_child(child: subprocess.Popen[Any], patience: float) -> None:
    try:
        child.wait(patience)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        child.kill()
        child.wait()


@contextmanager
def virtual_screen() -> Iterator[dict[str, str]]:
    """The variables that put a child on a fresh Xvfb; empty where the system draws without X (macOS, Windows).

    Tests get their own screen even where there is one: theirs has a known size, and nobody's mouse is on it.
    """
    if not LINUX:
        yield {}
        return
    read_end, write_end = os.pipe()
    command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"]
    # Its own session, so that Ctrl+C in the terminal does not take the screen from under a child that is closing.
    server = subprocess.Popen(
        command, pass_fds=[write_end], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(write_end)
    try:
        yield {
            "DISPLAY": f":{read_display_number(read_end)}",
            "WAYLAND_DISPLAY": "",
            "XDG_SESSION_TYPE": "x11",
            "QT_QPA_PLATFORM": "xcb",
        }
    finally:
        os.close(read_end)
        server.terminate()
        end_child(server, patience=5.0)


def read_display_number(descriptor: int) -> str:
    ready, _, _ = select.select([descriptor], [], [], 30.0)
    number = os.read(descriptor, 16).decode().strip() if ready else ""
    if not number:
        fail(MACHINE_LACKS_SOMETHING, "the virtual screen (Xvfb) did not start; try: Xvfb :99 -screen 0 " + SCREEN)
    return number


# The virtual environment


def prepare_environment(lock: Path) -> Path:
    """The Python of the environment for this lock, built first if need be.

    A stamp written last tells a whole environment from a half-made one; a file lock, which the system drops
    when its holder dies, keeps two runs from building the same one.
    """
    digest = hashlib.sha256(lock.read_bytes())
    digest.update(f"{sys.version} {platform.machine()} {sys.base_prefix}".encode())
    folder = ENVIRONMENTS / digest.hexdigest()[:16]
    stamp = folder / "complete"
    if not stamp.exists():
        with refuse_read_only_checkout():
            ENVIRONMENTS.mkdir(exist_ok=True)
            folder.with_suffix(".lock").touch()
        with only_one(folder.with_suffix(".lock")):
            if not stamp.exists():
                remove_unused_environments()
                build_environment(folder, lock)
                stamp.touch()
    with suppress(OSError):  # A checkout that may only be read is still one to run from.
        stamp.touch()
    keep_bytecode(folder)
    return environment_python(folder)


def keep_bytecode(folder: Path) -> None:
    """Where Python may not write bytecode beside its sources, it keeps it with the environment.

    Compiling some 2,000 modules anew would more than double the time of every start.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(folder / "bytecode"))


@contextmanager
def refuse_read_only_checkout() -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        what = f"{ENVIRONMENTS} cannot be written: {problem.strerror}"
        fail(MACHINE_LACKS_SOMETHING, f"{what}. Start Sinew once as somebody who may, or from a copy of your own.")


def build_environment(folder: Path, lock: Path) -> None:
    started = time.monotonic()
    say(f"making Sinew's own Python environment from {lock.name} (0.7 GB to run, 1.4 to test, 0.1 for pages; once)")
    if folder.exists():
        shutil.rmtree(folder)
    python = create_environment(folder)
    # The lock names every package and its hashes, so there is nothing left to resolve; modules are compiled
    # when first imported, which costs less than compiling all of them now.
    quick = [
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
        "--no-compile",
        "--no-deps",
        "--only-binary",
        ":all:",
    ]
    command = [str(python), "-m", "pip", "install", *quick, "--require-hashes", "-r", str(lock)]
    check(command, attempts=2)
    say(f"the environment is ready, {time.monotonic() - started:.0f} s")


def create_environment(folder: Path) -> Path:
    install_venv_module()
    check([sys.executable, "-m", "venv", str(folder)])
    return environment_python(folder)


def environment_python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if WINDOWS else "bin/python")


def remove_unused_environments() -> None:
    """Each is a gigabyte or so, and every change of the lock makes another."""
    oldest = time.time() - UNUSED_AFTER_DAYS * 86400
    for stamp in ENVIRONMENTS.glob("*/complete"):
        if stamp.stat().st_mtime < oldest:
            say(f"removing an environment unused for {UNUSED_AFTER_DAYS} days: {stamp.parent.name}")
            stamp.unlink()
            shutil.rmtree(stamp.parent, ignore_errors=True)


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    with path.open("a+b") as file:
        if not try_lock(file):
            say("another run is making the environment; waiting for it")
            while not try_lock(file):
                time.sleep(0.5)
        yield


def try_lock(file: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The installer inherits the lock: should this run be killed, the next one waits until it, too, has ended.
            os.set_inheritable(file.fileno(), True)
    except OSError:
        return False
    return True


# The system's packages


def install_libraries(lock: Path, screen: bool) -> None:
    """Find by trying, as the loader will: a package list knows neither other distributions nor hand-made machines."""
    if not LINUX:
        return
    wanted = {**LIBRARIES, **(WAYLAND_LIBRARIES if os.environ.get("WAYLAND_DISPLAY") else {})}
    wanted |= TEST_LIBRARIES if lock == TEST_LOCK else {}
    missing = {name: package for name, package in wanted.items() if not can_load(name)}
    if screen and not shutil.which("Xvfb"):
        missing["Xvfb"] = "xvfb"
    if missing:
        install_packages(missing, "libraries that the packages of Sinew load")


def can_load(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def install_venv_module() -> None:
    """Debian keeps venv's half, `ensurepip`, in a package of its own."""
    if importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv"):
        return
    version = ".".join(str(part) for part in sys.version_info[:2])
    install_packages({"ensurepip": f"python{version}-venv"}, "Python's venv module")


def install_package_tools() -> None:
    """PyInstaller reads and packs binaries, and carries Python as a library, which Debian keeps in a package."""
    if not LINUX:
        return
    tools = {"objdump": "binutils", "strip": "binutils", "xz": "xz-utils", "dpkg-deb": "dpkg"}
    missing = {tool: package for tool, package in tools.items() if not shutil.which(tool)}
    library = str(sysconfig.get_config_var("INSTSONAME"))
    if not can_load(library):
        missing[library] = f"libpython{sys.version_info[0]}.{sys.version_info[1]}"
    if missing:
        install_packages(missing, "what packages are made with")


def install_packages(missing: dict[str, str], what: str) -> None:
    say(f"this machine lacks {what}: {', '.join(missing)}")
    install = ["apt-get", "install", "-y", "--no-install-recommends", *dict.fromkeys(missing.values())]
    if shutil.which("apt-get"):
        if os.geteuid() != 0:
            fail(MACHINE_LACKS_SOMETHING, f"run this once, then start again:\n\n  sudo {shlex.join(install)}\n")
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        say("installing them with apt-get")
        # An update that fails in part still leaves lists to install from, so only the install decides.
        subprocess.run(["apt-get", "-qq", "update"], env={**os.environ, **quiet}, check=False)
        patient = [install[0], "-qq", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3", *install[1:]]
        check(patient, attempts=3, variables=quiet)
        return
    if shutil.which("dnf"):
        provides = [f"{name}()(64bit)" if name.startswith("lib") else f"*/{name}" for name in missing]
        fail(
            MACHINE_LACKS_SOMETHING, f"run this once, then start again:\n\n  sudo dnf install {shlex.join(provides)}\n"
        )
    fail(MACHINE_LACKS_SOMETHING, "install the packages of your system that bring these, then start again")


def check(command: list[str], attempts: int = 1, variables: dict[str, str] | None = None) -> None:
    """Run a step that must succeed; its own output is shown only when it does not."""
    for attempt in range(1, attempts + 1):
        result = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **(variables or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            close_fds=WINDOWS,
        )
        if result.returncode == 0:
            return
        print(result.stdout, file=sys.stderr)
        if attempt < attempts:
            say("that did not work; trying again")
            time.sleep(3.0 * attempt)
    if "connection broken by" in result.stdout:  # as pip says it
        fail(NOBODY_ANSWERS, "packages cannot be had: the registry of Python's packages does not answer here")
    fail(MACHINE_LACKS_SOMETHING, f"this step failed with exit code {result.returncode}: {shlex.join(command)}")


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    raise SystemExit(code)

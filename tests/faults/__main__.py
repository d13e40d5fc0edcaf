"""Plants each fault in a copy of a tree, runs the tests that are to find it, and says which of them did.

    python3 start.py faults                    all faults in this tree
    python3 start.py faults --only NAME NAME   these alone
    python3 start.py faults --tree FOLDER      in another checkout, with the tests that it has
    python3 start.py faults --list             what there is

Tests run until the first fails, which is run once more with the fault taken out: it counts where it passes then. The
copy shares the environment and the compiled kernels; tests that read shared data run where SINEW_SHARED names its
folder. Ends with 1 unless every fault was found.
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
import time
from dataclasses import dataclass
from pathlib import Path

from tests.faults.planted import ROOT, DoesNotApply, Fault, is_there, planted, read_faults

PATIENCE = 900.0  # [s] for the tests of one fault
PASSED, FAILED = 0, 1  # exit codes of pytest
FAILURE = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Finding:
    """What became of one fault."""

    fault: Fault
    by: str = ""  # the test that found it
    trouble: str = ""  # why nothing can be said
    seconds: float = 0.0

    @property
    def word(self) -> str:
        """In a word."""
        return "unknown" if self.trouble else "found" if self.by else "NOT FOUND"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="Faults and who finds them")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these faults alone")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout to plant them in")
    parser.add_argument("--list", action="store_true", help="say what there is and run nothing")
    options = parser.parse_args(arguments)
    faults = read_faults()
    unknown = set(options.only) - {fault.name for fault in faults}
    if unknown:
        parser.error(f"there is no fault named {', '.join(sorted(unknown))}")
    chosen = [fault for fault in faults if not options.only or fault.name in options.only]
    if options.list:
        for fault in chosen:
            print(f"{fault.name:40}{fault.area:18}{fault.title}")
        return 0
    findings = []
    with tempfile.TemporaryDirectory(prefix="sinew-faults-") as folder:
        tree = copy_tree(options.tree.resolve(), Path(folder) / "tree")
        for fault in chosen:
            findings.append(try_out(fault, tree))
            tell(findings[-1])
    print(f"\n{sum(bool(each.by) for each in findings)} of {len(findings)} faults were found")
    return 0 if all(each.by for each in findings) else 1


def tell(finding: Finding) -> None:
    said = finding.trouble or finding.by
    print(
        f"{finding.fault.name:40}{finding.fault.area:18}{finding.word:11}{finding.seconds:6.0f} s  {said}", flush=True
    )


def copy_tree(source: Path, target: Path) -> Path:
    """What git knows or would take, as old as it is there, and the environment."""
    command = ["git", "-C", str(source), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, check=True, capture_output=True).stdout.decode().split("\0")
    for name in names:
        place = source / name
        if name and place.is_file() and not name.startswith(".venv"):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(place, target / name)
    (target / ".venv").symlink_to((source / ".venv").resolve())
    return target


def try_out(fault: Fault, tree: Path) -> Finding:
    """Plant one fault, and take it out again."""
    started = time.monotonic()
    tests = [test for test in dict.fromkeys((*fault.tests, *fault.before)) if is_there(test, tree)]
    if not tests:
        return Finding(fault, trouble="none of its tests is in this tree")
    try:
        with planted(fault, tree):
            code, said = run_tests(tree, tests)
    except (DoesNotApply, FileNotFoundError) as problem:
        return Finding(fault, trouble=str(problem))
    failures = FAILURE.findall(said)
    by, trouble = "", ""
    if code == FAILED and failures:
        by = failures[0]
        if run_tests(tree, [by])[0] != PASSED:
            by, trouble = "", f"{by} fails without it, too"
    elif code != PASSED:
        trouble = f"pytest ended with {code}: {(said.strip().splitlines() or ['nothing was said'])[-1]}"
    return Finding(fault, by, trouble, time.monotonic() - started)


def run_tests(tree: Path, tests: list[str]) -> tuple[int, str]:
    """pytest's exit code and what it said, under the screen that `start.py test` gives; 124 where it took too long."""
    command = [sys.executable, "start.py", "test", "-x", "-q", "-p", "no:cacheprovider", *tests]
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    child = subprocess.Popen(
        command, cwd=tree, env=plain, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        said, _ = child.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGTERM)
        said, _ = child.communicate()
        return 124, said.decode("utf-8", "replace")
    return child.returncode, said.decode("utf-8", "replace")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

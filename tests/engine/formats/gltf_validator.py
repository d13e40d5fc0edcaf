"""Khronos' glTF validator, where it has been got from npm; it is no Python package, so the lock cannot hold it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

REASON = (
    "the validator is not here; get it with: npm install --prefix FOLDER gltf-validator, and set GLTF_VALIDATOR=FOLDER"
)
CHECK = """
const { validateBytes } = require('gltf-validator');
const read = path => new Uint8Array(require('fs').readFileSync(path));
Promise.all(process.argv.slice(1).map(path => validateBytes(read(path))))
  .then(reports => console.log(JSON.stringify(reports.map(report => report.issues))));
"""


def assert_valid(*paths: Path) -> None:
    """No error and no warning in any of the files; skips the test where there is no validator."""
    named = os.environ.get("GLTF_VALIDATOR")
    if named is None or not (Path(named) / "node_modules" / "gltf-validator").is_dir() or shutil.which("node") is None:
        pytest.skip(REASON)
    for path, issues in zip(paths, _issues(Path(named), paths), strict=True):
        assert issues["numErrors"] == issues["numWarnings"] == 0, (path.name, issues["messages"])


def _issues(folder: Path, paths: Sequence[Path]) -> list[dict[str, object]]:
    command = ["node", "-e", CHECK, *map(str, paths)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300.0, check=True)
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found

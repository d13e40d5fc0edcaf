"""`python -m tests.head`: writes the face to resources/faces: arrays as they are kept, and a text that names them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from engine.document.blobs import Blob
from tests.head.shapes import SHAPES, Modelled
from tests.head.surface import build

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "faces"
LEAST = 2e-5  # [m] that a shape moves a vertex by


def main() -> None:
    """Model it, and write it."""
    points, faces, tags = build()
    modelled = Modelled(points, tags)
    arrays = {"positions": points.astype("<f4"), "triangles": faces.astype("<i4")}
    for id, _, moved_by in SHAPES:
        moved = moved_by(modelled)
        chosen = np.flatnonzero(np.abs(moved).max(axis=1) > LEAST)
        arrays[f"{id}.vertices"], arrays[f"{id}.offsets"] = chosen.astype("<i4"), moved[chosen].astype("<f4")
    FOLDER.mkdir(exist_ok=True)
    np.savez_compressed(FOLDER / "face.npz", **arrays)  # type: ignore[arg-type]
    blobs = {name: Blob(array) for name, array in arrays.items()}
    text = {
        "shapes": [[id, name] for id, name, _ in SHAPES],
        "arrays": {name: [blob.digest, blob.type, list(blob.shape)] for name, blob in blobs.items()},
    }
    (FOLDER / "face.json").write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8", newline="\n")
    print(f"{len(points)} vertices, {len(faces)} triangles, {len(SHAPES)} shapes")


if __name__ == "__main__":
    main()

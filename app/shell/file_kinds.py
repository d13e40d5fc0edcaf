"""FileKinds: the kinds of files that the window itself asks for."""

from __future__ import annotations

from app.features.window import FileKind
from app.session.filing import SUFFIX
from app.session.references import PICTURE_SUFFIXES, VIDEO_SUFFIXES
from app.session.sounds import SUFFIXES as SOUND_SUFFIXES

LOG_SUFFIX = ".sinewlog"
FIGURE_SUFFIX = ".figure.toml"
PICTURE = FileKind(
    name="picture", title="Add reference image", endings=dict.fromkeys((*PICTURE_SUFFIXES, ".gif"), ""),
    together="Pictures",
)  # fmt: skip
VIDEO = FileKind(
    name="video", title="Add reference video", endings=dict.fromkeys(VIDEO_SUFFIXES, ""), together="Videos"
)
SOUND = FileKind(name="sound", title="Add sound", endings=dict.fromkeys(SOUND_SUFFIXES, ""), together="Sounds")
PROJECT = FileKind(name="project", title="Save as", endings={SUFFIX: "Sinew documents"})
PACKED = FileKind(name="packed", title="Pack for sharing", endings=PROJECT.endings)
LOG = FileKind(name="log", title="Save Log", endings={LOG_SUFFIX: "Sinew logs"})
FIGURE = FileKind(name="figure", title="Save Figure", endings={FIGURE_SUFFIX: "Figures"})
_CURVES = {".csv": "Tables of numbers", ".npz": "Arrays of numbers", ".svg": "Drawings", ".sto": "Tables for OpenSim"}
_FILMS = {".mp4": "MP4 videos", ".webm": "WebM videos", ".gif": "GIF videos", ".png": "PNG pictures"}


def curves(suffix: str) -> FileKind:
    """Return the kind of files of curves with an ending."""
    return FileKind(name="plot", title="Export Plot", endings={suffix: _CURVES[suffix]})


def film(suffix: str) -> FileKind:
    """Return the kind of videos or pictures with an ending."""
    return FileKind(name="film", title="Export", endings={suffix: _FILMS[suffix]})


def mesh() -> FileKind:
    """Return the kind of files that hold meshes."""
    from engine.formats.table import readers

    endings = [suffix for each in readers() if each.kind == "mesh" for suffix in each.suffixes]
    endings += [".glb", ".gltf", ".fbx"]
    return FileKind(name="mesh", title="Bind mesh as skin", endings=dict.fromkeys(endings, ""), together="Meshes")


def importable() -> FileKind:
    """Return the kind of files of other programs, which join the document that is open."""
    from engine.formats.table import readers

    endings = [suffix for each in readers() for suffix in each.suffixes if suffix not in (SUFFIX, LOG_SUFFIX)]
    every = dict.fromkeys((*endings, *PICTURE_SUFFIXES, *VIDEO_SUFFIXES, *SOUND_SUFFIXES), "")
    return FileKind(name="import", title="Import", endings=every, together="All that Sinew imports")


def readable_kinds() -> str:
    """Return every kind of file that can be opened, as a file dialogue lists them."""
    from engine.formats.table import readers

    lines = [(each.name, " ".join(f"*{suffix}" for suffix in each.suffixes)) for each in readers()]
    every = " ".join(suffixes for _, suffixes in lines)
    return ";;".join([f"All that Sinew reads ({every})", *(f"{name} ({suffixes})" for name, suffixes in lines)])

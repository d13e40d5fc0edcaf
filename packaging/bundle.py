"""The choices of the frozen program: what goes along, what stays out, read by `packaging/sinew.spec` and by a test.

The engine and the resources lie in the folder as they do in a checkout, source beside bytecode, since digests of
kernels are taken of sources; all other modules are in the archive of the executable. Bytecode is of the kind that is
not compared with its source, so that nothing is compiled or written in a folder that belongs to somebody else. `sinew`,
the library for scripts, has no use where there is no Python.
"""

from __future__ import annotations

import py_compile
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OWN = ("app", "engine", "resources")
AS_SOURCE = ("engine", "resources")

QT = ("QtCore", "QtGui", "QtNetwork", "QtOpenGL", "QtOpenGLWidgets", "QtTest", "QtWidgets")
"""Modules of Qt that are used. vispy imports QtTest; QtNetwork is the socket by which a second start hands its file to
the first."""

HIDDEN = (
    "vispy.app.backends._pyside6",
    "vispy.app.backends._qt",
    "vispy.glsl",
    "numba._devicearray",
    "numba.np.ufunc.workqueue",
)
"""Modules that are imported by a name which is made while the program runs."""

EXCLUDED = (
    "IPython", "PIL", "_pytest", "_ssl", "curses", "docutils", "ensurepip", "hypothesis", "idlelib", "jupyter_rfb",
    "lib2to3", "matplotlib", "mypy", "numba.cuda", "numba.pycc", "numba.testing", "numba.tests",
    "numpy.tests", "packaging.licenses", "pip", "pkg_resources", "pydoc_data", "pyqtgraph.examples",
    "pyqtgraph.opengl", "pytest",
    "pytestqt", "readline", "scipy.cluster", "scipy.datasets", "scipy.differentiate", "scipy.fft", "scipy.fftpack",
    "scipy.integrate", "scipy.interpolate", "scipy.io", "scipy.odr", "scipy.optimize", "scipy.signal", "scipy.stats",
    "setuptools", "ssl", "tkinter", "turtle", "turtledemo", "venv", "vispy.testing", "wheel",
)  # fmt: skip
"""Modules that something could import and Sinew never uses."""

METADATA = ("llvmlite", "numba", "numpy", "PyOpenGL", "PySide6-Essentials", "scipy", "vispy")
"""Distributions whose versions are asked for: kernels are kept by those of their compilers, and About names them."""

DROPPED = tuple(
    re.compile(pattern)
    for pattern in (
        r"PySide6/Qt/(qml|translations|libexec|metatypes)/",
        r"PySide6/Qt/plugins/(egldeviceintegrations|generic|networkinformation|printsupport|qmltooling|sqldrivers|tls)/",
        r"PySide6/Qt/plugins/(platforminputcontexts/libqtvirtual|wayland-graphics-integration-server/)",
        r"PySide6/Qt/plugins/platforms/libq(eglfs|linuxfb|minimal|minimalegl|vnc|vkkhrdisplay|wayland-(egl|brcm).*)\.so",
        r"PySide6/Qt/plugins/platformthemes/libqgtk3\.so",
        r"PySide6/Qt/plugins/imageformats/libq(icns|pdf|tga|tiff|wbmp|webp)\.so",
        r"(PySide6/Qt/lib/)?libQt6(Egl|Pdf|Qml|Quick|VirtualKeyboard|WlShell|WaylandCompositor)\w*\.so",
        r"numba/np/ufunc/(omppool|tbbpool)\.",
        r"pyqtgraph/(examples|icons/.*\.(pdf|xcf))",
        r".*\.(pxd|pxi|pyi|pyx|c|h|hpp|cu|lib|a|f90)$",
        r".*/tests?/",
    )
)
"""Files that hooks would take along and Sinew never opens."""

OF_THE_SYSTEM = re.compile(
    r"lib(EGL|GL|GLX|GLdispatch|OpenGL|X11|X11-xcb|Xau|Xdmcp|bsd|md|blkid|brotli\w+|com_err|dbus-1|drm|expat|fontconfig|"
    r"freetype|gcc_s|gbm|gio-2\.0|glib-2\.0|gmodule-2\.0|gobject-2\.0|gssapi_krb5|gthread-2\.0|k5crypto|keyutils|krb5|"
    r"krb5support|lz4|mount|pcre2?(-8)?|pcre|png16|selinux|stdc\+\+|systemd|cap|gcrypt|gpg-error|udev|wayland-\w+|xcb|z|"
    r"zstd)\.so\.[\d.]+"
)
"""Libraries of Linux that are taken from the system and never carried: drivers of OpenGL need the system's own C++
library, fonts and D-Bus its own settings. The package names those that `start.py` knows."""

OF_OTHERS = re.compile(
    r"lib(atk-1\.0|atk-bridge-2\.0|atspi|cairo|cairo-gobject|datrie|epoxy|fribidi|gdk-3|gdk_pixbuf-2\.0|gomp|graphite2|"
    r"gtk-3|harfbuzz|jpeg|mvec|pango\w*-1\.0|pixman-1|thai|tbb|Xcomposite|Xcursor|Xdamage|Xext|Xfixes|Xi|Xinerama|Xrandr|"
    r"Xrender)\.so\.[\d.]+"
)
"""Libraries of Linux that only what is left out asks for: GTK's dialogs, and two of numba's three kinds of threads."""

STRIPPED = re.compile(
    r"llvmlite/binding/libllvmlite\.so|libpython3|python3\.\d+/lib-dynload/|kiwisolver/|freetype/|lib(crypto|sqlite3)\.so|"
    r"(ufbx|vispy|numba)/.*\.so$|_miniaudio\."
)
"""Binaries whose symbols are taken out; of numpy's, that would break the file."""

DATA_OF_ICU = re.compile(r"PySide6/Qt/lib/libicudata\.so\.\d+")

TWINS = ("numpy.libs", "scipy.libs")
"""Folders of which the second has a file of the first once more."""


def own_modules(root: Path = ROOT) -> Iterator[str]:
    """The names of all modules of Sinew's own, since tables name many of them as text."""
    for room in OWN:
        for source in sorted((root / room).rglob("*.py")):
            parts = source.relative_to(root).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def own_files(work: Path, root: Path = ROOT) -> Iterator[tuple[str, Path]]:
    """Where each file of Sinew's own lies in the program, and the file, bytecode written to the folder `work`."""
    for room in OWN:
        for path in sorted((root / room).rglob("*")):
            if not path.is_file() or "__pycache__" in path.parts or path.suffix in (".pyc", ".md"):
                continue
            if path.suffix == ".py" and room not in AS_SOURCE:
                continue
            name = path.relative_to(root)
            yield name.as_posix(), path
            if path.suffix == ".py":
                compiled = name.parent / "__pycache__" / f"{name.stem}.{sys.implementation.cache_tag}.pyc"
                unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
                target = work / compiled
                py_compile.compile(
                    str(path),
                    str(target),
                    dfile=name.as_posix(),
                    doraise=True,
                    optimize=-1,
                    invalidation_mode=unchecked,
                )
                yield compiled.as_posix(), target
    yield "resources/LICENSES.md", root / "resources" / "LICENSES.md"


def unwanted_qt(present: Iterable[str]) -> list[str]:
    """The modules of PySide6 that are there and not used, by their names as modules."""
    return sorted(f"PySide6.{name}" for name in present if name.startswith("Qt") and name not in QT)


def is_wanted(place: str, source: str = "") -> bool:
    """Tell whether a file that a hook would take along belongs into the program; `place` is where it would lie."""
    place = place.replace("\\", "/")
    if any(pattern.match(place) for pattern in DROPPED):
        return False
    folder, _, name = place.rpartition("/")
    if folder.endswith(".libs") and source and Path(source).parent.name != folder:
        return False  # a second copy of what another package brings for itself
    return bool(folder) or not (OF_THE_SYSTEM.fullmatch(name) or OF_OTHERS.fullmatch(name))

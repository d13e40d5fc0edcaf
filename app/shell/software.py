"""Drawing with the processor where the graphics driver has no OpenGL that is enough: `sinew --software`.

On Linux Mesa's own renderer is asked for, also past a driver of another maker; on Windows Qt brings one along. Both are
chosen by variables that are read as OpenGL is loaded, so that the application is started anew with them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

OPTION = "--software"
_CHOICES: Mapping[str, Mapping[str, str]] = {
    "linux": {
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "GALLIUM_DRIVER": "llvmpipe",
        "__GLX_VENDOR_LIBRARY_NAME": "mesa",
        "MESA_GL_VERSION_OVERRIDE": "",
        "QT_XCB_GL_INTEGRATION": "",
    },
    "win32": {"QT_OPENGL": "software"},
}


def can_be_chosen(platform: str = sys.platform) -> bool:
    """Tell whether there is another way to draw, which this process does not take yet."""
    return any(os.environ.get(name, "") != value for name, value in _CHOICES.get(platform, {}).items())


def choose(platform: str = sys.platform) -> None:
    """Have this process draw with the processor; before Qt is loaded."""
    for name, value in _CHOICES.get(platform, {}).items():
        if value:
            os.environ[name] = value
        else:
            os.environ.pop(name, None)


def start_anew(command: Sequence[str] = tuple(sys.orig_argv)) -> int:
    """Start this command again with the option, in place of this process; its exit code where that cannot be."""
    again = [*command, *([] if OPTION in command else [OPTION])]
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        os.execvp(sys.executable, [sys.executable, *again[1:]])
    return subprocess.call([sys.executable, *again[1:]])

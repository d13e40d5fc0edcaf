"""Sinew's engine: poses, simulates and animates bodies, without a window. Never imports Qt or vispy.

BLAS is held to one thread, numba to its own work queue, which every machine has, and to the processor of the kernels
that came with Sinew, where some did; its messages have no colours, whose making takes time. All are read as numpy,
scipy and numba load: import this package before them.
"""

import os
from pathlib import Path

__version__ = "0.1.0"

for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(_variable, "1")
os.environ.setdefault("NUMBA_THREADING_LAYER", "workqueue")
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # of errors, most of which nobody sees

if (Path(__file__).resolve().parents[1] / "resources" / "kernels").is_dir():
    from engine.runtime.folders import shipped_kernels
    from engine.runtime.processor import compile_for_shipped

    if shipped_kernels() is not None:
        compile_for_shipped()

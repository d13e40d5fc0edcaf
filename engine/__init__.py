"""Sinew's engine: poses, simulates and animates bodies, without a window. Never imports Qt or vispy.

BLAS is held to one thread, and numba to its own work queue, which every machine has. Both are read as numpy, scipy and
numba load: import this package before them.
"""

import os

__version__ = "0.1.0"

for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(_variable, "1")
os.environ.setdefault("NUMBA_THREADING_LAYER", "workqueue")

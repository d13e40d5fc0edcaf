"""Sinew's engine: poses, simulates and animates bodies, without a window. Never imports Qt or vispy.

BLAS is held to one thread, which numpy and scipy read when they load: import this package before them.
"""

import os

__version__ = "0.1.0"

for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(_variable, "1")

"""Names the arrays that all rooms hand to each other, by what stands in them."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
IntArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]
LongArray = NDArray[np.int64]

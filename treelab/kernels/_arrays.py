"""Array aliases used in every signature."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int32]
SmallArray: TypeAlias = NDArray[np.int8] | NDArray[np.int32]
IndexArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
CodeArray: TypeAlias = NDArray[np.unsignedinteger[Any]]
AnyArray: TypeAlias = NDArray[Any]

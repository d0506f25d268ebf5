"""Array aliases used in every signature.

They are defined beside the kernels, which import nothing else of treelab.
"""

from treelab.kernels._arrays import (
    AnyArray,
    BoolArray,
    CodeArray,
    FloatArray,
    IndexArray,
    IntArray,
    SmallArray,
)

__all__ = [
    "AnyArray",
    "BoolArray",
    "CodeArray",
    "FloatArray",
    "IndexArray",
    "IntArray",
    "SmallArray",
]

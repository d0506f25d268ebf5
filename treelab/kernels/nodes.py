"""`Nodes`: what kernels are told about the cases of some nodes."""

from typing import NamedTuple

from treelab.kernels._arrays import FloatArray, IndexArray, IntArray


class Nodes(NamedTuple):
    """The cases of nodes side by side: those of node k are the places `starts[k]` to `stops[k]`.

    `rows`, `labels` and `ids` tell the row in the data, the class and the id of the case at each
    place. A case keeps its id from node to node; `weights` are by id, and without them all weigh 1.
    """

    rows: IntArray
    labels: IntArray
    ids: IntArray
    weights: FloatArray
    starts: IndexArray
    stops: IndexArray

"""A heap of numbers, the largest of them on top."""

from treelab.kernels._arrays import AnyArray
from treelab.kernels._jit import kernel


@kernel
def replace_top(heap: AnyArray, number: float) -> None:
    """Put a number in the place of the largest of a heap."""
    # The hole moves down and the number is written once, instead of a swap at every level.
    hole = 0
    while 2 * hole + 1 < len(heap):
        child = 2 * hole + 1
        if child + 1 < len(heap) and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= number:
            break
        heap[hole] = heap[child]
        hole = child
    heap[hole] = number

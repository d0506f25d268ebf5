"""What a search for the tree of least cost is asked for."""

import attrs

from treelab._zeros import one_zero
from treelab.errors import ParameterError, check_number, check_share
from treelab.tree.stop import Stop

DEEPEST = 4
"""Without a limit to the leaves no deeper tree is searched for: the work grows with each level
by as many times as there are candidates."""

MOST_LEAVES = 16
"""Without a limit to the depth no tree of more leaves is searched for."""

MOST_BINS = 255
"""Where numeric features have more values than this, as many bins."""


@attrs.frozen
class Optimal:
    """Search for the tree of least cost: share of training errors + price x leaves.

    Over all trees within `max_depth` and `max_leaves` whose splits are among the candidates of the
    root: every threshold (of at most 255 bins), interval or grouping of values. Among trees of the
    same cost the one with the fewest leaves is taken, then the one whose splits are found first;
    see `treelab.tree.optimal.search`.

    Parameters
    ----------
    price
        What a leaf costs, as a share of the weight of the training cases: with 0.01 a leaf must
        save one case of a hundred, as the alpha of cost-complexity pruning.
    time_limit
        After so many seconds the best tree so far is taken; it may then depend on the machine.
        `Tree.optimum` says whether it is proven to be the best.
    """

    price: float = attrs.field(default=0.0, converter=one_zero)
    time_limit: float = 60.0

    def __attrs_post_init__(self) -> None:
        check_share("price", self.price)
        check_number("time_limit", self.time_limit, 0)
        if not self.time_limit > 0:
            raise ParameterError(f"time_limit must be above 0 seconds, got {self.time_limit!r}")


def bins_for(bins: int | None) -> int:
    """Return into how many bins a numeric feature of more values is cut."""
    if bins is not None and bins > MOST_BINS:
        raise ParameterError(f"search='optimal' takes at most {MOST_BINS} bins, got {bins}")
    return bins or MOST_BINS


def limits(stop: Stop) -> tuple[int, int | None]:
    """Return the depth and the number of leaves to search up to, if that can be done."""
    depth, leaves = stop.max_depth, stop.max_leaves
    if depth is not None and depth <= DEEPEST:
        return depth, leaves
    if leaves is not None and leaves <= MOST_LEAVES:
        return leaves - 1 if depth is None else min(depth, leaves - 1), leaves
    raise ParameterError(
        f"search='optimal' needs max_depth of at most {DEEPEST} or max_leaves of at most "
        f"{MOST_LEAVES}, got max_depth={depth} and max_leaves={leaves}"
    )

"""How a tree is searched for, by name: 'greedy', 'beam', 'lookahead:price=1', 'optimal', ..."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import attrs

from treelab._registry import Registry
from treelab.errors import ParameterError, check_choice, check_number
from treelab.tree.optimal.settings import Optimal
from treelab.tree.prune.price import CF, PRICE


@attrs.frozen
class GreedySearch:
    """Every node gets the split that the metric prefers."""


@attrs.frozen
class BeamSearch:
    """Several trees grow side by side; see `treelab.tree.beam`."""


@attrs.frozen
class LookAheadSearch:
    """A split is taken for the tree that grows under it; see `treelab.tree.lookahead`.

    Parameters
    ----------
    price
        What a leaf costs, in errors.
    cf
        The confidence of the pessimistic errors, above 0 and up to 1.
    """

    price: float = PRICE
    cf: float = CF

    def __attrs_post_init__(self) -> None:
        check_number("price", self.price, 0)
        check_number("cf", self.cf, 0)
        if not 0 < self.cf <= 1:
            raise ParameterError(f"cf must be above 0 and at most 1, got {self.cf!r}")


Search: TypeAlias = GreedySearch | BeamSearch | LookAheadSearch | Optimal

SEARCHES: Registry[Search] = Registry("search", "treelab.searches")
SEARCHES.add("greedy", GreedySearch)
SEARCHES.add("beam", BeamSearch)
SEARCHES.add("lookahead", LookAheadSearch)
SEARCHES.add("optimal", Optimal)


def search(spec: str | Mapping[str, Any] | Search) -> Search:
    """Return a search by its name, with parameters if any, or the search itself."""
    if isinstance(spec, Search):
        return spec
    name: Any = spec
    if isinstance(spec, str | Mapping):
        name = spec.partition(":")[0] if isinstance(spec, str) else spec.get("name")
    check_choice("search", name, SEARCHES.names())
    return SEARCHES.make(spec)

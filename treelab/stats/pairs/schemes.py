"""Pair schemes: which pairs of cases count, with what weight.

All have these parameters:

*ramp*       numbers are at distance |a - b| / (ramp * range), at most 1; None: at |a - b|. Several
             are for the features in turn.
*bins*       cut numbers into so many intervals first; 0: keep them.
*missing*    'value': missing is a value of its own; 'expected': see `gaps`.
*max_cases*  look at no more than so many distinct cases of a node, chosen at random.
"""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from typing import Literal, TypeAlias

import attrs
import numpy as np

from treelab._threads import in_parallel
from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.errors import check_choice, check_number
from treelab.kernels import neighbour_sums as nearby
from treelab.kernels import pairs as kernels
from treelab.kernels.neighbours import Choice
from treelab.kernels.ties import TIE
from treelab.protocols import Ramp
from treelab.stats.pairs.distances import distances_that_occur, shown_decay, weight_by
from treelab.stats.pairs.gaps import Missing
from treelab.stats.pairs.pairing import PairCases, check_ramp
from treelab.stats.pairs.rounding import sieve_of

Ties = Literal["shared", "first"]
Rows = Literal["all", "smaller"]
NamedDecay = Literal["exponential", "power", "radius"]
Decay: TypeAlias = NamedDecay | Callable[[float], float]
MOST_BINS = 2**16
"""Of more intervals there would be tables for values that hardly a number has."""

DECAYS: dict[NamedDecay, int] = {
    "exponential": kernels.EXPONENTIAL,
    "power": kernels.POWER,
    "radius": kernels.RADIUS,
}
Work: TypeAlias = Callable[..., None]
"""Adds the cases from a first to a last one to the sums `differs` and `total`."""

ALL = -1
"""As many neighbours as there are."""

TILE, TURN, FEW = 1024, 128, 256
"""Cases worked on together; cases that look for neighbours in turn; not worth a thread."""


@attrs.frozen(kw_only=True)
class Scheme:
    """What all pair schemes have in common."""

    ramp: Ramp | None = 1.0
    bins: int = 0
    missing: Missing = "value"
    max_cases: int | None = None

    def __attrs_post_init__(self) -> None:
        check_choice("missing", self.missing, ("value", "expected"))
        check_number("bins", self.bins, 0, MOST_BINS, whole=True)
        if self.ramp is not None:
            check_ramp(self.ramp)
        if self.max_cases is not None:
            check_number("max_cases", self.max_cases, 1, whole=True)

    def _tables(
        self,
        pairs: PairCases,
        prepare: Callable[[kernels.Cases], Work],
        parts: Iterable[tuple[int, int]],
        n_totals: int = 1,
    ) -> FloatArray:
        """Let a kernel fill the sums of the cases, part by part, and make tables of them."""
        n, n_features = pairs.cases.shape
        # Features that are the same for all cases cost nothing; each total needs its feature.
        varying = pairs.varying if n_totals == 1 else np.arange(n_features)
        data = pairs.for_kernels(self.missing, varying)
        differs, total = np.zeros((len(varying), 2, n)), np.zeros((n_totals, 2, n))
        work = prepare(data)
        run = in_parallel if n > FEW else map
        list(run(lambda part: work(*part, differs, total), parts))
        everywhere = np.zeros((n_features, 2, n))
        everywhere[varying] = differs
        tables = pairs.empty_tables()
        kernels.tabulate(data, np.ascontiguousarray(pairs.value.T), everywhere, total, tables)
        return tables


def _parts(start: int, stop: int, size: int) -> Iterable[tuple[int, int]]:
    """Return where the parts of a range start and stop: about equally long, `size` at most."""
    borders = np.linspace(start, stop, -(-(stop - start) // size) + 1).astype(int).tolist()
    return pairwise(borders) if stop > start else ()


@attrs.frozen
class AllPairs(Scheme):
    """Every ordered pair, weighted by its distance x (vilalta2001 algorithm 2).

    Parameters
    ----------
    decay, alpha
        'exponential': 2^(-alpha x); 'power': 1 / x^alpha, 1 at 0; 'radius': 1 for x < alpha. Or a
        function f(x), in which `alpha` has no part: it is asked once for each distance that
        occurs, and gives finite numbers of at least 0.
    self_pairs
        Whether a case is paired with itself.
    within
        Only pairs closer than this count; None: all.
    """

    decay: Decay = attrs.field(default="exponential", repr=shown_decay)
    alpha: float = 0.1
    self_pairs: bool = True
    within: float | None = None

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if not callable(self.decay):
            check_choice("decay", self.decay, DECAYS)
        check_number("alpha", self.alpha, 0)
        if self.within is not None:
            check_number("within", self.within, 0)

    def tables(self, pairs: PairCases) -> FloatArray:
        """Return the pair tables of some cases."""
        return self._summed(pairs, kernels.all_pairs)

    def _summed(
        self, pairs: PairCases, kernel: Callable[..., None], n_totals: int = 1
    ) -> FloatArray:
        pairs = pairs.sampled(self.max_cases).distinct
        starts = pairs.class_starts
        tiles = [
            part for c in range(pairs.n_classes) for part in _parts(starts[c], starts[c + 1], TILE)
        ]

        def add_up(data: kernels.Cases) -> Work:
            return partial(kernel, data, *self._weights(data, tiles), self.self_pairs)

        return self._tables(pairs, add_up, tiles, n_totals)

    def _weights(
        self, data: kernels.Cases, tiles: list[tuple[int, int]]
    ) -> tuple[kernels.Decay, kernels.Worth]:
        """Return what pairs weigh by distance: by a formula, or by a function of one's own."""
        within, nothing = np.inf if self.within is None else float(self.within), np.empty(0)
        if not callable(self.decay):
            decay = kernels.Decay(DECAYS[self.decay], float(self.alpha), within)
            return decay, kernels.Worth(nothing, nothing)
        at = distances_that_occur(data, tiles)
        weight = np.array([weight_by(self.decay, x) for x in at.tolist()])
        weight[at >= within - TIE] = 0.0
        return kernels.Decay(kernels.RADIUS, 0.0, within), kernels.Worth(at, weight)


@attrs.frozen
class LeftOut(AllPairs):
    """Every ordered pair, weighted for each feature by its distance on all other features.

    So the weights of a feature do not depend on its values, as in hong1996's CM1. Numbers are cut
    into intervals first; missing is a value of its own. Parameters as those of `AllPairs`.
    """

    bins: int = attrs.field(default=10, kw_only=True)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        check_number("bins", self.bins, 1, MOST_BINS, whole=True)
        check_choice("missing", self.missing, ("value",))

    def tables(self, pairs: PairCases) -> FloatArray:
        """Return the pair tables of some cases."""
        return self._summed(pairs, kernels.pairs_left_out, pairs.cases.shape[1])


@attrs.frozen
class Nearest(Scheme):
    """Each case with its nearest cases, of its own class and of others.

    Parameters
    ----------
    k
        How many neighbours in each group; 0: max(1, floor(log2 n)) of n; -1: all.
    each_class
        Whether every class is a group, weighted by its prior (ReliefF); else all other classes
        are one group (Relief, Contextual Merit).
    mean
        Whether the neighbours of a group count 1 together, and all cases too.
    rank_spread
        With a number s, the neighbour of rank r counts exp(-(r / s)^2); None: all alike.
    alpha
        Pairs count distance^-alpha.
    ties
        'shared': cases at the same distance share places; 'first': the first ones take them.
    euclid
        Whether distances are Euclidean, or sums of differences.
    squared
        Whether differences count squared (Relief).
    rows
        Whether 'all' cases look for neighbours, or those of the 'smaller' class.
    m
        No more than so many of them, chosen at random whatever their order; None: all.
    """

    k: int = 10
    each_class: bool = True
    mean: bool = True
    rank_spread: float | None = None
    alpha: float = 0.0
    ties: Ties = "shared"
    euclid: bool = False
    squared: bool = False
    rows: Rows = "all"
    m: int | None = None

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        _check_search(self.k, self.ties, self.rows)
        check_number("alpha", self.alpha, 0)
        if self.m is not None:
            check_number("m", self.m, 1, whole=True)
        if self.rank_spread is not None:
            check_number("rank_spread", self.rank_spread, 1e-9)
            check_number("k", self.k, 1, whole=True)  # ranks are counted up to k

    def tables(self, pairs: PairCases) -> FloatArray:
        """Return the pair tables of some cases."""
        pairs = pairs.sampled(self.max_cases)
        pairs, order = _arranged(pairs, self.ties)
        choice = self._choice(pairs, order)

        def search(data: kernels.Cases) -> Work:
            sieve = sieve_of(data, self.euclid, self.k)
            return partial(nearby.nearest_pairs, data, pairs.class_starts, choice, sieve)

        tables = self._tables(pairs, search, _parts(0, len(pairs.y), TURN))
        return tables / pairs.weights[choice.rows].sum() if self.mean else tables

    def _choice(self, pairs: PairCases, order: IndexArray) -> Choice:
        own = np.eye(pairs.n_classes, dtype=bool)
        classes = np.arange(pairs.n_classes, dtype=np.int32)
        group = np.broadcast_to(classes, own.shape) if self.each_class else (~own).astype(np.int32)
        return Choice(
            self._rows(pairs), order, np.ascontiguousarray(group),
            self._factor(pairs, own), self._worth(pairs), float(self.k), float(self.alpha),
            self.ties == "shared", self.mean, self.euclid, self.squared,
        )  # fmt: skip

    def _rows(self, pairs: PairCases) -> BoolArray:
        """Tell which cases look for neighbours; cases with the same content do together."""
        rows = chosen_rows(pairs, self.rows)
        return rows if self.m is None else rows & pairs.drawn(self.m, rows)

    def _factor(self, pairs: PairCases, own: BoolArray) -> FloatArray:
        """Return how much the neighbours of a class count: p_b / (1 - p_a) for a miss (ReliefF)."""
        if not self.each_class:
            return np.ones(own.shape)
        prior = pairs.class_weights / pairs.class_weights.sum()
        others = np.maximum(1.0 - prior, 1e-300)[:, None]
        return np.where(own, 1.0, prior[None, :] / others)

    def _worth(self, pairs: PairCases) -> FloatArray:
        """Return what the first places are worth together, no more than there are cases."""
        if self.rank_spread is None:
            return np.empty(0)
        rank = np.arange(1, min(self.k, int(np.ceil(pairs.weights.sum()))) + 1)
        return np.concatenate([[0.0], np.cumsum(np.exp(-((rank / self.rank_spread) ** 2)))])


@attrs.frozen
class Contextual(Scheme):
    """Counter-examples near by all other features (hong1996 CM1; SPEC 1.6).

    For every feature the distance of a pair leaves that feature out, so neighbours and weights,
    1 / (1 + distance)^2, are its own. Parameters as those of `Nearest`.
    """

    k: int = 0
    rows: Rows = "all"
    ties: Ties = "shared"
    ramp: Ramp | None = attrs.field(default=0.5, kw_only=True)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        _check_search(self.k, self.ties, self.rows)

    def tables(self, pairs: PairCases) -> FloatArray:
        """Return the pair tables of some cases."""
        pairs, order = _arranged(pairs.sampled(self.max_cases), self.ties)
        rows, shared = chosen_rows(pairs, self.rows), self.ties == "shared"

        def search(data: kernels.Cases) -> Work:
            return partial(nearby.contextual_pairs, data, rows, order, float(self.k), shared)

        return self._tables(pairs, search, _parts(0, len(pairs.y), TURN), pairs.cases.shape[1])


def _check_search(k: int, ties: Ties, rows: Rows) -> None:
    check_number("k", k, ALL, whole=True)
    check_choice("ties", ties, ("shared", "first"))
    check_choice("rows", rows, ("all", "smaller"))


def _arranged(pairs: PairCases, ties: Ties) -> tuple[PairCases, IndexArray]:
    """Return the cases class after class, and which of them come first where the order matters."""
    if ties == "shared":
        return pairs.distinct, np.arange(len(pairs.distinct.y))
    order = np.argsort(pairs.y, kind="stable")
    return pairs.take(order), order


def chosen_rows(pairs: PairCases, rows: Rows) -> BoolArray:
    """Tell which cases look for neighbours: all, or those of the smaller class."""
    if rows == "all":
        return np.ones(len(pairs.y), bool)
    occurring = np.where(pairs.class_weights > 0, pairs.class_weights, np.inf)
    return np.asarray(pairs.y == occurring.argmin())

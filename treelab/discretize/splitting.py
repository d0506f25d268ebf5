"""Top-down cut points by the classes: SSV, and entropy with a code length to stop."""

from typing import ClassVar

import attrs

from treelab._typing import FloatArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.discretize.checks import positive
from treelab.discretize.profile import Profile, coding_by_class
from treelab.kernels.discretize import FAYYAD_IRANI, KONONENKO, cumulated, mdl_cuts, ssv_cuts


@attrs.frozen
class Ssv:
    """Cut where most pairs of different class are separated (duch2004, SPEC 3.3).

    The interval whose own best SSV is largest is cut next, until there are `bins` intervals or
    none holds two classes. With `lexicographic`, the pairs decide, and cases torn from their
    class only between cuts of equally many pairs. Sorting, then one pass an interval.
    """

    supervised: ClassVar[bool] = True
    bins: int = attrs.field(default=10, validator=positive)
    lexicographic: bool = False

    def fit(self, data: Dataset) -> Coding:
        """Return the cut points of every numeric feature."""
        return coding_by_class(data, self._cuts)

    def _cuts(self, profile: Profile) -> FloatArray:
        bins = min(self.bins, len(profile.points))
        return profile.cuts(ssv_cuts(cumulated(profile.counts), bins, bool(self.lexicographic)))


@attrs.frozen
class Mdlp:
    """Cut at the least class entropy while that pays by Fayyad and Irani's code length.

    A cut of n cases stands if its gain exceeds (log2(n - 1) + log2(3^k - 2) - kH + k1 H1 +
    k2 H2) / n, with k classes and entropy H before, ki and Hi on the sides (Fayyad and Irani
    1993). Sorting, then one pass a level of cuts.
    """

    supervised: ClassVar[bool] = True

    def fit(self, data: Dataset) -> Coding:
        """Return the cut points of every numeric feature."""
        return coding_by_class(data, self._cuts)

    def _cuts(self, profile: Profile) -> FloatArray:
        classes = profile.counts.shape[1]
        return profile.cuts(mdl_cuts(cumulated(profile.counts), FAYYAD_IRANI, classes))


@attrs.frozen
class KononenkoMdl:
    """Cut at the least class entropy while that pays by Kononenko's code length.

    A cut stands if the bits that MDL saves (kononenko1995 eq. 14) exceed those that tell which
    of the possible cuts it is.
    """

    supervised: ClassVar[bool] = True

    def fit(self, data: Dataset) -> Coding:
        """Return the cut points of every numeric feature."""

        def cuts(profile: Profile) -> FloatArray:
            below = cumulated(profile.counts)
            return profile.cuts(mdl_cuts(below, KONONENKO, len(data.classes)))

        return coding_by_class(data, cuts)

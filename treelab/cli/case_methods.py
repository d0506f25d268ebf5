"""How `treelab reduce cases` draws."""

from typing import TYPE_CHECKING, Any

import attrs

from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset
    from treelab.reduce import Sample, TwoStage


@attrs.frozen
class Draw:
    """A method of sampling by name, and all that was said about it."""

    method: str
    size: float
    replace: bool
    by: str | None
    label: str | None
    eps: float | None
    delta: float
    seed: int

    def sample(self, data: "Dataset") -> "Sample":
        """Draw from some cases."""
        from treelab import reduce
        from treelab.reduce.sampling import number_of_cases, systematic_of_size

        if self.method == "random":
            return reduce.random_sample(data, self.size, replace=self.replace, seed=self.seed)
        if self.method == "stratified":
            return reduce.stratified(data, self.size, by=self.by, seed=self.seed)
        if self.method == "inverse":
            return self._inverse(data)
        if self.method == "two-stage":
            return self.two_stage(data).sample
        if self.method == "systematic":
            return systematic_of_size(data, self.size, self.seed)
        return reduce.windows(data, number_of_cases(self.size, len(data)), 1)[-1]

    def _inverse(self, data: "Dataset") -> "Sample":
        from treelab.reduce import inverse

        if self.label is None:
            raise ParameterError("inverse sampling needs a --label to look for")
        k: Any = int(self.size) if self.size.is_integer() else self.size
        return inverse(data, self.label, k, by=self.by, replace=self.replace, seed=self.seed)

    def two_stage(self, data: "Dataset") -> "TwoStage":
        """Draw a pilot sample and as many more cases as it takes."""
        from treelab.reduce import two_stage

        if self.by is None or self.eps is None:
            raise ParameterError("two-stage sampling needs --by, a column, and --eps, its error")
        aim = self.eps, self.delta
        return two_stage(
            data, self.by, *aim, label=self.label, pilot=self.size, seed=self.seed
        )  # fmt: skip

    def found(self, data: "Dataset") -> "tuple[Sample, dict[str, Any]]":
        """Draw, and return what was learned on the way: the estimate of two-stage sampling."""
        if self.method != "two-stage":
            return self.sample(data), {}
        found = self.two_stage(data)
        facts = {"pilot": len(found.pilot), "variance": found.variance, "needed": found.needed}
        return found.sample, facts | {"mean" if self.label is None else "share": found.mean}

"""What the shell may complete: names of metrics, data sets, formats, papers and their like.

Lists of names are completed at their last one: `--metric gain,gi` becomes `--metric gain,gini`.
"""

from collections.abc import Iterable
from pathlib import Path


def _at_the_last(given: str, names: Iterable[str]) -> list[str]:
    """Return what a list of names may become.

    >>> _at_the_last("gain,gi", ["gain", "gini"])
    ['gain,gini']
    """
    before, comma, begun = given.rpartition(",")
    return [f"{before}{comma}{name}" for name in names if name.startswith(begun)]


def complete_metrics(given: str) -> list[str]:
    """Complete the names of metrics."""
    from treelab.metrics import metric_names

    return _at_the_last(given, metric_names())


def complete_pruners(given: str) -> list[str]:
    """Complete the names of pruners."""
    from treelab.tree.prune import PRUNERS

    return _at_the_last(given, PRUNERS.names())


def complete_discretizers(given: str) -> list[str]:
    """Complete the names of discretizers."""
    from treelab.discretize import DISCRETIZERS

    return _at_the_last(given, DISCRETIZERS.names())


def complete_formats(given: str) -> list[str]:
    """Complete the formats of `treelab export`."""
    from treelab._formats import format_names

    return _at_the_last(given, format_names())


def complete_papers(given: str) -> list[str]:
    """Complete the papers of `treelab reproduce`."""
    from treelab.papers.catalog import paper_titles

    return _at_the_last(given, ["all", *paper_titles()])


def complete_data(given: str) -> list[str]:
    """Complete data sets, and files, which a shell leaves alone once it is given names."""
    from treelab.data.bundled import dataset_names

    folder = given[: given.rfind("/") + 1]
    files = sorted(f"{folder}{path.name}{'/' * path.is_dir()}" for path in _entries(folder))
    return [name for name in [*dataset_names(), *files] if name.startswith(given)]


def _entries(folder: str) -> list[Path]:
    path = Path(folder or ".")
    return list(path.iterdir()) if path.is_dir() else []

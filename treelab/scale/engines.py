"""Engines by name."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from treelab.stats.stores.engine import Engine, InProcess

ENGINES = ("local", "dask")


@contextmanager
def opened(name: str, resources: Mapping[str, Any]) -> Iterator[Engine]:
    """Give an engine for as long as a tree grows."""
    if name == "local":
        yield InProcess()
        return
    from treelab.scale.dask_engine import dask_engine

    with dask_engine(**resources) as engine:
        yield engine

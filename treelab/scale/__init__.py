"""Data that stay where they are: trees from partitions, in this process or on Dask."""

from treelab.scale.scanning import Scan, scan

__all__ = ["Scan", "scan"]

"""Compiled loops over arrays: numpy and numba only, nothing of treelab."""

"""The lab: a local page to load data, grow, compare metrics, ask why, change and keep."""

from treelab.lab_server.running import Lab, lab

__all__ = ["Lab", "lab"]

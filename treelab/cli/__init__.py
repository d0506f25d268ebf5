"""The command line: one module a command, each importing what it needs when it runs.

So `treelab --help` answers at once, without numpy and numba.
"""

from treelab.cli.app import app, main

__all__ = ["app", "main"]

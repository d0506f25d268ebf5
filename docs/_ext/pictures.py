"""The pictures of the gallery: what the last line of a block of a script is worth."""

from pathlib import PurePosixPath
from typing import Any

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

import treelab

_shown: list[object] = []  # what the block before returned stays in sight of the next


def scraper(_block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save the figure or the tree that a block of a script ends with; return how to show it."""
    value = block_vars["example_globals"].get("___")
    if not isinstance(value, Figure | treelab.Tree) or any(value is old for old in _shown):
        return ""
    _shown[:] = [value]
    path = PurePosixPath(next(block_vars["image_path_iterator"])).with_suffix(".svg")
    if isinstance(value, Figure):
        value.savefig(path, facecolor="white", metadata={"Date": None})
    else:
        treelab.export(value, "svg", path)
    return str(figure_rst([str(path)], gallery_conf["src_dir"]))

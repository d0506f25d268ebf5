"""What tests of pages share."""

import pytest

import treelab as tl


@pytest.fixture
def visit(opened, tmp_path):
    """Open the page of a tree."""

    def load(tree, width=1280):
        tl.export(tree, "html", tmp_path / "tree.html")
        return opened(tmp_path / "tree.html", width)

    return load

"""
A tree, and what it looks like
==============================

A tree shows itself in a notebook, as a text, as a picture and as a page.
"""

import treelab as tl

tree = tl.grow(tl.load("labor"))
tree

# %%
print(tree)

# %%
# ``tl.export(tree, "svg")``, ``"png"``, ``"pdf"`` and ``"html"`` are for papers and for the web,
# ``"sql"``, ``"python"``, ``"c"``, ``"pmml"`` and ``"onnx"`` for other programs.

print(tl.export(tl.grow(tl.load("labor"), missing="majority"), "sql"))

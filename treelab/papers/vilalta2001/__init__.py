"""Vilalta, Brodie, Oblinger and Rish 2001: one tree learner, five split metrics.

`table` and `grid` judge what section 5 says, by the paper's table and by the study of theta and f;
`sensitivity` asks which of our own choices a deviation from the table depends on.
"""

from treelab.papers.vilalta2001.table import statements

__all__ = ["statements"]

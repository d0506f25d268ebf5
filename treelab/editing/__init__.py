"""Trees made by hand: edits as values, a log of them in the model, and how good the result is.

`edit` makes a new tree; `replay` makes it again from the data; `assess_edits` measures it on cases
that nobody looked at; `values_at` is what a page needs to offer the edits there are.
"""

from treelab.editing.assessing import EditAssessment, assess_edits
from treelab.editing.making import edit, locked, relabelled, replay, versions
from treelab.editing.reading import read_edit
from treelab.editing.values import ValuesAt, values_at
from treelab.tree.edits import (
    Edit,
    Lock,
    Prune,
    Regrow,
    Relabel,
    Split,
    Unlock,
    edit_of,
    edits_of,
)

__all__ = [
    "Edit",
    "EditAssessment",
    "Lock",
    "Prune",
    "Regrow",
    "Relabel",
    "Split",
    "Unlock",
    "ValuesAt",
    "assess_edits",
    "edit",
    "edit_of",
    "edits_of",
    "locked",
    "read_edit",
    "relabelled",
    "replay",
    "values_at",
    "versions",
]

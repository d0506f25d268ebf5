"""Candidates: the ways in which a node may be split, and which of them a metric chooses.

A *split* sends cases to branches (`splits`). Candidates of one kind make a *block* (`blocks`): cuts
of an ordered feature (`cuts`), groupings of the values of a nominal one (`grouped`). A block need
not write down its tables (`tables`) for a formula to score it. `choice` takes the best that
constraints (`admission`) allow.
"""

"""Formulas: what scores a table (..., value, class), and what chance makes of such a score.

`impurity` has the sums that formulas are made of. A formula that knows a table by sums over its
cells (`sums`, exact in `fixed_point`), by its margins (`margin_formula`), one table at a time
(`per_table`) or through other formulas (`composed`) is evaluated in the quickest way for what it
is. `expectation` and `permutation` say what chance gives, `uninformed` what nothing known gives.
"""

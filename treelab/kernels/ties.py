"""What counts as equal: numbers that differ by rounding only."""

TIE = 1e-12
"""Numbers that differ by less, relative to the larger, are equal (SPEC 0.2, rule 6); so are
distances that differ by less (rule 7)."""

"""Sufficient statistics of a node, in four rooms: stores, candidates, formulas and pairs.

What all of them use stands beside them: ties of scores, units of numbers, bins of values, and the
decision for a class.
"""

"""Sufficient statistics of a node: tables, candidates, node views."""

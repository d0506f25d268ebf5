"""The tree: grow, prune, predict, show, keep."""

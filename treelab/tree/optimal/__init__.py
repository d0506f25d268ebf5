"""Trees of least cost: the fewest training errors plus a price for every leaf, proven."""

"""Trees of a table of a database, which counts its cases itself."""

"""Being here puts `tests` on the path, so that every test can import `naive` and `strategies`."""

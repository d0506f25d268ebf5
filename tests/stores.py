"""What a store of results holds."""

import sqlite3

from treelab.experiment.trial import NOISY


def kept(path):
    """Return the rows of a store without what differs from run to run."""
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    rows = [dict(row) for row in connection.execute("SELECT * FROM trials ORDER BY key")]
    connection.close()
    noisy = {*NOISY, "spent", "seal"}
    return [{name: row[name] for name in row if name not in noisy} for row in rows]


def n_kept(path):
    """Return how many trials a store that another process writes has; none where there is none."""
    if not path.exists():
        return 0
    connection = sqlite3.connect(path, timeout=60)
    try:
        return connection.execute("SELECT count(*) FROM trials").fetchone()[0]
    except sqlite3.OperationalError:  # it is being made
        return 0
    finally:
        connection.close()

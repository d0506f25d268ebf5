"""What every check of trust prints: a line of JSON a figure."""

import json
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path


def tell(check: str, figure: str, ok: bool) -> bool:
    """Print a figure with the command that made it, and hand its verdict back."""
    command = shlex.join(["python", f"experiments/trust/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    line = {"check": check, "command": command, "figure": figure, "ok": bool(ok), "on": code()}
    print(json.dumps(line), flush=True)
    return bool(ok)


@cache
def code():
    """Return the day and the commit a figure speaks of, so that nobody takes an old one for new."""
    words = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    told = subprocess.run(
        words, cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    commit = told.stdout.strip() or "no commit"
    return f"{datetime.now(UTC):%Y-%m-%d}, {commit}"

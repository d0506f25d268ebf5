"""Checks that are complete in the default tests: there is no longer form of them.

python experiments/trust/tested.py [--quick]
"""

import re
import subprocess
import sys
from pathlib import Path

from report import tell

ROOT = Path(__file__).parents[2]
CHECKS = {
    "two implementations: all that is computed has a naive twin": [
        "trust/test_two_implementations.py", "trust/test_plain_python.py",
    ],
    "conformance: every metric keeps what trees rely on": ["test_conformance.py"],
    "degenerate input: a result or one sentence, whatever the way in": ["trust/test_degenerate.py"],
    "loading: nothing is run, no other file read, no memory wasted": [
        "trust/test_let_in.py", "trust/test_fuzz_findings.py",
    ],
}  # fmt: skip


def check(name: str, files: list[str]) -> bool:
    """Run some files of tests and tell how many tests they hold."""
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    words += [f"tests/{file}" for file in files]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
    counts = re.findall(r"\d+ (?:passed|failed|errors?|skipped)", done.stdout[-200:])
    return tell(name, ", ".join(counts), done.returncode == 0)


if __name__ == "__main__":
    well = [check(name, files) for name, files in CHECKS.items()]
    sys.exit(not all(well))

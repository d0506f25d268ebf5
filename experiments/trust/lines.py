"""How many lines of treelab the default tests run: with kernels as plain Python, and compiled.

    python experiments/trust/lines.py [--quick] [PART...]

Needs `coverage` (pip install coverage). Compiled code cannot be seen, so kernels are counted where
NUMBA_DISABLE_JIT=1 leaves them plain Python; the tests must pass both ways. Tests marked `compiled`
are left out there, with their reason.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from report import tell

ROOT = Path(__file__).parents[2]
LEAST = 95.0
QUICK = ["tests/kernels", "tests/stats"]
WAYS = {"plain Python": {"NUMBA_DISABLE_JIT": "1"}, "compiled": {}}


def parts() -> list[str]:
    """Return the folders and files of the default tests, each to be run by itself."""
    found = [p for p in (ROOT / "tests").iterdir() if any(p.glob("test_*.py"))]
    found += (ROOT / "tests").glob("test_*.py")
    return [*sorted(str(path.relative_to(ROOT)) for path in found), "treelab", "README.md"]


def passed(part: str, way: str, folder: str) -> bool:
    """Run some tests and keep which lines they ran."""
    settings = os.environ | WAYS[way] | {"COVERAGE_FILE": f"{folder}/.coverage"}
    command = ["-m", "coverage", "run", "-p", "--source=treelab", "-m", "pytest", "-q"]
    command += ["-p", "no:cacheprovider", part]
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=settings, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    last = (done.stdout.strip().splitlines() or ["nothing"])[-1]
    print(f"{way}: {part}: {last}", file=sys.stderr, flush=True)
    if done.returncode not in (0, 5):  # 5: all of them are slow ones
        print(done.stdout, file=sys.stderr)
    return done.returncode in (0, 5)


def percent(folder: str) -> float:
    """Return the share of lines that were run, and tell the rest on standard error."""
    settings = os.environ | {"COVERAGE_FILE": f"{folder}/.coverage"}

    def coverage(*command: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "coverage", *command], cwd=ROOT, env=settings, check=True,
            capture_output=True, text=True,
        ).stdout  # fmt: skip

    coverage("combine", "--keep", folder)
    print(coverage("report", "--skip-covered", "--show-missing"), file=sys.stderr)
    return float(json.loads(coverage("json", "-o", "-"))["totals"]["percent_covered"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two folders; no figure to reach")
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    chosen = options.parts or (QUICK if options.quick else parts())
    with tempfile.TemporaryDirectory() as folder:
        failed = {way: [p for p in chosen if not passed(p, way, folder)] for way in WAYS}
        share = percent(folder)
    done = [
        tell(f"tests: {way}", f"{len(chosen) - len(bad)} of {len(chosen)} parts pass", not bad)
        for way, bad in failed.items()
    ]
    is_enough = share >= LEAST or chosen != parts()
    done.append(tell("coverage", f"{share:.1f} % of lines", is_enough))
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())

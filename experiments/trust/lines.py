"""How many lines of treelab the default tests run: with kernels as plain Python, and compiled.

    python experiments/trust/lines.py [--quick] [--jobs N] [--keep FOLDER] [PART...]

Needs `coverage` (pip install coverage). Compiled code cannot be seen, so kernels are counted where
NUMBA_DISABLE_JIT=1 leaves them plain Python; the tests must pass both ways. Tests marked `compiled`
are left out there, with their reason. A run with --keep goes on where an earlier one was stopped:
parts that passed are not run again; an empty folder begins anew.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

from report import tell

ROOT = Path(__file__).parents[2]
LEAST = 95.0
QUICK = ["tests/kernels", "tests/stats"]
# Python 3.12 can be asked once for each line, which plain kernels with their many loops thank for.
ONCE = {"COVERAGE_CORE": "sysmon"} if sys.version_info >= (3, 12) else {}
WAYS = {"plain Python": {"NUMBA_DISABLE_JIT": "1", **ONCE}, "compiled": ONCE}
SECONDS = 3600
"""A part that runs for so long has failed."""


def parts() -> list[str]:
    """Return the files of the default tests, each to be run by itself."""
    found = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py"))
    return [*found, "treelab", "README.md"]


def passed(part: str, way: str, folder: Path) -> bool:
    """Run some tests and keep which lines they ran, unless that is known already."""
    name = f"{way}-{part}".replace("/", "-").replace(" ", "-")
    lines, proof = folder / f".coverage.{name}", folder / f"{name}.passed"
    if proof.exists():
        return True
    settings = os.environ | WAYS[way] | {"COVERAGE_FILE": str(lines)}
    command = ["-m", "coverage", "run", "--source=treelab", "-m", "pytest", "-q"]
    command += ["-p", "no:cacheprovider", part]
    began = perf_counter()
    with subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=settings, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            told, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with all the processes it has begun
            print(f"{way}: {part}: {SECONDS} seconds were not enough", file=sys.stderr, flush=True)
            return False
    last = (told.strip().splitlines() or ["nothing"])[-1]
    print(f"{way}: {part}: {last}; {perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    if process.returncode not in (0, 5):  # 5: all of them are slow ones
        print(told, file=sys.stderr)
        return False
    proof.write_text(last)
    return True


def percent(folder: Path) -> float:
    """Return the share of lines that were run, and tell the rest on standard error."""
    settings = os.environ | {"COVERAGE_FILE": str(folder / "whole")}

    def coverage(*command: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "coverage", *command], cwd=ROOT, env=settings, check=True,
            capture_output=True, text=True,
        ).stdout  # fmt: skip

    coverage("combine", "--keep", *map(str, sorted(folder.glob(".coverage.*"))))
    print(coverage("report", "--skip-covered", "--show-missing"), file=sys.stderr)
    return float(json.loads(coverage("json", "-o", "-"))["totals"]["percent_covered"])


def measure(chosen: list[str], ways: list[str], folder: Path, jobs: int) -> bool:
    """Run the parts and tell how many pass each way, and the lines they ran together."""
    done = []
    with ThreadPoolExecutor(jobs) as pool:
        for way in ways:
            good = sum(pool.map(lambda part, way=way: passed(part, way, folder), chosen))
            figure = f"{good} of {len(chosen)} parts pass"
            done.append(tell(f"tests: {way}", figure, good == len(chosen)))
    share = percent(folder)
    is_enough = share >= LEAST or chosen != parts()
    done.append(tell("coverage", f"{share:.1f} % of lines", is_enough))
    return all(done)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two folders; no figure to reach")
    parser.add_argument("--jobs", type=int, default=1, help="parts that are run side by side")
    parser.add_argument("--way", choices=WAYS, action="append", help="both, if not said")
    parser.add_argument("--keep", type=Path, help="where to keep what was measured")
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    chosen = options.parts or (QUICK if options.quick else parts())
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        return 0 if measure(chosen, options.way or list(WAYS), folder, options.jobs) else 1


if __name__ == "__main__":
    sys.exit(main())

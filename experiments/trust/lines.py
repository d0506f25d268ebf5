"""Whether the default tests pass without the compiler, and how many lines of treelab they run.

    python experiments/trust/lines.py [--quick] [--jobs N] [PART...]

Compiled code cannot be seen, so lines are counted where NUMBA_DISABLE_JIT=1 leaves kernels plain
Python. Tests marked `compiled` are left out there, with their reason. What passed is kept in
`.trust` for the code as it is, so that a run goes on where an earlier one was stopped. From Python
3.12 on counting costs next to nothing; before, it takes hours.
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

from report import kept_folder, tell

ROOT = Path(__file__).parents[2]
LEAST = 95.0
QUICK = ["tests/kernels", "tests/stats"]
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
# Python 3.12 can be asked once for each line, which plain kernels with their many loops thank for.
ONCE = {"COVERAGE_CORE": "sysmon"} if sys.version_info >= (3, 12) else {}
SECONDS = 3600
"""A part that runs for so long has failed."""


def parts() -> list[str]:
    """Return the files and folders of the default tests, each to be run by itself.

    A folder is one part: Python, pytest and what tests import take seconds to start.
    """
    tests = ROOT / "tests"
    found = {tests / path.relative_to(tests).parts[0] for path in tests.rglob("test_*.py")}
    return [*sorted(str(path.relative_to(ROOT)) for path in found), "treelab", "README.md"]


def passed(part: str, folder: Path) -> bool:
    """Run some tests and keep which lines they ran, unless that is known already."""
    name = part.replace("/", "-")
    lines, proof = folder / f".coverage.{name}", folder / f"{name}.passed"
    if proof.exists():
        return True
    settings = os.environ | PLAIN | ONCE | {"COVERAGE_FILE": str(lines)}
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
            print(f"{part}: {SECONDS} seconds were not enough", file=sys.stderr, flush=True)
            return False
    last = (told.strip().splitlines() or ["nothing"])[-1]
    print(f"{part}: {last}; {perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
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


def measure(chosen: list[str], folder: Path, jobs: int) -> bool:
    """Run the parts and tell how many pass, and the lines they ran together."""
    with ThreadPoolExecutor(jobs) as pool:
        good = sum(pool.map(lambda part: passed(part, folder), chosen))
    share = percent(folder)
    done = [
        tell("tests: plain Python", f"{good} of {len(chosen)} parts pass", good == len(chosen)),
        tell("coverage", f"{share:.1f} % of lines", share >= LEAST or chosen != parts()),
    ]
    return all(done)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two folders; no figure to reach")
    parser.add_argument("--jobs", type=int, default=2, help="parts that are run side by side")
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    chosen = options.parts or (QUICK if options.quick else parts())
    with tempfile.TemporaryDirectory() as temporary:
        keep = Path(temporary) if chosen != parts() else kept_folder("lines", Path(temporary))
        return 0 if measure(chosen, keep, options.jobs) else 1


if __name__ == "__main__":
    sys.exit(main())

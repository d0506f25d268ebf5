"""Every property of the tests, with thousands of examples that are new each time.

    python experiments/trust/properties.py [--quick] [--examples N] [--jobs N] [FILE...]

The tests are those that draw their data by Hypothesis; `TREELAB_EXAMPLES` tells them how much.
"""

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from report import tell

ROOT = Path(__file__).parents[2]
MANY, QUICK = 2000, 20
OF_A_TEST = "\n@steady("
"""What stands before a test that is a property; within a test it has another long form."""
COUNTED = re.compile(r"- (\d+) passing")


def files() -> list[Path]:
    """Return the files with properties, those of the whole first."""
    found = [path for path in (ROOT / "tests").rglob("test_*.py") if OF_A_TEST in path.read_text()]
    return sorted(found, key=lambda path: (path.parent.name != "trust", path))


def run(path: Path, examples: int) -> bool:
    """Run the properties of a file and tell how many examples there were."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    settings = os.environ | {"TREELAB_EXAMPLES": str(examples), "PYTHONPATH": str(ROOT)}
    command += ["--hypothesis-show-statistics", "-m", "hypothesis"]
    done = subprocess.run(
        command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False
    )
    counts = [int(passing) for passing in COUNTED.findall(done.stdout)]
    if done.returncode:
        print(done.stdout, file=sys.stderr)
    n_properties = len(re.findall(r"- Stopped because", done.stdout))
    figure = f"{n_properties} properties, {sum(counts):,} examples, exit code {done.returncode}"
    return tell(f"properties: {path.relative_to(ROOT)}", figure, done.returncode == 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--examples", type=int, default=MANY, help="of each property, at least")
    parser.add_argument("--jobs", type=int, default=2, help="files that are run side by side")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    examples = QUICK if options.quick else options.examples
    chosen = [path.resolve() for path in options.files] or files()
    with ThreadPoolExecutor(options.jobs) as pool:
        done = list(pool.map(lambda path: run(path, examples), chosen))
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Which tests run which lines, told by `coverage`: a broken line is shown to those that reach it.

Lines that run on import, whichever test that happens in, are shown to all tests that run something
else of their module. What is compiled cannot be seen: for it nobody is named.
"""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs
from coverage import CoverageData

CONTEXTS = """

import coverage
import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    measured = coverage.Coverage.current()
    if measured:
        measured.switch_context(item.nodeid.split("[")[0])
    return (yield)
"""
"""What a private copy adds to its tests: every line is put down under the test that runs it."""


@attrs.frozen
class Reach:
    """The tests that run a line, by file and line, and how many lines each of them runs."""

    tests: dict[tuple[str, int], set[str]]
    extent: dict[str, int]

    def of(self, path: str, line: int) -> list[str]:
        """Return the tests that run a line, those first that run little else."""
        return sorted(self.tests.get((path, line), ()), key=lambda test: (self.extent[test], test))


def measured(copy: Path, files: Iterable[str], folder: Path, jobs: int) -> Reach:
    """Tell what files of tests reach in a copy of the project; what is in the folder is known."""
    (copy / ".coveragerc").write_text("[run]\nrelative_files = true\nsource = treelab\n")

    def run(file: str) -> Path:
        lines = folder / f"{file.replace('/', '-')}.coverage"
        if not lines.exists():
            command = ["-m", "coverage", "run", "-m", "pytest", "-q", file]
            settings = os.environ | {"COVERAGE_FILE": f"{lines}.part", "PYTHONPATH": str(copy)}
            subprocess.run(
                [sys.executable, *command], cwd=copy, env=settings, check=True, capture_output=True
            )
            Path(f"{lines}.part").rename(lines)
        return lines

    with ThreadPoolExecutor(jobs) as pool:
        return _read(pool.map(run, files))


def _read(found: Iterable[Path]) -> Reach:
    tests: dict[tuple[str, int], set[str]] = defaultdict(set)
    imported: set[tuple[str, int]] = set()
    extent: dict[str, int] = defaultdict(int)
    for lines in found:
        data = CoverageData(str(lines))
        data.read()
        for path in data.measured_files():
            for line, names in data.contexts_by_lineno(path).items():
                if "" in names:
                    imported.add((path, line))
                for name in filter(None, names):
                    tests[path, line].add(name)
                    extent[name] += 1
    return Reach(tests | _of_modules(tests, imported), dict(extent))


def _of_modules(
    tests: dict[tuple[str, int], set[str]], imported: set[tuple[str, int]]
) -> dict[tuple[str, int], set[str]]:
    """Return for lines that run on import also the tests that run other lines of their module."""
    of_module: dict[str, set[str]] = defaultdict(set)
    for (path, line), names in tests.items():
        if (path, line) not in imported:
            of_module[path] |= names
    found = {at: of_module[at[0]] | tests.get(at, set()) for at in imported}
    return {at: names for at, names in found.items() if names}

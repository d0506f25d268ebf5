"""Break the code in small ways and see whether the tests notice.

    python experiments/trust/mutation.py [--quick] [--mutants N] [--minutes M] [--seed S]
                                         [--jobs N] [--package NAME] [--lines FILE:LINE...]

A seeded sample of mutants of each package: a comparison, an operator, a constant, a condition or a
returned value is changed, one at a time, in a private copy of the project, and the tests of that
package are run until one fails, those that name the changed module first. What survives is told on
standard error; `mutation.md` says of each whether it is equivalent or which test kills it now.
--lines tries all mutants of some lines instead: what survived can be tried again.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from math import inf
from pathlib import Path
from queue import Queue
from time import perf_counter
from typing import NamedTuple

from report import tell

ROOT = Path(__file__).parents[2]
PARTS = ("treelab", "tests", "datasets", "experiments", "pyproject.toml", "README.md")
TESTS = {
    "metrics": ["tests/metrics", "tests/test_oracle.py", "tests/test_conformance.py",
                "tests/trust/test_two_implementations.py", "tests/trust/test_null.py"],
    "stats": ["tests/stats", "tests/test_oracle.py", "tests/metrics", "tests/discretize",
              "tests/tree/test_grow.py", "tests/trust/test_two_implementations.py",
              "tests/trust/test_null.py"],
    "tree": ["tests/tree", "tests/test_oracle.py", "tests/explain",
             "tests/trust/test_two_implementations.py", "tests/trust/test_invariants.py"],
    "discretize": ["tests/discretize", "tests/trust/test_two_implementations.py",
                   "tests/trust/test_invariants.py"],
}  # fmt: skip
SECONDS = 900
"""A mutant that takes so much of a processor, or four times as long, is found: it never ends."""
LIMITED = ["sh", "-c", f'ulimit -t {SECONDS}; exec "$@"', "sh"]

COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
            ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn,
            ast.NotIn: ast.In}  # fmt: skip
COMPUTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
            ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.FloorDiv: ast.Mult,
            ast.Mod: ast.Mult, ast.Pow: ast.Mult}  # fmt: skip


class Mutant(NamedTuple):
    """A changed file: which, where, and what was there and is there now."""

    path: str
    line: int
    before: str
    after: str
    text: str


class Mutator(ast.NodeTransformer):
    """Counts the places that can be changed, and changes the one asked for."""

    def __init__(self, target: int) -> None:
        self.target, self.count = target, -1
        self.found: tuple[int, str, str] | None = None

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Raise | ast.JoinedStr | ast.AnnAssign | ast.Assert):
            return node  # the words of a message, a type: nothing is computed there
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            node.body = [self.visit(part) for part in node.body]
            return node
        changed = self._changed(node)
        if changed is not None:
            self.count += 1
            if self.count == self.target:
                self.found = node.lineno, ast.unparse(node), ast.unparse(changed)  # type: ignore[attr-defined]
                return ast.copy_location(changed, node)
        return self.generic_visit(node)

    def _changed(self, node: ast.AST) -> ast.AST | None:
        match node:
            case ast.Compare(left, [op, *ops], right) if type(op) in COMPARED:
                return ast.Compare(left, [COMPARED[type(op)](), *ops], right)
            case ast.BinOp(left, op, right) if type(op) in COMPUTED and not _is_text(node):
                return ast.BinOp(left, COMPUTED[type(op)](), right)
            case ast.BoolOp(op, values):
                return ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
                return operand
            case ast.Constant(bool(value)):
                return ast.Constant(not value)
            case ast.Constant(int(value) | float(value)):
                return ast.Constant(value + 1)
            case ast.Return(ast.expr()):
                return ast.Return(ast.Constant(None))
        return None


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(isinstance(s, ast.Constant) and isinstance(s.value, str) for s in sides)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a file."""
    source = path.read_text("utf-8")
    for target in range(10_000):
        tree, mutator = ast.parse(source), Mutator(target)
        tree.body = [mutator.visit(part) for part in tree.body]
        if mutator.found is None:
            return
        line, before, after = mutator.found
        text = ast.unparse(ast.fix_missing_locations(tree))
        yield Mutant(str(path.relative_to(ROOT)), line, before, after, text)


HURRY = """
from hypothesis import Phase, settings

settings.register_profile("hurry", phases=[Phase.explicit, Phase.generate])
settings.load_profile("hurry")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("hypothesis") is not None)
"""
"""What a private copy adds to its tests: an example that kills need not be made small, and tests
with many examples come last."""
TELLING = 2
"""So many files of tests are run first, without waiting for the others to be collected."""


def copied(folder: Path) -> Path:
    """Copy the project with the machine code of its kernels, whose sources stay as they are."""
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy2(source, folder / name)
    with (folder / "tests" / "conftest.py").open("a") as tests:
        tests.write(HURRY)
    return folder


def telling(mutant: Mutant) -> list[str]:
    """Return the tests to run, those that name the changed module most first."""
    _, package, *names = Path(mutant.path).with_suffix("").parts
    files: list[Path] = []
    for path in (ROOT / test for test in TESTS[package]):
        files += [path] if path.is_file() else sorted(path.glob("test_*.py"))

    def named(path: Path) -> tuple[int, int]:
        return sum(name in path.name for name in names), path.read_text("utf-8").count(names[-1])

    files.sort(key=named, reverse=True)
    return [str(path.relative_to(ROOT)) for path in files]


def is_killed(mutant: Mutant, copy: Path) -> bool:
    """Tell whether the tests notice, in a copy that is mended again."""
    place = copy / mutant.path
    original = place.read_bytes()
    try:
        place.write_text(mutant.text, "utf-8")
        tests = telling(mutant)
        first, others = tests[:TELLING], tests[TELLING:]
        return not (passes(copy, ["-x", *first]) and passes(copy, ["-x", *others]))
    except subprocess.TimeoutExpired:
        return True
    finally:
        place.write_bytes(original)


def passes(copy: Path, words: list[str]) -> bool:
    settings = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(copy)}
    command = [*LIMITED, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    done = subprocess.run(
        command, cwd=copy, env=settings, capture_output=True, timeout=4 * SECONDS, check=False
    )
    return done.returncode == 0


def sample(package: str, n: int, seed: int) -> list[Mutant]:
    files = sorted((ROOT / "treelab" / package).rglob("*.py"))
    every = [mutant for path in files for mutant in mutants_of(path)]
    return random.Random(f"{seed}{package}").sample(every, min(n, len(every)))


def tried(found: list[Mutant], jobs: int, minutes: float) -> tuple[int, int]:
    """Try mutants in copies side by side; return how many there was time for, and the killed."""
    copies: Queue[Path] = Queue()
    end = perf_counter() + 60 * minutes
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        for k in range(jobs):
            copies.put(copied(Path(folder) / str(k)))
        if not passes(Path(folder) / "0", ["--collect-only", *telling(found[0])]):
            raise RuntimeError("the tests do not even begin where nothing was changed")

        def verdict(mutant: Mutant) -> bool | None:
            if perf_counter() > end:
                return None
            copy, began = copies.get(), perf_counter()
            try:
                killed = is_killed(mutant, copy)
            finally:
                copies.put(copy)
            how = f"{'killed' if killed else 'SURVIVES'} after {perf_counter() - began:.0f} s"
            line = f"{how}: {mutant.path}:{mutant.line}: {mutant.before!r} -> {mutant.after!r}"
            print(line, file=sys.stderr, flush=True)
            return killed

        verdicts = [found for found in pool.map(verdict, found) if found is not None]
    return len(verdicts), sum(verdicts)


def again(lines: list[str]) -> int:
    """Try all mutants of some lines."""
    places = [(str(Path(path)), int(number)) for path, number in (x.split(":") for x in lines)]
    files = sorted({ROOT / path for path, _ in places})
    found = [m for path in files for m in mutants_of(path) if (m.path, m.line) in places]
    n, killed = tried(found, 1, inf)
    return 0 if n == killed else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two mutants of each package")
    parser.add_argument("--mutants", type=int, default=100, help="of each package")
    parser.add_argument("--minutes", type=float, default=inf, help="at most, per package")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="mutants that are tried side by side")
    parser.add_argument("--package", choices=TESTS, action="append")
    parser.add_argument("--lines", nargs="+", metavar="FILE:LINE")
    options = parser.parse_args()
    if options.lines:
        return again(options.lines)
    done = []
    for package in options.package or TESTS:
        found = sample(package, 2 if options.quick else options.mutants, options.seed)
        n, killed = tried(found, options.jobs, options.minutes)
        figure = f"{killed} of {n} mutants killed ({killed / max(n, 1):.0%})"
        done.append(tell(f"mutation: {package}", figure, killed >= 0.8 * n > 0))
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())

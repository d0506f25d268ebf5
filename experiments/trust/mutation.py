"""Break the code in small ways and see whether the tests notice.

    python experiments/trust/mutation.py [--quick] [--mutants N] [--minutes M] [--seed S]
                                         [--jobs N] [--package NAME] [--lines FILE:LINE...]

A seeded sample of mutants of each package: a comparison, an operator, a constant, a condition or a
returned value is changed, one at a time, in a private copy of the project. The tests that run the
changed line are run until one fails, those first that run little else; where none is seen to, all
tests of that package are, those first that name the changed module. What survives is told on
standard error; `mutation.md` says of each whether it is equivalent or which test kills it now.
Which tests run which lines and what became of each mutant is kept in `.trust` for the code as it
is, so that a run goes on where an earlier one was stopped. --lines tries all mutants of some lines
instead, whatever is known: what survived can be tried again.
"""

import argparse
import ast
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from math import inf
from pathlib import Path
from queue import Queue
from time import perf_counter
from typing import NamedTuple

from reach import CONTEXTS, Reach, measured
from report import kept_folder, tell
from warmed import NothingTestedError, Warmed

ROOT = Path(__file__).parents[2]
PARTS = ("treelab", "tests", "datasets", "docs", "experiments", "pyproject.toml", "README.md",
         "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile")  # fmt: skip
TESTS = {
    "metrics": ["tests/metrics", "tests/test_oracle.py", "tests/test_conformance.py",
                "tests/trust/test_two_implementations.py", "tests/trust/test_null.py"],
    "stats": ["tests/stats", "tests/test_oracle.py", "tests/metrics", "tests/discretize",
              "tests/tree", "tests/scale", "tests/explain", "tests/selection", "tests/reduce",
              "tests/characteristics", "tests/trust/test_two_implementations.py",
              "tests/trust/test_null.py"],
    "tree": ["tests/tree", "tests/test_oracle.py", "tests/explain", "tests/editing", "tests/scale",
             "tests/multiplicity", "tests/choosing", "tests/trust/test_two_implementations.py",
             "tests/trust/test_invariants.py"],
    "discretize": ["tests/discretize", "tests/trust/test_two_implementations.py",
                   "tests/trust/test_invariants.py"],
}  # fmt: skip
SECONDS = 300
"""A mutant that takes so much of a processor, or four times as long, is found: it never ends."""

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

    @property
    def key(self) -> str:
        """What stands for the broken file."""
        return sha256(f"{self.path}\n{self.text}".encode()).hexdigest()


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


def copied(folder: Path) -> Path:
    """Copy the project with the machine code of its kernels, whose sources stay as they are."""
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy2(source, folder / name)
    (folder / "conftest.py").write_text(HURRY + CONTEXTS)  # of tests and of examples
    return folder


def tests_of(package: str) -> list[Path]:
    """Return the files of tests of a package, and the package itself with its examples."""
    places = [ROOT / test for test in TESTS[package]]
    files = [
        file
        for place in places
        for file in ([place] if place.is_file() else sorted(place.glob("test_*.py")))
    ]
    return [*files, ROOT / "treelab" / package]


def telling(mutant: Mutant) -> list[str]:
    """Return all files of tests of a mutant's package, those that name its module most first."""
    _, package, *names = Path(mutant.path).with_suffix("").parts

    def named(path: Path) -> tuple[int, int]:
        text = path.read_text("utf-8") if path.is_file() else ""
        return sum(name in path.name for name in names), text.count(names[-1])

    files = sorted(tests_of(package), key=named, reverse=True)
    return [str(path.relative_to(ROOT)) for path in files]


def is_killed(mutant: Mutant, copy: Path, runner: Warmed, reach: Reach) -> bool:
    """Tell whether the tests notice, in a copy that is mended again."""
    place = copy / mutant.path
    original = place.read_bytes()
    tests = reach.of(mutant.path, mutant.line) or telling(mutant)
    try:
        place.write_text(mutant.text, "utf-8")
        return not runner.passes(["-x", *tests])
    except NothingTestedError:
        place.write_bytes(original)
        return runner.passes(["--collect-only", *tests])  # it was the mutant that hid them
    finally:
        place.write_bytes(original)


def sample(package: str, n: int, seed: int) -> list[Mutant]:
    """Return mutants drawn by what they change: most stay the same when other code changes."""
    known = Counter[tuple[str, str, str]]()

    def lot(mutant: Mutant) -> bytes:
        change = (mutant.path, mutant.before, mutant.after)
        known[change] += 1
        return sha256(f"{seed} {known[change]} {' '.join(change)}".encode()).digest()

    files = sorted((ROOT / "treelab" / package).rglob("*.py"))
    return sorted((mutant for path in files for mutant in mutants_of(path)), key=lot)[:n]


class Verdicts:
    """Which mutants were killed, as far as a folder knows."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "verdicts.jsonl"
        lines = self._file.read_text("utf-8").splitlines() if self._file.exists() else []
        self._killed: dict[str, bool] = dict(map(json.loads, lines))

    def of(self, mutant: Mutant) -> bool | None:
        """Return whether a mutant was killed; None where nobody knows."""
        return self._killed.get(mutant.key)

    def keep(self, mutant: Mutant, killed: bool) -> None:
        """Keep what became of a mutant; the last word counts."""
        self._killed[mutant.key] = killed
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps([mutant.key, killed]) + "\n")


class Bench:
    """Copies of the project in which mutants are tried side by side."""

    def __init__(self, packages: Iterable[str], folder: Path, keep: Path, jobs: int) -> None:
        self.jobs = jobs
        self.copies: Queue[tuple[Path, Warmed]] = Queue()
        for k in range(jobs):
            copy = copied(folder / str(k))
            self.copies.put((copy, Warmed(copy, SECONDS)))
        files = {path: None for package in packages for path in tests_of(package)}
        names = [str(path.relative_to(ROOT)) for path in files]
        self.reach = measured(folder / "0", names, keep, jobs)
        self.verdicts = Verdicts(keep)

    def tried(self, found: list[Mutant], minutes: float, again: bool = False) -> tuple[int, int]:
        """Return how many mutants there was time for, and how many of them were killed."""
        end = perf_counter() + 60 * minutes
        known = {} if again else {mutant.key: self.verdicts.of(mutant) for mutant in found}
        with ThreadPoolExecutor(self.jobs) as pool:
            left = [mutant for mutant in found if known.get(mutant.key) is None]
            told = pool.map(
                lambda each: self._verdict(each) if perf_counter() < end else None, left
            )
            verdicts = [killed for killed in (*known.values(), *told) if killed is not None]
        return len(verdicts), sum(verdicts)

    def _verdict(self, mutant: Mutant) -> bool:
        (copy, runner), began = self.copies.get(), perf_counter()
        try:
            killed = is_killed(mutant, copy, runner, self.reach)
        finally:
            self.copies.put((copy, runner))
        how = f"{'killed' if killed else 'SURVIVES'} after {perf_counter() - began:.0f} s"
        line = f"{how}: {mutant.path}:{mutant.line}: {mutant.before!r} -> {mutant.after!r}"
        print(line, file=sys.stderr, flush=True)
        self.verdicts.keep(mutant, killed)
        return killed


def mutants_at(lines: list[str]) -> list[Mutant]:
    """Return all mutants of some lines, given as FILE:LINE."""
    places = [(str(Path(path)), int(number)) for path, number in (x.split(":") for x in lines)]
    files = sorted({ROOT / path for path, _ in places})
    return [m for path in files for m in mutants_of(path) if (m.path, m.line) in places]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two mutants of each package")
    parser.add_argument("--mutants", type=int, default=100, help="of each package")
    parser.add_argument("--minutes", type=float, default=inf, help="at most, per package")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="mutants that are tried side by side")
    parser.add_argument("--package", choices=TESTS, action="append")
    parser.add_argument("--lines", nargs="+", metavar="FILE:LINE", default=[])
    return parser.parse_args()


def judged(bench: Bench, packages: list[str], options: argparse.Namespace) -> bool:
    """Try what was asked for, and tell of each package how many mutants were killed."""
    if options.lines:
        n, killed = bench.tried(mutants_at(options.lines), inf, again=True)
        return n == killed
    done = []
    for package in packages:
        found = sample(package, 2 if options.quick else options.mutants, options.seed)
        n, killed = bench.tried(found, options.minutes)
        figure = f"{killed} of {n} mutants killed ({killed / max(n, 1):.0%})"
        enough = killed >= 0.8 * n > 0
        done.append(tell(f"mutation: {package}", figure, enough, [f"treelab.{package}"]))
    return all(done)


def main() -> int:
    options = arguments()
    named = sorted({Path(line).parts[1] for line in options.lines})
    packages = named or options.package or list(TESTS)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        keep = kept_folder("mutation", folder / "reach")
        bench = Bench(packages, folder, keep, options.jobs)
        return 0 if judged(bench, packages, options) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Broken files, as many as asked for: nothing but treelab's own errors may come out, and soon.

    python experiments/trust/fuzz.py [--quick] [--inputs N] [--minutes M] [--target NAME] [--seed S]
    python experiments/trust/fuzz.py --guided      # by atheris, which follows the code's branches

The same seed makes the same inputs. Kernels are compiled with their bounds checked, so that a
read beside an array is found too. What breaks is told on standard error, cut down to what matters.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from types import FrameType

if __name__ == "__main__":  # before numba is imported
    os.environ["NUMBA_BOUNDSCHECK"] = "1"
    os.environ.setdefault("NUMBA_CACHE_DIR", f"{tempfile.gettempdir()}/treelab-checked-kernels")
    os.environ.setdefault("TREELAB_THREADS", "1")

NAMES = ("csv", "tsv", "arff", "c45", "tab", "keel", "gz", "parquet", "excel", "sqlite", "model",
         "study")  # fmt: skip
OTHERS = ("duckdb", "forged-duckdb")
"""Targets that are tried only if they are named: DuckDB 2.0 loops or dies of some; SECURITY.md."""
MANY, QUICK = 1_000_000, 2_000
NATIVE = 50_000
"""At most, of targets that are read in child processes."""
SECONDS = 2
"""An input that takes longer than this, twice, hangs."""
ENDLESS = 120
"""What takes so long is stopped; earlier it may be the compiler, which must not be."""
PROCESSES = 2
SHOWN = 1000
"""A longer input is kept in a file instead of being shown."""


class Hang(BaseException):
    """An input took longer than any input may."""


def main() -> int:
    options = _options()
    if options.alone:
        return _alone(options)
    names = [options.target] if options.target else NAMES
    with ThreadPoolExecutor(PROCESSES) as pool:
        return max(pool.map(lambda name: _in_a_process(name, options), names))


def fuzz(name: str, inputs: int, seed: int, minutes: float = inf) -> tuple[int, dict[str, bytes]]:
    """Return how many inputs there was time for, and what broke a target, by where it broke."""
    from children import in_children
    from targets import TARGETS

    target, rng = TARGETS[name], Random(f"{name} {seed}")
    inputs = min(inputs, NATIVE) if target.is_native else inputs
    end = perf_counter() + 60 * minutes
    contents = (target.mutator(rng, target.seeds, target.words) for _ in range(inputs))
    waiting = takewhile(lambda _: perf_counter() < end, contents)
    signal.signal(signal.SIGPROF, _alarm)
    if target.is_native:
        return in_children(target.take, target.seeds, waiting, twice)
    for content in target.seeds:
        target.take(content)  # what is valid must be taken, or nothing is tested
    done, broken = 0, dict[str, bytes]()
    for content in waiting:
        done += 1
        where = twice(target.take, content)
        if where and where not in broken:
            broken[where] = _smaller(target.take, content, where)
    return done, broken


def twice(take: Callable[[bytes], object], content: bytes) -> str:
    """Return the trouble with an input, not a machine that stutters or code that is compiled."""
    where = trouble(take, content)
    return trouble(take, content) if where == "hang" else where


def trouble(take: Callable[[bytes], object], content: bytes) -> str:
    """Return where and by which error an input breaks what takes it; nothing if it does not."""
    from treelab.errors import TreelabError

    signal.setitimer(signal.ITIMER_PROF, ENDLESS)  # of this process: others may be busy, too
    began = process_time()
    try:
        take(content)
    except TreelabError as error:
        if not str(error).strip():
            return "an error without a sentence"
    except Hang:
        return "hang"
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return "hang" if process_time() - began > SECONDS else ""


def _alarm(_number: int, _frame: FrameType | None) -> None:
    raise Hang


def _smaller(take: Callable[[bytes], object], content: bytes, where: str) -> bytes:
    """Leave out whatever can be left out, in ever smaller pieces, as long as it breaks alike."""
    piece = max(len(content) // 2, 1)
    while where != "hang" and piece:
        for start in range(len(content) - piece, -1, -piece):
            shorter = content[:start] + content[start + piece :]
            if trouble(take, shorter) == where:
                content = shorter
        piece //= 2
    return content


def _alone(options: argparse.Namespace) -> int:
    """Fuzz one target in this process."""
    if options.guided:
        return _guided(options.target, options.inputs, options.seed, options.minutes)
    from children import keep
    from report import tell
    from targets import TARGETS

    began = perf_counter()
    done, broken = fuzz(options.target, options.inputs, options.seed, options.minutes)
    kept = keep(options.target, broken.values()) if broken else []
    for (where, content), path in zip(broken.items(), kept, strict=True):
        shown = repr(content) if len(content) < SHOWN else path
        print(f"{options.target}: {where}: {shown}", file=sys.stderr, flush=True)
    print(f"{options.target}: {perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    figure = f"{done:,} inputs, {len(broken)} crashes or hangs"
    sys.argv = [argument for argument in sys.argv if argument != "--alone"]
    of = TARGETS[options.target].of
    return 0 if tell(f"fuzz: {options.target}", figure, not broken, of) else 1


def _guided(name: str, inputs: int, seed: int, minutes: float) -> int:
    """Let atheris choose the inputs; it ends the process, with an error at the first crash."""
    import atheris

    import treelab.kernels.delimited
    import treelab.kernels.numerals
    import treelab.kernels.text_labels
    import treelab.learner  # noqa: F401  (what numba compiles must stay as it is)

    with atheris.instrument_imports(include=["treelab", "tomllib"]):
        from targets import TARGETS

        from treelab.errors import TreelabError

    def take(content: bytes) -> None:
        try:
            TARGETS[name].take(content)
        except TreelabError:
            return

    folder = Path(tempfile.mkdtemp(prefix=f"corpus-{name}"))
    for number, content in enumerate(TARGETS[name].seeds):
        (folder / f"seed{number}").write_bytes(content)
    limits = [f"-runs={inputs}", f"-seed={seed + 1}", f"-timeout={SECONDS}", "-max_len=2000"]
    limits += [] if minutes == inf else [f"-max_total_time={60 * minutes:.0f}"]
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={folder}/", str(folder)], take)
    atheris.Fuzz()
    return 0


def _in_a_process(name: str, options: argparse.Namespace) -> int:
    """Run one target by itself: if it dies, that is a finding, too."""
    from report import tell

    given = ["--inputs", str(options.inputs), "--target", name, "--seed", str(options.seed)]
    given += [] if options.minutes == inf else ["--minutes", str(options.minutes)]
    given += ["--guided"] if options.guided else []
    ended = subprocess.run([sys.executable, __file__, *given, "--alone"], check=False)
    if options.guided:
        outcome = "nothing broke" if ended.returncode == 0 else "one broke it"
        figure = f"up to {options.inputs:,} inputs chosen by coverage, {outcome}"
        return 0 if tell(f"guided fuzz: {name}", figure, ended.returncode == 0) else 1
    if ended.returncode not in (0, 1):
        tell(f"fuzz: {name}", f"the process died: {ended.returncode}", False)
    return min(abs(ended.returncode), 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--inputs", type=int)
    parser.add_argument("--minutes", type=float, default=inf, help="at most, per target")
    parser.add_argument("--target", choices=(*NAMES, *OTHERS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--guided", action="store_true")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.inputs = options.inputs or (QUICK if options.quick else MANY)
    return options


if __name__ == "__main__":
    sys.exit(main())

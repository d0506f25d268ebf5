"""Many calls at once, in threads and processes of all kinds: the bytes of one thread.

    python experiments/trust/threads.py [--quick] [--rounds N] [--seed S]

Ten calls of tests/workload.py run at once while the number of threads changes: in threads of this
process, cold and warm; under asyncio; in children that were forked, spawned or begun by a fork
server, each of which has threads of its own.
"""

import argparse
import multiprocessing
import sys
import threading
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

from report import tell

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

LONG, QUICK, AT_ONCE = 100, 2, 10
STARTS = ("fork", "spawn", "forkserver")


@contextmanager
def restless():
    """Change the number of threads, and whose turn it is, all the time."""
    import treelab as tl

    done = threading.Event()

    def change():
        turn = 0
        while not done.wait(0.001):
            tl.set_threads((1, 2, None, 3)[turn % 4])
            turn += 1

    changing, patience = threading.Thread(target=change), sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # threads take turns in the midst of things
    changing.start()
    try:
        yield
    finally:
        done.set()
        changing.join()
        sys.setswitchinterval(patience)
        tl.set_threads(None)


def in_a_child(start, calls):
    """Carry out calls in threads of a child process that begins in one of three ways."""
    from workload import in_threads

    with multiprocessing.get_context(start).Pool(1) as pool:
        return pool.apply(in_threads, (calls,))


def ways():
    """Return the ways to carry out several calls at once, by name."""
    from workload import in_coroutines, in_threads

    here = {"threads": in_threads, "asyncio": in_coroutines}
    return here | {start: partial(in_a_child, start) for start in STARTS}


def unhurried(cell):
    """Return a function that lets others have their turn before it gives the same numbers."""

    def wait(counts):
        time.sleep(0.01)
        return cell(counts)

    return wait


@contextmanager
def cold():
    """Forget the tables that formulas look counts up in, as if the process had just begun.

    They are made anew slowly, so that other threads come while they are half made.
    """
    from workload import METRICS

    import treelab as tl
    from treelab.stats.formulas import margin_formula
    from treelab.stats.formulas.fixed_point import FixedCell
    from treelab.stats.formulas.sums import SumFormula

    formulas = [getattr(tl.metric(name), "formula", None) for name in METRICS]
    known = {each: each._fixed for each in formulas if isinstance(each, SumFormula)}
    margin_formula._x_log_x.cache_clear()
    for formula in known:
        formula._fixed = FixedCell(unhurried(formula.cell))
    try:
        yield
    finally:
        for formula, fixed in known.items():
            formula._fixed = fixed


def differing(calls, expected):
    """Carry out calls at once in every way, cold first; return the ways that give other bytes."""
    found = []
    for name, carry_out in ways().items():
        with restless(), cold():
            found += [name] if carry_out(calls) != expected else []
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} rounds")
    parser.add_argument("--rounds", type=int, default=LONG)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    from workload import CALLS, done

    rng, wrong = Random(options.seed), []
    rounds = QUICK if options.quick else options.rounds
    for turn in range(rounds):
        calls = [(rng.randrange(len(CALLS)), rng.randrange(22)) for _ in range(AT_ONCE)]
        bad = differing(calls, [done(call) for call in calls])
        wrong += bad
        print(f"round {turn}: {', '.join(bad) or 'all the same'}", file=sys.stderr, flush=True)
    figure = f"{rounds} rounds x {AT_ONCE} calls at once x {len(ways())} ways, {len(wrong)} differ"
    return (
        0 if tell("threads: many calls at once, the bytes of one thread", figure, not wrong) else 1
    )


if __name__ == "__main__":
    sys.exit(main())

"""Random calls before a call: its bytes are those of a process that has done nothing before.

    python experiments/trust/history.py [--quick] [--rounds N] [--seed S]

The calls are those of tests/workload.py: growing, predicting, ranking, discretizing, explaining,
validating, exporting, own metrics, huge weights and wrong calls. What is expected of each is told
by a fork of a process that has imported treelab and done nothing else.
"""

import argparse
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from random import Random

from report import tell

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

LONG, QUICK = 500, 10


def digest(call):
    from workload import done

    return sha256(done(call)).hexdigest()


def in_a_fork(call):
    """Return the digest of a call that a child of this process makes."""
    receiving, sending = os.pipe()
    child = os.fork()
    if not child:
        os.write(sending, digest(call).encode())
        os._exit(0)
    os.close(sending)
    with os.fdopen(receiving) as told:
        words = told.read()
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit(f"call {call} failed in a new process")
    return words


def expected(calls):
    """Return the digests of calls, each made in a process that has done nothing before."""
    words = [f"{place}:{number}" for place, number in calls]
    # The command line takes the script's folder off the path of imports of whatever it starts.
    environment = os.environ | {"PYTHONSAFEPATH": ""}
    command = [sys.executable, __file__, "--alone", *words]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    return dict(zip(calls, told.stdout.split(), strict=True))


def alone(words):
    """Print the digest of each call; treelab is imported once, before the forks."""
    import workload  # noqa: F401

    for word in words:
        place, number = map(int, word.split(":"))
        print(in_a_fork((place, number)), flush=True)


def all_calls():
    from workload import CALLS, METRICS

    return [(place, number) for place in range(len(CALLS)) for number in range(len(METRICS))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} rounds")
    parser.add_argument("--rounds", type=int, default=LONG, help="of every call, in random order")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alone", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        alone(options.alone)
        return 0
    rounds, calls = QUICK if options.quick else options.rounds, all_calls()
    known, wrong, rng = expected(calls), 0, Random(options.seed)
    for _ in range(rounds):
        for call in rng.sample(calls, len(calls)):
            if digest(call) != known[call]:
                wrong += 1
                print(f"call {call} depends on what was before", file=sys.stderr, flush=True)
    figure = f"{rounds * len(calls):,} calls in random order, {wrong} differ from a new process"
    return 0 if tell("history: what came before changes no byte", figure, not wrong) else 1


if __name__ == "__main__":
    sys.exit(main())

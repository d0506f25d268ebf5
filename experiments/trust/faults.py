"""Many faults: kills and signals at any moment, races of runners, a full disk, damage.

    python experiments/trust/faults.py [--quick] [NAME...]

    damage bytes stores signals compiling runners disk

A disk of a few kilobytes is mounted where the system allows it; elsewhere that check is left out.
"""

import argparse
import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from report import tell

import treelab as tl
from treelab.errors import TreelabError
from treelab.experiment import Store, Study, run_study
from treelab.experiment.trial import Record

TABLES = ("results.csv", "tests.csv", "table.md", "table.tex")
STUDY = ["lenses", "zoo", "hayes-roth", "--metric", "gain,gini", "--folds", "5", "--repeats", "3"]
TRIALS = 90
CODES = {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}


def call(*words):
    return [sys.executable, "-m", "treelab", *map(str, words)]


def compare(folder, jobs=1):
    return call("compare", *STUDY, "-o", folder, "-j", jobs)


def start(command, **settings):
    """Start a command in a group of its own, so that its workers can be ended with it."""
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "env": os.environ | settings}
    return subprocess.Popen(command, text=True, start_new_session=True, **pipes)


def kept(folder):
    """Return how many trials a store holds."""
    try:
        store = sqlite3.connect(f"file:{folder / 'trials.sqlite'}?mode=ro", uri=True)
    except sqlite3.Error:
        return 0
    try:
        return store.execute("SELECT count(*) FROM trials").fetchone()[0]
    except sqlite3.Error:
        return 0
    finally:
        store.close()


def tables(folder):
    return {name: (folder / name).read_bytes() for name in TABLES}


def expected(folder):
    subprocess.run(compare(folder), stdout=subprocess.DEVNULL, check=True)
    return tables(folder)


def stop_at_random(folder, number, jobs, rng):
    """Start a comparison, send a signal after some trials.

    Returns the exit code, those that are right, and what it told.
    """
    process = start(compare(folder, jobs))
    aim = kept(folder) + rng.randrange(1, 12)
    while process.poll() is None and kept(folder) < aim:
        time.sleep(0.005)
    time.sleep(rng.random() * 0.05)
    right = struck(process, folder, number)
    return process.wait(), right, process.stderr.read()


def struck(process, folder, number):
    """Send a signal, if somebody is there; return the exit codes that are right then.

    A command that ends well though trials were to come has not heard it.
    """
    if process.poll() is not None:
        return {0}
    right = {CODES[number]} if kept(folder) < TRIALS else {CODES[number], 0}
    (os.killpg if number == signal.SIGKILL else os.kill)(process.pid, number)
    return right


def signals(whole, folder, times, rng):
    """Kill, terminate and interrupt a comparison again and again; it ends with the same tables."""
    wrong, lost, before = [], 0, 0
    for turn in range(times):
        number = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[turn % 3]
        status, right, messages = stop_at_random(folder, number, 1 + turn % 2, rng)
        now = kept(folder)
        lost += now < before
        before = now
        if status not in right or "Traceback" in messages:
            wrong.append((number, status, messages[-300:]))
        if now >= TRIALS:
            for path in folder.iterdir():
                path.unlink()
            before = 0
    subprocess.run(compare(folder), stdout=subprocess.DEVNULL, check=True)
    same = tables(folder) == whole
    print(*wrong, sep="\n", file=sys.stderr)
    figure = (
        f"{times} signals, {lost} lost a trial, {len(wrong)} ended wrongly, tables "
        f"{'the same' if same else 'DIFFER'}"
    )
    ok = same and not wrong and not lost
    return tell("faults: kill -9, terminate and interrupt at random moments", figure, ok)


def interrupts_of_the_compiler(folder, times, rng):
    """Interrupt a comparison while its machine code is made for the first time."""
    wrong = []
    for turn in range(times):
        here = folder / str(turn)
        process = start(compare(here), NUMBA_CACHE_DIR=str(here / "code"))
        time.sleep(2 + 20 * rng.random())
        right = struck(process, here, signal.SIGINT)
        _, messages = process.communicate()
        if process.returncode not in right or "Traceback" in messages:
            wrong.append((process.returncode, messages[-300:]))
        shutil.rmtree(here, ignore_errors=True)
    print(*wrong, sep="\n", file=sys.stderr)
    figure = f"{times} interrupts, {len(wrong)} ended wrongly"
    return tell("faults: an interrupt while machine code is made", figure, not wrong)


def two_runners(whole, folder, times):
    """Let two runners do the same study in one folder at once."""
    bad = 0
    for turn in range(times):
        runners = [start(compare(folder / str(turn), jobs)) for jobs in (1, 2)]
        codes = [runner.wait() for runner in runners]
        bad += codes != [0, 0] or tables(folder / str(turn)) != whole
    return tell("faults: two runners on one store", f"{times} races, {bad} wrong", not bad)


def open_at_once(barrier, folder, who, rounds, problems):
    study = Study(data=["lenses"], learners={"gain": tl.Learner(metric="gain")}, folds=10)
    trials = study.trials()
    for number in range(rounds):
        barrier.wait()
        try:
            with Store(folder / f"{number}.sqlite") as store:
                for trial in trials:
                    store.add(trial, Record({"accuracy": who / 7}))
        except TreelabError as error:
            problems.put(str(error))


def many_open_at_once(folder, rounds, processes=4):
    """Let processes make, open and write one new store in the same moment."""
    context = multiprocessing.get_context("fork")
    barrier, problems = context.Barrier(processes), context.Queue()
    arguments = [(barrier, folder, who, rounds, problems) for who in range(processes)]
    running = [context.Process(target=open_at_once, args=given) for given in arguments]
    for process in running:
        process.start()
    for process in running:
        process.join()
    failed = 0
    while not problems.empty():
        print(problems.get(), file=sys.stderr)
        failed += 1
    figure = f"{rounds} stores x {processes} processes, {failed} failed"
    return tell("faults: a new store opened by several at once", figure, not failed)


@contextmanager
def tiny_disk(folder, kilobytes):
    """Mount a disk of so many kilobytes."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    subprocess.run(mount, check=True, stderr=subprocess.DEVNULL)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def can_mount(folder):
    try:
        with tiny_disk(folder, 64):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


def full_disk(whole, folder, sizes):
    """Compare and train on disks of all sizes: told in one sentence, or done."""
    outcomes, wrong = Counter(), []
    if not can_mount(folder):
        print("a tiny disk cannot be mounted here: left out", file=sys.stderr)
        return True
    for size in sizes:
        with tiny_disk(folder, size):
            for command in (compare(folder / "c"), call("train", "zoo", "-q", "-o", folder / "m")):
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                outcomes[done.returncode] += 1
                sentences = [x for x in done.stderr.splitlines() if x.startswith("treelab: ")]
                left = [p.name for p in folder.rglob(".treelab-*")]
                if done.returncode not in (0, 1) or left or "Traceback" in done.stderr:
                    wrong.append((size, done.stderr[-300:], left))
                elif done.returncode == 1 and len(sentences) != 1:
                    wrong.append((size, done.stderr))
            finished = (folder / "c" / "report.html").exists()
            if finished and tables(folder / "c") != whole:
                wrong.append((size, "other tables"))
    print(*wrong, sep="\n", file=sys.stderr)
    figure = f"{len(sizes)} sizes: {outcomes[0]} done, {outcomes[1]} told, {len(wrong)} wrong"
    return tell("faults: a disk full at any size", figure, not wrong)


def full_at_every_byte(folder, step):
    """Save a model with room for 0, 1, 2 ... bytes: the old file stays, or the new one is whole."""
    old, new = folder / "old.json", folder / "new.json"
    tl.grow(tl.load("lenses")).save(old)
    tl.grow(tl.load("zoo")).save(new)
    script = (
        "import resource, signal, sys, treelab as tl\n"
        "from pathlib import Path\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "old, new, step = sys.argv[1], sys.argv[2], int(sys.argv[3])\n"
        "tree, before, target = tl.Tree.load(new), Path(old).read_bytes(), Path(old + '.m')\n"
        "whole, bad = Path(new).read_bytes(), 0\n"
        "for room in range(0, len(whole) + step, step):\n"
        "    target.write_bytes(before)\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))\n"
        "    try:\n"
        "        tree.save(target)\n"
        "        told = False\n"
        "    except tl.errors.TreelabError:\n"
        "        told = True\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))\n"
        "    bad += target.read_bytes() != (before if room < len(whole) else whole)\n"
        "    bad += told != (room < len(whole)) or any(target.parent.glob('.treelab-*'))\n"
        "print(len(range(0, len(whole) + step, step)), bad)\n"
    )
    words = [sys.executable, "-c", script, old, new, str(step)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    sizes, bad = map(int, done.stdout.split())
    return tell("faults: no room after any number of bytes", f"{sizes} sizes, {bad} wrong", not bad)


def damage(folder, times, rng):
    """Turn bits of a store and cut it: it is told, or what is damaged is made again."""
    study = Study(data=["lenses"], learners={"gain": tl.Learner(metric="gain")}, folds=6, repeats=4)
    path = folder / "damaged.sqlite"
    right = run_study(study, path).cube("accuracy").tolist()
    intact, outcomes = path.read_bytes(), Counter()
    for turn in range(times):
        content = bytearray(intact)
        if turn % 4:
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        else:
            del content[rng.randrange(len(content)) :]
        path.write_bytes(content)
        try:
            found = run_study(study, path).cube("accuracy").tolist()
            outcomes["right" if found == right else "wrong"] += 1
        except TreelabError:
            outcomes["told"] += 1
    figure = f"{times} damages: {outcomes['told']} told, {outcomes['right']} right or made again, "
    ok = not outcomes["wrong"]
    return tell("faults: a damaged store", f"{figure}{outcomes['wrong']} wrong", ok)


def checks(quick, folder):
    """Return the checks by name; they share the tables of a run that nothing disturbed."""

    def place(name):
        (folder / name).mkdir()
        return folder / name

    whole = cache(lambda: expected(place("whole")))
    sizes = (8, 64, 400) if quick else [*range(4, 80, 4), *range(80, 1200, 80)]
    return {
        "damage": lambda: damage(place("damage"), 100 if quick else 5_000, random.Random(0)),
        "bytes": lambda: full_at_every_byte(place("bytes"), 97 if quick else 1),
        "stores": lambda: many_open_at_once(place("stores"), 20 if quick else 500),
        "signals": lambda: signals(whole(), place("torn"), 3 if quick else 60, random.Random(0)),
        "compiling": lambda: interrupts_of_the_compiler(
            place("code"), 1 if quick else 30, random.Random(0)
        ),
        "runners": lambda: two_runners(whole(), place("two"), 1 if quick else 10),
        "disk": lambda: full_disk(whole(), place("disk"), sizes),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a few faults of each kind")
    parser.add_argument("checks", nargs="*", help="all of them if none is named")
    given = parser.parse_args()
    # What a shell starts in the background hears no interrupt, nor does what that starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as name:
        known = checks(given.quick, Path(name))
        if unknown := [each for each in given.checks if each not in known]:
            parser.error(f"no such check: {unknown[0]}; there are {', '.join(known)}")
        verdicts = [known[each]() for each in given.checks or known]
    sys.exit(not all(verdicts))


if __name__ == "__main__":
    main()

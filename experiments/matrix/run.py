"""Run the default test suite with the lowest and the newest dependencies, on every Python here.

    make test-matrix
    python experiments/matrix/run.py --python python3.13 --with newest
    python experiments/matrix/run.py --pin                             write the lowest, run nothing

The lowest are the versions that pyproject.toml declares, or, where they have no wheel for a newer
Python, the first that has one: `lowest-3.11.txt` and so on, which `--pin` writes. Environments are
made by uv in a folder of their own. What each gave is kept in `results.jsonl`, so that a run that
was interrupted goes on with the next; docs/matrix.md shows it.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "experiments" / "trust"))
from report import code  # noqa: E402  (of another folder of scripts)

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SETS = ("lowest", "newest")
EXTRAS = ("test", "all")
SHOWN = ("numpy", "numba", "scipy", "scikit-learn", "pandas", "polars", "pyarrow", "matplotlib",
         "typer", "distributed")  # fmt: skip
COUNTED = ("passed", "failed", "skipped")


def interpreters():
    """Return the Pythons on the path that treelab is for."""
    return [found for one in PYTHONS if (found := shutil.which(f"python{one}"))]


def number_of(python):
    """Return the number of an interpreter, such as 3.11, or None where it does not start."""
    call = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def pin():
    """Write the lowest versions for each Python."""
    extras = [word for extra in EXTRAS for word in ("--extra", extra)]
    how = ["--resolution", "lowest-direct", "--only-binary", ":all:", "--no-annotate", "--quiet"]
    for number in PYTHONS:
        call = ["uv", "pip", "compile", *how, *extras, "--no-header", "--python-version", number]
        call += ["--output-file", HERE / f"lowest-{number}.txt", "pyproject.toml"]
        subprocess.run(call, cwd=ROOT, check=True)


def environment(python, number, which, folder):
    """Return the Python of a fresh environment, or of one that an earlier run made."""
    place = folder / f"{number}-{which}"
    inside = place / "bin" / "python"
    if (place / "complete").exists():
        return inside
    into = ["--quiet", "--python", str(inside)]
    subprocess.run(["uv", "venv", "--quiet", "--clear", "--python", python, place], check=True)
    lowest = ["--constraints", HERE / f"lowest-{number}.txt"] if which == "lowest" else []
    wanted = ["--only-binary", ":all:", "--no-binary", "treelab", "--editable"]
    wanted.append(f"{ROOT}[{','.join(EXTRAS)}]")
    subprocess.run(["uv", "pip", "install", *into, "--upgrade", *lowest, *wanted], check=True)
    (place / "complete").touch()
    return inside


def carried_out(inside, jobs):
    """Run the suite; return how many tests passed, failed and were skipped, and which failed."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told.xml"
        call = [inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={told}"]
        call += ["-n", str(jobs), "--dist", "worksteal"] if jobs > 1 else []
        path = os.pathsep.join([str(inside.parent), os.environ["PATH"]])
        where = os.environ | {"PATH": path}
        done = subprocess.run(
            call, cwd=ROOT, env=where, stderr=subprocess.PIPE, text=True, check=False
        )
        if not told.exists():
            return {"passed": 0, "failed": 1, "skipped": 0, "names": [done.stderr[-300:]]}
        return counted(ElementTree.parse(told).getroot())


def counted(suites):
    """Return the counts of a report of pytest in JUnit's form."""
    names = [
        f"{case.get('classname')}::{case.get('name')}"
        for case in suites.iter("testcase")
        if case.find("failure") is not None or case.find("error") is not None
    ]
    total = sum(int(suite.get("tests")) for suite in suites.iter("testsuite"))
    skipped = sum(int(suite.get("skipped")) for suite in suites.iter("testsuite"))
    passed = total - skipped - len(names)
    return {"passed": passed, "failed": len(names), "skipped": skipped, "names": names}


def versions(inside):
    """Return what the environment holds of what the table shows, with Python and treelab."""
    code = (
        "import json, platform; from importlib.metadata import version\n"
        f"print(json.dumps({{'python': platform.python_version(), 'treelab': version('treelab'),"
        f" **{{name: version(name) for name in {SHOWN!r}}}}}))"
    )
    return json.loads(subprocess.run([inside, "-c", code], stdout=-1, text=True, check=True).stdout)


def results():
    path = HERE / "results.jsonl"
    return list(map(json.loads, path.read_text("utf-8").splitlines())) if path.exists() else []


def keep(line):
    """Keep what an environment gave, in place of what it gave before."""
    lines = [each for each in results() if place_of(each) != place_of(line)]
    text = "".join(json.dumps(each) + "\n" for each in sorted([*lines, line], key=place_of))
    (HERE / "results.jsonl").write_text(text, "utf-8")
    (ROOT / "docs" / "matrix.md").write_text(page(results()), "utf-8")


def place_of(line):
    return PYTHONS.index(line["number"]), SETS.index(line["with"])


def page(lines):
    """Return docs/matrix.md."""
    head = ("Python", "with", *COUNTED, "on", *SHOWN)  # a narrow page shows the first columns
    rows = [head, ("---",) * len(head)]
    for line in lines:
        held = line["versions"]
        counts = (f"{line[key]:,}" for key in COUNTED)
        shown = (held[name] for name in SHOWN)
        rows.append((held["python"], line["with"], *counts, line["on"], *shown))
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    failures = [
        f"- Python {line['versions']['python']}, {line['with']}: `{name}`"
        for line in lines
        for name in line["names"]
    ]
    text = (HERE / "page.md").read_text("utf-8")
    failed = "\n".join(failures) or "None."
    return re.sub(r"\{(\w+)\}", lambda found: {"table": table, "failures": failed}[found[1]], text)


def run(python, which, folder, jobs, again):
    """Run the suite in one environment; return whether nothing failed."""
    number = number_of(python)
    if number not in PYTHONS:
        print(f"{python}: does not start, or is not one of {', '.join(PYTHONS)}")
        return True
    inside = environment(python, number, which, folder)
    line = {"number": number, "with": which, "versions": versions(inside), "on": code()}
    if not again and any(is_known(line, each) for each in results()):
        return True
    found = carried_out(inside, jobs)
    keep({**line, **found})
    shown = ", ".join(f"{found[key]} {key}" for key in COUNTED)
    print(f"Python {line['versions']['python']}, {which}: {shown}", flush=True)
    return not found["failed"]


def is_known(line, earlier):
    """Tell whether the same code passed with the same versions before."""
    return line.items() <= earlier.items() and not earlier["failed"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pin", action="store_true", help="write the lowest versions, run nothing")
    parser.add_argument("--python", nargs="+", help="interpreters; if none, all on the path")
    parser.add_argument("--with", dest="sets", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--folder", type=Path, default=ROOT / ".matrix", help="of environments")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="also what passed before")
    given = parser.parse_args()
    if given.pin:
        pin()
        return 0
    chosen = [
        run(python, which, given.folder, given.jobs, given.again)
        for python in given.python or interpreters()
        for which in given.sets
    ]
    return 0 if all(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())

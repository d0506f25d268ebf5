"""Run the checks of trust, all or the named ones, and write what they found.

    make trust
    python experiments/trust/run.py faults soak
    python experiments/trust/run.py --jobs 2         two scripts side by side
    python experiments/trust/run.py --quick          short forms, printed and not kept
    python experiments/trust/run.py --old            which figures are older than their code

Every script of this folder prints JSON lines. They are kept in `results.jsonl`, shown in `table.md`
and put into docs/promises.md. A run of some scripts replaces their lines only. Without names, those
scripts are run that have a line older than the code it speaks of: an interrupted run goes on.
"""

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from report import is_current

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "promises.md"
ORDER = ("tested", "differential", "threads", "history", "fuzz", "faults", "determinism", "soak",
         "memory", "bombs", "properties", "null", "noise", "lines", "mutation")  # fmt: skip
SCRIPTS = tuple(name for name in ORDER if (HERE / f"{name}.py").exists())
EARLIER = "before 0.2.0"
"""What stands for the day and commit of figures that were made before they were written down."""
BEGIN, END = "<!-- checks: `make trust` writes this table -->", "<!-- end of checks -->"


def carry_out(script, quick):
    """Run a script; return its lines, shown as they come, and whether all was well."""
    call = [sys.executable, HERE / f"{script}.py", *(["--quick"] if quick else [])]
    found = []
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            found.append({"script": script, **json.loads(line)})
    return found, process.returncode == 0


def kept(folder):
    """Return the lines of earlier runs."""
    path = folder / "results.jsonl"
    return (
        [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    )


def merged(old, new, script):
    """Return lines in the order of the scripts, those of one script replaced."""
    lines = [*(line for line in old if line["script"] != script), *new]
    return sorted(lines, key=lambda line: ORDER.index(line["script"]))


def table(lines):
    """Return the figures in Markdown."""
    rows = [("check", "command", "last figure", "ok", "on"), ("---",) * 5]
    for line in lines:
        verdict = "yes" if line["ok"] else "**no**"
        on = line.get("on", EARLIER)
        rows.append((line["check"], f"`{line['command']}`", line["figure"], verdict, on))
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |\n" for row in rows)


def is_done(script, lines):
    """Tell whether a script has said all it has to say about the code as it is."""
    own = [line for line in lines if line["script"] == script]
    return bool(own) and all(map(is_current, own))


def print_old(lines):
    """Print which figures are older than the code they speak of; tell whether there are any."""
    old = [line for line in lines if not is_current(line)]
    for line in old:
        print(f"{line['check']}: {line.get('on', EARLIER)}")
    return bool(old)


def write(folder, lines):
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "results.jsonl").write_text(text, "utf-8")
    (folder / "table.md").write_text(table(lines), "utf-8")


def renew(page, lines):
    """Return a page with its table of checks replaced."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{table(lines)}{END}{rest.split(END)[1]}"


def run(scripts, quick, folder, jobs=1):
    """Run some scripts; what was found is kept after each of them. Return those that failed."""
    lines, failed, turn = kept(folder) if folder else [], [], Lock()

    def run_one(script):
        nonlocal lines
        new, well = carry_out(script, quick)
        with turn:
            failed.extend([] if well else [script])
            lines = merged(lines, new, script)
            if folder:
                write(folder, lines)
            if folder == HERE:
                PAGE.write_text(renew(PAGE.read_text("utf-8"), lines), "utf-8")

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run_one, scripts))
    print(table(lines))
    return failed


def main():
    parser = argparse.ArgumentParser(description="Check what treelab promises.")
    parser.add_argument("scripts", nargs="*", metavar="SCRIPT", help=f"of: {', '.join(SCRIPTS)}")
    parser.add_argument("--quick", action="store_true", help="short forms; nothing is kept")
    parser.add_argument("--old", action="store_true", help="run nothing; 1 if there are any")
    parser.add_argument("--jobs", type=int, default=1, help="scripts that run side by side")
    parser.add_argument("--to", type=Path, help="keep the results in this folder")
    given = parser.parse_args()
    if unknown := set(given.scripts) - set(SCRIPTS):
        parser.error(f"no such check: {', '.join(sorted(unknown))}")
    folder = given.to or (None if given.quick else HERE)
    known = kept(folder) if folder else []
    if given.old:
        sys.exit(print_old(known))
    scripts = given.scripts or [each for each in SCRIPTS if not is_done(each, known)]
    if failed := run(scripts, given.quick, folder, given.jobs):
        sys.exit(f"not well: {', '.join(failed)}")


if __name__ == "__main__":
    main()

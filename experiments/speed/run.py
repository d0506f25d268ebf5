"""Run the benchmarks, all or the named ones, and write what they found.

    make bench
    python experiments/speed/run.py trees bins
    python experiments/speed/run.py --quick          small sizes, printed and not kept

Every script of this folder prints JSON lines. They are kept in `results.jsonl`, beginning with
the machine, and shown in `table.md`. A run of some scripts replaces their lines only, unless the
lines of the others came from another machine or other versions.
"""

import argparse
import json
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import treelab as tl
from treelab._threads import cores

HERE = Path(__file__).parent
SCRIPTS = ("trees", "everyday", "million", "bins", "nominal", "users", "pairs", "normalized",
           "predict", "startup", "scaling", "reading", "memory", "optimal")  # fmt: skip
PACKAGES = ("numpy", "numba", "scikit-learn", "ydf", "lightgbm", "fast-select",
            "skrebate", "pystreed")  # fmt: skip
COLUMNS = ("task", "case", "peer", "ratio", "wanted", "reached", "same result")
FASTER = {"s": ("faster", "slower"), "mb": ("less", "more")}


def machine():
    """Return what the figures depend on."""
    return {
        "cpu": cpu(), "cores": cores(), "python": platform.python_version(),
        "treelab": tl.__version__,
        **{package: installed(package) for package in PACKAGES},
    }  # fmt: skip


def cpu():
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def installed(package):
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def measure(script, quick):
    """Run a script; return its lines, shown as they come, and whether it came to its end."""
    call = [sys.executable, HERE / f"{script}.py", *(["--quick"] if quick else [])]
    found = []
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            found.append({"script": script, **json.loads(line)})
    return found, process.returncode == 0


def kept(path, facts):
    """Return the lines of earlier runs on this machine."""
    if not path.exists():
        return []
    first, *lines = map(json.loads, path.read_text("utf-8").splitlines())
    return lines if first == {"machine": facts} else []


def write(folder, facts, lines):
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in ({"machine": facts}, *lines))
    (folder / "results.jsonl").write_text(text, "utf-8")
    (folder / "table.md").write_text(table(facts, lines), "utf-8")


def table(facts, lines):
    """Return the results in Markdown."""
    of_machine = ", ".join(f"{name} {value}" for name, value in facts.items())
    head = [
        f"Two threads; {of_machine}.", "", f"| {' | '.join(COLUMNS)} |",
        "| --- " * len(COLUMNS) + "|",
    ]  # fmt: skip
    return "\n".join([*head, *(f"| {' | '.join(cells(line))} |" for line in lines)]) + "\n"


def cells(line):
    """Return one row of the table."""
    words = FASTER["mb" if "ours_mb" in line else "s"]
    ratio, wanted = line["ratio"], line.get("wanted")
    return (
        line["task"], line["case"], line["peer"], line.get("note") or times(ratio, words),
        times(wanted, words), reached(ratio, wanted),
        {True: "yes", False: "**no**", None: "-"}[line.get("equal")],
    )  # fmt: skip


def times(ratio, words):
    if ratio is None:
        return "-"
    return f"{ratio:.3g}x {words[0]}" if ratio >= 1 else f"{1 / ratio:.3g}x {words[1]}"


def reached(ratio, wanted):
    """Say whether a ratio is as wanted, or by what factor it falls short."""
    if ratio is None or wanted is None:
        return "-"
    return "yes" if ratio >= wanted else f"{wanted / ratio:.3g}x short"


def main():
    parser = argparse.ArgumentParser(description="Measure treelab against its peers.")
    parser.add_argument("scripts", nargs="*", metavar="SCRIPT", help=f"of: {', '.join(SCRIPTS)}")
    parser.add_argument("--quick", action="store_true", help="small sizes; nothing is kept")
    parser.add_argument("--to", type=Path, help="keep the results in this folder")
    given = parser.parse_args()
    if unknown := set(given.scripts) - set(SCRIPTS):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    folder = given.to or (None if given.quick else HERE)
    run(given.scripts or SCRIPTS, given.quick, folder)


def run(scripts, quick, folder):
    """Run some scripts; what was found is kept after each of them."""
    facts = machine()
    found, failed = kept(folder / "results.jsonl", facts) if folder else [], []
    for script in scripts:
        new, done = measure(script, quick)
        failed += [] if done else [f"{script}.py"]
        found = sorted(
            [*(line for line in found if line["script"] != script), *new],
            key=lambda line: SCRIPTS.index(line["script"]),
        )
        if folder:
            write(folder, facts, found)
    print(table(facts, found))
    if failed:
        sys.exit(f"not complete, because of an error in {', '.join(failed)}")


if __name__ == "__main__":
    main()

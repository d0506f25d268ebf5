"""The wheel in an empty environment, away from the repository, does what README.md shows."""

import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from test_wheel import packed, placed

import treelab as tl
from treelab import __version__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
MORE = (
    "treelab --version",
    "treelab datasets",
    "treelab train iris",
    "treelab reproduce vilalta2001 --quick --jobs 2",
)


def shown():
    """Return the commands in the blocks of README.md, without their comments."""
    blocks = re.findall(r"```\w*\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    lines = (line for block in blocks for line in block.splitlines())
    return [line.split("  #")[0].strip() for line in lines if line.startswith("treelab ")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of the checkout; its build needs hatchling, which pip fetches."""
    folder = tmp_path_factory.mktemp("wheel")
    call = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, ROOT]
    subprocess.run(call, check=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def run(wheel, tmp_path_factory):
    """Run a command of an environment that holds the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("away")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    commands = folder / "venv" / "bin"
    (folder / "work").mkdir()
    call = [commands / "python", "-m", "pip", "install", "--quiet", f"{wheel}[report]"]
    subprocess.run(call, check=True)
    patients(folder / "work" / "patients.csv")
    where = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    where["PATH"] = f"{commands}{os.pathsep}{where['PATH']}"

    def carried_out(line):
        words, how = shlex.split(line), {"capture_output": True, "text": True, "env": where}
        done = subprocess.run(words, cwd=folder / "work", check=False, **how)
        assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        assert "Traceback" not in done.stderr
        return done.stdout

    return carried_out


def patients(path):
    """Write the cases that the example of `treelab predict` names."""
    frame = tl.load("heart").to_frame("pandas").head(5)
    frame.insert(0, "id", range(5))
    frame.insert(1, "name", list("abcde"))
    frame.to_csv(path, index=False)


def test_the_wheel_holds_what_the_rules_say(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == {placed(path) for path in packed()}
    assert wheel.stat().st_size < 2.5e6


def test_treelab_is_that_of_the_wheel(run):
    where = "import treelab; print(treelab.__file__, treelab.__version__)"
    file, version = run(f"python -c '{where}'").split()
    assert "site-packages" in file
    assert version == __version__


@pytest.mark.parametrize("line", MORE)
def test_commands_run(run, line):
    assert run(line).strip()


def test_the_commands_of_the_readme_run_one_after_another(run):
    lines = shown()
    assert len(lines) >= 8
    for line in lines:
        run(line)


def test_the_tour_runs(run):
    assert "split metrics on" in run(f"python {ROOT / 'experiments' / 'tour.py'}")

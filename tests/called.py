"""The command line, called as the tests of commands share it."""

import contextlib
import csv
import io
import os
import pty
import subprocess
import sys
import threading

from typer.testing import CliRunner

from treelab.cli import app

PYTHON = (sys.executable, "-m", "treelab")


WEATHER = """\
outlook,level,wind,play
sunny,1,3.5,"no, never"
sunny,1,,"no, never"
sunny,?,7.25,"say ""yes"" now"
rainy,2,1.5,"say ""yes"" now"
rainy,2,2.5,"say ""yes"" now"
rainy,3,9.5,"no, never"
sunny,3,8.5,"no, never"
rainy,1,0.5,"say ""yes"" now"
"""


def run(*arguments):
    return CliRunner().invoke(app, [str(word) for word in arguments], prog_name="treelab")


def done(*arguments):
    """Run a command that must succeed and return what it prints."""
    result = run(*arguments)

    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def outside(*arguments, **settings):
    """Run a command in a process of its own."""
    paths = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | settings
    return subprocess.run(
        [*PYTHON, *arguments], env=environment, text=True, timeout=60, check=False, **pipes
    )


def rows_of(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def on_terminal(stream, *arguments):
    """Run a command, one of its streams being a terminal; return also what that showed.

    It is read while the command runs: a terminal that nobody reads is soon full, and blocks.
    """
    above, below = pty.openpty()
    pieces = []

    def read():
        with contextlib.suppress(OSError):  # nobody writes to the terminal any more
            while piece := os.read(above, 1 << 16):
                pieces.append(piece)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        result = outside(*arguments, **{stream: below})
    finally:
        os.close(below)
        reader.join()
        os.close(above)
    return result, b"".join(pieces).decode()

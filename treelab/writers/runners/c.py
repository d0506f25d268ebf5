"""C, compiled by the machine's compiler and called as a library."""

import ctypes
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from treelab.errors import TreelabError
from treelab.writers.export_tree import ExportTree
from treelab.writers.runners.answers import Answers, Cases, NoEngineError, numbers, texts

FLAGS = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC"]


class Value(ctypes.Structure):
    """The value of a feature: `tree_value` of the source."""

    _fields_ = (("number", ctypes.c_double), ("text", ctypes.c_char_p))


def run(content: str, form: ExportTree, cases: Cases) -> Answers:
    """Return what the compiled functions give."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise NoEngineError("there is no C compiler (cc) here")
    with TemporaryDirectory(prefix="treelab-", ignore_cleanup_errors=True) as folder:
        return _called(_library(content, compiler, Path(folder)), form, cases)


def _library(content: str, compiler: str, folder: Path) -> Any:
    (folder / "tree.c").write_text(content, encoding="utf-8")
    command = [compiler, *FLAGS, "tree.c", "-o", "tree.so", "-lm"]
    done = subprocess.run(  # noqa: S603  (what treelab wrote itself)
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise TreelabError(f"cc refuses what was written: {done.stderr.strip()}")
    return ctypes.CDLL(str(folder / "tree.so"))


def _called(library: Any, form: ExportTree, cases: Cases) -> Answers:
    library.tree_predict.restype = ctypes.c_char_p
    shares = np.empty((len(cases), len(form.classes)))
    labels = []
    for row, values in zip(shares, _rows(form, cases), strict=True):
        library.tree_predict_proba(values, row.ctypes.data_as(ctypes.c_void_p))
        labels.append(library.tree_predict(values).decode(errors="surrogatepass"))
    return Answers("cc", labels, shares)


def _rows(form: ExportTree, cases: Cases) -> list[Any]:
    """Return each case as an array of values; C wants one place at least."""
    columns = [
        [Value(0.0, text and text.encode(errors="surrogatepass")) for text in texts(c, cases, None)]
        if c.has_labels else [Value(number, None) for number in numbers(c, cases)]
        for c in form.features
    ]  # fmt: skip
    room = Value * max(len(columns), 1)
    return [room(*(column[place] for column in columns)) for place in range(len(cases))]

"""What takes files from others, each as a function of bytes, with valid files to begin from."""

import atexit
import json
import shutil
import tempfile
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import attrs
import binaries
import broken

from treelab.data.dataset import Dataset
from treelab.data.readers import read
from treelab.errors import DataWarning
from treelab.experiment.study_file import read_study
from treelab.learner import Learner
from treelab.tree.file import dumps, loads

Mutator = Callable[[Random, Sequence[bytes], Sequence[bytes]], bytes]


@attrs.frozen
class Target:
    """A way in: the function that takes the bytes, valid bytes, and words of their language."""

    take: Callable[[bytes], object]
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...] = ()
    mutator: Mutator = broken.mutated
    is_native: bool = False
    """Whether a library in another language reads the bytes, which may end the process."""
    of: tuple[str, ...] = ("treelab.data.readers", "treelab.data.dataset")
    """The modules that take the bytes."""


@cache
def folder() -> Path:
    """Return a folder of this process, in memory where there is such a thing."""
    memory = Path("/dev/shm")
    made = Path(tempfile.mkdtemp(prefix="fuzz", dir=memory if memory.is_dir() else None))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def _read(suffix: str) -> Callable[[bytes], Dataset]:
    def take(content: bytes) -> Dataset:
        path = folder() / f"x{suffix}"
        path.write_bytes(content)
        return _read_quietly(path)

    return take


BETWEEN = b"\n---\n"
"""What parts the two files of a C4.5 pair in one input."""


def _read_c45(content: bytes) -> Dataset:
    names, _, cases = content.partition(BETWEEN)
    (folder() / "x.names").write_bytes(names)
    (folder() / "x.data").write_bytes(cases)
    return _read_quietly(folder() / "x.data")


def _read_quietly(path: Path) -> Dataset:
    """Read a file; that its columns may not be what they seem is no trouble."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return _looked_at(read(path))


def _looked_at(data: Dataset) -> Dataset:
    """Use what was read: a data set that cannot be shown or parted is no data set."""
    assert repr(data)
    assert len(data.take(range(len(data)))) == len(data) > 0
    return data


def _load(content: bytes) -> None:
    """Load a model, and expect it to come back from its own file and to predict."""
    tree = loads(content.decode(errors="surrogateescape"))
    assert loads(dumps(tree)) == tree
    assert str(tree)
    empty = [[-1 if column.is_nominal else float("nan")] for column in tree.schema.features]
    shares = tree.predict_proba(Dataset.of(tree.schema, empty, [-1]))
    assert shares.min() >= 0
    assert abs(shares.sum() - 1) < 1e-9  # rounding only


def _study(content: bytes) -> object:
    path = folder() / "study.toml"
    path.write_bytes(content)
    return read_study(path)


CSV = (
    b"age,colour,class\n3,red,good\n?,blue,bad\n10,,good\n4,red,?\n",
    b"'a b';c;d\r\n1.5e3;'x;y';1\r\n-.5;z;0\r\n",
    b'"q""q",b\n"1\n2",3\n"",4\n',
    b"1 2 yes\n3 4 no\n5 6 no\n",
    "é|ß|class\n1|ü|a\n2|ö|b\n".encode(),
    b"a, b, c\n1, 2, x\n3, NA, y\n",
    b"only\na\nb\n",
)
TSV = (b"a\tb\tc\n1\tx\ty\n2\t\tz\n", b'"a\tb"\tc\n1\t2\n', b"a\n1\n2\n")
ARFF = (
    b"@relation r\n% c\n@attribute a numeric\n@attribute 'b c' {x, 'y z', \"w\"}\n"
    b"@attribute class {yes,no}\n@data\n1,x,yes\n?,'y z',no\n2.5,w,yes,{2}\n",
    b"@RELATION s\n@ATTRIBUTE a REAL\n@ATTRIBUTE b {p,q}\n@ATTRIBUTE s string\n@DATA\n"
    b"{0 1.5, 1 q}\n{}\n{2 'it is', 1 p}\n",
    b"@relation d\n@attribute t date 'yyyy'\n@attribute n integer [1,2]\n@data\n'19\\'99',1\n?,2\n",
)
C45 = (
    b"good, bad. | the classes\n\nage: continuous.\ncolour: red, blue.\nskip: ignore.\n"
    + BETWEEN + b"3, red, 0, good.\n?, blue, 1, bad\n",
    b"class.\na\\:b: discrete 3.\nclass: x, y.\n" + BETWEEN + b"p, x\nq\\,r, y\n",
    b"0,1.\nv: 1.5, 2.5\nw: continuous" + BETWEEN + b"1.5,1,0\n2.5,2,1",
)  # fmt: skip
TAB = (
    b"age\tcolour\tclass\nc\td\td\n\t\tclass\n3\tred\tgood\n?\tblue\tbad\n",
    b"C#age\tD#colour\tcD#class\n3\tred\tgood\n.\tblue\tbad\n",
    b"a\tb\tw\tclass\ncontinuous\tx y z\tc\td\nmeta\t\tweight\tclass\n1\tx\t2\tp\n2\tz\t1\tq\n",
    b"a\tb\n1\tx\n2\ty\n",
)
KEEL = (
    b"@relation r\n@attribute a real [0.0, 9.5]\n@attribute b {x,y}\n@attribute class {p,n}\n"
    b"@inputs a, b\n@outputs class\n@data\n1.5, x, p\n<null>, y, n\n",
    b"@relation r\n@attribute a integer[1,3]\n@attribute c {p,n}\n@input a\n"
    b"@output c\n@data\n1,p\n",
)
STUDY = (
    b'name = "mine"\ndata = ["lenses"]\nfolds = 3\nrepeats = 2\nseeds = [0, 1]\nalpha = 0.1\n'
    b'rope = 0.02\ntests = ["t", "friedman"]\nrecord = ["accuracy", "leaves"]\n'
    b'[settings]\nmin_cases = 3\n[[learner]]\nname = "Gain"\nmetric = "gain"\n'
    b"[quick]\nrepeats = 1\n",
    b'data = [{ file = "x.csv", target = "class", label = "cars" }]\n[[learner]]\nmetric = "gini"\n'
    b'pruner = { name = "pessimistic", cf = 0.2 }\n[[note]]\ntitle = "t"\ntext = """\na\nb"""\n',
    b'data = ["lenses"]\n[grid]\nmetric = "pi"\nalpha = [0.1, 0.5]\ntheta = [[1, 0, 0, 1]]\n',
    b'data = ["lenses"]\n[[learner]]\nname = "CART"\nencoding = "ordinal"\n'
    b'estimator = "sklearn.tree:DecisionTreeClassifier(max_depth=3)"\n',
    b'data = ["lenses"]\n[[learner]]\ndiscretizer = "equal-width:10"\n[paper]\ncitation = "c"\n'
    b'expected = "expected.csv"\nunavailable = { star = "not public" }\n'
    b'[[paper.check]]\nlearners = ["a"]\ndata = ["lenses"]\nwithin = 2\n',
)
STUDY_WORDS = (
    b"learner", b"[[learner]]\n", b"[grid]\n", b"[settings]\n", b"[quick]\n", b"[paper]\n",
    b"[[note]]\n", b"data", b"metric", b"pruner", b"discretizer", b"name", b"estimator", b" = ",
    b"[]", b"{}", b"[[1]]", b"{ name = 1 }", b'{ name = "gain" }', b'"lenses"', b"1979-05-27",
    b"07:32:00", b"0x7fffffffffffffffffff", b"1e9", b"inf", b"-1", b'"""', b"'''", b"bins",
    b"width", b'"relieff:k=3"', b'"chimerge"', b'"mdlp"', b'"pi:alpha=1"', b"folds", b"repeats",
    b"seeds", b"../x.csv", b"sklearn.", b":", b"(", b"=1)", b'"normalized-gini"', b"max_depth",
    b"title",
)  # fmt: skip


def _models() -> tuple[bytes, ...]:
    small = [_read(".csv")(CSV[0]), _read(".arff")(ARFF[0])]
    grown = [
        Learner(pruner=None, min_cases=1, min_branch=1, discretizer=cut, missing=missing).fit(data)
        for data in small
        for cut, missing in ((None, "fractional"), ("equal-width:2", "branch"))
    ]
    return tuple(json.dumps(json.loads(dumps(tree))).encode() for tree in grown)


OF_MODELS = ("treelab.tree.file", "treelab.data.dataset")
OF_STUDIES = ("treelab.experiment.study_file",)


def _targets() -> dict[str, Any]:
    (folder() / "x.csv").write_bytes(CSV[0])
    (folder() / "expected.csv").write_bytes(b"data,learner,mean,sd,marked\nlenses,a,90.5,1.0,\n")
    arff_words = (b"@attribute ", b"@data\n", b"{", b"numeric", b"{a,b}", b"string", b"'", b"\\'")
    names_words = (BETWEEN, b"continuous", b"ignore", b"discrete", b"\\,", b"\\:", b". ", b"|")
    tab_words = (b"c\td\n", b"class", b"weight", b"meta", b"mD#", b"wC#", b"\t\n", b"x y", b"~")
    keel_words = (*arff_words, b"@inputs ", b"@outputs ", b"<null>")
    sqlite_words = (
        b"\xff\xff\xff\xff",
        b"\0\0\0\0",
        b"\x0d",
        b"\x05",
        b"CREATE TABLE t (",
        b"\x81\0",
    )
    model_words = (b'"nodes"', b'"counts"', b"[[[[", b"1e400", b"Infinity", b"\\ud800", b'{"a":')
    return {
        "csv": Target(_read(".csv"), CSV),
        "tsv": Target(_read(".tsv"), TSV),
        "arff": Target(_read(".arff"), ARFF, arff_words),
        "c45": Target(_read_c45, C45, names_words),
        "tab": Target(_read(".tab"), TAB, tab_words),
        "keel": Target(_read(".dat"), KEEL, keel_words),
        "gz": Target(_read(".csv.gz"), binaries.gz(CSV), (), binaries.mutated_gz),
        "parquet": Target(_read(".parquet"), binaries.parquet(), is_native=True),
        "excel": Target(
            _read(".xlsx"), binaries.excel(), binaries.EXCEL_WORDS, binaries.mutated_zip, True
        ),
        "sqlite": Target(_read(".sqlite"), binaries.sqlite(folder()), sqlite_words, is_native=True),
        "duckdb": Target(_read(".duckdb"), binaries.duckdb(folder()), is_native=True),
        "forged-duckdb": Target(
            _read(".duckdb"), binaries.duckdb(folder()), (), binaries.mutated_sealed, True
        ),
        "model": Target(_load, _models(), model_words, broken.mutated_json, of=OF_MODELS),
        "study": Target(_study, STUDY, STUDY_WORDS, of=OF_STUDIES),
    }


TARGETS: dict[str, Target] = _targets()

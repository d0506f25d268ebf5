"""-0.0 is 0.0 from the start: whatever data come from, and whatever is learnt from them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import treelab as tl
from treelab.data.coding import Coding

ZEROS = np.array([0.0, -0.0, 1.0, -1.0, -0.0, np.nan, 0.0, 2.0])
CLASSES = [*"pqpqqppq"]
METHODS = [name for name in tl.discretizer_names() if name != "cuts"]


def frozen(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.flags.writeable = False
    return values


def from_csv(folder):
    text = "\n".join(f"{v},{c}" for v, c in zip(ZEROS, CLASSES, strict=True))
    (folder / "cases.csv").write_text(f"x,y\n{text.replace('nan', '?')}\n")
    return tl.read(folder / "cases.csv", "y")


def from_arff(folder):
    text = "\n".join(f"{v},{c}" for v, c in zip(ZEROS, CLASSES, strict=True))
    head = "@relation r\n@attribute x numeric\n@attribute y {p,q}\n@data\n"
    (folder / "cases.arff").write_text(head + text.replace("nan", "?") + "\n")
    return tl.read(folder / "cases.arff", "y")


def from_parquet(folder):
    pd.DataFrame({"x": ZEROS, "y": CLASSES}).to_parquet(folder / "cases.parquet")
    return tl.read(folder / "cases.parquet", "y")


def of_parts(_folder):
    schema = tl.Schema((tl.Column("x"),), tl.Column("y", ("p", "q")))
    return tl.Dataset.of(schema, [frozen(ZEROS)], [c == "q" for c in CLASSES])


SOURCES = {
    "csv": from_csv,
    "arff": from_arff,
    "parquet": from_parquet,
    "parts": of_parts,
    "pandas": lambda _: tl.Dataset.from_frame(pd.DataFrame({"x": ZEROS, "y": CLASSES}), "y"),
    "polars": lambda _: tl.Dataset.from_frame(pl.DataFrame({"x": ZEROS, "y": CLASSES}), "y"),
}


@pytest.mark.parametrize("source", SOURCES)
def test_no_data_set_has_a_minus_zero(source, tmp_path) -> None:
    (values,) = SOURCES[source](tmp_path).columns
    np.testing.assert_array_equal(values, ZEROS)
    assert not np.signbit(values[values == 0]).any()


def test_numbers_without_one_are_not_copied() -> None:
    values = frozen(np.array([0.0, 1.0, np.nan]))
    data = tl.Dataset.of(tl.Schema((tl.Column("x"),)), [values])
    assert data.columns[0] is values


def test_a_cut_point_is_no_minus_zero() -> None:
    assert str(Coding({"x": [-0.0, 1.0]})) == str(Coding({"x": [0.0, 1.0]}))
    assert tl.discretizer("cuts", cuts={"x": [-0.0]}).fit(of_parts(None)).labels("x")[0] == "< 0"


def noisy_zeros(seed: int) -> tl.Dataset:
    rng = np.random.default_rng(seed)
    columns = rng.choice([-0.0, 0.0, -1.0, 1.0, 0.5], (3, 60))
    y = (columns[0] + rng.normal(0, 0.5, 60) > 0).astype(int)
    schema = tl.Schema(tuple(map(tl.Column, "abc")), tl.Column("y", ("p", "q")))
    return tl.Dataset.of(schema, list(columns), y, rng.integers(1, 3, 60))


@pytest.mark.parametrize("method", [None, *METHODS])
def test_the_order_of_the_rows_changes_no_byte(method, tmp_path) -> None:
    for seed in range(2):
        data = noisy_zeros(seed)
        order = np.random.default_rng(seed).permutation(len(data))
        twice = np.repeat(order, data.weights[order].astype(int))
        doubled = data.take(twice).reweighted(np.ones(len(twice)))
        saved = []
        for cases in (data, data.take(order), doubled):
            tl.grow(cases, discretizer=method).save(tmp_path / "model.json")
            saved.append((tmp_path / "model.json").read_bytes())
        assert saved[0] == saved[1] == saved[2]

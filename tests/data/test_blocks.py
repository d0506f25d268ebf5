"""Delimited text by blocks: wherever a block ends, the data or the error are those of the whole."""

import warnings

import numpy as np
import pytest

import treelab as tl
from treelab.data.readers import blocks, encoding, source
from treelab.errors import DataError, TreelabError

FIELDS = ["1", "2.5", "-3e2", "x", "é", "", "?", "-", "1,5", "1.234,5", '"a,b"', '"c""d"', '"e\nf"',
          "2024-03-01", " 7 ", "NA"]  # fmt: skip
KINDS = {"numbers": FIELDS[:3], "labels": FIELDS[3:5], "dirty": ["1", "2", "-", "NA"],
         "commas": ['"1,5"', '"2,25"', "3"], "dates": ["2024-03-01", "2024-04-30", "?"],
         "quoted": FIELDS[10:13], "any": FIELDS}  # fmt: skip


def text(seed: int) -> str:
    """Make a file of columns of some kinds, at times with a row or a quote that is wrong."""
    rng = np.random.default_rng(seed)
    n, end = int(rng.integers(3, 40)), rng.choice(["\n", "\r\n", "\r"])
    columns = [rng.choice(KINDS[kind], n).tolist() for kind in rng.choice([*KINDS], 4)]
    if rng.random() < 0.5:
        columns[0] = [*"1" * (n - 1), "late"]  # a label behind all the numbers
    rows = [",".join(row) for row in zip(*columns, ["p", "q"] * n, strict=False)]
    if rng.random() < 0.3:
        wrong = ["1,2", '"a"b,1,2,3,p', '"open,1,2,3,p', "", "   "]
        rows.insert(int(rng.integers(len(rows))), str(rng.choice(wrong)))
    return end.join(["a,b,c,d,y", *rows]) + (end if rng.random() < 0.5 else "")


def outcome(path, **options) -> list[object]:
    """Return all that can be seen of a read: the data or the error, and the warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            data = tl.read(path, **options)
        except TreelabError as error:
            return [str(error), *(str(each.message) for each in told)]
    columns = [column.tobytes() for column in (*data.columns, data.y)]
    return [data.schema, *columns, *(str(each.message) for each in told)]


@pytest.mark.parametrize("size", [5, 40, 200])
def test_it_does_not_matter_where_a_block_ends(size: int, tmp_path, monkeypatch) -> None:
    seen = set()
    for seed in range(60):
        path = tmp_path / "cases.csv"
        path.write_bytes(text(seed).encode())
        options = {"decimal": ","} if seed % 5 == 0 else {"nominal": ["a"]} if seed % 7 == 0 else {}
        whole = outcome(path, **options)
        with monkeypatch.context() as patch:
            patch.setattr(blocks, "BLOCK", size)
            patch.setattr(encoding, "SLICE", size)
            patch.setattr(source, "SLICE", size)
            assert outcome(path, **options) == whole, seed
        seen.add(type(whole[0]))
    assert seen == {str, tl.Schema}  # errors as well as data


@pytest.mark.parametrize("place", [0, 3, 4, 5, 11])
def test_a_byte_that_is_no_text_is_found_in_any_slice(place: int, tmp_path, monkeypatch) -> None:
    content = bytearray("a,é\n1,€\n2,ü\n".encode())
    content[place : place + 1] = b"\xff"
    path = tmp_path / "cases.csv"
    path.write_bytes(content)
    whole = outcome(path)
    assert "is not UTF-8 text; encoding= (--encoding)" in str(whole[0])
    for size in (1, 2, 5):
        monkeypatch.setattr(encoding, "SLICE", size)
        monkeypatch.setattr(source, "SLICE", size)
        assert outcome(path) == whole


def test_a_file_that_changes_while_it_is_read_is_told(tmp_path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("a,y\n1,p\n2,q\n")
    content = source.StoredBytes.of(path)
    assert content[4:7] == b"1,p"
    path.write_text("a,y\n1,p\n")
    with pytest.raises(DataError, match=r"cases\.csv has changed while it was read"):
        content[0:12]


def test_the_columns_of_a_data_set_are_the_arrays_that_were_filled(tmp_path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("a,b,y\n" + "".join(f"{n},{n / 7},{'pq'[n % 2]}\n" for n in range(100)))
    data = tl.read(path)
    assert all(column.base is None and column.nbytes == 800 for column in data.columns)

"""The code on pages of the site is run in an empty folder of its own."""

import pytest

# Scripts of the gallery run when the site is built; the other folders are made then.
# Nor is this file searched for examples: several of one name cannot be.
collect_ignore = [
    "conftest.py",
    "gallery",
    "conf.py",
    "links.py",
    "_ext",
    "auto_gallery",
    "generated",
    "_build",
]


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

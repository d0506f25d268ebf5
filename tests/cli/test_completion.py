"""The shell completes names as the program knows them, and files where there are data."""

import os
import subprocess
import sys

import pytest

import treelab as tl
from treelab.cli import completion
from treelab.papers.catalog import paper_titles
from treelab.writers import format_names


@pytest.mark.parametrize(
    ("complete", "names"),
    [
        (completion.complete_metrics, tl.metric_names()),
        (completion.complete_formats, format_names()),
        (completion.complete_papers, ["all", *paper_titles()]),
    ],
)
def test_all_names_are_offered_and_those_that_begin_so(complete, names):
    assert complete("") == list(names)
    assert complete(names[0][:2]) == [name for name in names if name.startswith(names[0][:2])]
    assert complete("no such name") == []


@pytest.mark.parametrize(
    ("complete", "known"),
    [(completion.complete_pruners, "pessimistic"), (completion.complete_discretizers, "mdlp")],
)
def test_the_parts_of_a_learner_are_completed(complete, known):
    assert known in complete(known[:3])


def test_a_list_is_completed_at_its_last_name():
    assert completion.complete_metrics("mdl,gini-") == ["mdl,gini-prime"]


def test_data_are_bundled_sets_and_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "iris-of-mine.csv").touch()
    (tmp_path / "irises").mkdir()
    (tmp_path / "irises" / "more.csv").touch()

    assert completion.complete_data("iris") == ["iris", "iris-of-mine.csv", "irises/"]
    assert completion.complete_data("irises/") == ["irises/more.csv"]
    assert completion.complete_data("nowhere/") == []


def test_the_program_answers_a_shell():
    asked = {"COMP_WORDS": "treelab train iris --metric gini-", "COMP_CWORD": "4"}
    environment = os.environ | {"_TREELAB_COMPLETE": "complete_bash"} | asked
    told = subprocess.run(
        [sys.executable, "-m", "treelab"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert told.stdout.split() == ["gini-prime"]

"""Small studies as the tests of runner and store share them."""

import treelab as tl
from treelab.experiment import Store, Study, run_study
from treelab.experiment.report import write_tables
from treelab.experiment.summary import Summary

TABLES = ("results.csv", "tests.csv", "table.md", "table.tex")


def small(**changes):
    settings = {
        "data": ["lenses", "zoo"],
        "learners": {"gain": tl.Learner(metric="gain"), "gini": tl.Learner(metric="gini")},
        "folds": 3,
        "repeats": 2,
    }
    return Study(**settings | changes)


def run(study, **options):
    with Store(":memory:") as store:
        return run_study(study, store, **options)


def tables(results, folder):
    """Return the files that are the same for every run."""
    folder.mkdir(exist_ok=True)
    write_tables(Summary(results), folder)
    return {name: (folder / name).read_bytes() for name in TABLES}


def made_again(store, study):
    """Return how many trials of a study are not in the store."""
    made = []

    def watch(outcomes, to_come, _in_all):
        made.append(to_come)
        return outcomes

    run_study(study, store, watch=watch)
    return sum(made)

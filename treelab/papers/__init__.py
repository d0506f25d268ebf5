"""The experiments of papers: how each is carried out and told.

A paper is a study file, `experiments/NAME/study.toml`. Where that compares learners, a package of
the name here may judge with `statements(summary)`, and add `sections(summary)` to the report. Any
other has a package here, whose `QUESTIONS` are asked as its study file says and whose `to_article`
makes an article of the answers; its `statements(answers)` judge what the paper says, a question of
our own has none. What a paper's `grid.toml` or `sensitivity.toml` asks, a part of the package of
that name does. Papers reach public names of the library only (CONTRIBUTING.md says which), so
that other people's packages can do the same: they join by an entry point, see `catalog`.
"""

"""The experiments of papers: how each is carried out and told.

A paper that compares learners is a study file (`experiments/NAME/study.toml`) and nothing else. Any
other has a package here, whose `QUESTIONS` are asked as its study file says and whose `tell` makes
an article of the answers.
"""

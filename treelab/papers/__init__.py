"""The experiments of papers: how each is carried out and told.

A paper that compares learners is a study file, `experiments/NAME/study.toml`, with a module here if
it has statements to judge. Any other has a package here, whose `QUESTIONS` are asked as its study
file says and whose `to_article` makes an article of the answers. Its `statements` judge what the
paper says; a question of our own has none.
"""

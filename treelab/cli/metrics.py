"""`treelab metrics`: what a split can be worth."""

from treelab.cli.output import AsJson, say_json, say_table


def metrics(json: AsJson = False) -> None:
    """List the split metrics, with their ideas and sources."""
    import attrs

    from treelab.metrics import metric_info, metric_names

    infos = [metric_info(name) for name in metric_names()]
    if json:
        say_json([attrs.asdict(info) for info in infos])
        return
    heads = ("name", "idea", "source", "needs", "range")
    say_table(heads, [[getattr(info, head) for head in heads] for info in infos])

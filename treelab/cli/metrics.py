"""`treelab metrics`: what a split can be worth."""

from collections.abc import Sequence
from typing import Annotated

import typer

from treelab.cli.output import AsJson, say, say_json, say_table
from treelab.errors import ParameterError


def metrics(
    json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
) -> None:
    """List the split metrics, with their ideas and sources."""
    import attrs

    from treelab.metrics import metric_info, metric_names

    if json and markdown:
        raise ParameterError("--json and --markdown exclude each other")
    infos = [metric_info(name) for name in metric_names()]
    if json:
        say_json([attrs.asdict(info) for info in infos])
        return
    heads = ("name", "idea", "source", "needs", "range")
    rows = [[str(getattr(info, head)) for head in heads] for info in infos]
    if markdown:
        say(_markdown(("metric", *heads[1:]), [[f"`{name}`", *rest] for name, *rest in rows]))
    else:
        say_table(heads, rows)


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(c.replace('|', '&#124;') for c in line)} |" for line in lines)

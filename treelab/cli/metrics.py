"""`treelab metrics`: what a split can be worth."""

from collections.abc import Sequence
from typing import Annotated

import typer

from treelab.cli.completion import complete_metrics
from treelab.cli.output import AsJson, as_word, say, say_facts, say_json, say_table
from treelab.errors import ParameterError


def metrics(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="METRIC",
            autocompletion=complete_metrics,
            help="All about this one: formula, parameters, bias, source.",
        ),
    ] = None,
    json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
) -> None:
    """List the split metrics, with their ideas and sources, or show all about one of them."""
    import attrs

    from treelab.metrics import metric_info, metric_names

    if markdown and (json or name is not None):
        other = "--json" if json else "the name of a metric"
        raise ParameterError(f"--markdown and {other} exclude each other")
    if name is not None:
        _say_one(name, json)
        return
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


def _say_one(name: str, json: bool) -> None:
    """Print all about a metric."""
    import attrs

    from treelab.metrics import metric_info, metric_parameters, metric_text

    info, parameters = metric_info(name), metric_parameters(name)
    defaults = {key: as_word(value) for key, value in parameters.items()}
    if json:
        say_json(attrs.asdict(info) | {"parameters": defaults, "text": metric_text(name)})
        return
    better = "lower scores of the paper" if info.lower_is_better else "higher"
    say_facts(
        [
            ("metric", info.name),
            ("idea", info.idea),
            ("source", info.source),
            ("range", info.range),
            ("better", better),
            ("needs", "counts" if info.needs == "counts" else f"{info.needs} of cases"),
            ("parameters", ", ".join(f"{key}={word}" for key, word in defaults.items())),
        ]
    )
    say(f"\n{metric_text(name)}")


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(c.replace('|', '&#124;') for c in line)} |" for line in lines)

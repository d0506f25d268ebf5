"""The tables of metrics by family, and a page that says all about each."""

import tomllib
from pathlib import Path
from typing import Any

import treelab
from treelab.metrics import metric_info, metric_names, metric_parameters, metric_text

FAMILIES = Path(__file__).parents[1] / "concepts" / "families.toml"
HEADS = ("metric", "idea", "source", "needs", "range")
NOISE = (2, 5, 10, 20, 40)
"""Numbers of values of attributes that tell nothing; the first and the last are reported."""
TRIALS = {"counts": 300, "pairs": 30, "any": 30}


def families() -> list[dict[str, Any]]:
    """Return the families with their metrics; those that none of them has come last."""
    listed: list[dict[str, Any]] = tomllib.loads(FAMILIES.read_text("utf-8"))["family"]
    found = {name for family in listed for name in family["metrics"]}
    rest = [name for name in metric_names() if name not in found]
    return [*listed, {"title": "Others", "text": "", "metrics": rest}] if rest else listed


def pages() -> dict[str, str]:
    """Return the tables, for the page of concepts to include, and the reference of all metrics."""
    chosen = {name: shares_of_noise(name) for name in metric_names()}
    return {"parts/metric-tables.md": tables(chosen), "metrics.md": reference()}


def shares_of_noise(name: str) -> str:
    """Return how often a metric chooses noise of the fewest and of the most values."""
    trials = TRIALS[metric_info(name).needs]
    design: dict[str, Any] = {"classes": 2, "values": NOISE, "cases": 200, "trials": trials}
    shares = treelab.bias(name, scenarios=["irrelevant"], **design).chosen(name, classes=2)
    first, *_, last = shares.values()
    return f"{first:.0%}&nbsp;/&nbsp;{last:.0%}"


def tables(chosen: dict[str, str]) -> str:
    """Return a section for each family: what it looks at, its bias, its metrics."""
    return "\n".join(_family(family, chosen) for family in families())


def _family(family: dict[str, Any], chosen: dict[str, str]) -> str:
    heads = (*HEADS, f"noise of {NOISE[0]} / {NOISE[-1]} values")
    lines = [f"## {family['title']}", "", family["text"].strip(), ""]
    lines += [_row(heads), _row(["---"] * len(heads))]
    rows = [_row([*_cells(name), chosen[name]]) for name in family["metrics"]]
    return "\n".join([*lines, *rows]) + "\n"


def _cells(name: str) -> list[str]:
    info = metric_info(name)
    link = f"[`{name}`](/generated/metrics.md#{name})"
    return [link, *(str(getattr(info, head)) for head in HEADS[1:])]


def _row(cells: Any) -> str:
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def reference() -> str:
    """Return the page with all about each metric."""
    opening = (
        '# Metrics\n\nEvery name can be given wherever a metric is: `tl.grow(data, "gain")`, '
        '`tl.rank(data, "relieff:k=5")`,\n`treelab train iris --metric gini`. '
        "[The families and their biases](../concepts/metrics.md) are on a page of their own.\n"
    )
    return "\n".join([opening, *(_section(name) for name in sorted(metric_names()))])


def _section(name: str) -> str:
    info = metric_info(name)
    facts = {"Source": info.source, "Range": info.range, "Needs": info.needs}
    told = " · ".join(f"*{key}:* {value}" for key, value in facts.items())
    written = ", ".join(f"{key}={value}" for key, value in _defaults(name).items())
    signature = f"{name}:{written}" if written else name
    return (
        f"## {name}\n\n{told}\n\n```text\n{signature}\n```\n\n```text\n{metric_text(name)}\n```\n"
    )


def _defaults(name: str) -> dict[str, str]:
    """Return the parameters that have a default that can be written."""
    found = {key: _word(value) for key, value in metric_parameters(name).items()}
    return {key: word for key, word in found.items() if word}


def _word(value: object) -> str:
    """Return a default as it is written in a specification; empty for a function and the like."""
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case tuple():
            return "/".join(f"{item:g}" for item in value)
        case float():
            return f"{value:g}"
        case int() | str():
            return str(value)
    return ""

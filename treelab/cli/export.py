"""`treelab export`: a saved tree in the language of another program."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from treelab.cli.completion import complete_formats
from treelab.cli.inputs import ModelName, check_output
from treelab.cli.output import count, note
from treelab.errors import ParameterError


def export(
    model: ModelName,
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            autocompletion=complete_formats,
            help="c, dot, html, json, latex, onnx, pdf, pmml, png, python, rules, sklearn, sql, "
            "svg or text.",
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file.")
    ] = None,
    approximate: Annotated[
        bool,
        typer.Option(
            "--approximate",
            help="Let missing values follow most cases where the format cannot part them.",
        ),
    ] = False,
    dialect: Annotated[
        str | None, typer.Option(help="Of SQL: sqlite, duckdb or postgresql.")
    ] = None,
    table: Annotated[
        str | None, typer.Option(help="SQL: make a view of this table, not an expression.")
    ] = None,
    view: Annotated[str | None, typer.Option(help="SQL: the name of the view.")] = None,
) -> None:
    """Write a saved tree as rules, SQL, Python, C, PMML, ONNX, a page, a picture ..."""
    check_output(output, model)
    from treelab.tree.model import Tree
    from treelab.writers import export, format_names

    if to not in format_names():
        raise ParameterError(f"--to is one of {', '.join(format_names())}, got {to!r}")
    options = {"dialect": dialect, "table": table, "view": view}
    given: dict[str, Any] = {name: word for name, word in options.items() if word is not None}
    content = export(Tree.load(model), to, output, approximate=approximate, **given)
    if output is not None:
        note(f"wrote {output}: {count(output.stat().st_size, 'byte')} of {to}")
        return
    if not isinstance(content, str):
        raise ParameterError(f"{to} is no text: name a file with -o")
    sys.stdout.write(content)

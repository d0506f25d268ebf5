"""`treelab export`: a saved tree in the language of another program."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab._formats import format_names
from treelab.cli.completion import complete_data, complete_formats
from treelab.cli.inputs import ModelName, check_output, new_data
from treelab.cli.output import count, note, say
from treelab.cli.reading import Reading, reads_data
from treelab.errors import ParameterError, UnknownNameError

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset
    from treelab.tree.model import Tree


@reads_data
def export(
    model: ModelName,
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            autocompletion=complete_formats,
            help=f"One of {', '.join(format_names())}.",
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
    verify: Annotated[
        str | None,
        typer.Option(
            metavar="DATA",
            autocompletion=complete_data,
            help="Run what was written on these data, and compare it with the tree.",
        ),
    ] = None,
    *,
    reading: Reading,
) -> None:
    """Write a saved tree as rules, SQL, Python, C, PMML, ONNX, a page, a picture ...

    With --verify what was written is run (SQL by SQLite or DuckDB, C by cc, ONNX by onnxruntime,
    PMML by pypmml); the exit code is 1 where it disagrees with the tree, or cannot be run here.
    """
    check_output(output, model, *([] if verify is None else [verify]))
    from treelab.tree.model import Tree
    from treelab.writers import export, form_for

    if to not in format_names():
        raise UnknownNameError("format", to, format_names())
    options = {"dialect": dialect, "table": table, "view": view}
    given: dict[str, Any] = {name: word for name, word in options.items() if word is not None}
    tree = Tree.load(model)
    cases = None if verify is None else _cases(to, verify, tree, reading)
    content = export(tree, to, output, approximate=approximate, **given)
    if form_for(tree, to, approximate).follows_majority:
        note(
            f"a missing value will follow the branch of most cases in this {to}; "
            "the tree sends it down every branch"
        )
    if output is not None:
        note(f"wrote {output}: {count(output.stat().st_size, 'byte')} of {to}")
    elif isinstance(content, str):
        sys.stdout.write(content)
    elif cases is None:
        raise ParameterError(f"{to} is no text: name a file with -o")
    if cases is not None:
        _verify(tree, to, content, cases, approximate, given, print_it=output is not None)


def _cases(to: str, given: str, tree: "Tree", reading: Reading) -> "Dataset":
    """Return the data to verify with; formats that nothing runs are refused before writing."""
    from treelab.writers.runners import runner

    runner(to)
    return new_data(given, tree, reading=reading)


def _verify(
    tree: "Tree",
    to: str,
    content: Any,
    cases: "Dataset",
    approximate: bool,
    options: dict[str, Any],
    print_it: bool,
) -> None:
    """Print the agreement, beside what was written to standard output on standard error."""
    from treelab.writers.runners.answers import NoEngineError
    from treelab.writers.verify import verify

    try:
        agreement = verify(tree, to, content, cases, approximate=approximate, **options)
    except NoEngineError as error:
        note(f"not verified: {error}")
        raise typer.Exit(1) from None
    (say if print_it else note)(str(agreement))
    if not agreement.holds:
        raise typer.Exit(1)

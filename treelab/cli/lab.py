"""`treelab lab`: a local page to load data, grow, compare metrics, ask why, change and keep."""

from pathlib import Path
from typing import Annotated

import typer

from treelab.cli.completion import complete_data
from treelab.cli.inputs import split_names
from treelab.cli.output import note, say
from treelab.cli.reading import Reading, reads_data
from treelab.errors import ParameterError


@reads_data
def lab(
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="DATA",
            autocompletion=complete_data,
            help="Data to begin with: a file, a bundled data set, or made to order, make:exor.",
        ),
    ] = None,
    target: Annotated[str | None, typer.Option(help="The column to predict.")] = None,
    nominal: Annotated[
        list[str] | None, typer.Option(metavar="A,B", help="Columns that are nominal.")
    ] = None,
    numeric: Annotated[
        list[str] | None, typer.Option(metavar="A,B", help="Columns that are numeric.")
    ] = None,
    weights: Annotated[str | None, typer.Option(help="The column of case weights.")] = None,
    port: Annotated[int, typer.Option(help="The port of the page; 0: one that is free.")] = 0,
    folder: Annotated[
        Path, typer.Option(help="The only folder whose files the page can open.")
    ] = Path(),
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address, and open no browser.")
    ] = False,
    *,
    reading: Reading,
) -> None:
    """Open a page in the browser: load data, grow, compare metrics, ask why, edit by hand, keep.

    The page is served on the loopback address to whoever has the address that is printed; nothing
    is sent anywhere. Ctrl-C ends it.
    """
    from treelab.lab_server.running import Lab, given_source

    said = {"nominal": split_names(nominal), "numeric": split_names(numeric), "weights": weights}
    options = {name: value for name, value in said.items() if value} | reading.options
    _check(data, target, options)
    running = Lab(given_source(data, target, options), folder, port)
    say(running.url)
    note("treelab lab runs until Ctrl-C; its address is for you only.")
    if not no_browser:
        running.open_browser()
    running.serve()


def _check(data: str | None, target: str | None, options: dict[str, object]) -> None:
    """Raise where something is said of a file and none is given."""
    from treelab.data.readers import is_data_file

    given = [*([] if target is None else ["target"]), *options]
    if given and (data is None or not is_data_file(data)):
        raise ParameterError(f"--{given[0].replace('_', '-')} is for files: name one as DATA")

"""The program itself: its commands, and how it ends.

Exit codes: 0 done; 1 the work failed; 2 the call was wrong; 130 interrupted, and 128 + the number
of the signal for others that ask a program to end (143 terminated, 129 hung up).
"""

import os
import signal
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from treelab import __version__
from treelab._current_folder import leave_as_program
from treelab.cli.bias import bias
from treelab.cli.check import check
from treelab.cli.compare import compare
from treelab.cli.compiling import Compiling
from treelab.cli.datasets import datasets
from treelab.cli.discretize import discretize
from treelab.cli.edit import InOrder, edit
from treelab.cli.export import export
from treelab.cli.importances import importances
from treelab.cli.lab import lab
from treelab.cli.meta import meta
from treelab.cli.metrics import metrics
from treelab.cli.output import note, say, warnings_noted
from treelab.cli.pi import pi
from treelab.cli.predict import predict
from treelab.cli.rank import rank
from treelab.cli.rashomon import rashomon
from treelab.cli.reduce_cases import cases
from treelab.cli.reduce_features import features
from treelab.cli.reduce_size import size
from treelab.cli.reduce_values import values
from treelab.cli.regions import regions
from treelab.cli.render import render
from treelab.cli.reproduce import reproduce
from treelab.cli.select import select
from treelab.cli.show import show
from treelab.cli.stability import stability
from treelab.cli.steps import steps
from treelab.cli.train import train
from treelab.cli.tune import tune
from treelab.cli.warmup import warmup
from treelab.cli.why import why
from treelab.errors import ParameterError, TreelabError, UnknownNameError
from treelab.kernels._watch import watchers

DONE, FAILED, WRONG_CALL, INTERRUPTED = 0, 1, 2, 130
ENDINGS = ("SIGTERM", "SIGHUP")
"""Signals that end the program as an interrupt does: what is done is kept, nothing is left over."""

# What typer raises for an option it does not know. Where that class lives depends on the version:
# typer once used the package click and now carries its own copy.
UsageError: type[Any] = typer.BadParameter.__bases__[0]


class Program(TyperGroup):
    """A group of commands that tells every error a user can cause in one sentence."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit."""
        del standalone_mode  # errors are told here, not by typer
        _open_streams()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a label the terminal cannot show is no error
                stream.reconfigure(errors="backslashreplace")

        def run() -> Any:
            options = (complete_var, False, windows_expand_args)
            with warnings_noted():
                return super(Program, self).main(args, prog_name, *options, **extra)

        status = _status(run)
        try:
            sys.stdout.flush()
        except OSError:  # that the work failed has been told
            _forget_output()
        sys.exit(status)


def _status(run: Any) -> int:
    """Run a command and return the exit code, once all output has left."""
    try:
        status = run() or DONE
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except UsageError as error:
        return _complain(error.format_message(), WRONG_CALL)
    except (UnknownNameError, ParameterError) as error:
        return _complain(error, WRONG_CALL)
    except TreelabError as error:
        return _complain(error, FAILED)
    except MemoryError as error:
        return _complain(f"there is not enough memory: {error}".rstrip(": "), FAILED)
    except OSError as error:
        _forget_output()
        if isinstance(error, BrokenPipeError):  # whoever read our output has seen enough
            return FAILED
        what = f"{error.filename}: " if error.filename else "cannot read or write: "
        return _complain(f"{what}{error.strerror or error}", FAILED)
    return int(status)


def _open_streams() -> None:
    """Open to nowhere what the caller closed; else the next file opened would take its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115


def _complain(problem: object, status: int) -> int:
    note(f"treelab: {' '.join(str(problem).split())}")
    return status


def _forget_output() -> None:
    """Keep Python from failing again, at exit, to write what could not be written."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return  # there is no real standard output, as in tests


app = typer.Typer(
    name="treelab",
    cls=Program,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"treelab {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog="Example: treelab train voting --folds 10")
def program(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  (its callback does the work)
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Grow decision trees with any split metric, and see what the metric changes."""
    if context.invoked_subcommand is None:
        note(context.get_help())
        raise typer.Exit(WRONG_CALL)


app.command(epilog="Example: treelab check cars.csv --target price")(check)
app.command(epilog="Example: treelab train voting --metric gini --folds 10 -o model.json")(train)
app.command(epilog="Example: treelab tune voting --metric gain,relieff --min-branch 2,5")(tune)
app.command(epilog="Example: treelab predict model.json new.csv --proba -o out.csv")(predict)
app.command(epilog="Example: treelab show model.json --max-depth 3")(show)
app.command(epilog="Example: treelab render model.json -o tree.svg --case new.csv:1")(render)
app.command(epilog="Example: treelab export model.json --to sql --approximate -o tree.sql")(export)
app.command(epilog="Example: treelab why model.json voting --node 0.1 --metrics all")(why)
app.command(
    cls=InOrder,
    epilog="Example: treelab edit model.json iris --split '1: petal width <= 1.7' -o new.json",
)(edit)
app.command(epilog="Example: treelab importances model.json iris --by corrected --plot bars.svg")(
    importances
)
app.command(epilog="Example: treelab regions model.json iris -o regions.svg")(regions)
app.command(epilog="Example: treelab steps iris --metric gini --held-out 0.3 -o steps.html")(steps)
app.command(epilog="Example: treelab rashomon iris --epsilon 0.02 -o rashomon.html")(rashomon)
app.command(
    epilog="Example: treelab stability iris --metric gain,gini --samples 50 --plot steady.svg"
)(stability)
app.command(
    epilog="Example: treelab rank iris --metric gain,relieff --discretizer ssv:8 --plot ranks.svg"
)(rank)
app.command(epilog="Example: treelab select iris --metric mifs:beta=0.5 -k 2")(select)
app.command(
    epilog="Example: treelab discretize iris --feature 'petal width' --method mdlp,ssv:4 -o c.svg"
)(discretize)
app.command(
    epilog="Example: treelab compare iris wine --metric gain,gini,relieff --repeats 5 -o out"
)(compare)
app.command(epilog="Example: treelab lab iris")(lab)
app.command(epilog="Example: treelab meta voting")(meta)
app.command(epilog="Example: treelab pi make:exor,n=2,m=8 --feature X1 -o cases.svg")(pi)
app.command(epilog="Example: treelab bias --metric gain,gain-ratio,mdl --output out")(bias)
app.command(epilog="Example: treelab reproduce vilalta2001 --quick")(reproduce)
app.command(epilog="Example: treelab datasets voting")(datasets)
app.command(epilog="Example: treelab metrics gain-ratio")(metrics)
app.command(epilog="Example: treelab warmup")(warmup)

reduce = typer.Typer(name="reduce", rich_markup_mode=None)


@reduce.callback(
    invoke_without_command=True, epilog="Example: treelab reduce features iris --method relief -k 2"
)
def reduction(context: typer.Context) -> None:
    """Take fewer cases, fewer features or fewer values."""
    if context.invoked_subcommand is None:
        note(context.get_help())
        raise typer.Exit(WRONG_CALL)


reduce.command(epilog="Example: treelab reduce cases iris --method stratified --size 0.2")(cases)
reduce.command(epilog="Example: treelab reduce features iris --method pca --picture scree.svg")(
    features
)
reduce.command(epilog="Example: treelab reduce values iris --method labels --labels low,mid,high")(
    values
)
reduce.command(epilog="Example: treelab reduce size --eps 0.05 --population 1000")(size)
app.add_typer(reduce)


def main() -> None:
    """Run the command line."""
    leave_as_program()
    for name in ENDINGS:
        number = getattr(signal, name, None)  # not every system has them all
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _stop)
    watchers.append(Compiling())
    app(prog_name="treelab")


def _stop(number: int, _frame: object) -> None:
    sys.exit(128 + number)

"""`treelab edit`: a saved tree changed by hand, one edit after the other."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from treelab.cli.inputs import DataName, ModelName, check_output, new_data
from treelab.cli.output import AsJson, count, say, say_json, say_table, watched
from treelab.cli.reading import Reading, reads_data
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset
    from treelab.editing import Edit, EditAssessment
    from treelab.tree.model import Tree

ORDERED = ("split", "prune", "regrow", "relabel", "lock", "unlock")
"""Options that are edits, which are made in the order in which they are given."""

Texts = list[str] | None


class InOrder(TyperCommand):
    """A command that knows in which order its edits are given, whatever their options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options, and put the edits among them down in their order."""
        given, _, order = self.make_parser(ctx).parse_args(args=[*args])
        texts = {name: iter(given.get(name) or ()) for name in ORDERED}
        names = [param.name for param in order if param.name in ORDERED]
        ctx.meta["edits"] = [(name, next(texts[name])) for name in names]
        return super().parse_args(ctx, args)


@reads_data
def edit(
    context: typer.Context,
    model: ModelName,
    data: DataName,
    split: Annotated[
        Texts,
        typer.Option(
            metavar="NODE: TEST",
            help="Another split, as '0.1: petal width <= 0.8', '0: color in {red, blue} | {green}' "
            "(one group: against the rest), '0: color = each', or '0: color' for the best one; "
            "[keep] at its end keeps what is below, [leaves] nothing, else it grows again.",
        ),
    ] = None,
    prune: Annotated[
        Texts, typer.Option(metavar="NODE", help="Make a leaf of a node, such as 0.2.")
    ] = None,
    regrow: Annotated[
        Texts,
        typer.Option(
            metavar="NODE: METRIC",
            help="Grow a node again, as '1: relieff' or '1: gini; max_depth=2; pruner=none'.",
        ),
    ] = None,
    relabel: Annotated[
        Texts, typer.Option(metavar="NODE: CLASS", help="Let a leaf predict another class.")
    ] = None,
    lock: Annotated[
        Texts,
        typer.Option(metavar="NODE", help="Let no later edit change a node or what is below."),
    ] = None,
    unlock: Annotated[Texts, typer.Option(metavar="NODE", help="Take a lock away.")] = None,
    replay: Annotated[
        bool,
        typer.Option("--replay", help="Grow the tree anew from DATA and make its edits again."),
    ] = False,
    undo: Annotated[
        int, typer.Option(min=0, help="Leave out so many of the last edits of the model.")
    ] = 0,
    folds: Annotated[
        int | None,
        typer.Option(min=2, help="Test by growing and editing a tree in each of so many folds."),
    ] = None,
    test: Annotated[
        str | None, typer.Option(metavar="DATA", help="Test on these data, held out beforehand.")
    ] = None,
    seed: Annotated[int, typer.Option(help="For the choice of the folds.")] = 0,
    weights: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of case weights.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Save the tree to this file.")
    ] = None,
    json: AsJson = False,
    *,
    reading: Reading,
) -> None:
    """Change a saved tree by hand; every change is a line in the log that its file keeps.

    DATA are the data the tree was grown from; `show --paths` tells the paths of the nodes. Edits
    are made in the order in which they are given.
    """
    del split, prune, regrow, relabel, lock, unlock  # in the order of the call: `InOrder`
    if folds is not None and test is not None:
        raise ParameterError("--folds and --test exclude each other: test on one or the other")
    check_output(output, model, data, *([] if test is None else [test]))
    from treelab.tree.model import Tree

    tree = Tree.load(model)
    cases = new_data(data, tree, weights, reading)
    before, changed = _edited(tree, cases, context.meta["edits"], replay, undo)
    found = None
    if folds is not None or test is not None:
        held_out = None if test is None else new_data(test, tree, weights, reading)
        found = _assessed(changed, cases, held_out, folds or 10, seed)
    if output is not None:
        changed.save(output)
    same = before == tree if replay and not undo else None
    if json:
        say_json(_facts(changed, found, same))
    else:
        _say(changed, found, same, output)


def _edited(
    tree: "Tree", cases: "Dataset", texts: list[tuple[str, str]], anew: bool, undo: int
) -> "tuple[Tree, Tree]":
    """Return the tree that the edits are made in, and the one that they make."""
    from treelab.editing import edit as changed_by
    from treelab.editing import read_edit, replay

    if undo > len(tree.edits):
        raise ParameterError(f"the model has {count(len(tree.edits), 'edit')}, not {undo} to undo")
    kept = tree.edits[: len(tree.edits) - undo]
    before = replay(tree, kept, cases) if anew or undo else tree
    new: list[Edit] = [read_edit(kind, text, tree) for kind, text in texts]
    return before, changed_by(before, *new, data=cases)


def _assessed(
    tree: "Tree", cases: "Dataset", held_out: "Dataset | None", folds: int, seed: int
) -> "EditAssessment":
    from treelab.editing import assess_edits

    def watch(results: Any) -> Any:
        return watched(results, folds, "folds")

    return assess_edits(
        tree, tree.edits, cases, held_out=held_out, folds=folds, seed=seed, watch=watch
    )


def _facts(tree: "Tree", found: "EditAssessment | None", same: bool | None) -> dict[str, Any]:
    return {
        "leaves": tree.n_leaves,
        "depth": tree.depth,
        "edits": [edit.plain for edit in tree.edits],
        **({} if same is None else {"same": same}),
        **({} if found is None else {"test": found.to_dict()}),
    }


def _say(
    tree: "Tree", found: "EditAssessment | None", same: bool | None, output: Path | None
) -> None:
    from treelab.tree.show import text

    say(text(tree, paths=True))
    say_edits(tree)
    if same is not None:
        say(f"\nreplayed: {'the same tree as in the file' if same else 'another tree'}")
    if found is not None:
        say(f"\n{found}")
    if output is not None:
        say(f"\nsaved to {output}")


def say_edits(tree: "Tree") -> None:
    """Print the edit log of a tree."""
    say("")
    if not tree.edits:
        say("no edits: the tree is as it was grown")
        return
    rows = [[str(n), edit.kind, str(edit)] for n, edit in enumerate(tree.edits, 1)]
    say_table(["", "edit", "what"], rows)

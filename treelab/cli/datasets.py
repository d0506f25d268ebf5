"""`treelab datasets`: the data sets that come with treelab, and the generators of others."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.completion import complete_data
from treelab.cli.inputs import GENERATED
from treelab.cli.output import AsJson, as_word, say, say_facts, say_json, say_table

if TYPE_CHECKING:
    from treelab.data.bundled import DatasetCard
    from treelab.data.synth import GeneratorInfo


def datasets(
    name: Annotated[
        str | None, typer.Argument(autocompletion=complete_data, help="Tell all about this one.")
    ] = None,
    json: AsJson = False,
) -> None:
    """List the bundled data sets and the generators, or tell all about one of them."""
    from treelab.data.bundled import dataset_card, dataset_names
    from treelab.data.synth import generator_info, generator_names

    if name is None:
        rows = [_row(dataset_card(each)) for each in dataset_names()]
        made = [_made_row(generator_info(each)) for each in generator_names()]
        _say_list(rows, made, json)
    elif name.startswith(GENERATED):
        _say_generator(generator_info(name.removeprefix(GENERATED)), json)
    elif json:
        say_json(_all_facts(dataset_card(name)))
    else:
        _say_card(dataset_card(name))


def _row(card: "DatasetCard") -> dict[str, Any]:
    return {
        "name": card.name,
        "other names": list(card.aliases),
        "cases": card.rows,
        "numeric": len(card.numeric),
        "nominal": len(card.nominal),
        "classes": len(card.classes),
        "missing": card.missing,
        "title": card.title,
    }


def _made_row(info: "GeneratorInfo") -> dict[str, Any]:
    return {
        "name": GENERATED + info.name,
        "parameters": info.parameters,
        "title": info.title,
    }


def _say_list(rows: list[dict[str, Any]], made: list[dict[str, Any]], json: bool) -> None:
    if json:
        known = [{key.replace(" ", "_"): value for key, value in row.items()} for row in rows]
        say_json(known + made)
        return
    for row in rows:
        row["other names"] = ", ".join(row["other names"])
    say_table(list(rows[0]), [list(row.values()) for row in rows])
    say("\nMade to order, such as make:exor,n=3,cases=200,seed=0:\n")
    for row in made:
        row["parameters"] = ", ".join(row["parameters"])
    say_table(list(made[0]), [list(row.values()) for row in made])


def _say_generator(info: "GeneratorInfo", json: bool) -> None:
    if json:
        say_json(_made_row(info) | {"description": info.description})
        return
    defaults = (f"{key}={as_word(value)}" for key, value in info.parameters.items())
    say(f"{','.join((GENERATED + info.name, *defaults))}\n\n{info.description}")


def _say_card(card: "DatasetCard") -> None:
    classes = ", ".join(f"{label} {cases}" for label, cases in card.classes.items())
    split = card.split and f"{card.split.train} training and {card.split.test} test cases"
    say_facts(
        [
            ("name", card.name),
            ("title", card.title),
            ("other names", ", ".join(card.aliases)),
            ("cases", card.rows),
            ("target", f"{card.target} ({classes})"),
            ("numeric", ", ".join(card.numeric)),
            ("nominal", ", ".join(card.nominal)),
            ("missing values", card.missing),
            ("repeated cases", card.duplicate_rows),
            ("split", split),
            ("notes", card.notes),
            ("differs from UCI", card.difference_from_uci),
            ("licence", card.licence),
            *(("cite", citation) for citation in card.citation),
            *(("from", f"{o.registry} {o.package} {o.version}: {o.path}") for o in card.origin),
        ]
    )


def _all_facts(card: "DatasetCard") -> dict[str, Any]:
    import attrs

    # A read-only mapping is no dict, so it is left whole and made one here.
    return attrs.asdict(card, filter=lambda field, _: field.name != "classes") | {
        "classes": dict(card.classes)
    }

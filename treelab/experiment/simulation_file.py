"""Simulations in TOML files.

name = "hong1996"
title = "..."
citation = "..."

[[part]]
name = "merits"                     # one of the questions of the paper's package
seeds = 200                         # asked for the seeds 0 to 199
over = { case = ["A", "B", "C"] }   # and for every combination of these
settings = { n = 200 }              # the same for all

[quick.merits]                      # what `--quick` changes of a part
seeds = 5

[[note]]                            # a paragraph for the report
title = "..."
text = "..."
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treelab.errors import ParameterError, check_choice, check_number
from treelab.experiment.simulation import Ask, Part, Simulation
from treelab.experiment.study_file import notes_of
from treelab.experiment.toml_file import TomlFile, Where

_KEYS = ("name", "title", "citation", "part", "quick", "note")
_OF_PART = ("seeds", "over", "settings")


def read_simulation(
    path: Path, paper: Any, *, quick: bool = False, repeats: int | None = None
) -> Simulation:
    """Read the study file of a paper whose questions a package, `paper`, answers.

    `repeats`: that many seeds for the parts whose seeds the file gives; None: as it says.
    """
    file = _SimulationFile(path)
    if not hasattr(paper, "to_article"):
        whose = getattr(paper, "__name__", "the package")
        raise ParameterError(f"{whose} answers {path}, but has no function to_article to tell it")
    return Simulation(
        name=str(file.values.get("name", path.parent.name)),
        title=str(file.values.get("title", "")),
        citation=str(file.values.get("citation", "")),
        parts=file.parts(paper.QUESTIONS, quick, repeats),
        to_article=paper.to_article,
        folder=path.parent,
        notes=notes_of(file),
        then=getattr(paper, "FOLLOWING", None),
        statements=getattr(paper, "statements", None),
    )


class _SimulationFile(TomlFile):
    """The study file of a simulation."""

    def parts(
        self, questions: Mapping[str, Ask], quick: bool, repeats: int | None
    ) -> tuple[Part, ...]:
        self.check_keys((), self.values, _KEYS)
        tables, changes = self.values.get("part", []), self.table("quick")
        names = tuple(str(table.get("name")) for table in tables)
        self.check_keys(("quick",), changes, names, "part")
        quickly = {name: dict(changes.get(name, {})) if quick else {} for name in names}
        for name, table in zip(names, tables, strict=True):
            if repeats is not None and "seeds" in table:
                quickly[name]["seeds"] = repeats
        return tuple(
            self._part(("part", i), questions, quickly[name]) for i, name in enumerate(names)
        )

    def _part(self, where: Where, questions: Mapping[str, Ask], changes: dict[str, Any]) -> Part:
        given = dict(self.values["part"][where[1]])
        self.check_keys(where, given, ("name", *_OF_PART))
        self.check_keys(("quick", str(given.get("name"))), changes, _OF_PART)
        name = given.pop("name", None)
        self.attempt((*where, "name"), None, lambda: check_choice("part", name, tuple(questions)))
        told = given | changes
        told["over"] = given.get("over", {}) | changes.get("over", {})
        told["settings"] = given.get("settings", {}) | changes.get("settings", {})
        seeds = told.get("seeds", 1)
        self.attempt((*where, "seeds"), None, lambda: check_number("seeds", seeds, 1, whole=True))
        return Part(name, questions[name], **told)

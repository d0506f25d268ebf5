"""The experiments: what stands in their folders, as pages of the site."""

import re
import tomllib
from os.path import relpath
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "experiments"
STATEMENTS = FOLDER / "statements.md"
REPORT = "report.html"
PLACE = Path(__file__).parents[1] / "generated" / "experiments"
"""Where the pages are written, from which links are counted."""

LINK = re.compile(r"\[([^\]]+)\]\((?!http|#)([^)]+)\)")
HEADING_LINK = re.compile(rf"^(#+) {LINK.pattern}$", re.M)  # Sphinx wants headings without links


def pages() -> dict[str, str]:
    """Return a page for each experiment, and that of all statements."""
    sources = {"statements": STATEMENTS, "defaults": FOLDER / "defaults" / "README.md"}
    sources |= {path.parent.name: path.with_name("README.md") for path in studies()}
    return {f"experiments/{name}.md": page(source) for name, source in sources.items()}


def studies() -> list[Path]:
    """Return the study files that come with treelab."""
    return sorted(FOLDER.glob("*/study.toml"))


def page(source: Path) -> str:
    """Return the text of a page; links go to pages of this site and to the reports."""
    text = source.read_text("utf-8") if source.exists() else _of_study(source.parent)
    text = HEADING_LINK.sub(r"\1 \2\n\n[\2](\3)", text)
    text = LINK.sub(lambda found: _link(source, *found.groups()), text)
    report = source.parent / "report" / REPORT
    return f"{text}\n[The whole report]({_from_page(report)}).\n" if report.exists() else text


def _of_study(folder: Path) -> str:
    """Return what the study file says, where nobody wrote more."""
    study = tomllib.loads((folder / "study.toml").read_text("utf-8"))
    of_paper = study.get("paper", {}).get("citation", "")
    title, citation = study.get("title", folder.name), study.get("citation", of_paper)
    call = f"```\ntreelab reproduce {folder.name}\n```"
    return "\n\n".join(part for part in (f"# {title}", citation, call) if part) + "\n"


def _link(source: Path, text: str, target: str) -> str:
    path = (source.parent / target).resolve()
    if path == STATEMENTS:
        return f"[{text}](statements.md)"
    report = path.with_name(REPORT)
    return f"[{text}]({_from_page(report)})" if report.exists() else text


def _from_page(path: Path) -> str:
    return relpath(path, PLACE).replace("\\", "/")

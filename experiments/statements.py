"""Write `statements.md`: every statement of the papers with its verdict, from the reports.

Run it with `make statements` after a report was made anew.
"""

from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADS = "| statement | where | verdict | evidence |"
CELLS = 4


def main() -> None:
    (HERE / "statements.md").write_text(page(), "utf-8")


def page() -> str:
    """Return the page: how many hold, and a table for each paper."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    parts = []
    for report in reports():
        rows = statements(report)
        if rows:
            paper = report.parents[1].name
            found.setdefault(paper, []).extend(rows)
            parts.append(f"## [{paper}]({report.relative_to(HERE).as_posix()})\n\n{table(rows)}")
    return "\n\n".join([INTRODUCTION, summary(found), *parts]) + "\n"


def reports() -> list[Path]:
    """Return the reports of all papers, of simulations and of studies of learners."""
    return sorted([*HERE.glob("*/report*/report.md"), *HERE.glob("*/report*/table.md")])


INTRODUCTION = """# What the papers say, and what came out

Every statement that can be put to the test, where it stands, and the verdict of the committed
report, which has the evidence. Verdicts are computed by rules (`treelab/papers/*/`), never typed.
`make statements` writes this page."""


def statements(report: Path) -> list[tuple[str, str, str]]:
    """Return statement, place and verdict of the paper's own statements: the first such table."""
    lines = report.read_text("utf-8").splitlines()
    if HEADS not in lines:
        return []
    rows = []
    for line in lines[lines.index(HEADS) + 2 :]:
        if not line.startswith("|"):
            break
        cells = line.replace("\\|", "\0").strip("|").split("|", CELLS - 1)
        claim, where, verdict = (cell.strip().replace("\0", "\\|") for cell in cells[:3])
        rows.append((claim, where, verdict))
    return rows


def summary(found: dict[str, list[tuple[str, str, str]]]) -> str:
    """Return how many statements of each paper hold."""
    lines = [
        "| paper | statements | hold | in part | do not hold |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for paper, rows in found.items():
        verdicts = [verdict.strip("*") for _, _, verdict in rows]
        counts = [verdicts.count(word) for word in ("holds", "partly", "does not hold")]
        lines.append(f"| {paper} | {len(rows)} | {' | '.join(map(str, counts))} |")
    return "\n".join(lines)


def table(rows: list[tuple[str, str, str]]) -> str:
    """Return the statements of a paper."""
    lines = ["| statement | where | verdict |", "| --- | --- | --- |"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


if __name__ == "__main__":
    main()

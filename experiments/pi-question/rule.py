"""Write the rule that treelab ships, `treelab/choosing/rule.json`, from the report's answers.

Run it with `make pi-question` or by itself, after the report was made anew.
"""

import json
from pathlib import Path

from treelab.papers.catalog import paper_study
from treelab.papers.pi_question.shipping import answers_in, rule_document

HERE = Path(__file__).resolve().parent
RULE = HERE.parents[1] / "treelab" / "choosing" / "rule.json"


def main() -> None:
    document = rule_document(answers_in(HERE / "report", paper_study("pi-question")))
    parts = {name: json.dumps(value) for name, value in document.items() if name != "domains"}
    domains = ",\n  ".join(map(json.dumps, document["domains"]))
    lines = [
        *(f'"{name}": {text}' for name, text in parts.items()),
        f'"domains": [\n  {domains}\n]',
    ]
    RULE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

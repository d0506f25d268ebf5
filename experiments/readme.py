"""Write the table of metrics into README.md, between its two markers. Run it with `make readme`."""

import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN = "<!-- metrics: `make readme` writes this table -->\n"
END = "<!-- end of metrics -->\n"


def main() -> None:
    text = README.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}{metric_table()}{END}{after}", "utf-8")


def metric_table() -> str:
    command = [sys.executable, "-m", "treelab", "metrics", "--markdown"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def table_in_readme() -> str:
    return README.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]


if __name__ == "__main__":
    main()

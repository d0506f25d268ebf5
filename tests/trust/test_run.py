"""The scripts of experiments/trust are found, and their figures reach the tables."""

import json
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "experiments" / "trust"


@pytest.fixture
def run(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import run

    yield run
    sys.modules.pop("run")


def line(script, figure="1 of 1", ok=True):
    command = f"python experiments/trust/{script}.py"
    return {
        "script": script,
        "check": f"{script}: a",
        "command": command,
        "figure": figure,
        "ok": ok,
    }


def test_the_scripts_are_those_there_are(run):
    assert {"faults", "determinism", "soak", "memory"} <= set(run.SCRIPTS)
    others = {path.stem for path in FOLDER.glob("*.py")} - set(run.ORDER)
    assert not [name for name in others if "tell(" in (FOLDER / f"{name}.py").read_text()
                and name not in ("report", "run")]  # fmt: skip


def test_a_run_replaces_the_lines_of_its_script_only(run):
    old = [line("soak"), line("memory", "old")]

    assert run.merged(old, [line("memory", "new")], "memory") == [
        line("soak"),
        line("memory", "new"),
    ]


def test_a_failed_check_stands_out_in_the_table(run):
    text = run.table([line("soak", "2 | 3", ok=False)])

    assert text.splitlines()[2] == (
        "| soak: a | `python experiments/trust/soak.py` | 2 / 3 | **no** | before 0.2.0 |"
    )


def test_a_figure_names_the_code_it_speaks_of(run):
    text = run.table([line("soak") | {"on": "2026-01-02, abc1234"}])

    assert text.splitlines()[2].endswith("| yes | 2026-01-02, abc1234 |")


def test_the_page_of_promises_has_a_place_for_the_table(run):
    page = run.PAGE.read_text("utf-8")
    renewed = run.renew(page, [line("soak")])

    assert "| soak: a |" in renewed
    assert run.renew(renewed, []) == run.renew(page, [])


def test_what_is_kept_is_what_the_page_shows(run):
    kept = run.kept(FOLDER)

    assert (FOLDER / "table.md").read_text("utf-8") == run.table(kept)
    assert run.table(kept) in run.PAGE.read_text("utf-8")
    assert json.loads(json.dumps(kept)) == kept


def test_a_script_is_done_when_all_its_lines_speak_of_the_code_as_it_is(run, monkeypatch):
    monkeypatch.setattr(run, "is_current", lambda line: line["figure"] == "new")

    assert run.is_done("soak", [line("soak", "new"), line("memory", "old")])
    assert not run.is_done("soak", [line("soak", "new"), line("soak", "old")])
    assert not run.is_done("null", [line("soak", "new")])  # never run


def test_old_figures_are_named(run, monkeypatch, capsys):
    monkeypatch.setattr(run, "is_current", lambda line: line["figure"] == "new")

    assert not run.print_old([line("soak", "new")])
    assert run.print_old([line("soak", "new"), line("null") | {"on": "2026-01-02, abc1234"}])
    assert capsys.readouterr().out == "null: a: 2026-01-02, abc1234\n"


def test_scripts_side_by_side_lose_no_line(run, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(run, "carry_out", lambda script, _quick: ([line(script)], True))

    assert run.run(run.SCRIPTS, False, tmp_path, jobs=4) == []
    assert [each["script"] for each in run.kept(tmp_path)] == list(run.SCRIPTS)
    assert capsys.readouterr().out == f"{(tmp_path / 'table.md').read_text('utf-8')}\n"

"""The lab's sections one by one: comparing, holding out, changing, keeping, studies, two tabs."""

import json
import re

import pytest

import treelab as tl
from tests.lab.browsing import drop, grow, open_set, saved


def ranks(page):
    return page.locator(".heat tbody th, .heat tbody td.rank").all_text_contents()


def test_a_kept_page_answers_without_a_server(visit_lab, opened, tmp_path):
    page = visit_lab()
    open_set(page, "lenses")
    grow(page)
    page.click("#tab-ask")
    page.wait_for_selector(".heat")
    table = ranks(page)
    (tmp_path / "kept.html").write_bytes(saved(page, "#save-page"))
    kept = opened(tmp_path / "kept.html")  # which fails the test if anything is requested
    kept.wait_for_selector("#stage .node")

    assert kept.locator("#stage .node").count() == tl.grow(tl.load("lenses")).n_nodes
    kept.click("#tab-ask")
    kept.wait_for_selector(".heat")
    assert ranks(kept) == table
    kept.click("#tab-data")
    assert kept.locator("table.columns tbody tr").count() == 5
    kept.click("#tab-keep")
    assert "tl.grow(data" in kept.locator("#python").text_content()


def test_what_was_done_by_hand_is_judged_on_cases_held_out(visit_lab):
    page = visit_lab()
    page.fill("#hold", "30")
    open_set(page, "hepatitis")
    grow(page, metric="gain")
    page.click("#tab-change")
    page.click("#prune")
    page.locator("#edits li:not(.none)").wait_for()
    words = page.locator("#panel-change .accuracy").inner_text()

    held_out = re.search(r"on the (\d+) cases held out beforehand", words)
    assert int(held_out[1]) == pytest.approx(0.3 * 155, abs=1)  # by class, so rounded twice
    assert page.locator("#stage .node").count() == 1


@pytest.mark.slow
def test_a_leaf_is_relabelled_a_node_locked_and_grown_anew(visit_lab):
    page = visit_lab()
    open_set(page, "voting")
    grow(page, metric="gini")
    page.click("#tab-change")
    page.click("#lock")
    page.locator(".badge-word", has_text="locked").wait_for()
    page.click("#prune")  # which a lock forbids
    page.locator("#error:not(:empty)").wait_for()
    assert "locked" in page.locator("#error").text_content()
    page.click("#lock")
    page.locator("#edits li:nth-child(2)").wait_for()
    page.select_option("#regrow-metric", "relieff")
    page.click("#regrow")
    page.locator("#edits li:nth-child(3)").wait_for()
    page.locator("#stage .leaf").first.click()
    label = page.locator("#label")
    known = label.locator("option").all_text_contents()
    other = next(word for word in known if word != label.input_value())
    label.select_option(other)
    page.click("#relabel")
    page.locator("#edits li:nth-child(4)").wait_for()
    kept = json.loads(saved(page))

    assert [edit["edit"] for edit in kept["edits"]] == ["lock", "unlock", "regrow", "relabel"]
    assert kept["edits"][2]["learner"] == {"metric": "relieff"}
    assert kept["edits"][3]["label"] == other


@pytest.mark.slow
def test_values_are_grouped_otherwise(visit_lab):
    page = visit_lab()
    drop(page, "c.csv", "colour,class\n" + "red,a\nblue,b\ngreen,a\ngrey,b\n" * 6)
    page.locator(".facts h2", has_text="c").wait_for()
    grow(page)
    page.click("#tab-change")
    page.locator("#take-groups").wait_for()
    for label, branch in {"red": "0", "blue": "1", "green": "1", "grey": "1"}.items():
        page.get_by_label(f"Branch of {label}").select_option(branch)
    page.click("#take-groups")
    page.locator("#edits li:not(.none)").wait_for()

    assert json.loads(saved(page))["edits"][0]["by"] == [["red"], ["blue", "green", "grey"]]


@pytest.mark.slow
def test_columns_are_dropped_and_kinds_and_the_target_changed(visit_lab):
    page = visit_lab()
    open_set(page, "lenses")
    page.get_by_label("Use age").uncheck()
    page.get_by_label("Predict tear_rate").check()
    page.click("#apply")
    page.locator(".facts p", has_text="target tear_rate").wait_for()

    assert page.get_by_label("Use age").is_checked() is False
    assert page.locator("table.columns tr.dropped").count() == 1
    assert "3 features" in page.locator(".facts p").first.text_content()


def test_two_tabs_do_not_disturb_each_other(visit_lab):
    first, second = visit_lab(), visit_lab()
    open_set(first, "iris")
    open_set(second, "lenses")
    grow(first)

    assert first.locator("#facts").text_content().startswith("iris")
    assert second.locator("#facts").text_content() == "lenses: 24 cases"


@pytest.fixture
def store(lab_folder):
    """A study that ended, in the folder of the lab."""
    learners = {name: tl.Learner(metric=name) for name in ("gain", "gini", "mdl")}
    study = tl.Study(data=["lenses", "labor", "zoo"], learners=learners, repeats=1, folds=2)
    tl.run_study(study, lab_folder / "trials.sqlite")
    return study


def test_a_study_is_shown_with_its_progress_table_ranks_and_differences(store, visit_lab):
    page = visit_lab()
    page.click("#tab-compare")
    page.click("#open-stores")
    page.wait_for_selector(".results")

    assert f"{len(store.trials())} of {len(store.trials())} trials" in page.inner_text(".stores")
    assert page.locator(".results tbody tr").count() == 4  # and the average
    assert "CD = " in page.locator(".facts .chart").first.text_content()
    assert page.locator("#pair option").count() == 3
    page.locator("summary", has_text="Learners").click()
    page.locator("#panel-compare [value=mdl]").uncheck()
    page.locator("#pair option", has_text="mdl").first.wait_for(state="detached")
    assert page.locator(".results thead th").count() == 3


@pytest.mark.slow
def test_metrics_side_by_side_mark_their_differences(visit_lab):
    page = visit_lab()
    open_set(page, "labor")
    grow(page)
    page.click("#compare-metrics")
    page.locator(".multiples figure").nth(2).wait_for()

    assert page.locator(".multiples figure").first.locator(".differs").count() == 0
    assert page.locator(".multiples .differs").count() > 0
    assert page.locator("#differences tbody tr").count() > 0


@pytest.mark.slow
def test_long_work_shows_progress_and_can_be_cancelled(visit_lab):
    page = visit_lab()
    page.select_option("#generator", "led")
    page.locator("[data-name=cases]").fill("10000")
    page.click("#make")
    page.locator(".facts h2", has_text="led").wait_for()
    grow(page, metric="gain")
    page.click("#tab-ask")
    page.wait_for_selector(".heat")
    page.click("#ask-all")
    page.locator("#cancel").wait_for()
    page.click("#cancel")
    page.locator("#error", has_text="cancelled").wait_for()

    assert not page.locator("#working").is_visible()
    grow(page, metric="gini")  # the page still works

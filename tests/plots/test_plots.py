"""Pictures: what they hold, and that odd data can be drawn."""

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from strategies import dataset

import treelab as tl
from treelab import plots, reduce
from treelab.errors import DataError, ParameterError
from treelab.plots.canvas import check_format, picture
from treelab.plots.cuts import bar_edges, is_near

IRIS = tl.load("iris")


def codings(*specs):
    return {spec: tl.discretizer(spec).fit(IRIS) for spec in specs}


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_a_row_of_cuts_for_every_method():
    found = codings("mdlp", "equal-width:4")
    above, below = plots.draw_cuts(IRIS, "petal width", found).axes

    assert [label.get_text() for label in below.get_yticklabels()] == ["mdlp", "equal-width:4"]
    drawn = [line.get_xdata().tolist() for line in below.lines]
    assert drawn == [coding.cuts["petal width"].tolist() for coding in found.values()]
    assert {"3 intervals", "4 intervals", "0.8"} <= set(texts(below))
    legend = [text.get_text() for text in above.get_legend().get_texts()]
    assert legend == list(IRIS.classes)
    assert sum(isinstance(each, LineCollection) for each in below.collections) == 2


def test_the_bars_add_up_to_the_cases():
    above, _ = plots.draw_cuts(IRIS, "sepal width", codings("mdlp")).axes

    assert sum(bar.get_height() for bar in above.patches) == pytest.approx(150)


@pytest.mark.parametrize(
    "values",
    [[3.0] * 4, [1.0, np.nan], [0.0, 1e12], [0.1, 0.2, 0.3], np.arange(500.0), [-5.0, 1e-300]],
)
def test_odd_columns_can_be_drawn(values):
    data = dataset([np.array(values, dtype=float)], np.arange(len(values)) % 2)
    found = {"cut": tl.Coding({"x0": [0.5]}), "not": tl.Coding()}

    assert picture(plots.draw_cuts(data, "x0", found), "png")


def test_a_dollar_in_a_name_is_no_mathematics():
    column = tl.Column("p$^$q")
    classes = tl.Column("$_$", ("$^$", "b"))
    data = tl.Dataset.of(tl.Schema((column,), classes), [np.arange(4.0)], [0, 0, 1, 1])
    found = {"$^$": tl.Coding({"p$^$q": [1.5]})}
    drawn = [plots.draw_cuts(data, "p$^$q", found)]
    drawn += [plots.draw_ranking(tl.rank(data, metric=m)) for m in ("gain", ["gain", "gini"])]

    assert all(b"<!-- p$^$q -->" in picture(figure, "svg") for figure in drawn)


def test_data_without_classes_or_with_many_can_be_drawn():
    plain = tl.Dataset.of(tl.Schema((tl.Column("x"),)), [np.arange(9.0)])
    many = dataset([np.arange(40.0)], np.arange(40) % 20)

    assert picture(plots.draw_cuts(plain, "x", {}), "svg")
    assert picture(plots.draw_cuts(many, "x0", {"m": tl.Coding({"x0": [3.0]})}), "svg")


def test_what_cannot_be_drawn_is_told():
    with pytest.raises(DataError, match=r"is nominal; only numeric columns can be cut$"):
        plots.draw_cuts(dataset([[0, 1]], [0, 1]), "x0", {})
    with pytest.raises(DataError, match=r"^column 'x0' has no known values to draw$"):
        plots.draw_cuts(dataset([[np.nan]], [0]), "x0", {})
    with pytest.raises(ParameterError, match=r"^a picture ends in \.svg, \.png or \.pdf"):
        check_format("a.jpeg")


def test_whole_numbers_get_a_bar_each():
    edges = bar_edges(np.array([3.0, 5.0, 4.0, 7.0]))

    assert edges.tolist() == [2.5, 3.5, 4.5, 5.5, 6.5, 7.5]


def test_a_few_far_values_do_not_squeeze_the_others():
    values = np.append(np.linspace(0, 1, 200), 1e6)

    assert is_near(values).sum() == 200
    assert is_near(values[:200]).all()


def test_the_scree_plot_shows_what_is_kept():
    pca = reduce.principal_components(tl.load("wine"), 0.9)
    (axes,) = plots.draw_scree(pca).axes

    heights = [bar.get_height() for bar in axes.patches]
    assert heights == pytest.approx((pca.eigenvalues / pca.eigenvalues.sum()).tolist())
    assert axes.lines[0].get_ydata() == pytest.approx(pca.ratios)
    assert f"kept ({pca.kept})" in [t.get_text() for t in axes.get_legend().get_texts()]


def test_the_learning_curve_marks_what_was_chosen():
    curve = reduce.incremental(IRIS, tl.Learner().fit, full=True)
    (axes,) = plots.draw_learning_curve(curve).axes

    assert axes.lines[0].get_xdata().tolist() == [step.cases for step in curve.steps]
    assert texts(axes) == ["10 %", "20 %", "33 %", "50 %", "67 %", "100 %"]
    assert axes.lines[1].get_xdata() == [curve.chosen.cases]


def test_a_picture_has_no_date_and_repeats_to_the_byte():
    one, other = (
        picture(plots.draw_cuts(IRIS, "petal width", codings("mdlp")), "svg") for _ in range(2)
    )

    assert one == other
    assert b"dc:date" not in one


def test_a_bar_for_every_feature_the_best_on_top():
    ranking = tl.rank(IRIS, "gain", bootstrap=4)
    (axes,) = plots.draw_ranking(ranking).axes

    assert [bar.get_width() for bar in axes.patches] == ranking.scores.tolist()
    assert [label.get_text() for label in axes.get_yticklabels()] == list(ranking.features)
    assert axes.yaxis_inverted()
    assert texts(axes) == [f" {100 * share:.0f} %" for share in ranking.stability.kept]


def test_a_line_for_every_feature_from_metric_to_metric():
    rankings = tl.rank(IRIS, ["gain", "relieff"])
    (axes,) = plots.draw_ranking(rankings).axes

    drawn = sorted(line.get_ydata().tolist() for line in axes.lines)
    assert drawn == sorted(rankings.ranks.tolist())
    assert [label.get_text() for label in axes.get_xticklabels()] == ["gain", "relieff"]


def test_features_that_cannot_be_judged_can_be_drawn():
    data = dataset([np.ones(4), np.arange(4.0)], [0, 0, 1, 1])

    assert picture(plots.draw_ranking(tl.rank(data)), "svg")
    assert picture(plots.draw_ranking(tl.rank(data, ["gain", "gini"])), "svg")

"""The weights and the axes of a table, by SQL."""

from fractions import Fraction

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray
from treelab.data.coded import Axis, axis_of_ends
from treelab.data.dataset import Dataset
from treelab.data.quantiles import midway
from treelab.data.schema import Column, Schema
from treelab.data.weights import is_integral, unit_of
from treelab.scale.axes import axis_of_points, too_many_numbers
from treelab.scale.database.columns import Field, TableColumns, double
from treelab.scale.summaries import CAP, Points

FETCHED = 2**22
"""So many different values of a column come here to be put into bins; more are sorted there."""


@attrs.frozen
class Limits:
    """How many different values are kept without bins, and how many come here for them."""

    cap: int = CAP
    fetched: int = FETCHED


@attrs.frozen(eq=False)
class WeightFacts:
    """The cases to learn from: what they weigh, exactly, and in multiples of what.

    `weight` is the expression of the weight of a case, 0 where its class is not known.
    """

    total: float
    integral: bool
    unit: float
    weight: str

    @classmethod
    def of(cls, table: TableColumns) -> "WeightFacts":
        """Find out what cases weigh."""
        select = f"{table.weighed} AS w, {table.target.value} IS NOT NULL AS known, count(*) AS n"
        found = table.database.arrays(f"{table.query(select)} GROUP BY ALL")
        weights, known, n = _filled(found["w"]), found["known"].astype(bool), found["n"]
        # The checks of a data set are those of these weights.
        Dataset.of(Schema((), Column("", ())), [], weights=weights, cases=len(weights))
        weights, n = weights[known], n[known]
        integral = is_integral(weights)
        total = _exact_sum(weights, n)
        unit = 0.0 if integral else unit_of(total)
        return cls(total, integral, unit, _on_grid(table, unit))


def _exact_sum(weights: FloatArray, times: AnyArray) -> float:
    """Return the sum of weights that occur several times, rounded once."""
    pairs = zip(weights.tolist(), times.tolist(), strict=True)
    return float(sum((Fraction(w) * n for w, n in pairs), Fraction(0)))


def _on_grid(table: TableColumns, unit: float) -> str:
    """Return the expression of the weight of a case; see `data.weights.on_grid`."""
    weight = table.weighed
    if unit:
        weight = f"round_even({weight} / {double(unit)}, 0) * {double(unit)}"
    return f"CASE WHEN {table.target.value} IS NULL THEN 0.0::DOUBLE ELSE {weight} END"


def axes_of(
    table: TableColumns, weights: WeightFacts, bins: int | None, limits: Limits
) -> tuple[Axis, ...]:
    """Return the axis of each feature."""
    numeric = [field for field in table.features if not field.column.is_nominal]
    sizes = _sizes(table, numeric)
    axes = {f.column.name: _axis(table, f, sizes[f], weights, bins, limits) for f in numeric}
    return tuple(
        axes.get(field.column.name) or Axis("nominal", field.column.n_labels)
        for field in table.features
    )


def _sizes(table: TableColumns, fields: list[Field]) -> dict[Field, int]:
    """Return about how many different values each column has."""
    if not fields:
        return {}
    select = ", ".join(f"approx_count_distinct({field.value})" for field in fields)
    (found,) = table.database.rows(table.query(select, *fields))
    return dict(zip(fields, found, strict=True))


def _axis(
    table: TableColumns,
    field: Field,
    size: int,
    weights: WeightFacts,
    bins: int | None,
    limits: Limits,
) -> Axis:
    values = f"{table.query(f'{field.value} AS v, sum({weights.weight}) AS m', field)} GROUP BY 1"
    if bins is not None and size > limits.fetched:
        return axis_of_ends(_ends(table, values, bins))
    found = table.database.arrays(f"SELECT * FROM ({values}) WHERE v IS NOT NULL")
    order = np.argsort(found["v"])
    points = Points(found["v"][order], found["m"][order])
    if bins is None and np.count_nonzero(points.mass) > limits.cap:
        raise too_many_numbers(field.column.name, limits.cap)
    return axis_of_points(points, bins)


def _ends(table: TableColumns, values: str, bins: int) -> FloatArray:
    """Return the upper ends of all bins but the last; see `data.quantiles.quantile_borders`.

    A border lies before a value where the number of the bin, by the weight of all values below, is
    larger than that of the value before.
    """
    weighed = f"SELECT v, m FROM ({values}) WHERE v IS NOT NULL AND m > 0"
    sums = (
        "SELECT v, m, lag(v) OVER by_value AS last_v, lag(m) OVER by_value AS last_m, "
        f"sum(m) OVER by_value - m AS below FROM ({weighed}) WINDOW by_value AS (ORDER BY v)"
    )
    ((total,),) = table.database.rows(f"SELECT sum(m) FROM ({weighed})")
    number = f"floor({{}} * {bins} / {double(total)} + 1e-9)"
    here = f"least({number.format('below')}, {bins - 1})"
    borders = table.database.arrays(
        f"SELECT last_v, v FROM ({sums}) WHERE last_v IS NOT NULL "
        f"AND {here} > {number.format('(below - last_m)')} ORDER BY v"
    )
    return midway(borders["last_v"], borders["v"])


def _filled(values: AnyArray) -> FloatArray:
    """Return numbers of a query, NaN where there is none."""
    return np.ma.filled(np.ma.asarray(values, np.float64), np.nan)

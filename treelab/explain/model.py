"""What a page shows of `why`: plain values, ready for JSON.

No word of the data is the key of an object, and figures lie along the metrics.
"""

from typing import Any

from treelab.explain.report import Option, Why


def why_model(answer: Why) -> dict[str, Any]:
    """Return an answer as the browser's module takes it."""
    return {
        "path": list(answer.path),
        "metrics": [{"name": name} for name in answer.metrics],
        "n_candidates": answer.n_candidates,
        "agreement": answer.agreement,
        "same_data": answer.same_data,
        "candidates": [_candidate(option) for option in answer.options],
        "choices": [
            {"metric": metric, "split": split, "dissents": metric in answer.dissent}
            for metric, split in zip(answer.metrics, answer.choices, strict=True)
        ],
        "sample": None,
    }


def _candidate(option: Option) -> dict[str, Any]:
    return {
        "feature": option.feature,
        "split": option.split,
        "branches": list(option.branches),
        "chosen": option.chosen,
        "spread": option.spread,
        "scores": [verdict.score for verdict in option.verdicts],
        "ranks": [verdict.rank for verdict in option.verdicts],
        "normalized": [verdict.normalized for verdict in option.verdicts],
        "edit": None,
    }

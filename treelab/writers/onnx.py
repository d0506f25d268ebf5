"""ONNX: a tree behind encoders of the labels that gives the class shares and the class's number.

One input per feature, each of shape (cases, 1): double for a number, NaN being missing; string for
a nominal or ordered feature, the empty string being missing. Dates and times are numbers, whose
unit is in the doc_string of their input. Outputs: `label` and `probabilities` (single precision, as
the operator gives them).

The operator is TreeEnsembleRegressor: TreeEnsembleClassifier decides between two classes by rules
of its own, and onnxruntime's ends the process where there is but one. The number of the class is
a target beside the shares, for single precision could decide a tie between them.
"""

from typing import Any

import numpy as np

from treelab.data.moments import Moments
from treelab.data.schema import Column
from treelab.errors import DataError, MissingExtraError, TreelabError
from treelab.writers.chain import Link, chained
from treelab.writers.export_tree import ExportTree

OPSET, ML_OPSET, IR_VERSION = 17, 3, 8


def write(form: ExportTree) -> bytes:
    """Return the serialized model."""
    try:
        from onnx import helper
    except ImportError:
        raise MissingExtraError("ONNX", "onnx", "onnx") from None
    _check(form)
    parts = [_column(helper, form, place) for place in range(len(form.features))]
    nodes = [node for part in parts for node in part]
    columns = [part[-1].output[0] for part in parts]
    nodes.append(helper.make_node("Concat", columns, [_free(form, "matrix")], axis=1))
    nodes.append(_ensemble(helper, form, chained(form)))
    nodes += _parted(helper, form)
    graph = helper.make_graph(
        nodes, "tree", _inputs(helper, form), _outputs(helper, form), _constants(helper, form)
    )
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
    model = helper.make_model(
        graph, opset_imports=opsets, producer_name="treelab", ir_version=IR_VERSION,
        doc_string=form.missing_in_words if form.follows_majority else "",
    )  # fmt: skip
    return bytes(model.SerializeToString())


def _check(form: ExportTree) -> None:
    if not form.features or not all(column.name for column in form.features):
        raise DataError("onnx needs features, each with a name")
    for column in form.features:
        if "" in column.words:
            raise TreelabError(
                f"onnx reads an empty string as missing, but it is a label of {column.name!r}"
            )


def _inputs(helper: Any, form: ExportTree) -> list[Any]:
    from onnx import TensorProto

    kinds = {True: TensorProto.STRING, False: TensorProto.DOUBLE}
    return [
        helper.make_tensor_value_info(c.name, kinds[c.has_labels], [None, 1], _unit(c))
        for c in form.features
    ]


def _unit(column: Column) -> str:
    return column.scale.unit if isinstance(column.scale, Moments) else ""


def _outputs(helper: Any, form: ExportTree) -> list[Any]:
    from onnx import TensorProto

    return [
        helper.make_tensor_value_info(_free(form, "label"), TensorProto.STRING, [None]),
        helper.make_tensor_value_info(
            _free(form, "probabilities"), TensorProto.FLOAT, [None, len(form.classes)]
        ),
    ]


def _free(form: ExportTree, name: str) -> str:
    """Return a name that is none of the features'."""
    while any(name == column.name for column in form.features):
        name += "_"
    return name


def _column(helper: Any, form: ExportTree, place: int) -> list[Any]:
    """Return the operators that make a column of the matrix; the last one gives it."""
    from onnx import TensorProto

    column = form.features[place]
    given, made = _free(form, f"number {place}"), _free(form, f"column {place}")
    if not column.has_labels:
        return [helper.make_node("Identity", [column.name], [made])]
    labels = column.words
    encoder = helper.make_node(
        "LabelEncoder",
        [column.name],
        [given],
        domain="ai.onnx.ml",
        keys_strings=[label.encode() for label in (*labels, "")],
        values_floats=[*map(float, range(len(labels))), np.nan],
        default_float=float(len(labels)),
    )
    return [encoder, helper.make_node("Cast", [given], [made], to=TensorProto.DOUBLE)]


def _ensemble(helper: Any, form: ExportTree, links: list[Link]) -> Any:
    """Return the tree, whose targets are the shares of the classes and the number of the best."""
    from onnx import TensorProto

    leaves = [number for number, link in enumerate(links) if link.feature < 0]
    targets = range(len(form.classes) + 1)
    ends = [form.nodes[links[leaf].node] for leaf in leaves]
    weights = [weight for node in ends for weight in (*node.probabilities, float(node.best))]
    limits = [link.limit if link.feature >= 0 else 0.0 for link in links]
    doubles = TensorProto.DOUBLE
    return helper.make_node(
        "TreeEnsembleRegressor",
        [_free(form, "matrix")],
        [_free(form, "targets")],
        domain="ai.onnx.ml",
        n_targets=len(targets),
        nodes_treeids=[0] * len(links),
        nodes_nodeids=list(range(len(links))),
        nodes_featureids=[max(link.feature, 0) for link in links],
        nodes_values_as_tensor=helper.make_tensor("limits", doubles, [len(links)], limits),
        nodes_modes=["BRANCH_LEQ" if link.feature >= 0 else "LEAF" for link in links],
        nodes_truenodeids=[max(link.left, 0) for link in links],
        nodes_falsenodeids=[max(link.right, 0) for link in links],
        nodes_missing_value_tracks_true=[int(link.missing_left) for link in links],
        target_treeids=[0] * len(weights),
        target_nodeids=[leaf for leaf in leaves for _ in targets],
        target_ids=[target for _ in leaves for target in targets],
        target_weights_as_tensor=helper.make_tensor("weights", doubles, [len(weights)], weights),
        post_transform="NONE",
    )


def _parted(helper: Any, form: ExportTree) -> list[Any]:
    """Return the operators that make the two outputs of the targets."""
    from onnx import TensorProto

    def free(*names: str) -> list[str]:
        return [_free(form, name) for name in names]

    return [
        helper.make_node("Split", free("targets", "widths"), free("probabilities", "best"), axis=1),
        helper.make_node("Squeeze", free("best", "second axis"), free("best of case")),
        helper.make_node("Cast", free("best of case"), free("class of case"), to=TensorProto.INT64),
        helper.make_node("Gather", free("classes", "class of case"), free("label")),
    ]


def _constants(helper: Any, form: ExportTree) -> list[Any]:
    from onnx import TensorProto

    many, integers = len(form.classes), TensorProto.INT64
    words = [label.encode() for label in form.classes]
    return [
        helper.make_tensor(_free(form, "widths"), integers, [2], [many, 1]),
        helper.make_tensor(_free(form, "second axis"), integers, [1], [1]),
        helper.make_tensor(_free(form, "classes"), TensorProto.STRING, [many], words),
    ]

"""Standard C without dependencies: the tree as constant tables, and a function that walks them."""

from collections.abc import Iterable, Iterator
from itertools import accumulate

from treelab.data.moments import Moments
from treelab.errors import TreelabError
from treelab.writers.export_tree import STOP, ExportNode, ExportTree, LabelTest

HEAD = """\
/* A decision tree, written by treelab. A case has one value per feature, in the order of
   tree_features: a number (NAN is missing), or for a nominal or ordered feature a text (NULL is
   missing). @units@*/
#include <math.h>
#include <string.h>

typedef struct { double number; const char *text; } tree_value;

"""

WALK = """
/* The step or label of a value at a node: the place of its child in `children`, or -1. */
static int tree_step(int node, tree_value value) {
    int first = tree_first_step[node], last = tree_first_step[node + 1], i;
    if (tree_kinds[node] == '=') {
        for (i = first; i < last; i++)
            if (strcmp(value.text, tree_labels[tree_limit_labels[i]]) == 0)
                return tree_children[i];
        return -1;
    }
    for (i = first; i < last - 1; i++) {
        double limit = tree_limits[i];
        if (tree_kinds[node] == '<' ? value.number < limit : value.number <= limit) break;
    }
    return tree_children[i];
}

static void tree_walk(int node, double part, const tree_value *values, double *shares) {
    for (;;) {
        int feature = tree_feature[node], next = -1, i;
        if (feature >= 0) {
            tree_value value = values[feature];
            int missing = tree_kinds[node] == '=' ? value.text == NULL : isnan(value.number);
            next = missing ? tree_missing[node] : tree_step(node, value);
            if (missing && tree_first_part[node] < tree_first_part[node + 1]) {
                for (i = tree_first_part[node]; i < tree_first_part[node + 1]; i++)
                    tree_walk(tree_part_child[i], part * tree_parts[i], values, shares);
                return;
            }
        }
        if (next < 0) {
            for (i = 0; i < TREE_CLASSES; i++) shares[i] += part * tree_shares[node][i];
            return;
        }
        node = next;
    }
}

/* Writes the probability of each class to `shares`. */
void tree_predict_proba(const tree_value *values, double *shares) {
    int i;
    for (i = 0; i < TREE_CLASSES; i++) shares[i] = 0;
    tree_walk(0, 1.0, values, shares);
}

"""

MOST_PROBABLE = """
/* Returns the most probable class; the first one among equals. */
const char *tree_predict(const tree_value *values) {
    double shares[TREE_CLASSES], most = 0;
    int i;
    tree_predict_proba(values, shares);
    for (i = 0; i < TREE_CLASSES; i++) if (shares[i] > most) most = shares[i];
    for (i = 0; shares[i] < most * (1 - 1e-12); i++) {}
    return tree_classes[i];
}
"""

CHEAPEST = """
/* What it costs to predict a class (column) for a case of a class (row). */
static const double tree_costs[TREE_CLASSES][TREE_CLASSES] = {
@costs@};

/* Returns the class of minimum expected cost; the first one among equals. */
const char *tree_predict(const tree_value *values) {
    double shares[TREE_CLASSES], expected[TREE_CLASSES], least = HUGE_VAL, most = 0;
    int i, j;
    tree_predict_proba(values, shares);
    for (i = 0; i < TREE_CLASSES; i++) {
        expected[i] = 0;
        for (j = 0; j < TREE_CLASSES; j++) {
            expected[i] += shares[j] * tree_costs[j][i];
            if (tree_costs[j][i] > most) most = tree_costs[j][i];
        }
        if (expected[i] < least) least = expected[i];
    }
    for (i = 0; expected[i] > least + 1e-12 * most; i++) {}
    return tree_classes[i];
}
"""


def write(form: ExportTree) -> str:
    """Return the C source."""
    for name in form.names:
        if "\0" in name:
            raise TreelabError(f"c cannot hold the character NUL, which {name!r} contains")
    tables = [*_names(form), *_tests(form), *_missing_values(form), _shares(form)]
    head = HEAD.replace("@units@", _units(form))
    size = f"#define TREE_CLASSES {len(form.classes)}\n"
    return f"{head}{size}{''.join(tables)}{WALK}{_decision(form)}"


def _decision(form: ExportTree) -> str:
    if not form.costs:
        return MOST_PROBABLE
    rows = "".join(f"    {{{', '.join(map(repr, row))}}},\n" for row in form.costs)
    return CHEAPEST.replace("@costs@", rows)


def _units(form: ExportTree) -> str:
    """Say what dates and times are counted in; the features are named by their places, from 0."""
    scales = ((place, c.scale) for place, c in enumerate(form.features))
    units = [f"Feature {n}: {s.unit}. " for n, s in scales if isinstance(s, Moments)]
    return "".join(f"\n   {unit}" for unit in units)


def _names(form: ExportTree) -> Iterator[str]:
    yield _array("const char *const tree_classes", map(_text, form.classes))
    yield _array("const char *const tree_features", (_text(c.name) for c in form.features))


def _tests(form: ExportTree) -> Iterator[str]:
    labels = dict.fromkeys(label for node in form.nodes for label in _labels(node))
    number_of = {label: number for number, label in enumerate(labels)}
    place_of = {column.name: place for place, column in enumerate(form.features)}
    features = (place_of[node.test.feature] if node.test else -1 for node in form.nodes)
    of_nodes = [_steps(node, number_of) for node in form.nodes]
    steps = [step for of_node in of_nodes for step in of_node]
    yield _array("static const char *const tree_labels", map(_text, labels))
    yield _array("static const int tree_feature", features)
    yield _array("static const char tree_kinds", map(_kind, form.nodes))
    yield _array("static const int tree_first_step", accumulate(map(len, of_nodes), initial=0))
    yield _array("static const double tree_limits", (limit for limit, _, _ in steps))
    yield _array("static const int tree_limit_labels", (label for _, label, _ in steps))
    yield _array("static const int tree_children", (child for _, _, child in steps))


def _missing_values(form: ExportTree) -> Iterator[str]:
    of_nodes = [node.spread for node in form.nodes]
    parts = [part for spread in of_nodes for part in spread]
    children = [child for node in form.nodes if node.spread for child in node.children]
    yield _array("static const int tree_missing", map(_missing, form.nodes))
    yield _array("static const int tree_first_part", accumulate(map(len, of_nodes), initial=0))
    yield _array("static const int tree_part_child", children)
    yield _array("static const double tree_parts", parts)


def _labels(node: ExportNode) -> Iterable[str]:
    return node.test.branch_of if isinstance(node.test, LabelTest) else ()


def _steps(node: ExportNode, number_of: dict[str, int]) -> list[tuple[float, int, int]]:
    """Return the limit, the label and the child of each step; those not needed are 0."""
    if node.test is None:
        return []
    if isinstance(node.test, LabelTest):
        pairs = node.test.branch_of.items()
        return [(0.0, number_of[label], node.children[to]) for label, to in pairs]
    limits = (*node.test.limits, 0.0)
    children = [node.children[to] if to != STOP else STOP for to in node.test.branches]
    return [(limit, 0, child) for limit, child in zip(limits, children, strict=True)]


def _kind(node: ExportNode) -> str:
    if node.test is None:
        return "0"
    if isinstance(node.test, LabelTest):
        return "'='"
    return "'l'" if node.test.closed else "'<'"


def _missing(node: ExportNode) -> int:
    return node.children[node.missing] if node.missing != STOP else STOP


def _shares(form: ExportTree) -> str:
    rows = (f"{{{', '.join(map(repr, node.probabilities))}}},\n" for node in form.nodes)
    return f"static const double tree_shares[][TREE_CLASSES] = {{\n{''.join(rows)}}};\n"


def _array(name: str, values: Iterable[object]) -> str:
    # C knows no empty array.
    return f"{name}[] = {{\n{', '.join(map(str, values)) or '0'}\n}};\n"


def _text(text: str) -> str:
    """Return a C string literal of the UTF-8 bytes; octal escapes end after three digits."""
    return '"' + "".join(_byte(byte) for byte in text.encode(errors="surrogatepass")) + '"'


def _byte(byte: int) -> str:
    plain = byte in b" .,:;+-=<>()[]_/" or chr(byte).isalnum()
    return chr(byte) if byte < 128 and plain else f"\\{byte:03o}"

"""What columns of a data set hold."""

import math


def values(data, feature):
    """Return a column as numbers or labels, None where it is missing."""
    labels = data.schema.features[data.schema.index(feature)].labels
    if labels is None:
        return [None if math.isnan(v) else v for v in data[feature]]
    return [None if code < 0 else labels[code] for code in data[feature]]

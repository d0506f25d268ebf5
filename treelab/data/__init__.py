"""Data: schema, data sets, codings, readers, bundled sets."""

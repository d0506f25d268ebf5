"""Numbers in text, read the slow way."""

from string import whitespace


def written_number(text, decimal):
    """Return the number a text is with a decimal mark, or None: read letter by letter."""
    thousands = {".": ",", ",": "."}[decimal]
    text = text.strip(whitespace)
    sign = text[: text.startswith(("+", "-"))]
    mantissa, e, exponent = text[len(sign) :].lower().partition("e")
    digits = exponent[exponent.startswith(("+", "-")) :]
    if e and not digits.isdigit():
        return None
    whole, _, part = mantissa.partition(decimal)
    if not (part.isdigit() or part == "") or not (whole or part):
        return None
    for mark in (thousands, " ", "'", "\u00a0", "\u202f"):
        first, *others = whole.split(mark)
        is_first = first.isdigit() and len(first) <= 3 and first[0] != "0"
        if others and is_first and all(group.isdigit() and len(group) == 3 for group in others):
            whole = first + "".join(others)
            break
    if not (whole.isdigit() or whole == "") or (not whole and not part):
        return None
    return float(f"{sign}{whole or 0}.{part or 0}e{exponent or 0}")

"""A page: one short style, every glyph drawn once, every reference meets its name."""

import re
from collections import Counter

from treelab.experiment.report.figures import for_page, svg
from treelab.experiment.report.page import HERE, one_line, with_shared_glyphs


def drawing(title):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2, 2))
    axes = figure.subplots()
    axes.plot([1, 2], [1, 2], "o-", label="abc")
    axes.set_title(title)
    return svg(figure)


def test_glyphs_are_shared_and_everything_else_has_names_of_its_own():
    texts = {name: drawing(name) for name in ("first one", "second one")}
    images = with_shared_glyphs(
        {name: for_page(text, name.split()[0]) for name, text in texts.items()}
    )
    page = "".join(images.values())
    names = Counter(re.findall(r'id="([^"]+)"', page))
    assert max(names.values()) == 1
    used = set(re.findall(r'href="#([^"]+)"', page)) | set(re.findall(r"url\(#([^)]+)\)", page))
    assert used <= set(names)
    glyphs = [name for name in names if name.startswith("DejaVu")]
    assert len(glyphs) == len(set(re.findall(r'id="(DejaVu[^"]+)"', "".join(texts.values()))))
    assert any(name.startswith("first-") for name in names)
    assert len(images["second one"]) < len(for_page(texts["second one"], "second"))


def test_the_first_drawing_has_all_that_it_shows():
    images = with_shared_glyphs({"only": for_page(drawing("Title"), "only")})
    used = set(re.findall(r'href="#(DejaVu[^"]+)"', images["only"]))
    assert used
    assert used == set(re.findall(r'id="(DejaVu[^"]+)"', images["only"]))


def test_the_style_is_one_line_and_says_the_same():
    style = (HERE / "page.css").read_text("utf-8")
    short = one_line(style)
    assert "\n" not in short
    assert len(short) < len(style)
    strip = str.maketrans("", "", " \n;")
    assert short.translate(strip) == style.translate(strip)

"""The sources of the site are complete; what Sphinx makes of them is a slow test."""

import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

import treelab as tl
from treelab.experiment import study_file
from treelab.tree.prune import PRUNERS
from treelab.writers import format_names

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MADE = {"generated", "auto_gallery", "_build", "gallery", "_ext", "_static"}
MODULES = (
    "api_pages", "command_page", "experiment_pages", "loose_pages", "metric_pages", "model_page",
    "links",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _scripts(monkeypatch):
    """The modules that make the pages, as Sphinx sees them."""
    monkeypatch.syspath_prepend(str(DOCS))
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    yield
    for name in MODULES:
        sys.modules.pop(name, None)


def written_pages():
    """Return the pages that people wrote, by name, with what they include of the project."""
    found = [path.relative_to(DOCS) for path in DOCS.rglob("*.md")]
    return {str(p.with_suffix("")): _with_included((DOCS / p).read_text("utf-8"))
            for p in found if p.parts[0] not in MADE}  # fmt: skip


def _with_included(text):
    found = re.match(r"```\{include\} \.\./(\w+\.md)\n", text)
    if not found:
        return text
    return (ROOT / found[1]).read_text("utf-8").replace("](docs/", "](")


def made_pages():
    """Return the pages that are made when the site is built, by name, as far as that is quick."""
    import api_pages
    import command_page
    import experiment_pages
    import metric_pages
    import model_page

    makers = (api_pages, command_page, experiment_pages, model_page)
    pages = {name: text for maker in makers for name, text in maker.pages().items()}
    pages["metrics.md"] = metric_pages.reference()
    return {f"generated/{PurePosixPath(name).with_suffix('')}": t for name, t in pages.items()}


def gallery_pages():
    """Return the names of the pages of the gallery: its index and one for each script."""
    scripts = [path.relative_to(DOCS / "gallery") for path in DOCS.glob("gallery/*/*.py")]
    return {"auto_gallery/index", *(f"auto_gallery/{path.with_suffix('')}" for path in scripts)}


# Completeness


def test_every_public_name_is_on_one_page_of_the_reference():
    import api_pages

    themes = tomllib.loads(api_pages.THEMES.read_text("utf-8"))["theme"]
    named = Counter(n for t in themes if "module" not in t for n in t["names"])

    assert sorted(named) == sorted(tl.__all__), "docs/reference/themes.toml has the themes"
    assert set(named.values()) == {1}


def test_a_new_public_name_gets_a_page_all_the_same(monkeypatch):
    import api_pages

    monkeypatch.setattr(tl, "__all__", [*tl.__all__, "newcomer"])
    monkeypatch.setattr(tl, "newcomer", len, raising=False)

    assert "treelab.newcomer" in api_pages.pages()["api/others.rst"]


def test_what_a_page_of_the_reference_lists_it_describes():
    import api_pages

    pages = api_pages.pages()
    for theme in api_pages.themes():
        text = pages[f"api/{theme['name']}.rst"]
        for name in api_pages.objects(theme):
            if name != "treelab.__version__":
                assert re.search(rf"^\.\. [\w:]+:: {re.escape(name)}$", text, re.M), name


def test_every_error_and_protocol_is_described():
    import api_pages

    from treelab import errors, protocols

    pages = api_pages.pages()
    assert "autoclass:: treelab.errors.TreelabError" in pages["api/errors.rst"]
    for module, name in ((errors, "errors"), (protocols, "protocols")):
        for kind in (k for k in vars(module).values() if isinstance(k, type)):
            if kind.__module__ == module.__name__ and not kind.__name__.startswith("_"):
                assert f":: {module.__name__}.{kind.__name__}\n" in pages[f"api/{name}.rst"]


def test_every_command_and_option_is_on_the_page():
    import command_page

    page = command_page.pages()["commands.rst"]
    help_text = subprocess.run(
        [sys.executable, "-m", "treelab", "--help"], capture_output=True, text=True, check=True
    ).stdout
    listed = re.findall(r"^  (\w[\w-]*)\s{2,}\S", help_text[help_text.index("Commands:") :], re.M)
    commands = dict(command_page.commands())

    assert len(listed) > 20
    for word in listed:
        assert any(name.split()[1] == word for name in commands), word
    for name, command in commands.items():
        section = page.partition(f"\n.. program:: {name}\n")[2].partition("\n.. program::")[0]
        shown = [p for p in command.params if not p.hidden and "--help" not in p.opts]
        assert section.count("\n.. option:: ") == len(shown), name
        for option in (p.opts[-1] for p in shown if p.opts[-1].startswith("-")):
            assert option in section, f"{name} {option}"


def test_text_of_the_help_is_escaped():
    import command_page

    assert command_page._escaped("a* `x_y` n_") == r"a\* ``x_y`` n\_"


def test_every_metric_is_in_one_family_and_has_a_section():
    import metric_pages

    families = tomllib.loads(metric_pages.FAMILIES.read_text("utf-8"))["family"]
    named = Counter(name for family in families for name in family["metrics"])
    tables = metric_pages.tables(dict.fromkeys(named, "0% / 0%"))

    assert sorted(named) == sorted(tl.metric_names()), "name it in families.toml"
    assert set(named.values()) == {1}
    for name in named:
        assert f"\n## {name}\n" in metric_pages.reference()
        assert tables.count(f"[`{name}`]") == 1


def test_the_share_of_noise_is_counted():
    import metric_pages

    assert metric_pages.shares_of_noise("joint-information") == "100%&nbsp;/&nbsp;0%"


def test_every_key_of_a_model_file_is_on_its_page():
    import model_page

    page = model_page.pages()["model-file.md"]
    schema = json.loads((ROOT / "treelab/tree/model.schema.json").read_text("utf-8"))

    for key in (*schema["properties"], *schema["$defs"]["node"]["properties"]):
        assert f"| `{key}" in page
    assert "| `format` |" in page
    assert "| `by_counts?` |" in page


def test_every_entry_point_is_described():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    page = (DOCS / "reference/plugins.md").read_text("utf-8")

    assert [group for group in project["entry-points"] if f"`{group}`" not in page] == []


@pytest.mark.parametrize(
    ("choice", "names"),
    [
        ("made to order", tl.generator_names()),
        ("discretizer", tl.discretizer_names()),
        ("pruner", PRUNERS.names()),
        ("exports", format_names()),
    ],
)
def test_everything_there_is_to_choose_is_named(choice, names):
    page = (DOCS / "concepts/choices.md").read_text("utf-8")
    line = next(line for line in page.splitlines() if line.startswith(f"| {choice} |"))
    missing = set(names) - set(re.findall(r"`([\w-]+)`", line))

    assert not missing, f"docs/concepts/choices.md, line '{choice}', does not name {missing}"


def test_every_pruner_is_in_the_table_of_pruners():
    page = (DOCS / "concepts/pruning.md").read_text("utf-8")

    assert sorted(re.findall(r"^\| `([\w-]+)` \|", page, re.M)) == PRUNERS.names()


def test_every_key_of_a_study_file_is_on_its_page():
    text = (DOCS / "studies.md").read_text("utf-8")
    shown = tomllib.loads(re.search(r"```toml\n(.*?)```", text, re.S)[1])

    assert {*shown, "grid"} == set(study_file._KEYS)  # a grid stands in place of learners
    assert "A `[grid]` in place of learners" in text
    assert set(shown["paper"]) == {"citation", "expected", "unavailable", "check"}


def test_every_experiment_has_a_page():
    import experiment_pages

    pages = experiment_pages.pages()

    assert len(pages) == len(experiment_pages.studies()) + 2
    assert "report/report.html" in pages["experiments/kononenko1995.md"]


def test_a_study_without_a_page_of_its_own_has_one_of_its_study_file(tmp_path):
    import experiment_pages

    (tmp_path / "study.toml").write_text('title = "Coins"\ncitation = "A. Nobody: Coins. 2026."\n')
    text = experiment_pages.page(tmp_path / "README.md")

    assert text.startswith("# Coins\n\nA. Nobody: Coins. 2026.\n\n")
    assert f"treelab reproduce {tmp_path.name}\n" in text


# The way around


def entries(name, text):
    """Return the pages that the toctrees of a page name."""
    lists = re.findall(r"```\{toctree\}\n(.*?)```", text, re.S)
    lists += re.findall(r"\.\. toctree::\n(.*?)(?=^\S|\Z)", text, re.S | re.M)
    lines = [line.strip() for block in lists for line in block.splitlines()]
    return [_place(name, line) for line in lines if line and not line.startswith(":")]


def _place(page, target):
    """Return the name of what a page refers to, from the top of the site."""
    if target.startswith("/"):
        return target[1:]
    parts = []
    for part in PurePosixPath(page).parent.joinpath(target).parts:
        if part == "..":
            parts = parts[:-1] if parts and parts[-1] != ".." else [*parts, ".."]
        else:
            parts.append(part)
    return "/".join(parts)


def test_every_page_can_be_reached_from_the_first():
    import loose_pages

    pages = {**written_pages(), **made_pages()}
    pages["concepts/index"] += loose_pages.pages()["parts/loose.md"]
    known = set(pages) | gallery_pages()
    seen, waiting = set(), ["index"]
    while waiting:
        name = waiting.pop()
        assert name in known, name
        seen.add(name)
        for entry in entries(name, pages.get(name, "")):
            found = [p for p in known if PurePosixPath(p).match(entry)] if "*" in entry else [entry]
            waiting += [page for page in found if page not in seen]

    assert set(pages) - seen == set()


def test_a_page_without_a_place_comes_last_among_concepts(tmp_path, monkeypatch):
    import loose_pages

    (tmp_path / "index.md").write_text("```{toctree}\none\n```\n")
    (tmp_path / "one.md").write_text("# One\n")
    monkeypatch.setattr(loose_pages, "DOCS", tmp_path)
    assert loose_pages.pages()["parts/loose.md"] == ""

    (tmp_path / "two.md").write_text("# Two\n")
    assert "\n/two\n" in loose_pages.pages()["parts/loose.md"]


def test_links_between_pages_resolve():
    written, made = written_pages(), made_pages()
    known = {**written, **made}
    wrong = []
    for name, text in known.items():
        outside_code = re.sub(r"```(?!\{).*?```|`[^`\n]*`", "", text, flags=re.S)
        for link in re.findall(r"\]\((?!http)([^)\s]+)\)", outside_code):
            target, _, anchor = link.partition("#")
            if not _leads_somewhere(name, target, anchor, known):
                wrong.append(f"{name}: {link}")

    assert wrong == []


def _leads_somewhere(name, target, anchor, known):
    place = _place(name, target) if target else name
    page = re.sub(r"\.(md|rst)$", "", place)
    if page in known:
        heads = re.findall(r"^#+ (.+)$", known[page].lower(), re.M)
        return not anchor or anchor in {re.sub(r"[^\w-]+", "-", h).strip("-") for h in heads}
    is_page = place.endswith((".md", ".rst"))  # beyond the site there are files, but no pages
    return page in gallery_pages() or (not is_page and (DOCS / place).is_file())


def test_pictures_of_the_gallery_have_their_scripts():
    shown = {
        found
        for text in written_pages().values()
        for found in re.findall(r"/auto_gallery/(\w+)/images/sphx_glr_(\w+)_\d+\.svg", text)
    }

    assert len(shown) > 3
    assert [s for s in shown if not (DOCS / "gallery" / s[0] / f"{s[1]}.py").is_file()] == []


def test_a_broken_link_is_found(tmp_path):
    from links import problems

    (tmp_path / "a.html").write_text('<a id="x" href="b.html#y">b</a><a href="c.html">c</a>')
    (tmp_path / "b.html").write_text('<p id="z"><img src="https://example.org/i.png">')

    assert problems(tmp_path) == [
        "a.html links to b.html#y",
        "a.html links to c.html",
        "b.html loads https://example.org/i.png",
    ]


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path):
    pytest.importorskip("sphinx", reason="needs the extra docs; `make docs` installs it")
    from links import problems

    command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", DOCS, tmp_path]
    built = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)

    assert built.returncode == 0, built.stderr
    assert problems(tmp_path) == []

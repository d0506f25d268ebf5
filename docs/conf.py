"""How Sphinx builds the site: `make docs`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

from treelab import __version__  # noqa: E402

project = "treelab"
author = "the authors of treelab"
copyright = author  # noqa: A001  (Sphinx asks for this name)
version = release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "site_pages",
]
exclude_patterns = ["_build", "gallery", "generated/parts"]
suppress_warnings = ["config.cache"]  # the gallery's scraper is a function
nitpicky = False  # annotations name types of numpy and of modules that are not public

# Pages.
html_theme = "pydata_sphinx_theme"
html_title = f"treelab {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = LOGO = "_static/treelab.svg"
html_show_sourcelink = False
html_copy_source = False
html_domain_indices = False
html_theme_options = {
    "logo": {"text": "treelab", "image_light": LOGO, "image_dark": LOGO},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "show_nav_level": 1,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "back_to_top_button": False,
    "pygments_light_style": "tango",
    "pygments_dark_style": "github-dark",
}  # fmt: skip
html_context = {"default_mode": "auto"}
html_sidebars = {"index": [], "CHANGELOG": [], "SECURITY": []}

# Text.
default_role = "py:obj"  # docstrings write `names` in single backticks
myst_enable_extensions = ["attrs_block"]
myst_heading_anchors = 3

# Docstrings.
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # signatures stay short; the text says what is expected
autodoc_class_signature = "mixed"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# The gallery: every script runs, and its pictures are what it returned.
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "filename_pattern": r"/\w+\.py$",
    "image_scrapers": ("pictures.scraper",),
    "ignore_repr_types": r"matplotlib\.figure|treelab\.tree\.model",  # they are pictures
    "reset_modules": (),
    "within_subsection_order": "FileNameSortKey",
    "subsection_order": ["gallery/metrics", "gallery/trees", "gallery/papers"],
    "show_memory": False,
    "show_signature": False,
    "download_all_examples": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "abort_on_example_error": True,
    "plot_gallery": "True",
}

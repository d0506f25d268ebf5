"""Take the picture of the lab for README.md: `python experiments/lab_picture.py docs/lab.png`.

Needs the extras `lab` and `test` (playwright), and a Chromium.
"""

import shutil
import sys
import tempfile

from playwright.sync_api import Page, sync_playwright

import treelab as tl

SIZE = {"width": 1280, "height": 720}
DATA, METRIC = "hepatitis", "gini"


def ask(page: Page) -> None:
    """Grow a tree, and ask at its root what every metric says."""
    page.select_option("#bundled", DATA)
    page.click("#open-bundled")
    page.wait_for_selector("table.columns")
    page.click("#tab-grow")
    page.select_option("#grow-metric", METRIC)
    page.select_option("#grow-pruner", "none")
    page.fill("#grow-max_depth", "3")
    page.click("#grow")
    page.locator("#grown", has_text="grown from").wait_for()
    page.click("#tab-ask")
    page.wait_for_selector(".heat")
    page.click("#ask-all")
    page.locator(".heat thead th").nth(30).wait_for()
    page.locator(".heat thead button", has_text="mean rank").click()
    page.locator(".question h2").evaluate("heading => heading.scrollIntoView()")
    page.mouse.move(5, 5)


def main(path: str) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        tl.lab(folder=folder, browser=False) as lab,
        sync_playwright() as play,
    ):
        chromium = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = chromium.new_page(viewport=SIZE, color_scheme="light")
        page.set_default_timeout(120_000)
        page.goto(lab.url)
        ask(page)
        page.screenshot(path=path)
        chromium.close()
    print(f"{path}: {DATA}, {METRIC}")


if __name__ == "__main__":
    main(sys.argv[1])

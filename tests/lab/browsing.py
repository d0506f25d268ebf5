"""What people do in the lab's page, for tests in a browser."""


def open_set(page, name):
    page.select_option("#bundled", name)
    page.click("#open-bundled")
    page.locator(".facts h2", has_text=name).wait_for()


def grow(page, **settings):
    page.click("#tab-grow")
    for name, value in settings.items():
        control = page.locator(f"#grow-{name}")
        if control.evaluate("element => element.tagName") == "SELECT":
            control.select_option(value)
        else:
            control.fill(value)
    page.click("#grow")
    page.locator("#grown", has_text="grown from").wait_for()


def saved(page, button="#save-model"):
    page.click("#tab-keep")
    with page.expect_download() as download:
        page.click(button)
    return download.value.path().read_bytes()


def drop(page, name, content):
    """Let a file fall onto the page."""
    files = page.evaluate_handle(
        "([name, text]) => { const all = new DataTransfer();"
        " all.items.add(new File([text], name)); return all; }",
        [name, content],
    )
    page.dispatch_event("#page", "drop", {"dataTransfer": files})

"""Fixtures: one service and one browser for all tests, and a new page for each. A screenshot is taken when a test fails."""

import os
import re
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent))
from console import Console  # noqa: E402
from reacting import serve  # noqa: E402
from serving import ROOT, Service  # noqa: E402

PHOTOS = ROOT / ".build/browser"


@pytest.fixture(scope="session")
def service():
    service = Service()
    yield service
    service.close()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as driver:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        # Chromium's sandbox does not work for root.
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        yield browser
        browser.close()


@pytest.fixture
def page(browser, request):
    options = getattr(request.node.get_closest_marker("page"), "kwargs", {})
    context = browser.new_context(**{"viewport": {"width": 1400, "height": 1000}, **options})
    context.set_default_timeout(15_000)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    # Errors of the page itself fail its test, such as exceptions and violations of its content security policy.
    faults = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda line: faults.append(line.text) if "Content Security Policy" in line.text else None)
    yield page
    if getattr(request.node, "failed", False):
        PHOTOS.mkdir(parents=True, exist_ok=True)
        photo = PHOTOS / (re.sub(r"\W+", "-", request.node.name) + ".png")
        page.screenshot(path=photo, full_page=True)
        print(f"photographed: {photo}", file=sys.stderr)
    context.close()
    if not request.node.get_closest_marker("forbids"):
        assert not faults, faults


@pytest.fixture
def console(page, service):
    return Console(page, service)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed:
        item.failed = True


def pytest_configure(config):
    config.addinivalue_line("markers", "page(**options): how the test's page is: its size, its colours")
    config.addinivalue_line("markers", "forbids: the test itself tries what the page's policy forbids")


@pytest.fixture(scope="module")
def site(request):
    """The address of the test file's `PAGE`."""
    with serve(request.module.PAGE) as address:
        yield address


@pytest.fixture(scope="module", params=["with an engine", "without"])
def react_service(request, site):
    """A service with the test file's definition `APP`, under the name `app`."""
    engine = ["--engine", str(ROOT / ".build/engine"), "--predict", "*"] if request.param == "with an engine" else []
    service = Service("--cors-origins", site, *engine)
    assert "definition" in service.put("app", request.module.APP)
    yield service
    service.close()


@pytest.fixture
def react(page, site, react_service):
    """The test file's page with a session, which predicts if there is an engine."""
    page.goto(site)
    page.wait_for_function("window.isReady === true")
    page.evaluate("(baseURL) => window.run({ baseURL, app: 'app' })", react_service.url)
    if "--engine" in react_service.flags:
        page.wait_for_function("session.getSnapshot().predicts")
    return page

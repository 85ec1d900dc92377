"""Fixtures: a reader for each test, and a browser for the tests that need one."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from walkthrough import Walkthrough  # noqa: E402


@pytest.fixture
def reader():
    reader = Walkthrough()
    yield reader
    reader.close()


@pytest.fixture
def browser_page():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        # Chromium's sandbox does not work for root.
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        page = browser.new_page()
        page.set_default_timeout(15_000)
        yield page
        browser.close()

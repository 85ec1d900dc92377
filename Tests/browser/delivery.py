"""The example as `make example` serves it, and its page as a user sees it."""

import os
import re
import shlex
import signal
import subprocess

from serving import ROOT


class Example:
    """The program that serves the example, on free ports."""

    def __init__(self):
        program = os.environ.get("CAIRN", str(ROOT / ".build/debug/cairn"))
        command = [str(ROOT / "examples/delivery-web/run"), "--port", "0", "--binary", program, "--engine", str(ROOT / ".build/engine")]
        # A shell's background job ignores Ctrl-C, and so do its child processes.
        heed = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, preexec_fn=heed)
        found = next((line for line in self.process.stdout if line.startswith("Open ")), "")
        self.url, self.service = re.findall(r"http://[\w.:]+", found)

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=60)
        self.process.stdout.close()


class Delivery:
    """A tab of the browser."""

    def __init__(self, page, example):
        self.page, self.example = page, example
        page.goto(example.url)

    def shows(self, screen, title=None):
        """Waits until this screen is in front. Returns its element."""
        front = self.page.locator(f"dialog:last-of-type [data-screen={screen}], body:not(:has(dialog)) #app [data-screen={screen}]")
        front.wait_for()
        if title is not None:
            assert front.locator("h1").inner_text() == title
        return front

    def tap(self, name):
        self.front.get_by_role("button", name=name).first.click()

    def tab(self, name):
        self.page.get_by_role("navigation", name="Tabs").get_by_role("button", name=name).click()

    def fill(self, label, value):
        self.front.get_by_label(label).fill(value)

    def predicts(self):
        """Waits until the page predicts actions with the engine."""
        self.page.locator("body[data-predicts=true]").wait_for()

    def network(self, speed):
        """Switches the network: fast, 300 ms or off."""
        self.page.get_by_role("radio", name=speed, exact=True).check()

    @property
    def front(self):
        dialogs = self.page.locator("dialog")
        return dialogs.last if dialogs.count() else self.page.locator("#app")

    @property
    def banner(self):
        return self.page.locator(".banner")

    def paste(self, title):
        """Runs one of the testers' command lines in a shell, once the service has received all taps. The page shows taps earlier."""
        self.page.locator("body[data-waiting='0']").wait_for()
        line = self.page.locator("#testers figure", has_text=title).locator("pre").text_content()
        return subprocess.run(shlex.split(line), capture_output=True, text=True, check=True, timeout=30).stdout

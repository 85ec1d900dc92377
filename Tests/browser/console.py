"""Drives the console as a user does."""

from playwright.sync_api import expect
from serving import KEY


class Console:
    def __init__(self, page, service):
        self.page = page
        self.service = service

    def visit(self, hash=""):
        self.page.goto(f"{self.service.url}/console{hash}")
        expect(self.page.locator("#start-app option").first).to_be_attached()
        return self

    def use_key(self):
        self.page.locator("#key").fill(KEY)
        self.page.get_by_role("button", name="Use the key").click()
        return self

    def open(self, app, key=False, **more):
        """Creates a session over HTTP and opens it, either with its secret or with the operator key."""
        session = self.service.session(app, **more)
        self.visit()
        if key:
            self.use_key()
        self.page.get_by_label("Session's id").fill(session["id"])
        if not key:
            self.page.get_by_label("Its secret").fill(session["secret"])
        self.page.get_by_role("button", name="Open", exact=True).click()
        expect(self.device).to_be_visible()
        return session

    @property
    def device(self):
        return self.page.get_by_role("group", name="The screen")

    @property
    def answers(self):
        return self.page.get_by_role("log").first

    @property
    def newest(self):
        return self.answers.locator("ol.outcomes > li").first

    def revision(self, number):
        expect(self.page.locator("#revision")).to_have_text(f"revision {number}")

    def visible(self, screen):
        expect(self.page.locator(".device .bar strong")).to_have_text(screen)

    def node(self, name):
        """Returns the node of the tree whose label contains a text."""
        return self.device.get_by_role("group", name=name)

    def tab(self, name):
        self.page.get_by_role("tab", name=name).click()

"""Rollouts as operators see and change them, and the history of sessions that were migrated or undone."""

import re

import pytest
from playwright.sync_api import expect

FIRST = {
    "root": {"flow": "main"},
    "screens": {"home": {"emits": ["pageRequired"]}, "page": {"params": {"number": "integer"}}},
    "steps": {"pageRequired": {"number": "integer"}},
    "flows": {"main": {"stack": "home", "handle": {"pageRequired": {"push": "page", "with": {"number": "$number"}}}}},
}
SECOND = {
    **FIRST,
    "screens": {"home": {"emits": ["pageRequired"]}, "sheet": {"params": {"number": "integer"}}},
    "flows": {"main": {"stack": "home", "handle": {"pageRequired": {"push": "sheet", "with": {"number": "$number"}}}}},
}


class Release:
    """An app with three sessions, one of them on a page, and a second version with a migration."""

    def __init__(self, service, app):
        self.service, self.app = service, app
        self.old = service.put(app, FIRST)["definition"]
        self.sessions = [service.session(app) for _ in range(3)]
        service.act(self.sessions[0], {"step": "pageRequired", "params": {"number": 1}})
        self.new = service.ask("PUT", f"/v1/apps/{app}?serve=false", {"app": app, "language": 1, **SECOND})["definition"]
        service.ask("PUT", f"/v1/apps/{app}/migrations/{self.old}/{self.new}", {"screens": {"page": {"to": "sheet"}}})

    def begin(self, **body):
        begun = self.service.ask("POST", f"/v1/apps/{self.app}/rollouts", {"to": self.new, "when": "now", "rate": 1000, **body})
        assert begun["state"] == "running", begun

    def show(self, console):
        """The panel of the app's rollout, for an operator."""
        console.visit().use_key()
        console.page.get_by_role("link", name="Definition").click()
        console.page.get_by_label("App", exact=True).last.select_option(self.app)
        return console.page.get_by_role("region", name="Rollout")


@pytest.fixture
def release(service, request):
    return Release(service, "release-" + "-".join(request.node.name.split("_")[1:5]))


def state(panel, text):
    expect(panel.locator("#rollout-state")).to_have_text(text)


def test_a_rollout_shows_where_it_comes_from_and_what_it_has_reached(console, page, release):
    panel = release.show(console)
    expect(panel).to_contain_text("This app has never had a rollout.")
    release.begin()
    panel = release.show(console)
    state(panel, "done")
    expect(panel).to_contain_text(release.old[:12])
    expect(panel).to_contain_text(release.new[:12])
    expect(panel).to_contain_text("100%")
    expect(panel).to_contain_text("1000 per second")
    expect(panel).to_contain_text("3, 2 of them unaffected by the migration")
    expect(panel).to_contain_text("1 screens.page")
    panel.get_by_role("button", name="open an example").or_(panel.get_by_role("button", name="screens.page")).click()
    expect(page.locator("#revision")).to_have_text("revision 3")
    console.visible("sheet")


def test_without_a_key_no_rollout_is_shown(console, page, release):
    release.begin()
    console.visit()
    page.get_by_role("link", name="Definition").click()
    page.get_by_label("App", exact=True).last.select_option(release.app)
    expect(page.locator("svg.graph g.flow").first).to_be_visible()
    expect(page.locator("#rollout-note")).to_be_hidden()


def test_a_rollout_is_paused_resumed_and_reverted_each_at_the_second_click(console, page, release):
    release.begin(when={"visible": "home"})
    panel = release.show(console)
    expect(panel.locator("dt", has_text="Waiting").locator("xpath=following-sibling::dd[1]")).to_have_text("1")
    panel.get_by_role("button", name="Pause").click()
    expect(panel).to_contain_text("No further session moves until it is resumed.")
    state(panel, "running")
    panel.get_by_role("button", name="Confirm pause").click()
    state(panel, "paused")
    expect(panel.get_by_role("button", name="Pause")).to_have_count(0)
    panel.get_by_role("button", name="Resume").click()
    panel.get_by_role("button", name="Confirm resume").click()
    state(panel, "running")
    panel.get_by_role("button", name="Revert").click()
    panel.get_by_role("button", name="Confirm revert").click()
    state(panel, "reverted")
    expect(panel.locator("dt", has_text="Moved back").locator("xpath=following-sibling::dd[1]")).to_have_text("2")
    assert release.service.ask("GET", f"/v1/apps/{release.app}")["definition"] == release.old


def test_a_rollout_is_stopped(console, page, release):
    release.begin(when={"visible": "home"})
    panel = release.show(console)
    panel.get_by_role("button", name="Stop").click()
    panel.get_by_role("button", name="Confirm stop").click()
    state(panel, "stopped")


def test_a_dry_run_shows_its_report_and_the_rollout_before_it(console, page, release):
    release.begin(share="0.01%", when="now")
    state(release.show(console), "done")
    release.begin(dryRun=True)
    panel = release.show(console)
    state(panel, "done")
    expect(panel).to_contain_text("dry run")
    expect(panel.locator("dt", has_text="Would move").locator("xpath=following-sibling::dd[1]")).to_have_text("3, 2 of them unaffected by the migration")
    expect(panel).to_contain_text("0.01% to")
    panel.get_by_role("button", name="Stop").click()
    panel.get_by_role("button", name="Confirm stop").click()
    state(panel, "stopped")
    expect(panel).not_to_contain_text("dry run")


def opened(console, service, session):
    console.visit().use_key()
    console.page.goto(f"{service.url}/console#s={session['id']}")
    expect(console.device).to_be_visible()
    console.tab("History")


def entry(page, revision):
    return page.get_by_role("region", name="History").locator(f"li:has(#entry-{revision})")


def test_a_session_that_moved_is_taken_back_from_its_history_with_a_reason(console, page, service, release):
    release.begin()
    state(release.show(console), "done")
    session = release.sessions[0]
    opened(console, service, session)
    expect(entry(page, 3).locator("summary")).to_contain_text(f"migrated from {release.old[:12]} to {release.new[:12]}")
    expect(entry(page, 3).locator("summary")).to_contain_text("by operator")
    entry(page, 2).locator("summary").click()
    entry(page, 2).get_by_label("Reason").fill("the wrong page")
    entry(page, 2).get_by_role("button", name="Restore this revision").click()
    console.revision(3)
    entry(page, 2).get_by_role("button", name="Confirm the restore").click()
    console.revision(4)
    console.visible("page")
    expect(entry(page, 4).locator("summary")).to_contain_text("undone to revision 2: the wrong page")
    expect(entry(page, 4).locator("summary")).to_contain_text("by operator")
    page.get_by_role("button", name="As curl").click()
    expect(page.locator("#paper-text")).to_have_value(re.compile(r"\$KEY.*/migrate"))


def test_a_session_of_its_own_secret_cannot_be_taken_back(console, page, service):
    console.open("delivery")
    console.tab("History")
    expect(entry(page, 1)).to_be_visible()
    expect(page.get_by_role("button", name="Restore this revision")).to_have_count(0)

"""The example of an app that works offline for days: its page is loaded and used without a network, and each tap is performed."""

import pytest
from offline import EXAMPLE, performed, reload_offline, serve, wait_until_kept
from serving import ROOT, Service


@pytest.fixture
def office():
    with serve() as server:
        yield server


@pytest.fixture
def service(office, tmp_path):
    """A service with the example's app, which calls the office of the test."""
    text = (EXAMPLE / "inspections.yaml").read_text()
    assert "[office.example]" in text and "https://office.example" in text
    (tmp_path / "inspections.yaml").write_text(text.replace("[office.example]", f"['{office.host}']").replace("https://office.example", office.url))
    service = Service("--cors-origins", office.url, "--engine", str(ROOT / ".build/engine"), "--predict", "*", apps=tmp_path)
    yield service
    service.close()


class Tablet:
    """The example's page."""

    def __init__(self, page, office, service):
        self.page, self.address = page, f"{office.url}/?service={service.url}"
        page.goto(self.address)
        self.shows("Job 1")
        self.session = wait_until_kept(page)

    def shows(self, text):
        self.page.locator("main", has_text=text).wait_for()

    def waits(self, count):
        self.page.locator("#status", has_text=f", {count} waiting").wait_for()

    def tap(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    @property
    def report(self):
        return self.page.get_by_label("Report")

    def write(self, text):
        self.report.fill(text)
        self.report.blur()

    def reload(self, waiting):
        reload_offline(self.page, waiting)
        self.waits(waiting)


def test_taps_of_several_loads_without_a_network_are_all_performed(page, office, service):
    tablet = Tablet(page, office, service)
    page.context.set_offline(True)
    tablet.tap("Job 1")
    tablet.write("oil is low")
    tablet.waits(2)
    tablet.reload(2)
    assert tablet.report.input_value() == "oil is low"
    tablet.tap("Back")
    tablet.tap("Job 2")
    tablet.write("belt")
    tablet.waits(5)
    tablet.reload(5)
    assert tablet.report.input_value() == "belt"
    tablet.tap("Send")
    tablet.waits(6)
    # The office acts in the session before the taps of its user arrive.
    service.act(tablet.session, {"step": "noticeCame", "params": {"text": "Storm"}})
    page.context.set_offline(False)
    tablet.shows("Storm")
    tablet.waits(0)
    tablet.tap("Read")
    tablet.shows("Job 2 (sent)")
    names = ["noticeCame", "jobPicked", "textChanged", "back", "jobPicked", "textChanged", "reportSent"]
    assert [name for name in performed(service, tablet.session) if name in names] == names
    assert page.locator("aside").inner_text() == ""
    assert office.got == [("/reports", {"job": 2, "text": "belt"})]


def test_a_tap_below_the_lock_of_the_office_is_kept_until_its_user_decides(page, office, service):
    tablet = Tablet(page, office, service)
    page.context.set_offline(True)
    tablet.tap("Job 3")
    tablet.waits(1)
    tablet.reload(1)
    service.act(tablet.session, {"step": "lockNeeded"})
    page.context.set_offline(False)
    refused = page.locator("aside p", has_text="jobPicked: hidden")
    refused.wait_for()
    page.reload()
    tablet.shows("PIN")
    refused.get_by_role("button", name="Discard").click()
    refused.wait_for(state="detached")


def test_a_release_is_shown_when_no_page_has_the_old_files(page, office, service):
    tablet = Tablet(page, office, service)
    kept = page.evaluate("caches.open('inspections 1').then((cache) => cache.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))")
    assert {"/", "/app.js", "/cairn-client/index.js", "/cairn-client/keeping.js"} <= set(kept)
    # The types and React's modules are not part of this page.
    assert [name for name in kept if name.endswith(".d.ts") or "react" in name] == []
    office.release = lambda content: content.replace(b"inspections 1", b"inspections 2").replace(b"<title>Inspections", b"<title>Second inspections")
    page.reload()
    assert page.title() == "Inspections"
    page.evaluate("""() => navigator.serviceWorker.getRegistration().then(async (registration) => {
      const worker = registration.installing ?? registration.waiting ?? await new Promise((found) => {
        registration.onupdatefound = () => found(registration.installing);
      });
      await new Promise((installed) => {
        const look = () => { if (worker.state === "installed") installed(); };
        worker.onstatechange = look;
        look();
      });
    })""")
    # A page without the worker: the browser activates the new worker when the last page of the old one is closed.
    page.goto("about:blank")
    page.goto(tablet.address)
    tablet.shows("Job 1")
    assert page.title() == "Second inspections"
    assert page.evaluate("navigator.serviceWorker.ready.then(() => caches.keys())") == ["inspections 2"]

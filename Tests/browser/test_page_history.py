"""The browser history of a page that `syncHistory` connects to a session: Back leaves the page only if the session cannot go back."""

import http.server
import json
import threading

import pytest
from delivery import Delivery, Example
from playwright.sync_api import expect
from serving import ROOT, Service

# A stack around tabs, whose `back` selects the first tab. The first tab has a screen on top when the other one is selected.
DEFINITION = {
    "root": {"flow": "app"},
    "screens": {"home": {"emits": ["pick"]}, "detail": {"params": {"phone": "string"}, "emits": ["look"]}, "list": {"emits": []}},
    "steps": {"pick": {"phone": "string"}, "look": None},
    "flows": {
        "app": {"stack": {"flow": "tabs"}},
        "tabs": {"tabs": [{"flow": "first"}, {"flow": "second"}], "back": "first",
                 "handle": {"look": {"select": {"flow": "second"}}}},
        "first": {"stack": "home", "handle": {"pick": {"push": "detail", "with": {"phone": "$phone"}}}},
        "second": {"stack": "list"},
    },
}
# An app in which pages ask before they are left, including the first page.
ASKING = {
    "root": {"flow": "main"},
    "screens": {"home": {"emits": ["opened"]}, "page": {"emits": ["opened", "edited"]}, "sure": {"emits": ["discarded", "stayed"]}},
    "flows": {
        "main": {
            "stack": {"screen": "home", "guard": "asked"},
            "handle": {
                "opened": {"push": "page", "guard": {"when": {"content": "isEdited"}, "ask": "asked"}},
                "edited": {"content": {"isEdited": True}, "of": "page"},
                "asked": {"present": "sure", "style": "alert"},
                "discarded": "proceed",
                "stayed": [],
            },
        },
    },
}
PAGE = """<!doctype html><title>A page</title><h1></h1><script type="module">
import { start } from "/client/index.js";
import { syncHistory } from "/client/browser-history.js";
const { service } = await (await fetch("/service.json")).json();
const session = await start({ baseURL: service, app: new URLSearchParams(location.search).get("app") ?? "surrounded" });
const show = () => { document.querySelector("h1").textContent = `${session.visible.screen} ${session.waiting ?? ""}`; };
session.subscribe(show);
syncHistory(session);
window.session = session;
show();
</script>"""
RECORD = """for (const name of ["pushState", "replaceState"]) {
  const own = history[name];
  history[name] = function (state, title, url) {
    (window.addresses ??= []).push(String(url ?? location.href));
    return own.call(this, state, title, url);
  };
}"""


class Pages(http.server.BaseHTTPRequestHandler):
    """Serves the page, and the client's files at /client/. Chromium does not let a page that was only set as content send requests to this machine."""

    def do_GET(self):
        if self.path.startswith("/client/"):
            file = ROOT / "clients/javascript/src" / self.path.removeprefix("/client/")
            return self.answer(file.read_bytes(), "text/javascript")
        if self.path == "/service.json":
            return self.answer(json.dumps({"service": self.server.service.url}).encode(), "application/json")
        return self.answer(PAGE.encode(), "text/html")

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def pages():
    """Starts a server for the page, whose service has the definition above. Yields its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    server.service = Service("--cors-origins", url.rstrip("/"))
    assert "definition" in server.service.put("surrounded", DEFINITION)
    assert "definition" in server.service.put("asking", ASKING)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield url
    server.shutdown()
    server.service.close()


@pytest.fixture
def tied(page, pages):
    page.goto("about:blank#before")
    page.goto(pages)
    expect(page.locator("h1")).to_contain_text("home")
    return page


def test_back_leaves_the_page_only_where_a_stack_around_tabs_has_no_way_back(tied):
    shown = tied.locator("h1")
    tied.evaluate("session.step('pick', { phone: '0171 23' })")
    expect(shown).to_contain_text("detail")
    tied.evaluate("session.step('look')")
    expect(shown).to_contain_text("list")
    # The history has an entry for the first tab, and one for the screen on top in that tab.
    tied.wait_for_function("history.state.cairnDepth === 2")
    for screen, depth in [("detail", 1), ("home", 0)]:
        assert tied.evaluate("session.accepts.primitives.includes('back')")
        tied.go_back()
        expect(shown).to_contain_text(screen)
        tied.wait_for_function("depth => history.state.cairnDepth === depth && session.getSnapshot().waiting === 0", arg=depth)
    assert not tied.evaluate("session.accepts.primitives.includes('back')")
    tied.go_back()
    tied.wait_for_url("about:blank#before")


def test_back_over_three_pages_is_one_question_and_then_the_jump_and_the_last_page_asks_too(page, pages):
    page.goto("about:blank#before")
    page.goto(f"{pages}?app=asking")
    shown = page.locator("h1")
    at = "depth => history.state?.cairnDepth === depth && session.getSnapshot().waiting === 0"
    expect(shown).to_contain_text("home")
    for _ in range(3):
        page.evaluate("session.step('opened')")
    page.evaluate("session.step('edited')")
    page.wait_for_function(at, arg=3)
    entries = page.evaluate("history.length")
    page.evaluate("history.go(-3)")
    expect(shown).to_contain_text("sure")
    page.wait_for_function(at, arg=4)
    assert page.evaluate("session.pending.map(({ kind }) => kind)") == ["question"]
    # The history has the same entries as before, and one more for the question.
    assert page.evaluate("history.length") == entries + 1
    page.evaluate("session.step('discarded')")
    expect(shown).to_contain_text("home")
    # One history entry represents the question of the last page.
    page.wait_for_function(at, arg=1)
    page.go_back()
    expect(shown).to_contain_text("sure")
    page.wait_for_function(at, arg=1)
    page.evaluate("session.step('stayed')")
    expect(shown).to_contain_text("home")
    page.wait_for_function(at, arg=1)
    page.go_back()
    expect(shown).to_contain_text("sure")
    page.wait_for_function(at, arg=1)
    page.evaluate("void session.step('discarded')")
    page.wait_for_url("about:blank#before")


@pytest.fixture(scope="module")
def example():
    example = Example()
    yield example
    example.close()


def test_no_address_of_the_example_holds_what_a_user_typed(page, example):
    page.add_init_script(RECORD)
    app = Delivery(page, example)
    app.tap("Trattoria Luna")
    app.shows("restaurant")
    assert page.evaluate("location.hash").startswith("#/r/")
    app.tap("Margherita")
    app.tap("Add to basket")
    app.tap("Checkout")
    app.shows("phone")
    app.fill("Your phone number", "0171 2345")
    app.tap("Send me a code")
    app.shows("code")
    page.wait_for_function("location.hash.endsWith('/phone/code')")
    addresses = page.evaluate("addresses")
    assert len(addresses) > 4 and not [one for one in addresses if "0171" in one], addresses


def test_the_address_of_a_screen_opens_it_in_another_session(page, example):
    page.goto(f"{example.url}#/r/3/d/31")
    front = page.locator("#app [data-screen=dish]")
    front.wait_for()
    assert page.evaluate("location.hash") == "#/r/3/d/31"
    page.go_back()
    page.locator("#app [data-screen=restaurant]").wait_for()
    page.wait_for_function("location.hash === '#/r/3'")

"""Overlays and pages that are seen, in a page with React over a real service: an overlay covers nothing, speaks for itself, and closes after its time."""

import pytest
from playwright.sync_api import expect
from reacting import serve
from serving import ROOT, Service

APP = {
    "root": "main",
    "screens": {
        "home": {"emits": ["saved", "tipped", "opened"], "seen": "homeSeen"}, "page": {"emits": ["closed"]}, "banner": {"emits": ["undone"]},
    },
    "flows": {"main": {
        "stack": {"screen": "home", "content": {"seen": 0, "undone": 0}},
        "handle": {
            "saved": {"overlay": "banner", "slot": "top", "replace": True},
            "tipped": {"overlay": "banner", "slot": "bottom", "for": "1s"},
            "undone": [{"dismiss": "banner"}, {"content": {"undone": {"add": 1}}, "of": "home"}],
            "opened": {"push": "page"},
            "closed": "pop",
            "homeSeen": {"content": {"seen": {"add": 1}}, "of": "home"},
        },
    }},
}
PAGE = b"""<!doctype html><meta charset="utf-8"><title>overlays</title><div id="root"></div>
<script src="/modules/react.js"></script><script src="/modules/react-dom.js"></script>
<script type="importmap">{ "imports": { "react": "/react.js" } }</script>
<script type="module">
import { start } from "/src/index.js";
import { Screens, SessionProvider, useStep } from "/src/react.js";
const { createElement: h } = React;
const screen = (...steps) => ({ node, content }) => h("section", { className: node.name }, JSON.stringify(content?.value ?? null),
  steps.map((name) => h(Button, { key: name, name })));
const Button = ({ name }) => h("button", { onClick: useStep(name) }, name);
const of = { home: screen("saved", "tipped", "opened"), page: screen("closed"), banner: screen("undone") };
const containers = { overlay: ({ slot, children }) => h("aside", { className: slot }, children) };
window.run = async (options) => {
  window.session = await start(options);
  ReactDOM.createRoot(document.querySelector("#root")).render(h(SessionProvider, { session }, h(Screens, { of, containers })));
};
window.isReady = true;
</script>"""


@pytest.fixture(scope="module")
def site():
    with serve(PAGE) as address:
        yield address


@pytest.fixture(scope="module", params=["with an engine", "without"])
def service(request, site):
    engine = ["--engine", str(ROOT / ".build/engine"), "--predict", "*"] if request.param == "with an engine" else []
    service = Service("--cors-origins", site, *engine)
    assert "definition" in service.put("overlays", APP)
    yield service
    service.close()


@pytest.fixture
def app(page, site, service):
    page.goto(site)
    page.wait_for_function("window.isReady === true")
    page.evaluate("(baseURL) => window.run({ baseURL, app: 'overlays' })", service.url)
    if "--engine" in service.flags:
        page.wait_for_function("session.getSnapshot().predicts")
    return page


def test_an_overlay_covers_nothing_and_its_own_step_closes_it(app):
    app.get_by_role("button", name="saved").click()
    expect(app.locator("aside.top")).to_be_visible()
    app.get_by_role("button", name="opened").click()
    expect(app.locator("section.page")).to_be_visible()
    assert app.evaluate("session.visible.screen") == "page"
    app.get_by_role("button", name="undone").click()
    expect(app.locator("aside")).to_have_count(0)
    app.get_by_role("button", name="closed").click()
    expect(app.locator("section.home")).to_contain_text('"undone":1')


def test_an_overlay_closes_after_its_time(app):
    app.get_by_role("button", name="tipped").click()
    expect(app.locator("aside.bottom")).to_be_visible()
    expect(app.locator("aside")).to_have_count(0, timeout=60_000)
    assert app.evaluate("session.visible.screen") == "home"


def test_a_page_is_seen_again_when_the_page_over_it_is_gone_and_not_when_an_overlay_is(app):
    expect(app.locator("section.home")).to_contain_text('"seen":1')
    app.get_by_role("button", name="opened").click()
    app.get_by_role("button", name="closed").click()
    expect(app.locator("section.home")).to_contain_text('"seen":2')
    app.get_by_role("button", name="saved").click()
    app.get_by_role("button", name="undone").click()
    expect(app.locator("aside")).to_have_count(0)
    expect(app.locator("section.home")).to_contain_text('{"seen":2,"undone":1}')

"""Overlays, the steps `seen` and `unseen` of pages, and the question before the app is left, in a page with React and a real service."""

import pytest
from playwright.sync_api import expect

APP = {
    "root": "main",
    "screens": {
        "home": {"emits": ["saved", "tipped", "opened"], "seen": "homeSeen"}, "page": {"emits": ["closed"]}, "banner": {"emits": ["undone"]},
        "question": {"emits": ["stayed", "left"]},
    },
    "flows": {"main": {
        "stack": {"screen": "home", "content": {"seen": 0, "undone": 0}, "guard": "leaving"},
        "handle": {
            "saved": {"overlay": "banner", "slot": "top", "replace": True},
            "tipped": {"overlay": "banner", "slot": "bottom", "for": "1s"},
            "undone": [{"dismiss": "banner"}, {"content": {"undone": {"add": 1}}, "of": "home"}],
            "opened": {"push": "page"},
            "closed": "pop",
            "leaving": {"present": "question", "style": "alert"},
            "stayed": "dismiss",
            "left": "proceed",
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
const of = { home: screen("saved", "tipped", "opened"), page: screen("closed"), banner: screen("undone"), question: screen("stayed", "left") };
const containers = { overlay: ({ slot, children }) => h("aside", { className: slot }, children) };
window.run = async (options) => {
  window.exits = 0;
  window.session = await start(options);
  session.onExit(() => { window.exits += 1; });
  ReactDOM.createRoot(document.querySelector("#root")).render(h(SessionProvider, { session }, h(Screens, { of, containers })));
};
window.isReady = true;
</script>"""


def test_an_overlay_covers_nothing_and_its_own_step_closes_it(react):
    react.get_by_role("button", name="saved").click()
    expect(react.locator("aside.top")).to_be_visible()
    react.get_by_role("button", name="opened").click()
    expect(react.locator("section.page")).to_be_visible()
    assert react.evaluate("session.visible.screen") == "page"
    react.get_by_role("button", name="undone").click()
    expect(react.locator("aside")).to_have_count(0)
    react.get_by_role("button", name="closed").click()
    expect(react.locator("section.home")).to_contain_text('"undone":1')


def test_an_overlay_closes_after_its_time(react):
    react.get_by_role("button", name="tipped").click()
    expect(react.locator("aside.bottom")).to_be_visible()
    expect(react.locator("aside")).to_have_count(0, timeout=60_000)
    assert react.evaluate("session.visible.screen") == "home"


def test_a_page_is_seen_again_when_the_page_over_it_is_gone_and_not_when_an_overlay_is(react):
    expect(react.locator("section.home")).to_contain_text('"seen":1')
    react.get_by_role("button", name="opened").click()
    react.get_by_role("button", name="closed").click()
    expect(react.locator("section.home")).to_contain_text('"seen":2')
    react.get_by_role("button", name="saved").click()
    react.get_by_role("button", name="undone").click()
    expect(react.locator("aside")).to_have_count(0)
    expect(react.locator("section.home")).to_contain_text('{"seen":2,"undone":1}')


@pytest.mark.parametrize("react_service", ["with an engine"], indirect=True)
def test_an_overlay_that_is_shown_offline_is_the_service_s_own_afterwards(react):
    react.context.set_offline(True)
    react.get_by_role("button", name="tipped").click()
    expect(react.locator("aside.bottom")).to_have_count(1)
    react.context.set_offline(False)
    # The overlay's time begins with the service's entry of the tap, and a further entry removes the overlay.
    react.wait_for_function("session.getSnapshot().waiting === 0")
    assert react.locator("aside.bottom").count() <= 1
    expect(react.locator("aside")).to_have_count(0, timeout=60_000)


def test_the_app_is_left_after_its_question_is_answered(react):
    react.evaluate("session.back()")
    react.get_by_role("button", name="stayed").click()
    expect(react.locator("section.question")).to_have_count(0)
    assert react.evaluate("window.exits") == 0
    react.evaluate("session.back()")
    react.get_by_role("button", name="left").click()
    react.wait_for_function("window.exits === 1")
    expect(react.locator("section.question")).to_have_count(0)
    expect(react.locator("section.home")).to_be_visible()

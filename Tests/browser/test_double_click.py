"""A person's double clicks in a page with React, with a real service. Each is one step or one gesture, from the screen of the element."""

import pytest

APP = {
    "compat": {"emits": "any"},
    "root": {"flow": "main"},
    "screens": {"list": {}, "page": {}, "alarm": {}, "urgent": {}},
    "steps": {"opened": {}, "alarmed": {}, "called": {}, "closed": {}},
    "flows": {"main": {
        "stack": "list",
        "handle": {
            "opened": {"push": "page"}, "alarmed": {"present": "alarm", "style": "fullScreen"}, "called": {"present": "urgent", "of": "screen"},
            "closed": "dismiss",
        },
    }},
}

PAGE = b"""<!doctype html><meta charset="utf-8"><title>double clicks</title><div id="root"></div>
<script src="/modules/react.js"></script><script src="/modules/react-dom.js"></script>
<script type="importmap">{ "imports": { "react": "/react.js" } }</script>
<script type="module">
import { start } from "/src/index.js";
import { Screens, SessionProvider, useActions, useStep } from "/src/react.js";
const { createElement: h } = React;
const Screen = ({ node }) => {
  const [opened, closed, { back, dismiss }] = [useStep("opened"), useStep("closed"), useActions()];
  const button = (name, onClick) => h("button", { key: name, onClick }, name);
  return [node.name, button("open", opened), button("close", closed), button("back", back), button("dismiss", dismiss)];
};
window.run = async (options) => {
  window.rejected = [];
  window.session = await start({ ...options, onRejected: ({ code }) => window.rejected.push(code) });
  window.problems = [];
  const onProblem = ({ code }) => window.problems.push(code);
  ReactDOM.createRoot(document.querySelector("#root")).render(h(SessionProvider, { session, onProblem }, h(Screens, { of: {}, fallback: Screen })));
};
window.screens = () => session.stack.map(({ screen }) => screen).join(" ");
window.isReady = true;
</script>"""


def settled(page, screens):
    page.wait_for_function("(wanted) => session.getSnapshot().waiting === 0 && screens() === wanted", arg=screens)
    assert page.evaluate("[window.rejected, window.problems]") == [[], []]


def open_pages(page, count):
    for made in range(count):
        page.get_by_role("button", name="open").click()
        page.wait_for_function("(count) => session.stack.length === count && session.getSnapshot().waiting === 0", arg=made + 2)


def twice(page, name):
    """Clicks twice on one element, like a double click during which the page does not change."""
    page.get_by_role("button", name=name).evaluate("(button) => { button.click(); button.click(); }")


def test_a_double_click_on_a_step_is_one_step(react):
    twice(react, "open")
    settled(react, "list page")


def test_a_double_click_on_back_goes_back_once(react):
    open_pages(react, 3)
    twice(react, "back")
    settled(react, "list page page")


def show_dialogs(page, service):
    secret, path = page.evaluate("[session.secret, session.path]")
    for step in ("alarmed", "called"):
        service.ask("POST", f"{path}/actions", {"step": step}, key=secret)
    page.wait_for_function("screens() === 'list alarm urgent'")
    page.wait_for_function("document.querySelector('#root').textContent.includes('urgent')")


@pytest.mark.parametrize("button", ["close", "dismiss", "back"])
def test_a_double_click_on_a_dialog_closes_no_other(react, react_service, button):
    show_dialogs(react, react_service)
    react.locator("button", has_text=button).last.evaluate("(button) => { button.click(); button.click(); }")
    settled(react, "list alarm")


def test_a_mouse_that_double_clicks_on_a_dialog_closes_no_other(react, react_service):
    show_dialogs(react, react_service)
    react.locator("button", has_text="dismiss").last.dblclick()
    settled(react, "list alarm")

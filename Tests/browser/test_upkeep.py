"""The state of the console over time: reloads, switches between sessions, the focus, and long names."""

import pytest
from playwright.sync_api import expect

LONG = "aVeryLongNameThatNobodyWouldGiveToAScreenButThatAGeneratorWrites" * 3
#: An app in which every name is long.
LONG_APP = {
    "root": {"flow": LONG + "Flow"},
    "screens": {LONG: {"emits": [LONG + "Step"]}, LONG + "Next": {"params": {LONG: "string"}, "emits": []}},
    "steps": {LONG + "Step": {LONG: "string"}},
    "flows": {LONG + "Flow": {"tabs": [{"flow": LONG + "Tab"}, {"flow": "other"}]},
              LONG + "Tab": {"stack": LONG, "handle": {LONG + "Step": {"push": LONG + "Next", "with": {LONG: "$" + LONG}}}},
              "other": {"stack": LONG}},
}


def step(page, name):
    return page.get_by_role("form", name=f"Step {name}")


def focused(page):
    """The tag and id of the focused element, and whether it is in the tab of actions."""
    return page.evaluate("[document.activeElement.tagName, document.activeElement.id, document.activeElement.closest('.acts') !== null]")


def test_a_reload_keeps_the_session_and_its_place_in_the_list_d19(console, page, service):
    session = console.open("delivery")
    page.reload()
    expect(console.device).to_be_visible()
    expect(page.locator("#live")).to_have_text("Live")
    step(page, "restaurantPicked").get_by_label("restaurantId").fill("3")
    step(page, "restaurantPicked").get_by_role("button", name="Send").click()
    console.visible("restaurant")
    page.get_by_role("link", name="Sessions").click()
    row = page.get_by_role("region", name="All sessions").locator("tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("restaurant")
    service.ask("DELETE", f"/v1/sessions/{session['id']}")
    page.reload()
    expect(row).to_have_count(0)


def test_the_secret_is_shown_on_request_and_not_left_in_the_page_d19(console, page):
    session = console.open("delivery")
    assert session["secret"] not in page.content()
    page.get_by_role("button", name="Secret").click()
    expect(page.get_by_label("Secret of this session")).to_have_value(session["secret"])
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#paper-text")).to_have_count(0)


def test_the_secret_of_a_deleted_session_is_removed_d19(console, page):
    session = console.open("delivery")
    assert session["secret"] in page.evaluate("JSON.stringify({...sessionStorage})")
    page.get_by_role("button", name="End session").click()
    page.get_by_role("button", name="Confirm the end").click()
    expect(page.locator("#sessions-note")).to_be_visible()
    assert session["secret"] not in page.evaluate("JSON.stringify({...sessionStorage})")


def test_responses_of_a_session_are_not_shown_in_the_next_one_d19(console, page, service):
    console.open("delivery")
    step(page, "restaurantPicked").get_by_label("restaurantId").fill("3")
    step(page, "restaurantPicked").get_by_role("button", name="Send").click()
    expect(console.newest).to_contain_text("performed restaurantPicked")
    other = service.session("shop")
    page.get_by_role("link", name="Sessions").click()
    page.get_by_label("Session's id").fill(other["id"])
    page.get_by_label("Its secret").fill(other["secret"])
    page.get_by_role("button", name="Open", exact=True).click()
    console.visible("welcome")
    expect(console.answers.locator("li")).to_have_count(0)


def test_a_late_response_is_not_shown_in_another_session_d19(console, page, service):
    console.open("delivery")
    other = service.session("shop")
    page.evaluate("secret => sessionStorage.setItem('cairn.secrets', JSON.stringify(secret))", [[other["id"], other["secret"]]])
    held = []
    page.route("**/actions", lambda route: held.append(route))
    page.get_by_role("list", name="tabs of app").get_by_role("button", name="orders").click()
    page.get_by_role("link", name="Sessions").click()
    page.get_by_label("Session's id").fill(other["id"])
    page.get_by_label("Its secret").fill(other["secret"])
    page.get_by_role("button", name="Open", exact=True).click()
    console.visible("welcome")
    with page.expect_response("**/actions"):
        held[0].continue_()
    page.evaluate("new Promise((resolve) => setTimeout(resolve))")
    expect(console.answers.locator("li")).to_have_count(0)
    console.visible("welcome")


@pytest.mark.parametrize("key", ["Enter on Send", "Enter in the field"])
def test_the_focus_stays_after_send_d19(console, page, key):
    console.open("delivery")
    step(page, "restaurantPicked").get_by_label("restaurantId").fill("3")
    if key == "Enter on Send":
        page.locator("#send-restaurantPicked").focus()
    page.keyboard.press("Enter")
    console.visible("restaurant")
    expect(step(page, "dishPicked")).to_be_visible()
    # The form of the step was removed, so the focus is on the list of current steps.
    assert focused(page) == ["SECTION", "steps", True]
    page.keyboard.press("Tab")
    assert focused(page)[1].startswith("send-") or focused(page)[1].startswith("step-")


def test_the_focus_stays_on_a_button_that_remains_d19(console, page):
    console.open("delivery")
    select = page.get_by_role("button", name="Select orders in app")
    select.focus()
    page.keyboard.press("Enter")
    console.visible("orderList")
    expect(select).to_be_focused()


def test_responses_do_not_move_the_buttons_d19(console, page):
    console.open("delivery")
    def place():
        return page.locator("#tab-act").evaluate("each => each.getBoundingClientRect().top + scrollY")
    before = place()
    for number in range(4):
        page.locator("#raw summary").first.evaluate("each => { each.parentElement.open = true }")
        page.get_by_label("An action, or an array of actions").fill('{"type":"push","screen":"dish"}')
        page.locator("#raw").get_by_role("button", name="Send").click()
        expect(console.answers.locator("ol.outcomes > li")).to_have_count(number + 1)
        assert place() == before


@pytest.mark.page(viewport={"width": 1400, "height": 1000})
@pytest.mark.parametrize("view", ["Act", "History", "Sessions", "Definition"])
def test_long_names_wrap_and_do_not_widen_the_page_d19(console, page, service, view):
    assert "code" not in service.put("long", LONG_APP)
    session = service.session("long", label=LONG[:190])
    service.act(session, {"step": LONG + "Step", "params": {LONG: LONG}})
    console.visit().use_key()
    page.goto(f"{service.url}/console#s={session['id']}")
    expect(console.device).to_be_visible()
    if view in ("Sessions", "Definition"):
        page.get_by_role("link", name=view).click()
    else:
        console.tab(view)
    for width in (1400, 900, 360):
        page.set_viewport_size({"width": width, "height": 1000})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{view} at {width}"
    page.set_viewport_size({"width": 1400, "height": 1000})
    assert page.evaluate("document.documentElement.scrollHeight") < 3000


def test_the_list_of_all_sessions_is_live_d19(console, page, service):
    console.visit().use_key()
    page.locator("#filter-label").fill("live list")
    page.get_by_role("button", name="List", exact=True).click()
    rows = page.get_by_role("region", name="All sessions").locator("tbody tr")
    expect(page.locator("#list-state")).to_have_text("live")
    session = service.session("delivery", label="live list")
    expect(rows).to_have_count(1)
    page.get_by_role("button", name=f"End {session['id']}").click()
    page.get_by_role("button", name="Confirm the end").focus()
    service.act(session, {"step": "restaurantPicked", "params": {"restaurantId": 1}})
    expect(rows.first).to_contain_text("restaurant")
    # An open confirmation and the focus stay unchanged.
    expect(page.get_by_role("button", name="Confirm the end")).to_be_focused()
    service.ask("DELETE", f"/v1/sessions/{session['id']}")
    expect(rows).to_have_count(0)


def test_apps_are_read_again_when_their_list_is_opened_d19(console, page, service):
    console.open("delivery")
    assert "code" not in service.put("later", {"root": {"flow": "main"}, "screens": {"first": None}, "flows": {"main": {"stack": "first"}}})
    page.get_by_role("link", name="Sessions").click()
    page.locator("#start-app").select_option("later")
    page.get_by_role("link", name="Definition").click()
    expect(page.locator("#definition-app")).to_have_value("delivery")
    page.locator("#definition-app").select_option("later")
    expect(page.locator("svg.graph g.screen")).to_have_count(1)


def test_a_graph_that_arrives_late_does_not_replace_that_of_the_app_selected_since(console, page):
    held = []
    page.route("**/apps/delivery/graph*", lambda route: held.append(route))
    console.open("delivery")
    with page.expect_request("**/apps/delivery/graph*"):
        page.get_by_role("link", name="Definition").click()
    page.locator("#definition-app").select_option("bank")
    screens = page.locator("svg.graph g.screen")
    expect(screens.filter(has_text="accountList")).to_have_count(1)
    with page.expect_response("**/apps/delivery/graph*") as answered:
        held[0].continue_()
    answered.value.finished()
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    expect(screens.filter(has_text="accountList")).to_have_count(1)
    expect(screens.filter(has_text="restaurantList")).to_have_count(0)


def test_tabs_with_the_same_screen_have_distinct_labels_d37(console, page):
    console.open("bank", key=True, clock="manual")
    page.get_by_role("button", name="Advance 1 s").click()
    tabs = page.get_by_role("list", name="tabs of onboarding").get_by_role("button")
    expect(tabs).to_have_text(["onboardingPage (page: 0)", "onboardingPage (page: 1)", "onboardingPage (page: 2)"])
    page.get_by_role("button", name="Select onboardingPage (page: 2) in onboarding").click()
    expect(tabs.nth(2)).to_have_attribute("aria-current", "true")
    expect(page.get_by_text("2 tabs behind")).to_be_visible()

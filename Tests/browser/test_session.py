"""The live page of a session: its drawn tree, route, facts, pending items, changes, and possible actions."""

import json
import re

from playwright.sync_api import expect


def enrolled(console, **facts):
    return console.open("bank", key=True, clock="manual", facts={"onBoarded": True, "isEnrolled": True, **facts})


def test_the_tree_is_drawn_as_a_device_with_cards_tabs_and_sheets(console, page, service):
    session = console.open("rxflow-demo", clock="manual")
    tabs = console.node("tabs dashboard")
    expect(tabs.get_by_role("list", name="tabs of dashboard").get_by_role("button")).to_have_text(["wishlist", "watched", "trending"])
    sheet = console.node("sheet: onboarding")
    expect(sheet).to_contain_text("login")
    # The sheet overlaps the card below it, so its upper edge is above the lower edge of the card.
    below, over = page.locator(".under, .over").evaluate_all("all => all.map(each => each.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])")
    assert below[0] < over[0] < below[1]
    service.act(session, {"step": "userIsLoggedIn"})
    cards = console.node("stack onboarding").locator("ol.cards > li")
    expect(cards).to_have_count(2)
    first, second = cards.evaluate_all("all => all.map(each => each.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])")
    assert second[0] < first[1], "a card lies on the one below it"


def test_a_split_is_drawn_with_two_panes_and_a_level_covers_the_whole_device(console, page):
    enrolled(console, isWide=True)
    page.get_by_role("button", name="Advance 1 s").click()
    console.visible("login")
    panes = console.node("split accounts").locator("ol.panes > li")
    expect(panes).to_have_count(2)
    left, right = panes.evaluate_all("all => all.map(each => each.getBoundingClientRect())")
    assert left["right"] <= right["left"] and abs(left["top"] - right["top"]) < 2
    expect(console.node("fullScreen, level 50: login")).to_be_visible()


def test_a_full_screen_modal_fills_the_device_wherever_it_was_presented(console, page, service):
    session = console.open("delivery", clock="manual")
    service.act(session, {"step": "checkoutRequested"})
    modal = console.node("fullScreen: login")
    expect(modal).to_be_visible()
    # The modal hides the whole screen below it: it begins directly below the bar, and ends at the lower edge.
    inner, bar, device = (each.evaluate("each => each.getBoundingClientRect()") for each in (modal, page.locator(".device .bar"), console.device))
    assert inner["top"] - bar["bottom"] < 12 and device["bottom"] - inner["bottom"] < 20, (inner, bar, device)


def test_a_modal_that_a_nested_screen_presents_covers_the_tab_bar(console, page, service):
    session = console.open("delivery", clock="manual", accessToken="t")
    for action in [{"step": "checkoutRequested"}, {"step": "addressConfirmed"}, {"type": "back"}, {"type": "back"}]:
        service.act(session, action)
    alert = console.node("alert: discard")
    expect(alert).to_be_visible()
    assert not alert.evaluate("each => each.parentElement.closest('.node') !== null"), "no card is around the modal"


def test_the_route_is_shown_as_breadcrumbs(console, page):
    console.open("rxflow-demo")
    crumbs = page.get_by_role("list", name="Route stack").get_by_role("listitem")
    expect(crumbs).to_have_text(["wishlist wishlistScreen", "onboarding login"])
    expect(crumbs.last).to_have_attribute("aria-current", "page")


def test_facts_and_pending_items_are_shown_with_the_remaining_time(console, page):
    enrolled(console)
    expect(page.get_by_role("region", name="Facts", exact=True)).to_contain_text("isEnrolledtrue")
    pending = page.get_by_role("region", name="Pending")
    expect(pending).to_contain_text("timer splashOver on n2 in 1 s")
    page.get_by_label("Advance by").fill("400ms")
    page.get_by_role("button", name="Advance", exact=True).click()
    expect(pending).to_contain_text("in 600 ms")
    page.get_by_role("button", name="Advance 600 ms").click()
    console.visible("login")
    expect(pending).to_contain_text("Nothing is pending")


def test_the_remaining_time_on_the_system_clock_counts_down(console, page):
    console.open("bank", key=True, facts={"onBoarded": True, "isEnrolled": True})
    page.get_by_role("group", name="App state").get_by_role("button", name="background").click()
    left = page.get_by_role("region", name="Pending").locator("li", has_text="lockDue").locator("time")
    expect(left).to_have_text(re.compile(r"in 1 min \d+ s"))
    expect(left).not_to_have_text(left.text_content())


def test_the_remaining_time_is_right_after_an_earlier_revision_was_shown_and_stands_still_in_it(console, page):
    page.clock.install()
    console.open("bank", key=True, facts={"onBoarded": True, "isEnrolled": True})
    console.visible("login")
    page.get_by_role("group", name="App state").get_by_role("button", name="background").click()
    left = page.get_by_role("region", name="Pending").locator("li", has_text="lockDue").locator("time")
    expect(left).to_have_text(re.compile(r"in 1 min \d+ s"))
    page.clock.fast_forward(90_000)
    console.tab("History")
    page.get_by_role("button", name="Look at revision 1").click()
    expect(page.get_by_role("region", name="Pending").locator("li", has_text="splashOver").locator("time")).to_have_text("in 1 s")
    page.get_by_role("button", name="Back to the newest").click()
    expect(left).to_have_text(re.compile(r"in [123]?\d s"))


def test_changes_since_the_previous_revision_are_marked(console, page):
    console.open("delivery")
    page.locator("#link-url").fill("eat://r/9")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(console.node("screen restaurant, new, visible")).to_be_visible()
    expect(page.locator("#what-changed")).to_contain_text("1 new")
    page.locator("#tree").click()
    page.keyboard.press("b")
    expect(page.locator("#what-changed")).to_contain_text("removed: restaurant(restaurantId: 9)")


def test_the_page_is_live_and_continues_after_a_restart_of_the_service(console, page, service):
    session = console.open("delivery")
    expect(page.locator("#live")).to_have_text("Live")
    service.act(session, {"step": "restaurantPicked", "params": {"restaurantId": 4}})
    console.revision(2)
    expect(console.node("screen restaurant,")).to_contain_text("restaurantId4")
    service.stop()
    expect(page.locator("#live")).to_contain_text("Not live")
    service.start()
    service.act(session, {"type": "pop"})
    console.revision(3)
    expect(page.locator("#live")).to_have_text("Live")


def test_the_deletion_of_the_session_elsewhere_is_shown(console, page, service):
    session = console.open("delivery")
    expect(page.locator("#live")).to_have_text("Live")
    service.ask("DELETE", f"/v1/sessions/{session['id']}")
    expect(page.locator("#sessions-note")).to_contain_text("The session has ended: deleted.")


def test_each_accepted_step_has_a_form_for_its_params(console, page):
    console.open("bank", key=True, clock="manual", facts={"onBoarded": True})
    page.get_by_role("button", name="Advance 1 s").click()
    console.visible("country")
    form = page.get_by_role("form", name="Step countryPicked")
    expect(form.get_by_role("combobox").locator("option")).to_have_text(["AT", "CH", "DE", "US"])
    form.get_by_role("combobox").select_option("CH")
    form.get_by_role("button", name="Send countryPicked").click()
    console.visible("taxForm")
    expect(console.newest).to_contain_text("performed countryPicked")
    expect(console.newest).to_contain_text("push taxForm")
    form = page.get_by_role("form", name="Step taxNumberEntered")
    form.get_by_role("textbox").fill("12 34")
    form.get_by_role("textbox").press("Enter")
    console.visible("documentKind")


def test_the_rejection_of_a_param_is_shown(console, page):
    console.open("delivery")
    form = page.get_by_role("form", name="Step restaurantPicked")
    form.get_by_label("restaurantId").fill("nine")
    form.get_by_role("button", name="Send restaurantPicked").click()
    expect(console.newest).to_contain_text("invalid")
    expect(console.newest).to_contain_text("must be of type integer, not string")
    # The typed text is kept.
    expect(form.get_by_label("restaurantId")).to_have_value("nine")


def test_gestures_are_buttons_and_tabs_are_selected_in_the_tab_bar(console, page):
    console.open("delivery")
    page.get_by_role("list", name="tabs of app").get_by_role("button", name="orders").click()
    console.visible("orderList")
    page.get_by_role("button", name="Select home in app").click()
    console.visible("restaurantList")
    form = page.get_by_role("form", name="Step restaurantPicked")
    form.get_by_label("restaurantId").fill("3")
    form.get_by_role("button", name="Send restaurantPicked").click()
    console.visible("restaurant")
    page.get_by_role("button", name="popToRoot").click()
    console.visible("restaurantList")


def test_a_rejection_is_shown_with_its_detail_and_the_accepted_actions(console, page, service):
    console.open("delivery")
    page.get_by_text("Any action, as JSON").click()
    page.get_by_label("An action, or an array of actions").fill(json.dumps({"type": "push", "screen": "dish"}))
    page.locator("#raw").get_by_role("button", name="Send").click()
    expect(console.newest).to_contain_text("operator-only")
    page.get_by_label("An action, or an array of actions").fill(json.dumps({"step": "restaurantPicked", "params": {"restaurantId": 1}, "from": "n1"}))
    page.locator("#raw").get_by_role("button", name="Send").click()
    expect(console.newest.locator(".bad")).to_be_visible()


def test_token_logout_app_state_and_facts_can_be_posted(console, page):
    console.open("bank", key=True, clock="manual", facts={"onBoarded": True, "isEnrolled": True})
    facts = page.get_by_role("region", name="Facts", exact=True)
    page.locator("#user-token").fill("a-token")
    page.get_by_role("button", name="Log in with this token").click()
    expect(facts).to_contain_text("accessTokentrue")
    expect(page.locator("#user-token")).to_have_value("")
    page.get_by_role("button", name="Log out").click()
    expect(facts).to_contain_text("accessTokenfalse")
    page.get_by_role("group", name="App state").get_by_role("button", name="background").click()
    expect(facts).to_contain_text("appStatebackground")
    page.locator("#fact-isWide").select_option("true")
    page.get_by_role("button", name="Set isWide").click()
    expect(facts).to_contain_text("isWidetrue")
    page.locator("#fact-userId").fill("anna")
    page.get_by_role("button", name="Set userId").click()
    expect(facts).to_contain_text("userIdanna")


def test_a_held_link_is_cancelled(console, page):
    console.open("qiita")
    page.locator("#link-url").fill("https://qiita.com/items/abc")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(console.newest).to_contain_text("pending")
    page.get_by_role("button", name="Drop the link https://qiita.com/items/abc").click()
    expect(page.get_by_role("region", name="Pending")).to_contain_text("Nothing is pending")


def test_the_plan_of_an_action_is_shown_and_nothing_is_stored(console, page):
    console.open("delivery")
    form = page.get_by_role("form", name="Step restaurantPicked")
    form.get_by_label("restaurantId").fill("9")
    form.get_by_role("button", name="Plan restaurantPicked").click()
    expect(console.newest).to_contain_text("would be performed")
    expect(console.newest).to_contain_text("Visible afterwards: restaurant(restaurantId: 9)")
    console.revision(1)
    page.locator("#link-url").fill("eat://r/9")
    page.locator("#link-plan").click()
    expect(console.newest).to_contain_text("Matches link /r/{restaurantId}")
    console.revision(1)


def test_each_post_has_an_idempotency_key(console, page):
    console.open("delivery")
    keys = []
    form = page.get_by_role("form", name="Step restaurantPicked")
    page.on("request", lambda request: keys.append(request.headers.get("idempotency-key")) if request.method == "POST" else None)
    for revision in (2, 4):
        form.get_by_label("restaurantId").fill("7")
        form.get_by_role("button", name="Send restaurantPicked").click()
        console.revision(revision)
        page.get_by_role("button", name="back", exact=True).click()
        console.revision(revision + 1)
    assert len(keys) == 4 and all(keys) and len(set(keys)) == 4

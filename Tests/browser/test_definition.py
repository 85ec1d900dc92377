"""The definition: its graph with the session lit, check's words, links tried."""

import re

from playwright.sync_api import expect


def of_session(console, app="delivery", **more):
    session = console.open(app, **more)
    console.page.get_by_role("link", name="Definition").click()
    expect(console.page.locator("svg.graph g.flow").first).to_be_visible()
    return session


def test_the_graph_shows_every_flow_and_screen_and_where_the_session_is(console, page, service):
    of_session(console)
    app = service.ask("GET", "/v1/apps/delivery")
    graph = service.ask("GET", "/v1/apps/delivery/graph")
    expect(page.locator("svg.graph g.flow")).to_have_count(len(app["flows"]))
    expect(page.locator("svg.graph g.screen")).to_have_count(sum(node["kind"] == "screen" for node in graph["nodes"]))
    expect(page.locator("svg.graph g.screen.visible")).to_have_count(1)
    expect(page.locator("svg.graph g.screen.visible title")).to_have_text("screen restaurantList")
    expect(page.locator('svg.graph g.flow.lit[data-id="flow:home"]')).to_have_count(1)
    expect(page.locator('svg.graph g.flow.lit[data-id="flow:checkout"]')).to_have_count(0)


def test_its_light_goes_with_the_session(console, page, service):
    session = of_session(console)
    service.act(session, {"step": "restaurantIsPicked", "params": {"restaurantId": 1}})
    expect(page.locator("svg.graph g.screen.visible title")).to_have_text("screen restaurant")


def test_a_node_tells_in_words_what_leads_to_it_and_from_it(console, page):
    of_session(console)
    page.get_by_label("Find a flow or screen").select_option(label="restaurantList (home)")
    words = page.locator(".words")
    expect(words).to_contain_text("From here")
    expect(words).to_contain_text("restaurantIsPicked restaurant")
    words.get_by_role("button", name="restaurant", exact=True).first.click()
    expect(words.get_by_role("heading").first).to_have_text("screen restaurant")


def test_no_box_of_the_largest_app_lies_on_another(console, page):
    of_session(console, "bank")
    for kind in ("flow", "screen"):
        boxes = page.locator(f"svg.graph g.{kind} rect").evaluate_all("all => all.map(each => ['x', 'y', 'width', 'height'].map(name => Number(each.getAttribute(name))))")
        assert len(boxes) > 10
        for index, (x, y, width, height) in enumerate(boxes):
            for other_x, other_y, other_width, other_height in boxes[index + 1:]:
                assert x + width <= other_x or other_x + other_width <= x or y + height <= other_y or other_y + other_height <= y


def test_the_graph_is_moved_and_zoomed_by_keys(console, page):
    of_session(console, "bank")
    graph = page.locator("svg.graph").first
    whole = graph.get_attribute("viewBox")
    graph.focus()
    page.keyboard.press("+")
    near = graph.get_attribute("viewBox")
    assert float(near.split()[2]) < float(whole.split()[2])
    page.keyboard.press("ArrowRight")
    assert float(graph.get_attribute("viewBox").split()[0]) > float(near.split()[0])
    page.keyboard.press("0")
    assert graph.get_attribute("viewBox") == whole


def test_the_graph_is_taken_along_as_mermaid_and_dot(console, page):
    of_session(console)
    page.get_by_role("button", name="mermaid").click()
    assert page.locator("#paper-text").input_value().startswith("flowchart LR")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="dot", exact=True).click()
    expect(page.locator("#paper-text")).to_have_value(re.compile("^digraph"))


def test_what_check_says_is_told_with_its_line(console, page, service):
    console.visit()
    page.get_by_role("link", name="Definition").click()
    for app in ("qiita", "delivery"):
        page.get_by_label("App", exact=True).select_option(app)
        said = service.ask("GET", f"/v1/apps/{app}/check")
        region = page.get_by_role("region", name="Check")
        for warning in said["warnings"]:
            expect(region).to_contain_text(warning["message"])
        if not said["warnings"]:
            expect(region).to_contain_text("No problem, and nothing doubtful.")


def test_a_url_is_tried_against_the_links(console, page):
    of_session(console, accessToken="t")
    region = page.get_by_role("region", name="Links")
    expect(region.get_by_role("table").locator("tbody tr")).to_have_count(5)
    page.locator("#try-url").fill("eat://r/3/d/4")
    page.get_by_role("button", name="Which link takes it?").click()
    expect(page.locator("#try-said")).to_contain_text("Taken by link /r/{restaurantId}/d/{dishId}")
    expect(page.locator("#try-said")).to_contain_text("dishId: 4")
    expect(region.locator("tr.lit")).to_contain_text("/r/{restaurantId}/d/{dishId}")
    page.get_by_role("button", name="What would it do?").click()
    expect(console.newest).to_contain_text("would be performed")
    expect(console.newest).to_contain_text("Visible then: dish(dishId: 4)")
    page.locator("#try-url").fill("eat://nothing/at/all")
    page.get_by_role("button", name="Which link takes it?").click()
    expect(page.locator("#try-said")).to_contain_text("delivery has no link for this URL")


def test_a_session_on_another_version_than_is_served_now_is_shown_on_its_own(console, page, service):
    tiny = {"app": "tiny", "root": {"flow": "main"}, "screens": {"home": {}}, "flows": {"main": {"container": "stack", "root": "home"}}}
    service.ask("PUT", "/v1/apps/tiny", tiny)
    session = service.session("tiny")
    service.ask("PUT", "/v1/apps/tiny", {**tiny, "flows": {"main": {"container": "stack", "root": "other"}}, "screens": {"other": {}}})
    console.visit().use_key()
    page.goto(f"{service.url}/console#{'s=' + session['id']}&v=definition")
    expect(page.get_by_role("heading", name="the session's own version; another one is served now")).to_be_visible()
    expect(page.locator("svg.graph g.screen title")).to_have_text(["screen home"])

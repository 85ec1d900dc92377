"""The page about a definition: its graph with a session's current state, the warnings of check, and a test of links."""

import re

import pytest
from playwright.sync_api import expect


def of_session(console, app="delivery", **more):
    session = console.open(app, **more)
    console.page.get_by_role("link", name="Definition").click()
    expect(console.page.locator("svg.graph g.flow").first).to_be_visible()
    return session


def test_the_graph_shows_every_flow_and_screen_and_the_current_screen(console, page, service):
    of_session(console)
    app = service.ask("GET", "/v1/apps/delivery")
    graph = service.ask("GET", "/v1/apps/delivery/graph")
    expect(page.locator("svg.graph g.flow")).to_have_count(len(app["flows"]))
    expect(page.locator("svg.graph g.screen")).to_have_count(sum(node["kind"] == "screen" for node in graph["nodes"]))
    expect(page.locator("svg.graph g.screen.visible")).to_have_count(1)
    expect(page.locator("svg.graph g.screen.visible title")).to_have_text("screen restaurantList")
    expect(page.locator('svg.graph g.flow.lit[data-id="flow:home"]')).to_have_count(1)
    expect(page.locator('svg.graph g.flow.lit[data-id="flow:checkout"]')).to_have_count(0)


def test_the_highlighted_node_follows_the_session(console, page, service):
    session = of_session(console)
    service.act(session, {"step": "restaurantPicked", "params": {"restaurantId": 1}})
    expect(page.locator("svg.graph g.screen.visible title")).to_have_text("screen restaurant")


def test_the_edges_of_a_node_are_described_in_words(console, page):
    of_session(console)
    page.get_by_label("Find a flow or screen").select_option(label="restaurantList (home)")
    words = page.locator(".words")
    expect(words).to_contain_text("From here")
    expect(words).to_contain_text("restaurantPicked restaurant")
    words.get_by_role("button", name="restaurant", exact=True).first.click()
    expect(words.get_by_role("heading").first).to_have_text("screen restaurant")


def test_the_boxes_of_the_largest_app_do_not_overlap(console, page):
    of_session(console, "bank")
    for kind in ("flow", "screen"):
        boxes = page.locator(f"svg.graph g.{kind} rect").evaluate_all("all => all.map(each => ['x', 'y', 'width', 'height'].map(name => Number(each.getAttribute(name))))")
        assert len(boxes) > 10
        for index, (x, y, width, height) in enumerate(boxes):
            for other_x, other_y, other_width, other_height in boxes[index + 1:]:
                assert x + width <= other_x or other_x + other_width <= x or y + height <= other_y or other_y + other_height <= y


def test_the_graph_is_panned_and_zoomed_with_keys(console, page):
    of_session(console, "bank")
    graph = page.locator("svg.graph").first
    graph.focus()
    page.keyboard.press("0")
    whole = graph.get_attribute("viewBox")
    page.keyboard.press("+")
    near = graph.get_attribute("viewBox")
    assert float(near.split()[2]) < float(whole.split()[2])
    page.keyboard.press("ArrowRight")
    assert float(graph.get_attribute("viewBox").split()[0]) > float(near.split()[0])
    page.keyboard.press("0")
    assert graph.get_attribute("viewBox") == whole


@pytest.mark.parametrize("width, height", [(360, 740), (1280, 800), (1920, 1080)])
def test_the_labels_of_a_graph_are_large_enough_to_be_read(console, page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    for app in ("bank", "delivery"):
        of_session(console, app)
        scale = page.locator("svg.graph").first.evaluate("each => each.getScreenCTM().a")
        size = page.locator("svg.graph g.screen text").first.evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
        assert scale * size >= 11.9, app


def test_the_graph_is_exported_as_mermaid_and_dot(console, page):
    of_session(console)
    page.get_by_role("button", name="mermaid").click()
    assert page.locator("#paper-text").input_value().startswith("flowchart LR")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="dot", exact=True).click()
    expect(page.locator("#paper-text")).to_have_value(re.compile("^digraph"))


def test_the_warnings_of_check_are_shown_with_their_lines(console, page, service):
    console.visit()
    page.get_by_role("link", name="Definition").click()
    for app in ("qiita", "delivery"):
        page.get_by_label("App", exact=True).select_option(app)
        said = service.ask("GET", f"/v1/apps/{app}/check")
        region = page.get_by_role("region", name="Check")
        for warning in said["warnings"]:
            expect(region).to_contain_text(warning["message"])
        if not said["warnings"]:
            expect(region).to_contain_text("No errors and no warnings.")


def test_a_url_is_matched_with_the_links(console, page):
    of_session(console, accessToken="t")
    region = page.get_by_role("region", name="Links")
    expect(region.get_by_role("table").locator("tbody tr")).to_have_count(5)
    page.locator("#try-url").fill("eat://r/3/d/4")
    page.get_by_role("button", name="Find the link").click()
    expect(page.locator("#try-said")).to_contain_text("Matches link /r/{restaurantId}/d/{dishId}")
    expect(page.locator("#try-said")).to_contain_text("dishId: 4")
    expect(region.locator("tr.lit")).to_contain_text("/r/{restaurantId}/d/{dishId}")
    page.get_by_role("button", name="Plan in the session").click()
    expect(console.newest).to_contain_text("would be performed")
    expect(console.newest).to_contain_text("Visible afterwards: dish(dishId: 4)")
    page.locator("#try-url").fill("eat://nothing/at/all")
    page.get_by_role("button", name="Find the link").click()
    expect(page.locator("#try-said")).to_contain_text("delivery has no link for this URL")


def test_a_session_with_an_earlier_definition_is_shown_with_that_definition(console, page, service):
    tiny = {"app": "tiny", "language": 1, "root": {"flow": "main"}, "screens": {"home": {}}, "flows": {"main": {"stack": "home"}}}
    service.ask("PUT", "/v1/apps/tiny", tiny)
    session = service.session("tiny")
    service.ask("PUT", "/v1/apps/tiny", {**tiny, "flows": {"main": {"stack": "other"}}, "screens": {"other": {}}})
    console.visit().use_key()
    page.goto(f"{service.url}/console#{'s=' + session['id']}&v=definition")
    expect(page.get_by_role("heading", name="the session's own version; a different one is served now")).to_be_visible()
    expect(page.locator("svg.graph g.screen title")).to_have_text(["screen home"])

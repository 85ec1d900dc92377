"""The example with its switch for the network: taps at 300 ms, without a network, over a reload and in two tabs, and the accessibility of its pages."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from delivery import Delivery, Example
from kept import stored
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def example():
    example = Example()
    yield example
    example.close()


@pytest.fixture
def app(page, example):
    app = Delivery(page, example)
    app.predicts()
    return app


# The milliseconds from a click to the first change of the app's page.
CLICK = """name => new Promise((then) => {
  const began = performance.now();
  const watch = new MutationObserver(() => {
    watch.disconnect();
    then(performance.now() - began);
  });
  watch.observe(document.querySelector("#app"), { childList: true, subtree: true });
  [...document.querySelectorAll("#app button")].find((button) => button.textContent.includes(name)).click();
})"""


def test_at_300_ms_a_tap_moves_the_screen_before_anything_is_sent(app):
    app.network("300 ms")
    with app.page.expect_response(lambda response: response.url.endswith("/actions")) as answered:
        took = app.page.evaluate(CLICK, "Sakura")
        app.shows("restaurant", "Sakura")
    assert took < 300, took
    assert answered.value.status == 200


def test_without_a_network_a_reload_shows_the_last_screen_and_what_waits_is_sent_later(app):
    app.network("off")
    app.tap("Sakura")
    app.tap("Shoyu ramen")
    app.shows("dish", "Shoyu ramen")
    expect(app.banner).to_contain_text("2 taps are waiting")
    stored(app.page, "kept.pending.length === 2")
    app.page.reload()
    app.shows("dish", "Shoyu ramen")
    app.predicts()
    app.page.go_back()
    app.shows("restaurant", "Sakura")
    expect(app.banner).to_contain_text("3 taps are waiting")
    app.network("fast")
    expect(app.banner).to_be_hidden()
    app.paste("A phone's back button")
    app.shows("restaurantList")


def test_two_tabs_show_what_one_of_them_predicts(app):
    app.network("off")
    other = Delivery(app.page.context.new_page(), app.example)
    other.shows("restaurantList")
    app.tap("Sakura")
    other.shows("restaurant", "Sakura")
    other.tap("Shoyu ramen")
    app.shows("dish", "Shoyu ramen")
    app.network("fast")
    other.network("fast")
    expect(app.banner).to_be_hidden()
    app.shows("dish", "Shoyu ramen")


def test_a_tap_in_a_tab_does_not_wait_for_a_frozen_one(app):
    other = Delivery(app.page.context.new_page(), app.example)
    other.shows("restaurantList")
    # No code of the first tab runs while its debugger has paused it, as in a tab that the browser has frozen.
    frozen = app.page.context.new_cdp_session(app.page)
    frozen.send("Debugger.enable")
    frozen.send("Debugger.pause")
    # The first tab leads the session. The other tab takes over when the first one does not respond.
    other.tap("Sakura")
    other.shows("restaurant", "Sakura")
    other.tap("Shoyu ramen")
    other.shows("dish", "Shoyu ramen")
    frozen.send("Debugger.resume")
    app.shows("dish", "Shoyu ramen")
    app.page.go_back()
    other.shows("restaurant", "Sakura")
    other.page.go_back()
    app.shows("restaurantList")


def test_a_login_fails_at_once_without_a_network(app):
    app.tap("Trattoria Luna")
    app.tap("Margherita")
    app.tap("Add to basket")
    app.tap("Checkout")
    app.shows("phone")
    app.fill("Your phone number", "0790000000")
    app.tap("Send me a code")
    app.shows("code")
    # All taps must be confirmed first, because the client takes data that arrives after the browser has gone offline as a sign of a network. A tap that is then
    # sent would wait, because the service may have run it.
    app.page.locator("body[data-waiting='0']").wait_for()
    # The browser itself is set offline, because a dialog covers the page's switch of the network.
    app.page.context.set_offline(True)
    app.page.wait_for_function("!navigator.onLine")
    app.fill("Code", "1234")
    app.tap("Log in")
    expect(app.page.locator(".toast")).to_contain_text("no network")
    app.shows("code")
    app.page.context.set_offline(False)
    app.tap("Log in")
    app.shows("address")


def test_axe_finds_nothing_on_the_pages_of_the_example(app):
    def check(what):
        found = Axe().run(app.page)
        assert found.violations_count == 0, f"{what}: {found.generate_report()}"

    check("the list")
    app.network("off")
    app.tap("Sakura")
    expect(app.banner).to_be_visible()
    check("a restaurant without a network")
    app.network("fast")
    expect(app.banner).to_be_hidden()
    app.tap("Shoyu ramen")
    app.tap("Add to basket")
    app.tap("Checkout")
    app.shows("phone")
    check("a dialog")
    app.page.keyboard.press("Escape")
    app.tab("Profile")
    app.shows("profileHome")
    app.page.locator("#testers summary").click()
    check("the profile with the lines for testers")

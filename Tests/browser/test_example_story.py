"""The main story of the example in examples/delivery-web, and each experiment in its README."""

import pytest
from delivery import Delivery, Example
from kept import stored
from playwright.sync_api import expect

phone = pytest.mark.page(viewport={"width": 390, "height": 844})


@pytest.fixture(scope="module")
def example():
    example = Example()
    yield example
    example.close()


@pytest.fixture
def app(page, example):
    return Delivery(page, example)


def fill_basket(app):
    app.shows("restaurantList", "Restaurants")
    app.tap("Trattoria Luna")
    app.shows("restaurant", "Trattoria Luna")
    app.tap("Margherita")
    app.shows("dish", "Margherita")
    app.tap("Add to basket")


def log_in(app):
    app.shows("phone")
    app.fill("Your phone number", "0790000000")
    app.tap("Send me a code")
    app.shows("code")
    app.fill("Code", "1234")
    app.tap("Log in")


def to_payment(app, slot):
    app.shows("address", "Where to?")
    app.tap("Next")
    app.shows("timeSlot")
    app.tap(slot)
    app.shows("payment")


@phone
def test_a_guest_orders_something(app):
    fill_basket(app)
    app.tap("Checkout: 1 dish, € 9.50")
    log_in(app)
    app.shows("address")
    app.tap("Another address")
    app.shows("addresses")
    app.tap("3 Station Square")
    to_payment(app, "As soon as possible")
    app.tap("Pay")
    app.shows("confirm", "Paid")
    app.tap("Place the order")
    tracking = app.shows("tracking")
    assert "on its way" in tracking.inner_text()
    app.tab("Restaurants")
    expect(app.front.get_by_role("button", name="Checkout")).to_have_count(0)


def test_a_rejection_by_the_bank_is_shown_without_losing_the_order(app):
    fill_basket(app)
    app.tap("Checkout")
    log_in(app)
    to_payment(app, "In the evening")
    app.tap("Pay")
    app.shows("paymentFailure", "The bank said no")
    app.tap("Not now")
    app.shows("payment")


def test_the_back_button_of_the_browser_goes_back_and_checks_the_guard_of_the_checkout(app):
    fill_basket(app)
    assert app.page.url.endswith("#/r/1/d/11")
    app.page.go_back()
    app.shows("restaurant")
    app.page.go_back()
    app.shows("restaurantList")
    expect(app.page).to_have_url(app.example.url + "/#/restaurantList")
    app.page.go_forward()
    app.shows("restaurantList")
    app.tap("Checkout")
    log_in(app)
    app.shows("address")
    app.page.go_back()
    app.shows("discard", "Leave the checkout?")
    app.tap("Stay")
    app.shows("address")
    app.page.go_back()
    app.shows("discard")
    app.tap("Leave")
    app.shows("restaurantList")
    app.tab("Profile")
    app.shows("profileHome")
    app.page.go_back()
    app.shows("restaurantList")


def test_an_address_that_is_typed_gives_way_to_that_of_the_session(app):
    app.shows("restaurantList")
    app.tap("Trattoria Luna")
    app.shows("restaurant")
    entries = app.page.evaluate("history.length")
    for address in ["#/profileHome", "#/r/1"]:
        app.page.evaluate("address => { location.hash = address }", address)
        expect(app.page).to_have_url(app.example.url + "/#/r/1")
    assert app.page.evaluate("history.length") == entries + 1
    app.page.go_back()
    app.shows("restaurantList")
    expect(app.page).to_have_url(app.example.url + "/#/restaurantList")


def test_the_escape_key_goes_back_too(app):
    fill_basket(app)
    app.tap("Checkout")
    app.shows("phone")
    app.page.keyboard.press("Escape")
    app.shows("dish")


def test_two_tabs_of_one_session_show_the_same_state(app):
    # A tab that is opened before the first tab has its session would start another session.
    app.shows("restaurantList")
    other = Delivery(app.page.context.new_page(), app.example)
    other.shows("restaurantList")
    app.tap("Sakura")
    other.shows("restaurant", "Sakura")
    other.tap("Shoyu ramen")
    app.shows("dish", "Shoyu ramen")
    other.tap("Add to basket")
    expect(app.front.get_by_role("button", name="Checkout: 1 dish")).to_be_visible()
    app.page.go_back()
    other.shows("restaurant", "Sakura")


def test_a_notification_and_links_from_a_terminal_are_shown(app):
    app.shows("restaurantList")
    assert '"outcome":"performed"' in app.paste("A promotion")
    app.shows("promo", "Code TEN")
    app.tap("Close")
    app.paste("A link is opened")
    app.shows("dish", "Shoyu ramen")
    assert '"outcome":"pending"' in app.paste("A notification is tapped")
    log_in(app)
    app.shows("tracking", "Order 7 on its way")
    app.paste("A phone's back button")
    app.shows("order", "Order 7")


def test_a_link_is_held_until_the_checkout_ends(app):
    fill_basket(app)
    app.tap("Checkout")
    log_in(app)
    app.shows("address")
    app.paste("A link is opened")
    expect(app.banner).to_have_text("A link waits until you are done here.")
    app.page.keyboard.press("Escape")
    app.shows("discard")
    app.tap("Leave")
    app.shows("dish", "Shoyu ramen")
    expect(app.banner).to_be_hidden()


def test_without_a_network_taps_move_the_screen_and_are_sent_later_d37(app):
    app.predicts()
    app.page.context.set_offline(True)
    app.tap("Sakura")
    app.shows("restaurant", "Sakura")
    expect(app.banner).to_have_text("No connection. 1 tap is waiting and will be sent as soon as it is back.")
    app.tap("Shoyu ramen")
    app.shows("dish", "Shoyu ramen")
    expect(app.banner).to_have_text("No connection. 2 taps are waiting and will be sent as soon as it is back.")
    app.page.context.set_offline(False)
    expect(app.banner).to_be_hidden()
    app.shows("dish", "Shoyu ramen")
    app.paste("A phone's back button")
    app.shows("restaurant", "Sakura")


def test_a_reload_keeps_the_state(app):
    app.shows("restaurantList")
    app.tap("Green Bowl")
    app.shows("restaurant")
    # The tap may be shown before it is stored or sent.
    stored(app.page, "kept?.pending.length > 0 || kept?.whole.body.revision > 1")
    app.page.reload()
    app.shows("restaurant", "Green Bowl")
    app.page.go_back()
    app.shows("restaurantList")


def test_the_end_of_the_session_is_shown_and_a_new_one_is_created(app):
    app.shows("restaurantList")
    # The page reloads as soon as it shows the end of the session. At this time no data of the session is stored any more.
    app.page.evaluate("""() => {
      const reload = () => document.querySelector(".banner")?.textContent.startsWith("This session has ended") && location.reload();
      new MutationObserver(reload).observe(document.body, { childList: true, subtree: true, characterData: true });
    }""")
    with app.page.expect_navigation():
        app.paste("The session ends")
    app.shows("restaurantList")
    expect(app.banner).to_be_hidden()


def test_typed_text_stays_when_another_tab_changes_the_session(app):
    fill_basket(app)
    app.tap("Checkout")
    app.shows("phone")
    app.fill("Your phone number", "079")
    app.paste("A promotion")
    app.shows("promo")
    app.tap("Close")
    app.shows("phone")
    expect(app.front.get_by_label("Your phone number")).to_have_value("079")

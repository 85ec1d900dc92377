"""The layout of the example: on phones, tablets and wide screens, no control of the app is covered."""

import pytest
from covering import covered
from delivery import Delivery, Example

SIZES = [(360, 740), (390, 844), (768, 1024), (844, 390), (960, 700), (1400, 1000)]


@pytest.fixture(scope="module")
def example():
    example = Example()
    yield example
    example.close()


@pytest.fixture
def app(page, example):
    return Delivery(page, example)


@pytest.mark.parametrize("width, height", SIZES)
def test_nothing_covers_the_app_or_its_tools(app, width, height):
    app.page.set_viewport_size({"width": width, "height": height})
    app.shows("restaurantList")
    assert covered(app.page) == []
    app.page.locator("#testers summary").click()
    assert covered(app.page) == []
    app.page.locator("#testers summary").click()
    for tab, screen in [("Orders", "orderList"), ("Profile", "profileHome"), ("Restaurants", "restaurantList")]:
        app.tab(tab)
        app.shows(screen)
        assert covered(app.page) == [], tab
    app.tap("Sakura")
    app.shows("restaurant")
    assert covered(app.page) == []


@pytest.mark.parametrize("width, height", SIZES)
def test_nothing_covers_the_dialogs_of_the_app(app, width, height):
    app.page.set_viewport_size({"width": width, "height": height})
    app.tap("Sakura")
    app.tap("Shoyu ramen")
    app.tap("Add to basket")
    assert covered(app.page) == []
    app.tap("Checkout")
    app.shows("phone")
    assert covered(app.page, "dialog") == []

"""Accessibility: keyboard, screen readers, both colour schemes, the width of a phone, reduced motion."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from covering import covered
from playwright.sync_api import expect
from serving import ROOT

STYLE = (ROOT / "Sources/CairnConsole/page/console.css").read_text()


def luminance(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_pair_of_text_and_background_colour_has_the_contrast_of_AA(scheme):
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", STYLE.split(":root {")[scheme + 1].split("}")[0]))
    assert len(colours) == 14
    grounds = ["paper", "panel", "tint"]
    pairs = [(ink, ground) for ink in ("ink", "accent", "good", "waits", "bad", "soft") for ground in grounds]
    pairs += [("on-accent", "accent"), ("on-mark", "mark"), ("ink", "mark"), ("soft", "mark"), ("accent", "mark")]
    poor = [(ink, ground, round(contrast(colours[ink], colours[ground]), 2)) for ink, ground in pairs if contrast(colours[ink], colours[ground]) < 4.5]
    assert not poor


def test_a_session_is_created_driven_and_left_with_the_keyboard_only(console, page):
    console.visit()
    reached = press_until(page, "#start-app")
    page.keyboard.type("delivery")
    press_until(page, "#start")
    page.keyboard.press("Enter")
    expect(console.device).to_be_visible()
    press_until(page, "#step-restaurantPicked-restaurantId")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    console.visible("restaurant")
    press_until(page, "#gesture-back")
    page.keyboard.press("Enter")
    console.visible("restaurantList")
    press_until(page, "#tab-act")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Notifications")).to_be_focused()
    expect(page.locator("#payload")).to_be_visible()
    page.keyboard.press("d")
    expect(page.get_by_role("region", name="Graph")).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_role("form", name="Start a session")).to_be_visible()
    assert reached


def press_until(page, selector, most=80):
    """Presses Tab until a control has the focus, and checks that the focus is visible on each control."""
    for _ in range(most):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none" or page.evaluate("document.activeElement === document.body"), page.evaluate("document.activeElement.outerHTML")
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return True
    raise AssertionError(f"{selector} is not reached by Tab")


def test_the_keys_are_listed_and_escape_closes_a_dialog(console, page):
    console.visit()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    for key in ("s", "d", "t", "b", "r", "n", "h", "a", "Escape"):
        expect(keys.get_by_role("rowheader", name=key, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    # A letter that is typed into a field is not a shortcut.
    page.locator("#start-label").focus()
    page.keyboard.press("d")
    expect(page.locator("#start-label")).to_have_value("d")


def controls_without_name(page):
    """Returns the controls that have no name in the accessibility tree."""
    lines = page.locator("body").aria_snapshot().splitlines()
    return [line for line in lines if re.fullmatch(r"\s*- (button|link|textbox|combobox|checkbox|tab|region|form|dialog|spinbutton)(:.*| \[.*)?", line)]


def test_every_control_and_landmark_has_a_name(console, page):
    console.visit()
    page.get_by_text("Cold start, facts and more").click()
    assert controls_without_name(page) == []
    console.open("bank", key=True, clock="manual", facts={"onBoarded": True, "isEnrolled": True}, accessToken="t")
    for tab in ("Act", "Notifications", "History"):
        console.tab(tab)
        assert controls_without_name(page) == [], tab
    page.get_by_role("link", name="Definition").click()
    expect(page.locator("svg.graph g.flow").first).to_be_visible()
    assert controls_without_name(page) == []
    expect(page.get_by_role("banner")).to_be_visible()
    expect(page.get_by_role("main")).to_be_visible()
    expect(page.get_by_role("navigation", name="Views")).to_be_visible()


def test_responses_are_announced_to_screen_readers(console, page):
    console.open("delivery")
    expect(console.answers).to_have_attribute("aria-live", "polite")
    expect(page.locator("#live")).to_have_attribute("role", "status")


@pytest.mark.page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
@pytest.mark.parametrize("view", ["sessions", "session", "history", "definition"])
def test_the_page_fits_a_phone(console, page, view):
    console.visit()
    if view != "sessions":
        console.open("bank", key=True, clock="manual", facts={"onBoarded": True, "isEnrolled": True, "isWide": True})
    if view == "history":
        console.tab("History")
    if view == "definition":
        page.get_by_role("link", name="Definition").click()
        expect(page.locator("svg.graph g.flow").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.page(color_scheme="dark")
def test_the_page_is_dark_if_the_user_prefers_a_dark_scheme(console, page):
    console.visit()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"


@pytest.mark.page(reduced_motion="reduce")
def test_nothing_is_animated_if_the_user_prefers_reduced_motion(console, page):
    console.open("delivery")
    page.locator("#link-url").fill("eat://r/9")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(console.node("screen restaurant, new, visible")).to_be_visible()
    assert page.locator(".node.new").first.evaluate("each => getComputedStyle(each).animationName") == "none"


def looks(console, page):
    """Opens the views of the console one after the other. Yields the name of each."""
    console.visit()
    yield "the first view"
    console.use_key()
    expect(page.get_by_role("region", name="All sessions").locator("tbody tr").first).to_be_visible()
    yield "the list"
    console.open("bank", key=True, clock="manual", facts={"onBoarded": True, "isEnrolled": True, "isWide": True})
    for tab in ("Act", "Notifications", "History"):
        console.tab(tab)
        yield tab
    page.get_by_role("link", name="Definition").click()
    expect(page.locator("svg.graph g.flow").first).to_be_visible()
    yield "the definition"


def test_axe_finds_nothing_on_the_views_of_the_console(console, page, service):
    service.session("delivery")
    for look in looks(console, page):
        found = Axe().run(page)
        assert found.violations_count == 0, f"{look}: {found.generate_report()}"


@pytest.mark.parametrize("width, height", [(360, 740), (768, 1024), (1280, 800)])
def test_no_control_of_the_console_is_covered(console, page, service, width, height):
    page.set_viewport_size({"width": width, "height": height})
    service.session("delivery")
    for look in looks(console, page):
        assert covered(page) == [], look


def test_the_focus_goes_to_the_view_that_an_action_leads_to(console, page):
    console.visit()
    page.locator("#start-app").select_option("delivery")
    page.locator("#start").focus()
    page.keyboard.press("Enter")
    expect(console.device).to_be_visible()
    expect(page.locator("#session")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('#session').contains(document.activeElement)")

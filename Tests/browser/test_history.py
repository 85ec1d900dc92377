"""The history of a session: entries in pages, the session at a revision, and the export as a scenario and as commands."""

import datetime
import os
import subprocess

from playwright.sync_api import expect
from serving import ROOT


def gone_around(console, service, rounds=1):
    session = service.session("delivery", clock="manual")
    for number in range(rounds):
        service.act(session, {"step": "restaurantPicked", "params": {"restaurantId": number}})
        service.act(session, {"type": "pop"})
    console.visit().use_key()
    console.page.goto(f"{service.url}/console#s={session['id']}")
    expect(console.device).to_be_visible()
    console.tab("History")
    return session


def entry(page, revision):
    return page.get_by_role("region", name="History").locator(f"li:has(#entry-{revision})")


def test_every_entry_shows_its_cause_its_outcome_and_its_changes(console, page, service):
    gone_around(console, service)
    expect(entry(page, 2).locator("summary")).to_contain_text("2 restaurantPicked performed")
    entry(page, 2).locator("summary").click()
    expect(entry(page, 2)).to_contain_text('"restaurantId": 0')
    expect(entry(page, 2)).to_contain_text("push restaurant(restaurantId: 0)")
    expect(entry(page, 2)).to_contain_text("didNavigate")


def test_any_revision_can_be_shown_and_left_again(console, page, service):
    gone_around(console, service)
    console.revision(3)
    page.get_by_role("button", name="Look at revision 2").click()
    console.revision(2)
    expect(console.node("screen restaurant, new, visible")).to_be_visible()
    expect(page.get_by_text("The session at revision 2.")).to_be_visible()
    expect(console.device.get_by_role("button", name="Back")).to_have_count(0)
    page.get_by_role("button", name="Back to the newest").click()
    console.revision(3)
    console.visible("restaurantList")


def test_nothing_is_posted_while_an_earlier_revision_is_shown_d19(console, page, service):
    gone_around(console, service)
    page.get_by_role("button", name="Look at revision 2").click()
    console.revision(2)
    console.tab("Act")
    expect(page.locator("#only-now")).to_have_text("This is revision 2. Go back to the newest revision to post actions.")
    for panel in (".acts", "#bench-send"):
        assert page.locator(panel).evaluate("each => each.closest('[inert]') !== null")
    page.keyboard.press("b")
    page.locator("#send-restaurantPicked").evaluate("each => each.focus()")
    assert page.evaluate("document.activeElement.id") != "send-restaurantPicked"
    page.get_by_role("button", name="Back to the newest").click()
    console.revision(3)
    expect(page.locator("#only-now")).to_be_hidden()
    page.locator("#step-restaurantPicked-restaurantId").fill("1")
    page.locator("#send-restaurantPicked").click()
    console.revision(4)


def test_the_history_is_loaded_page_by_page_the_newest_first(console, page, service):
    gone_around(console, service, rounds=20)
    console.revision(41)
    lines = page.get_by_role("region", name="History").locator("ol.history > li")
    expect(lines).to_have_count(25)
    expect(lines.first.locator("summary")).to_contain_text("41 pop")
    page.get_by_role("button", name="Older").click()
    expect(lines.last.locator("summary")).to_contain_text("1 create")
    expect(page.get_by_role("button", name="Older")).to_be_disabled()
    page.get_by_role("button", name="Newer").click()
    expect(lines.first.locator("summary")).to_contain_text("41 pop")


def test_the_exported_scenario_passes(console, page, service, tmp_path):
    gone_around(console, service)
    page.get_by_role("button", name="As scenario").click()
    text = page.locator("#paper-text").input_value()
    assert page.evaluate("navigator.clipboard.readText()") == text
    (tmp_path / "delivery.yaml").write_text((ROOT / "config/apps/delivery.yaml").read_text())
    (tmp_path / "story.scenarios.yaml").write_text(text)
    program = os.environ.get("CAIRN_REAL", os.environ.get("CAIRN", str(ROOT / ".build/debug/cairn")))
    played = subprocess.run([program, "test", str(tmp_path / "story.scenarios.yaml")], capture_output=True, text=True, timeout=60)
    assert played.returncode == 0, played.stdout + played.stderr


def test_the_exported_curl_commands_have_the_same_effect_on_an_equal_session(console, page, service):
    session = gone_around(console, service)
    page.get_by_role("button", name="As curl").click()
    text = page.locator("#paper-text").input_value()
    assert session["secret"] not in text and "$SECRET" in text
    other = service.session("delivery", clock="manual")
    script = text.replace(session["id"], other["id"])
    played = subprocess.run(["sh", "-eu", "-c", script], env={**os.environ, "SECRET": other["secret"]}, capture_output=True, text=True, timeout=60)
    assert played.returncode == 0, played.stderr
    causes = [[each["action"] for each in service.ask("GET", f"/v1/sessions/{id}/history")["entries"]] for id in (session["id"], other["id"])]
    assert causes[0] == causes[1]


def test_the_exported_curl_commands_advance_a_manual_clock_equally(console, page, service):
    session = service.session("load-studies", clock="manual")
    for action in [{"type": "advance", "by": "1s"}, {"step": "eager"}, {"type": "advance", "by": "90s"}]:
        service.act(session, action)
    console.visit().use_key()
    page.goto(f"{service.url}/console#s={session['id']}")
    console.tab("History")
    page.get_by_role("button", name="As curl").click()
    text = page.locator("#paper-text").input_value()
    other = service.session("load-studies", clock="manual")
    subprocess.run(["sh", "-eu", "-c", text.replace(session["id"], other["id"])], env={**os.environ, "SECRET": other["secret"]}, check=True,
                   capture_output=True, timeout=60)

    def moved(id):
        entries = service.ask("GET", f"/v1/sessions/{id}/history")["entries"]
        start = datetime.datetime.fromisoformat(entries[0]["at"]).timestamp() * 1000
        return [round(entry["action"]["to"] - start) for entry in entries if "to" in entry["action"]]
    assert moved(session["id"]) == moved(other["id"]) != []

"""The notification bench: payloads, the ways in which notifications arrive, and the shelf of stored payloads."""

import json

from playwright.sync_api import expect

APNS = {"aps": {"alert": "Your order", "category": "order"}, "data": {"order_id": 7}}
FCM = {"message": {"notification": {"title": "Your order"}, "data": {"order_id": "7"}, "android": {"notification": {"click_action": "order"}}}}


def bench(console, app="delivery", **more):
    session = console.open(app, **more)
    console.tab("Notifications")
    return session


def test_a_payload_is_pasted_and_tapped_in_each_state_of_the_app(console, page):
    bench(console, accessToken="t")
    for state in ("background", "foreground", "killed"):
        page.locator("#payload").fill(json.dumps(APNS))
        page.get_by_label("The app is").select_option(state)
        with page.expect_request(lambda request: "/notifications" in request.url) as sent:
            page.get_by_role("button", name="Send", exact=True).click()
        assert sent.value.url.endswith(f"?state={state}") and sent.value.post_data_json == {"payload": APNS}
        expect(console.newest).to_contain_text(f"notification ({state}, tap)")
        expect(console.newest).to_contain_text("notificationOpened")


def test_a_payload_file_is_dropped_or_chosen(console, page, tmp_path):
    bench(console)
    file = tmp_path / "order.apns"
    file.write_text(json.dumps(APNS))
    page.get_by_label("A payload's file").set_input_files(file)
    expect(page.locator("#payload")).to_have_value(json.dumps(APNS))
    expect(page.get_by_label("Keep the payload as")).to_have_value("order")
    page.locator("#payload").fill("")
    carried = page.evaluate_handle("text => { const carried = new DataTransfer(); carried.items.add(new File([text], 'dropped.apns')); return carried }", json.dumps(FCM))
    page.locator("#payload").dispatch_event("drop", {"dataTransfer": carried})
    expect(page.locator("#payload")).to_have_value(json.dumps(FCM))


def test_a_notification_that_only_arrives_opens_nothing(console, page):
    bench(console, accessToken="t")
    page.locator("#payload").fill(json.dumps(APNS))
    page.get_by_label("It is").select_option("arrival")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(console.newest).to_contain_text("notification (background, arrival)")
    expect(console.newest).not_to_contain_text("notificationOpened")


def test_a_button_and_a_reply_are_sent_with_the_payload(console, page, service):
    session = bench(console, accessToken="t")
    page.locator("#payload").fill(json.dumps(APNS))
    page.get_by_label("It is").select_option("reply")
    page.locator("#bench-action").fill("ANSWER")
    page.locator("#bench-reply").fill("at seven")
    with page.expect_request(lambda request: "/notifications" in request.url) as sent:
        page.get_by_role("button", name="Send", exact=True).click()
    assert sent.value.url.endswith("/notifications?state=background")
    assert json.loads(sent.value.post_data) == {"payload": APNS, "action": "ANSWER", "reply": "at seven"}
    expect(console.newest).to_contain_text("notification (background, reply)")
    assert session["id"] in sent.value.url


def test_a_plan_is_shown_and_nothing_is_stored(console, page):
    bench(console, accessToken="t")
    page.locator("#payload").fill(json.dumps(APNS))
    page.locator("#bench-plan").click()
    expect(console.newest).to_contain_text("would be performed")
    console.revision(1)


def test_the_rejection_of_a_malformed_payload_is_shown(console, page):
    bench(console)
    page.locator("#payload").fill("{ no payload")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(console.newest).to_contain_text("not-json")


def test_the_shelf_stores_payloads_per_app_in_the_browser_and_can_be_exported(console, page, tmp_path):
    bench(console)
    page.locator("#payload").fill(json.dumps(APNS))
    page.get_by_label("Keep the payload as").fill("an order")
    page.get_by_role("button", name="Keep", exact=True).click()
    shelf = page.get_by_role("region", name="Shelf")
    expect(shelf.get_by_role("button", name="an order", exact=True)).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / "shelf.json"
    download.value.save_as(file)
    assert json.loads(file.read_text()) == {"app": "delivery", "payloads": [{"name": "an order", "text": json.dumps(APNS)}]}
    bench(console, "shop")
    expect(shelf).to_contain_text("Nothing for shop yet")
    page.get_by_label("A file of payloads to import").set_input_files(file)
    shelf.get_by_role("button", name="an order", exact=True).click()
    expect(page.locator("#payload")).to_have_value(json.dumps(APNS))
    shelf.get_by_role("button", name="Discard an order").click()
    expect(shelf).to_contain_text("Nothing for shop yet")
    bench(console)
    expect(shelf.get_by_role("button", name="an order", exact=True)).to_be_visible()

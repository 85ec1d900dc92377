"""The list of sessions: filters, creation, opening and deletion, with an operator key, with a secret, and with neither."""

from playwright.sync_api import expect


def test_the_first_visit_explains_the_page_and_creates_a_session_without_a_key(console, page):
    console.visit()
    expect(page.get_by_text("Start a session below, or open an existing one with its id and its secret.")).to_be_visible()
    page.locator("#start-app").select_option("shop")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(console.device).to_be_visible()
    console.revision(1)
    assert "#s=s" in page.url and "cs_" not in page.url


def test_a_session_is_created_with_all_members(console, page):
    console.visit().use_key()
    page.locator("#start-app").select_option("bank")
    page.locator("#start-label").fill("my tester's")
    page.locator("#start-clock").select_option("manual")
    page.locator("#start-token").fill("a-token")
    page.get_by_text("Cold start, facts and more").click()
    page.locator("#start-fact-onBoarded").select_option("true")
    page.locator("#start-fact-isWide").select_option("true")
    page.locator("#start-fact-transferPages").select_option('"one"')
    page.locator("#start-open").fill("https://bank.example/cards/7")
    page.get_by_role("button", name="Start", exact=True).click()
    facts = page.get_by_role("region", name="Facts", exact=True)
    expect(facts).to_contain_text("transferPagesone")
    expect(facts).to_contain_text("onBoardedtrue")
    expect(facts).to_contain_text("accessTokentrue")
    expect(page.get_by_text("Manual clock")).to_be_visible()
    expect(console.newest).to_contain_text("cold start")
    expect(page.get_by_role("region", name="Pending")).to_contain_text("https://bank.example/cards/7")
    expect(page.get_by_role("heading", name="bank my tester's")).to_be_visible()


def test_a_rejection_by_the_service_is_shown_unchanged(console, page):
    console.visit()
    page.locator("#start-app").select_option("bank")
    page.get_by_text("Cold start, facts and more").click()
    page.locator("#start-fact-onBoarded").select_option("true")
    page.get_by_role("button", name="Start", exact=True).click()
    said = console.service.ask("POST", "/v1/sessions", {"app": "bank", "facts": {"onBoarded": True}}, key=None)
    expect(page.locator("#start-note")).to_contain_text(said["detail"])


def test_an_operator_lists_sessions_by_app_and_label_in_pages(console, page, service):
    for number in range(55):
        service.session("load-studies", label="many")
    service.session("load-studies", label="another")
    console.visit().use_key()
    page.locator("#filter-app").select_option("load-studies")
    page.locator("#filter-label").fill("many")
    page.get_by_role("button", name="List", exact=True).click()
    rows = page.get_by_role("region", name="All sessions").locator("tbody tr")
    expect(rows).to_have_count(50)
    page.get_by_role("button", name="More").click()
    expect(rows).to_have_count(55)
    page.locator("#filter-label").fill("another")
    page.get_by_role("button", name="List", exact=True).click()
    expect(rows).to_have_count(1)
    rows.first.get_by_role("link").click()
    expect(console.device).to_be_visible()


def test_a_secret_opens_its_session_without_a_key_and_a_wrong_one_opens_nothing(console, page, service):
    session = console.open("qiita")
    expect(page.get_by_role("heading", name="qiita")).to_be_visible()
    page.get_by_role("link", name="Sessions").click()
    page.get_by_label("Session's id").fill(service.session("qiita")["id"])
    page.get_by_label("Its secret").fill(session["secret"])
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#sessions-note")).to_contain_text("this request requires the session's secret or an operator's key")


def test_a_session_is_deleted_from_the_list_and_from_its_page_after_a_confirmation(console, page, service):
    listed = service.session("shop", label="to be ended")
    console.visit().use_key()
    page.locator("#filter-label").fill("to be ended")
    page.get_by_role("button", name="List", exact=True).click()
    page.get_by_role("button", name=f"End {listed['id']}").click()
    page.get_by_role("button", name="Confirm the end").click()
    expect(page.locator("#sessions-note")).to_contain_text("has ended")
    assert service.ask("GET", f"/v1/sessions/{listed['id']}")["code"] == "unknown-session"
    opened = console.open("shop")
    page.get_by_role("button", name="End session").click()
    page.get_by_role("button", name="Confirm the end").click()
    expect(page.locator("#sessions-note")).to_be_visible()
    assert service.ask("GET", f"/v1/sessions/{opened['id']}")["code"] == "unknown-session"


def test_a_link_to_a_session_requests_a_credential_and_then_opens_it(console, page, service):
    session = service.session("shop")
    console.visit(f"#s={session['id']}")
    expect(page.get_by_label("Session's id")).to_have_value(session["id"])
    expect(page.locator("#live")).to_contain_text("enter the session's secret or an operator's key")
    console.use_key()
    expect(console.device).to_be_visible()

"""Safety of the page: it must not run the data that it shows, contact other servers, or keep a credential other than a session's secret in its own tab."""

import json

import pytest
from playwright.sync_api import expect
from serving import KEY

EVIL = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'


def test_names_params_labels_and_payloads_are_shown_as_text(console, page, service):
    session = service.session("qiita", label=EVIL, accessToken="t")
    service.act(session, {"step": "search.webView", "params": {"url": EVIL}})
    console.visit().use_key()
    page.locator("#filter-label").fill(EVIL)
    page.get_by_role("button", name="List", exact=True).click()
    page.get_by_role("link", name=session["id"]).click()
    expect(page.get_by_role("heading", name=EVIL)).to_be_visible()
    expect(console.node("screen safari")).to_contain_text(EVIL)
    page.locator("#link-url").fill(EVIL)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(console.newest).to_contain_text(EVIL)
    console.tab("Notifications")
    page.locator("#payload").fill(json.dumps({"aps": {"alert": EVIL}, "url": f"qiita://items/{EVIL}"}))
    page.get_by_label("Keep the payload as").fill(EVIL[:80])
    page.get_by_role("button", name="Keep", exact=True).click()
    page.get_by_role("button", name="Send", exact=True).click()
    console.tab("History")
    page.locator("#entry-2 summary").click()
    expect(page.locator("#entry-2")).to_contain_text("onerror")
    page.get_by_role("button", name="As scenario").click()
    assert "onerror" in page.locator("#paper-text").input_value()
    assert page.evaluate("window.hacked") is None
    assert page.locator("#main img, #main script").count() == 0


def test_only_the_service_is_called_no_url_contains_a_credential_and_only_the_tab_stores_the_secret_of_a_session(console, page, service):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    session = console.open("delivery")
    page.get_by_role("link", name="Sessions").click()
    console.use_key()
    page.get_by_role("button", name="List", exact=True).click()
    page.get_by_role("link", name="Definition").click()
    expect(page.locator("svg.graph g.flow").first).to_be_visible()
    assert asked and all(url.startswith(service.url) or url.startswith("data:") for url in asked)
    secrets = [session["secret"], KEY]
    assert not any(secret in url for url in asked + [page.url] for secret in secrets)
    kept = page.evaluate("JSON.stringify([{...localStorage}, document.cookie, history.state])")
    assert not any(secret in kept for secret in secrets)
    of_the_tab = page.evaluate("JSON.stringify({...sessionStorage})")
    assert KEY not in of_the_tab and session["secret"] in of_the_tab
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#live")).to_contain_text("enter the session's secret or an operator's key")


@pytest.mark.forbids
def test_the_content_security_policy_forbids_other_scripts_and_frames(page, service):
    answer = page.goto(f"{service.url}/console")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    # Even an inserted script would not run.
    said = page.evaluate("""() => new Promise((resolve) => {
      document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective))
      const script = document.createElement("script")
      script.textContent = "window.hacked = 1"
      document.body.append(script)
    })""")
    assert said.startswith("script-src") and page.evaluate("window.hacked") is None

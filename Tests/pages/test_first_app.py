"""The tutorial: its commands, and its page in a browser."""

from walkthrough import ROOT

TUTORIAL = (ROOT / "docs/first-app.md").read_text()


def test_the_commands_and_the_page_show_the_documented_results(reader, browser_page):
    assert reader.walk(TUTORIAL) == 21
    page = browser_page
    page.goto(f"http://127.0.0.1:{reader.ports['3000']}/")

    def press(name):
        page.get_by_role("button", name=name).click()

    def shows(tree):
        """Waits until the page shows these boxes."""
        page.wait_for_function("tree => document.querySelector('main').innerText.replace(/\\s+/g, ' ').startsWith(tree)", arg=tree)

    shows("main {} list {} Note 3")
    press("Note 3")
    shows('main {} list {} note {"id":3} Back')
    press("Back")
    shows("main {} list {} Note 3")
    press("Sign out")
    shows("main {} login {} Log in")
    line = page.locator("pre").inner_text()
    code, found = reader.run(line)
    assert code == 0 and found.startswith("pending, held as l1"), found
    shows("main {} login {} Log in")
    press("Log in")
    shows('main {} list {} note {"id":7} Back')

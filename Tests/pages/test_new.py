"""`cairn new`: the page of each template draws the session and its changes, and the README's commands run."""

import re

import pytest


@pytest.mark.parametrize("template", ["blank", "tabs", "login"])
def test_the_page_of_a_new_app_draws_its_session(reader, browser_page, template):
    code, made = reader.run(f"cairn new notes --template {template}")
    assert code == 0, made
    assert reader.run("cd notes")[0] == 0
    commands = re.findall(r"^(?:cairn|python3) .*", (reader.where() / "README.md").read_text(), re.MULTILINE)
    assert [command.split()[1] for command in commands] == ["check", "test", "explore", "serve", "-m"]
    *tests, serve, serve_page = commands
    for command in tests:
        code, found = reader.run(command)
        assert code == 0, found
    reader.run(serve_page)
    settings = reader.where() / "config/cairn.yaml"
    settings.write_text(reader.with_ports(settings.read_text()))
    reader.run(serve)
    html = reader.where() / "web/index.html"
    html.write_text(reader.with_ports(html.read_text()))

    page = browser_page
    page.goto(f"http://127.0.0.1:{reader.ports['3000']}/")

    def shows(tree):
        """Waits until the page shows these boxes and buttons."""
        page.wait_for_function("tree => document.querySelector('main').innerText.replace(/\\s+/g, ' ').startsWith(tree)", arg=tree)

    def press(name):
        page.get_by_role("button", name=name, exact=True).click()

    def pick():
        """Picks item 7, with the field for the step's param."""
        page.get_by_placeholder("id: integer").fill("7")
        press("itemPicked")

    if template == "blank":
        shows("main {} home {} itemPicked")
        pick()
        shows('main {} home {} item {"id":7} Back')
        press("Back")
        shows("main {} home {} itemPicked")
    elif template == "tabs":
        shows("main {} start browse start {} home {} aboutPicked itemPicked")
        pick()
        shows('main {} start browse start {} home {} browse {} items {} item {"id":7} Back')
        press("start")
        shows("main {} start browse start {} home {} aboutPicked itemPicked")
    else:
        shows("main {} login {} Log in")
        line = re.search(r"^export .*$", page.locator("pre").inner_text(), re.MULTILINE)[0]
        code, found = reader.run(f"{line} && cairn session open notes://items/7")
        assert code == 0 and found.startswith("pending, held as l1"), found
        press("Log in")
        shows('main {} home {} item {"id":7} Back')
        press("Back")
        shows("main {} home {} itemPicked signOutPicked")
        press("signOutPicked")
        shows("main {} login {} Log in")
    assert page.get_by_role("status").inner_text() == ""

"""Measures taps in Chromium: opens the page on a site, and makes the page tap. Runs in the Python with the browser's driver (bars/taps.py).

usage: chromium.py SITE SERVICE SERVICE_WITH_ENGINE SESSIONS
Prints one JSON line per kind of client, and one for reloads.
"""

import json
import os
import statistics
import sys

from playwright.sync_api import sync_playwright

ROUNDS = 20
RELOADS = 10
# A function of the page: whether the browser has stored the state and the definition of a session, with which the page begins without the service.
STORED = """async (id) => {
  const request = indexedDB.open("cairn");
  const database = await new Promise((then) => { request.onsuccess = () => then(request.result); });
  const values = database.transaction(["values"]).objectStore("values");
  const read = (made) => new Promise((then) => { made.onsuccess = () => then(made.result); });
  const [keys, all] = [await read(values.getAllKeys()), await read(values.getAll())];
  database.close();
  const kept = all[keys.findIndex((key) => key.endsWith(id))];
  return kept?.replica !== undefined && kept.whole.body.revision === 2 && keys.some((key) => key.startsWith("app "));
}"""


def main():
    site, service, service_with_engine, sessions = sys.argv[1:]
    with sync_playwright() as driver:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        # Chromium's sandbox does not work for root.
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        page = browser.new_page()
        faults = []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        load(page, site)
        given = {"service": service, "serviceWithEngine": service_with_engine, "sessions": int(sessions), "rounds": ROUNDS, "isParallel": False}
        rows = page.evaluate("given => window.taps.measure(given)", given)
        rows.append(reloads(page, site, service_with_engine))
        browser.close()
    if faults:
        raise SystemExit(f"the page failed: {faults}")
    for row in rows:
        print(json.dumps({"client": "Chromium", **row}))


def load(page, site):
    page.goto(f"{site}/Benchmarks/Taps/page.html")
    page.wait_for_function("window.taps !== undefined")


def reloads(page, site, service):
    """The time from a reload until the last screen is shown. A kept session shows it without the service."""
    name = page.evaluate("service => window.taps.keep(service)", service)
    page.wait_for_function(STORED, arg=name)
    found = []
    for _ in range(RELOADS):
        load(page, site)
        found.append(page.evaluate("service => window.taps.reopened(service)", service))
    screens = {one.pop("screen") for one in found}
    if screens != {"restaurant"}:
        raise SystemExit(f"after a reload the page showed {screens}, not the screen before it")
    return {"kind": "reload", "taps": RELOADS, **{key: statistics.median(one[key] for one in found) for key in found[0]}}


main()

"""A technician's app that was written before the service supported work without a network: nothing that the user does offline is lost."""

import os
import subprocess

import pytest
from offline import performed, reload_offline, serve, wait_until_kept
from serving import ROOT, Service

PAGE = b"""<!doctype html><meta charset="utf-8"><title>lift</title><link rel="icon" href="data:,"><p></p><script type="module">
import { resume, start } from "/cairn-client/index.js";
navigator.serviceWorker.register("/worker.js");
const options = { baseURL: new URLSearchParams(location.search).get("service"), keep: true, remember: true };
window.session = (await resume(options)) ?? (await start({ ...options, app: "lift" }));
window.tap = (name, params) => { session.step(name, params).catch(() => {}); };
const draw = () => {
  const { waiting, tree } = session.getSnapshot();
  document.querySelector("p").textContent = `${session.stack.map(({ screen }) => screen).join(" ")}, ${waiting} waiting, ${JSON.stringify(tree).length} bytes`;
};
session.subscribe(draw);
draw();
</script>"""

JOBS = {
    "jobs": {"j1": {"first": "doors", "next": {"doors": "ropes"}}, "j2": {"first": "ropes", "next": {}}},
    "byLift": {"l2": "j2"},
}


@pytest.fixture
def office():
    with serve(pages={"/": PAGE}, answers={"/jobs": JOBS}) as server:
        yield server


@pytest.fixture
def service(office, tmp_path):
    """A service with the app, which only `cairn fix` has changed."""
    definition = tmp_path / "lift.yaml"
    definition.write_text((ROOT / "Tests/browser/lift.yaml").read_text().replace("127.0.0.1:9110", office.host))
    program = os.environ.get("CAIRN", str(ROOT / ".build/debug/cairn"))
    subprocess.run([program, "fix", str(definition)], check=True, capture_output=True, timeout=60)
    service = Service("--cors-origins", office.url, "--engine", str(ROOT / ".build/engine"), "--predict", "*", apps=tmp_path)
    yield service
    service.close()


def test_two_jobs_that_were_done_without_a_network_are_sent_although_the_office_has_acted_before(page, office, service):
    def shows(text):
        page.locator("p", has_text=text).wait_for()

    def tap(name, **params):
        page.evaluate("([name, params]) => window.tap(name, params)", [name, params])

    def work(job, *pages):
        tap("jobIsPicked", jobId=job)
        tap("workIsBegun", jobId=job)
        for kind in pages:
            tap("verdictIsGiven", kind=kind, value="ok")
        tap("signatureIsRequired")
        tap("signatureIsDrawn", signatureId=f"signature of {job}")

    page.goto(f"{office.url}/?service={service.url}")
    shows("jobs, 0 waiting")
    page.wait_for_function("JSON.stringify(session.tree).includes('byLift')")
    session = wait_until_kept(page)
    page.context.set_offline(True)
    work("j1", "doors", "ropes")
    shows("6 waiting")
    reload_offline(page, 6)
    shows("jobs job, 6 waiting")
    page.evaluate("() => { session.back().catch(() => {}); }")
    work("j2", "ropes")
    shows("12 waiting")
    reload_offline(page, 12)
    notifications = f"/v1/sessions/{session['id']}/notifications?tap=false&state=foreground"
    service.ask("POST", notifications, {"category": "emergency", "call": {"id": "c1", "address": "Main Street 1"}})
    service.ask("POST", notifications, {"category": "help", "topic": "brakes"})
    page.context.set_offline(False)
    shows("help call, 0 waiting")
    assert page.evaluate("session.groups()") == []
    work_of = ["jobIsPicked", "workIsBegun", "verdictIsGiven", "signatureIsRequired", "signatureIsDrawn"]
    taps = [name for name in performed(service, session) if name in work_of]
    assert taps == [*work_of[:3], *work_of[2:], *work_of]
    page.wait_for_function("!JSON.stringify(session.tree).includes('sending')")
    results = [body for path, body in office.got if path == "/results"]
    assert sorted(results, key=lambda body: body["job"]) == [
        {"job": "j1", "result": {"doors": "ok", "ropes": "ok"}}, {"job": "j2", "result": {"ropes": "ok"}},
    ]

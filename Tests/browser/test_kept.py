"""Kept sessions of the JavaScript client: over a reload without the service, in several tabs, with a full disk, and started offline."""

import contextlib
import functools
import http.server
import threading

import pytest
from kept import record, stored
from serving import ROOT, Service

PAGE = b"""<!doctype html><meta charset="utf-8"><title>kept</title><p id="shown"></p><script type="module">
import { connect, resume, start } from "/src/index.js";
window.notices = [];
window.drawn = [];
const onNotice = (message) => window.notices.push(message);
window.open = async (how, options) => {
  const began = performance.now();
  const given = { ...options, keep: true, onNotice };
  window.session = await ({ connect, resume, start })[how](given);
  window.took = performance.now() - began;
  const draw = () => {
    const { visible, waiting, revision, predicts } = window.session.getSnapshot();
    window.drawn.push(`${visible.screen} waiting ${waiting} revision ${revision} predicts ${predicts}`);
    document.querySelector("#shown").textContent = window.drawn.at(-1);
  };
  draw();
  window.session.subscribe(draw);
  return { id: window.session.id, secret: window.session.secret };
};
window.isReady = true;
</script>"""


class Site(http.server.SimpleHTTPRequestHandler):
    """The client's files and one page."""

    def do_GET(self):
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site():
    handler = functools.partial(Site, directory=ROOT / "clients/javascript")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def predicting(site):
    service = Service("--cors-origins", site, "--engine", str(ROOT / ".build/engine"), "--predict", "delivery")
    yield service
    service.close()


class Tab:
    """A tab with a kept session."""

    def __init__(self, page, site):
        self.page, self.site = page, site
        self.load()

    def load(self):
        self.page.goto(self.site)
        self.page.wait_for_function("window.isReady === true")

    def open(self, how, **options):
        return self.page.evaluate("([how, options]) => window.open(how, options)", [how, options])

    def shows(self, text):
        self.page.wait_for_function("text => document.querySelector('#shown').textContent.includes(text)", arg=text)

    @property
    def drawn(self):
        """Returns all texts that the page has shown."""
        return self.page.evaluate("window.drawn")

    def tap(self, tab):
        self.page.evaluate("tab => { window.session.select(tab).catch(() => {}); }", tab)


@contextlib.contextmanager
def away(context, service):
    """The pages cannot reach the service, but they can reach the site."""
    context.route(f"{service.url}/**", lambda route: route.abort("internetdisconnected"))
    yield
    context.unroute(f"{service.url}/**")


def begun(page, site, service, **options):
    tab = Tab(page, site)
    session = tab.open("start", baseURL=service.url, app="delivery", **options)
    tab.shows("predicts true")
    # All data that a later page needs to begin without the service. The client stores the values one after the other.
    stored(page, "kept?.replica !== undefined && ['engine ', 'definition ', 'app '].every((name) => keys.some((key) => key.startsWith(name)))")
    return tab, session


def tabs_of(service, session):
    return [entry["action"]["tab"] for entry in service.ask("GET", f"/v1/sessions/{session['id']}/history?after=1")["entries"]]


def test_a_reload_without_the_service_shows_the_last_screen_and_sends_what_waited(page, site, predicting):
    tab, session = begun(page, site, predicting, remember=True)
    with away(page.context, predicting):
        tab.tap(1)
        tab.tap(2)
        tab.shows("profileHome waiting 2 revision 1")
        stored(page, "kept.pending.length === 2")
        left = record(page)
        tab.load()
        assert tab.open("resume", baseURL=predicting.url) == session
        assert tab.drawn[0].startswith("profileHome waiting 2 revision 1"), (left, record(page), tab.drawn, page.evaluate("window.notices"))
        print(f"shown {page.evaluate('window.took'):.1f} ms after the page asked for it")
        tab.shows("predicts true")
        tab.tap(0)
        tab.shows("restaurantList waiting 3")
    tab.shows("restaurantList waiting 0 revision 4")
    assert tabs_of(predicting, session) == [1, 2, 0]


def test_a_reload_before_the_lock_is_free_shows_the_last_screen_at_once(page, site, predicting):
    tab, session = begun(page, site, predicting, remember=True)
    holder = Tab(page.context.new_page(), site)
    with away(page.context, predicting):
        tab.tap(1)
        tab.shows("orderList waiting 1")
        stored(page, "kept.pending.length === 1")
        # This page simulates an earlier page whose lock the browser has not released yet. The tab gets the lock when the earlier page has ended.
        holder.page.evaluate("""async () => {
          const [{ name }] = (await navigator.locks.query()).held;
          navigator.locks.request(name, () => new Promise((free) => { window.free = free; }));
        }""")
        tab.load()
        holder.page.wait_for_function("window.free !== undefined")
        assert tab.open("resume", baseURL=predicting.url) == session
        holder.page.evaluate("window.free()")
        tab.shows("predicts true")
        assert [text for text in tab.drawn if not text.startswith("orderList waiting 1 revision 1")] == []
    tab.shows("orderList waiting 0 revision 2")
    assert tabs_of(predicting, session) == [1]


def test_two_tabs_show_each_others_taps_and_one_of_them_posts(page, site, predicting):
    tab, session = begun(page, site, predicting)
    other = Tab(page.context.new_page(), site)
    posts = {tab: [], other: []}
    for each in posts:
        each.page.on("request", lambda request, each=each: posts[each].append(request.url) if request.method == "POST" else None)
    other.open("connect", baseURL=predicting.url, **session)
    other.tap(1)
    for each in (tab, other):
        each.shows("orderList waiting 0 revision 2")
    tab.tap(2)
    other.shows("profileHome waiting 0 revision 3")
    assert [len(sent) for sent in posts.values()] == [2, 0]
    assert tabs_of(predicting, session) == [1, 2]


def test_when_the_leading_tab_is_closed_the_other_one_sends_what_waits_once(page, site, predicting):
    tab, session = begun(page, site, predicting)
    other = Tab(page.context.new_page(), site)
    other.open("connect", baseURL=predicting.url, **session)
    with away(page.context, predicting):
        tab.tap(1)
        other.tap(2)
        other.shows("profileHome waiting 2")
        stored(page, "kept.pending.length === 2")
        tab.page.close()
        other.tap(0)
        other.shows("restaurantList waiting 3")
    other.shows("restaurantList waiting 0 revision 4")
    assert tabs_of(predicting, session) == [1, 2, 0]


def test_with_a_full_disk_all_is_in_memory_which_is_said_once(page, site, predicting):
    page.add_init_script("""
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...given) {
        if (window.isFull) throw new DOMException("no space", "QuotaExceededError");
        return put.apply(this, given);
      };""")
    tab, session = begun(page, site, predicting)
    page.evaluate("window.isFull = true")
    tab.tap(1)
    tab.shows("orderList waiting 0 revision 2")
    tab.tap(2)
    tab.shows("profileHome waiting 0 revision 3")
    assert page.evaluate("window.notices") == ["the browser's storage is full: a reload of this page loses the actions that are not sent yet"]
    assert tabs_of(predicting, session) == [1, 2]


def test_a_session_begins_without_the_service_and_is_created_when_it_is_back(page, site, predicting):
    tab, _ = begun(page, site, predicting)
    tab.page.evaluate("window.session.close()")
    tab.load()
    with away(page.context, predicting):
        local = tab.open("start", baseURL=predicting.url, app="delivery")
        assert local["id"].startswith("local-")
        tab.shows("restaurantList")
        tab.tap(1)
        tab.shows("orderList waiting 1")
        # Offline, the client waits up to a minute between attempts, or until it is notified of the network.
    page.evaluate("window.dispatchEvent(new Event('online'))")
    tab.shows("orderList waiting 0 revision 2")
    session = page.evaluate("({ id: window.session.id })")
    assert tabs_of(predicting, session) == [1]

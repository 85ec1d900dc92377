"""A failover to a standby that has not received the newest commits, while clients listen at both nodes."""

import http.client
import json
import threading
import time

# The numbers of sessions, of values that the standby has, of values that it lacks, and of values after the failover.
SESSIONS, KEPT, LOST, LATER = 4, 3, 5, 8
PATIENCE = 30


def check_listener(name, events, tags, value):
    """Returns the faults of a listener. `events`: pairs of an id and the value known at that time, beginning with the last `reset`. `tags`: the service's
    tags by revision. `value`: the service's value at the end."""
    faults = []
    for place, (tag, _) in enumerate(events):
        revision = int(tag.split("-")[0])
        if tags.get(revision) != tag:
            faults.append(f"{name}: received {tag}, and the service has {tags.get(revision)} there")
        if place and revision != int(events[place - 1][0].split("-")[0]) + 1:
            faults.append(f"{name}: received {tag} after {events[place - 1][0]}")
    if not events or events[-1][0] != tags[max(tags)]:
        faults.append(f"{name}: ends at {events[-1][0] if events else 'nothing'}, the service at {tags[max(tags)]}")
    elif events[-1][1] != value:
        faults.append(f"{name}: ends with the value {events[-1][1]}, the service with {value}")
    return faults


def selftest():
    """The number of planted faults. Ends the program unless all of them are found and a correct listener passes."""
    tags = {revision: f"{revision}-new" if revision > 4 else f"{revision}-old" for revision in range(1, 8)}
    right = [("4-old", 4), ("5-new", 50), ("6-new", 60), ("7-new", 70)]
    planted = {
        "goes on over lost entries": [("4-old", 4), ("5-old", 5), ("6-old", 6), ("7-new", 70)],
        "stays at a lost entry": [("4-old", 4), ("5-old", 5), ("6-old", 6)],
        "misses an entry": [("4-old", 4), ("6-new", 60), ("7-new", 70)],
        "is behind": right[:-1],
        "has another value": [*right[:-1], ("7-new", 7)],
        "received nothing": [],
    }
    if check_listener("right", right, tags, 70):
        raise SystemExit(f"a right listener is rejected: {check_listener('right', right, tags, 70)}")
    missed = [name for name, events in planted.items() if not check_listener(name, events, tags, 70)]
    if missed:
        raise SystemExit(f"not found of listeners: {', '.join(missed)}")
    return len(planted)


class Listener(threading.Thread):
    """Reads the stream of a session, and reconnects with the last id when it ends."""

    def __init__(self, name, port, session, secret):
        super().__init__(daemon=True)
        self.name, self.port, self.session, self.secret = name, port, session, secret
        # The events since the last `reset`, as pairs of an id and a value.
        self.events, self.resets = [], 0
        self.changed, self.over = threading.Condition(), False

    def run(self):
        while not self.over:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            headers = {"Authorization": f"Bearer {self.secret}"}
            if self.events:
                headers["Last-Event-ID"] = self.events[-1][0]
            try:
                connection.request("GET", f"/v1/sessions/{self.session}/events", headers=headers)
                self.read(connection.getresponse())
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)
            finally:
                connection.close()

    def read(self, response):
        event = {}
        while line := response.readline():
            name, _, text = line.decode().rstrip("\n").partition(": ")
            if name:
                event[name] = text
            elif event:
                self.take(event)
                event = {}

    def take(self, event):
        with self.changed:
            if event.get("event") == "reset":
                self.events = [(event["id"], json.loads(event["data"])["facts"].get("value"))]
                self.resets += 1
            elif event.get("event") == "change":
                self.events.append((event["id"], json.loads(event["data"])["cause"]["set"]["value"]))
            self.changed.notify_all()

    def wait(self, newest, end):
        """Waits until the listener has received an id, or until a time has passed. Returns whether the id has arrived."""
        with self.changed:
            return self.changed.wait_for(lambda: self.events and self.events[-1][0] == newest, max(0, end - time.monotonic()))


def tag(node, session, secret, revision=None):
    """The service's tag of a revision, or of the newest revision, and the value at this revision."""
    connection = http.client.HTTPConnection("127.0.0.1", node.port, timeout=15)
    query = f"?revision={revision}" if revision else ""
    connection.request("GET", f"/v1/sessions/{session}{query}", headers={"Authorization": f"Bearer {secret}"})
    response = connection.getresponse()
    body = json.loads(response.read())
    connection.close()
    if response.status != 200:
        raise SystemExit(f"revision {revision} of {session} is answered with {response.status}: {body}")
    return response.headers["ETag"].strip('"'), body["facts"].get("value")


class Poll(threading.Thread):
    """Sends one long poll for a revision after a known one, and keeps the status of the response."""

    def __init__(self, node, session, secret, known):
        super().__init__()
        self.arguments = ("GET", f"/v1/sessions/{session}?wait={PATIENCE}s"), {
            "secret": secret, "timeout": 2 * PATIENCE, "headers": {"If-None-Match": f'"{known}"'}}
        self.node, self.status = node, None

    def run(self):
        (method, path), options = self.arguments
        self.status = self.node.call(method, path, **options)[0]


def start(polls):
    """Starts the polls, and waits until all of them wait for a change. A request that reads its session while the database stops is answered with 503."""
    for poll in polls:
        poll.start()
    counts = {poll.node: sum(other.node is poll.node for other in polls) for poll in polls}
    end = time.monotonic() + PATIENCE
    while any(node.metric("cairn_waiting") != count for node, count in counts.items()):
        if time.monotonic() > end:
            raise SystemExit(f"not all of {len(polls)} long polls wait after {PATIENCE} s")
        time.sleep(0.02)


def post(node, session, secret, values):
    """Posts each value until it is acknowledged. The database may be unavailable for a moment."""
    for value in values:
        end = time.monotonic() + PATIENCE
        while node.call("POST", f"/v1/sessions/{session}/actions", {"type": "facts", "set": {"value": value}}, secret)[0] != 200:
            if time.monotonic() > end:
                raise SystemExit(f"a post at {node.port} is not answered with 200 after {PATIENCE} s")
            time.sleep(0.05)


def run(database, nodes, make_session):
    """Fails over while clients listen. Returns the faults."""
    sessions = [make_session() for _ in range(SESSIONS)]
    listeners = []
    for session, secret in sessions:
        post(nodes[0], session, secret, range(1, 1 + KEPT))
        listeners += [(Listener(f"{session} at {node.port}", node.port, session, secret), node) for node in nodes]
    for listener, _ in listeners:
        listener.start()
    database.wait_for_standby()
    database.cut_off()
    for place, (session, secret) in enumerate(sessions):
        # Half of the values are posted at each node.
        post(nodes[place % 2], session, secret, range(100, 100 + LOST))
    faults, polls, end = [], [], time.monotonic() + PATIENCE
    for listener, node in listeners:
        known = tag(node, listener.session, listener.secret)[0]
        if not listener.wait(known, end):
            faults.append(f"{listener.name}: did not receive {known} before the failover")
        polls.append(Poll(node, listener.session, listener.secret, known))
    start(polls)
    database.fail_over(waits=False)
    for node in nodes:
        node.wait(PATIENCE, "/readyz")
    # The first session gets no further post, so its listeners can only notice the failover itself.
    for place, (session, secret) in enumerate(sessions[1:]):
        post(nodes[place % 2], session, secret, range(200, 200 + (1 if place == 0 else LATER)))
    end = time.monotonic() + PATIENCE
    for session, secret in sessions:
        newest, value = tag(nodes[0], session, secret)
        tags = {}
        for revision in range(1, int(newest.split("-")[0]) + 1):
            tags[revision] = tag(nodes[0], session, secret, revision)[0]
        for listener, _ in listeners:
            if listener.session == session:
                listener.wait(newest, end)
                faults += check_listener(listener.name, listener.events, tags, value)
                if listener.resets != 2:
                    faults.append(f"{listener.name}: received reset {listener.resets} times instead of at the beginning and after the loss")
    for poll in polls:
        poll.join()
        if poll.status != 200:
            faults.append(f"a request that waited at {poll.node.port} behind a lost revision was answered with {poll.status}")
    for node in nodes:
        lost = node.metric("cairn_lost_revisions_total")
        if lost < SESSIONS:
            faults.append(f"the node at {node.port} counts {lost:.0f} lost revisions instead of at least {SESSIONS}")
    for listener, _ in listeners:
        listener.over = True
    print(f"a failover that lost {SESSIONS * LOST} acknowledged actions: {len(listeners)} listeners, {len(polls)} waiting requests, "
          f"{len(faults)} faults", flush=True)
    return faults

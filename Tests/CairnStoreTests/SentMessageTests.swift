import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Messages of a session` {
  let journal = MemoryJournal()

  private func bench(token: String? = nil, ttl: Int? = nil) throws -> StoreBench {
    let bench = try StoreBench(journal)
    try bench.create("a", definition: Trial.pinned(ttl: ttl), creation: Creation(hasToken: token != nil), accessToken: token)
    return bench
  }

  private static func submit(_ key: String, _ amount: Int = 5) -> Command {
    Trial.step("submit", ["key": .string(key), "amount": .integer(amount)])
  }

  private func load(_ bench: StoreBench, _ index: Int) throws -> LoadCall {
    guard case .load(let load) = try bench.outbound.call(index) else { throw NeverCame() }
    return load
  }

  @Test func `two calls with one key send one request`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Self.submit("7"), Self.submit("7"), to: "a")
    let call = try load(bench, 0)
    #expect(call.method == .post && call.body == ["amount": 5] && call.identity != nil)
    try bench.post(Self.submit("7"), to: "a")
    try bench.outbound.end(0, .json(["receipt": 1]))
    try bench.settle()
    #expect(bench.outbound.count == 1)
    #expect(try bench.session("a").pages == [0, 200])
    #expect(try bench.session("a").state.endedMessages.map(\.key) == ["7"])
  }

  @Test func `messages are sent one after the other`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Self.submit("1"), Self.submit("2", 6), to: "a")
    _ = try load(bench, 0)
    try bench.settle()
    #expect(bench.outbound.count == 1)
    try bench.outbound.end(0, .json(.null))
    #expect(try load(bench, 1).body == ["amount": 6])
    try bench.outbound.end(1, .json(.null))
    try bench.settle()
    #expect(bench.outbound.count == 2)
  }

  @Test func `after an unknown end the same message is repeated, and after a refusal a new one is sent`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Self.submit("7"), to: "a")
    let first = try load(bench, 0)
    try bench.outbound.end(0, .failed("timeout"))
    try bench.settle()
    try bench.post(Self.submit("7"), to: "a")
    let second = try load(bench, 1)
    #expect(second.identity == first.identity)
    try bench.outbound.end(1, .failed("http-status: 402"))
    try bench.settle()
    try bench.post(Self.submit("7", 8), to: "a")
    let third = try load(bench, 2)
    #expect(third.identity != first.identity && third.body == ["amount": 8])
    #expect(try bench.session("a").pages == [0, 404, 404])
  }

  @Test func `a temporary failure is retried with the same header`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Self.submit("7"), to: "a")
    let first = try load(bench, 0)
    try bench.outbound.end(0, .interrupted("http-status: 503", wait: nil))
    try bench.settle()
    bench.clock.advance(by: 2_000)
    #expect(try load(bench, 1).identity == first.identity)
  }

  @Test func `a retry attempts a message at once, and sends no second request beside one that was sent`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Self.submit("7"), to: "a")
    let first = try load(bench, 0)
    try bench.outbound.end(0, .interrupted("http-status: 503", wait: nil))
    try bench.settle()
    bench.clock.advance(by: 1)
    try bench.settle()
    #expect(bench.outbound.count == 1)
    try bench.post(.action(.retry(key: "7")), to: "a")
    #expect(try load(bench, 1).identity == first.identity)
    bench.clock.advance(by: 1)
    try bench.post(.action(.retry(key: "7")), to: "a")
    try bench.settle()
    #expect(bench.outbound.count == 2)
    try bench.outbound.end(1, .json(["receipt": 1]))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 200])
  }

  @Test func `a message is sent again after a restart, with the same header`() throws {
    let first = try bench()
    try first.post(Self.submit("7"), to: "a")
    let call = try load(first, 0)
    first.store.stop()
    journal.reopen()
    let second = try StoreBench(journal, clock: ManualClock())
    defer { second.store.stop() }
    #expect(try load(second, 0) == call)
    try second.outbound.end(0, .json(.null))
    try second.settle()
    #expect(try second.session("a").pages == [0, 200])
  }

  @Test func `the token as of the call is sent, even after a logout, and is deleted with the message`() throws {
    let bench = try bench(token: "old")
    defer { bench.store.stop() }
    try bench.post(Self.submit("1"), Trial.step("submitOwn", ["key": "2"]), Trial.step("logOut"), to: "a")
    #expect(journal.secrets(of: "a") == [.code(effect: 2): "old"])
    try bench.outbound.end(0, .json(.null))
    #expect(try load(bench, 1).bearer == "old")
    try bench.outbound.end(1, .failed("http-status: 401"))
    try bench.settle()
    #expect(journal.secrets(of: "a") == [:])
    // The step `unauthorized` of the definition is not sent.
    #expect(try bench.session("a").pages == [0, 200, 404])
  }

  @Test func `a message without a token at the time of its call fails and is not sent`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("submitOwn", ["key": "2"]), to: "a")
    try bench.settle()
    try bench.settle()
    #expect(bench.outbound.count == 0)
    #expect(try bench.session("a").pages == [0, 404])
  }

  @Test func `a secret in the body is sealed and is deleted after the end of the message`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("submitPin", ["key": "7", "pin": "1234"]), to: "a")
    #expect(try load(bench, 0).body == ["pin": "1234"])
    #expect(Array(journal.secrets(of: "a").values) == ["1234"])
    try bench.undo("a", to: 1)
    #expect(Array(journal.secrets(of: "a").values) == ["1234"])
    try bench.outbound.end(0, .json(.null))
    try bench.settle()
    #expect(journal.secrets(of: "a") == [:])
  }

  @Test func `an undo does not cancel the request`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.page(1), Self.submit("7"), to: "a")
    _ = try load(bench, 0)
    try bench.undo("a", to: 1)
    try bench.outbound.end(0, .json(.null))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 200])
    try bench.undo("a", to: 1)
    try bench.post(Self.submit("7"), to: "a")
    try bench.settle()
    #expect(bench.outbound.count == 1)
    #expect(try bench.session("a").pages == [0, 200])
  }

  @Test func `a session with a message that has not ended does not expire`() throws {
    let bench = try bench(ttl: 60_000)
    defer { bench.store.stop() }
    #expect(try bench.session("a").expiresAt(nil) != nil)
    try bench.post(Self.submit("7"), to: "a")
    #expect(try bench.session("a").expiresAt(nil) == nil)
    try bench.outbound.end(0, .json(.null))
    try bench.settle()
    #expect(try bench.session("a").expiresAt(nil) != nil)
  }

  @Test func `a session with a message lives on while the service is down for longer than its time to live`() throws {
    let clock = ManualClock()
    let first = try StoreBench(journal, clock: clock)
    for id in ["a", "b"] { try first.create(id, definition: Trial.pinned(ttl: 60_000)) }
    try first.post(Self.submit("7"), to: "a")
    let call = try load(first, 0)
    first.store.stop()
    clock.advance(by: 600_000)
    journal.reopen()
    let second = try StoreBench(journal, clock: clock)
    defer { second.store.stop() }
    // The other session has expired, so the search for expired sessions has run.
    try wait(until: { (try? second.session("b")) == nil })
    let again = try load(second, 0)
    #expect(again.identity == call.identity && again.body == call.body)
    try second.outbound.end(0, .json(.null))
    try second.settle()
    #expect(try second.session("a").pages == [0, 200])
  }

  @Test func `a migration keeps a message whose steps exist`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Self.submit("7"), to: "a")
    _ = try load(bench, 0)
    try bench.keep(Trial.migration(from: Trial.pinned(), to: Trial.second()))
    try bench.migrate("a")
    try bench.outbound.end(0, .json(.null))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 200])
    #expect(bench.outbound.count == 1)
  }
}

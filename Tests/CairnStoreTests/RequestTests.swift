import CairnCore
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Retries and polling of requests` {
  let journal = MemoryJournal()

  private func bench(token: String? = nil, clock: ManualClock = ManualClock(), manual: Bool = false) throws -> StoreBench {
    let bench = try StoreBench(journal, clock: clock)
    try bench.create("a", creation: Creation(hasToken: token != nil, manualClock: manual), accessToken: token)
    return bench
  }

  private func load(_ call: OutboundCall) throws -> LoadCall {
    guard case .load(let load) = call else { throw NeverCame() }
    return load
  }

  @Test func `a POST sends its body, its identity and the time that is left`() throws {
    let bench = try bench(token: "t")
    defer { bench.store.stop() }
    try bench.post(Trial.step("payOwn"), to: "a")
    let call = try load(bench.outbound.call(0))
    #expect(call.method == .post && call.url == Trial.feed && call.bearer == "t" && call.body == ["amount": 7])
    #expect(call.identity == "a/1/1000000")
    #expect(call.time == 60_000)
  }

  @Test func `a temporary failure is retried after a pause that doubles, with the same identity, without writing in between`()
    throws
  {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("pay"), to: "a")
    let revision = try bench.session("a").state.revision
    let first = try load(bench.outbound.call(0))
    try bench.outbound.end(0, .interrupted("http-status: 503", wait: nil))
    try bench.settle()
    bench.clock.advance(by: 999)
    try bench.settle()
    #expect(bench.outbound.count == 1)
    // The jitter adds up to a quarter of the pause.
    bench.clock.advance(by: 251)
    let second = try load(bench.outbound.call(1))
    #expect(second.identity == first.identity && second.body == first.body)
    #expect(second.time == 58_750)
    try bench.outbound.end(1, .interrupted("unreachable: nobody listens there", wait: nil))
    try bench.settle()
    bench.clock.advance(by: 1_999)
    try bench.settle()
    #expect(bench.outbound.count == 2)
    #expect(try bench.session("a").state.revision == revision)
    bench.clock.advance(by: 501)
    _ = try bench.outbound.call(2)
    // Two further attempts are the limit.
    try bench.outbound.end(2, .interrupted("http-status: 503", wait: nil))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 404])
    #expect(try bench.session("a").state.revision == revision + 1)
  }

  @Test func `a retry waits as long as the server requests, or fails at once if the time does not suffice`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("pay"), to: "a")
    try bench.outbound.end(0, .interrupted("http-status: 429", wait: 30_000))
    try bench.settle()
    bench.clock.advance(by: 29_999)
    try bench.settle()
    #expect(bench.outbound.count == 1)
    bench.clock.advance(by: 7_501)
    #expect(try load(bench.outbound.call(1)).time == 22_500)
    try bench.outbound.end(1, .interrupted("http-status: 429", wait: 30_000))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 404])
  }

  @Test func `two requests that fail at the same moment are not retried at the same moment`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    for number in 0..<20 {
      try bench.create("s\(number)")
      try bench.post(Trial.step("pay"), to: "s\(number)")
      try bench.outbound.end(number, .interrupted("http-status: 503", wait: nil))
    }
    try bench.settle()
    bench.clock.advance(by: 1_125)
    // The store sends the calls of a round after its responses, so all calls have been sent at the second response.
    try bench.settle()
    try bench.settle()
    #expect((21...39).contains(bench.outbound.count))
    bench.clock.advance(by: 126)
    _ = try bench.outbound.call(39)
  }

  @Test func `on a manual clock a pause has no jitter`() throws {
    let bench = try bench(manual: true)
    defer { bench.store.stop() }
    try bench.post(Trial.step("pay"), to: "a")
    try bench.outbound.end(0, .interrupted("http-status: 503", wait: nil))
    try bench.settle()
    try bench.post(.advance(by: 999), to: "a")
    try bench.settle()
    #expect(bench.outbound.count == 1)
    try bench.post(.advance(by: 1), to: "a")
    _ = try bench.outbound.call(1)
  }

  @Test func `an interruption without retry ends the request`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("fetch"), to: "a")
    try bench.outbound.end(0, .interrupted("http-status: 503", wait: nil))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 404])
  }

  @Test func `a request keeps its identity and its deadline across a restart, and times out if no time is left`() throws {
    let clock = ManualClock()
    let first = try bench(clock: clock)
    try first.post(Trial.step("pay"), to: "a")
    let call = try load(first.outbound.call(0))
    first.store.stop()
    clock.advance(by: 20_000)
    journal.reopen()
    let second = try StoreBench(journal, clock: clock)
    let again = try load(second.outbound.call(0))
    #expect(again.identity == call.identity && again.body == call.body && again.method == .post)
    #expect(again.time == 40_000)
    second.store.stop()
    clock.advance(by: 60_000)
    journal.reopen()
    let third = try StoreBench(journal, clock: clock)
    defer { third.store.stop() }
    try third.settle()
    try third.settle()
    #expect(try third.session("a").pages == [0, 404])
    #expect(third.outbound.count == 0)
  }

  @Test func `advancing a manual clock ends the pause, and ends the request at its deadline`() throws {
    let bench = try bench(manual: true)
    defer { bench.store.stop() }
    try bench.post(Trial.step("pay"), to: "a")
    try bench.outbound.end(0, .interrupted("http-status: 503", wait: nil))
    try bench.settle()
    try bench.post(.advance(by: 999), to: "a")
    #expect(bench.outbound.count == 1)
    try bench.post(.advance(by: 1), to: "a")
    _ = try bench.outbound.call(1)
    try bench.post(.advance(by: 58_999), to: "a")
    #expect(try bench.session("a").pages == [0])
    try bench.post(.advance(by: 1), to: "a")
    #expect(try bench.session("a").pages == [0, 404])
    try bench.outbound.waitUntilGivenUp(1)
  }

  @Test func `polling repeats the request, only new values are written, and the final result runs its handler`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("watch"), to: "a")
    let revision = try bench.session("a").state.revision
    func answer(_ index: Int, _ result: OutboundResult) throws {
      try bench.outbound.end(index, result)
      try bench.settle()
      bench.clock.advance(by: 10_000)
    }
    try answer(0, .json(["state": "new"]))
    #expect(try bench.session("a").state.revision == revision + 1)
    try answer(1, .json(["state": "new"]))
    // A temporary failure and a missing response are ignored, and polling continues.
    try answer(2, .interrupted("http-status: 503", wait: nil))
    try answer(3, .failed("timeout"))
    _ = try bench.outbound.call(4)
    #expect(try bench.session("a").state.revision == revision + 1)
    #expect(try bench.session("a").pages == [0])
    try bench.outbound.end(4, .json(["state": "done"]))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 200])
    bench.clock.advance(by: 60_000)
    try bench.settle()
    #expect(bench.outbound.count == 5)
  }

  @Test func `polling goes on after a restart, and ends with its node`() throws {
    let clock = ManualClock()
    let first = try bench(clock: clock)
    try first.post(Trial.step("watch"), to: "a")
    try first.outbound.end(0, .json(["state": "new"]))
    try first.settle()
    first.store.stop()
    clock.advance(by: 3_600_000)
    journal.reopen()
    let second = try StoreBench(journal, clock: clock)
    defer { second.store.stop() }
    _ = try second.outbound.call(0)
    try second.outbound.end(0, .failed("http-status: 404"))
    try second.settle()
    #expect(try second.session("a").pages == [0, 404])
    clock.advance(by: 60_000)
    try second.settle()
    #expect(second.outbound.count == 1)
  }

  @Test func `a 401 is reported once per token, and never for an old token`() throws {
    let bench = try bench(token: "old")
    defer { bench.store.stop() }
    try bench.post(Trial.step("openPage", ["n": 1]), to: "a")
    try bench.post(Trial.step("payOwn"), to: "a")
    try bench.post(Trial.step("openPage", ["n": 2]), to: "a")
    try bench.post(Trial.step("payOwn"), to: "a")
    _ = try bench.outbound.call(1)
    try bench.outbound.end(0, .failed("http-status: 401"))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 1, 2, 404, 401])
    // The other request was sent with the old token. It is repeated, because a new token exists.
    try bench.post(.token("new"), to: "a")
    try bench.outbound.end(1, .failed("http-status: 401"))
    let again = try load(bench.outbound.call(2))
    #expect(again.bearer == "new" && again.method == .post)
    #expect(try bench.session("a").pages == [0, 1, 2, 404, 401])
    // A 401 for a new token is reported again.
    try bench.outbound.end(2, .failed("http-status: 401"))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 1, 2, 404, 401, 404, 401])
  }
}

import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Outgoing calls` {
  let journal = MemoryJournal()
  private let environment = ["TRIAL_BASE_URL": "http://trial.example", "TRIAL_CLIENT_ID": "id"]
  private let login = Command.login(code: "c-1", state: nil, byOperator: true)

  private func bench(token: String? = nil, limits: StoreLimits = StoreLimits()) throws -> StoreBench {
    let bench = try StoreBench(journal, limits: limits)
    try bench.create("a", creation: Creation(hasToken: token != nil, environment: environment), accessToken: token)
    return bench
  }

  @Test func `a load with bearer carries the session's token, and another load does not`() throws {
    let bench = try bench(token: "t")
    defer { bench.store.stop() }
    try bench.post(Trial.step("fetchOwn"), to: "a")
    #expect(try bench.outbound.call(0) == .get(url: Trial.feed, bearer: "t"))
    try bench.outbound.end(0, .json(1))
    try bench.post(Trial.step("fetch"), to: "a")
    #expect(try bench.outbound.call(1) == .get(url: Trial.feed, bearer: nil))
  }

  @Test(arguments: [nil, "", "two words", "a\nb"]) func `a load with bearer and no usable token fails and is not sent`(_ token: String?)
    throws
  {
    let bench = try bench(token: token)
    defer { bench.store.stop() }
    try bench.post(Trial.step("fetchOwn"), to: "a")
    try bench.settle()
    try bench.settle()
    // A token that cannot be sent has the same effect as one that the API rejects.
    #expect(try bench.session("a").pages == (token == nil ? [0, 404] : [0, 404, 401]))
    #expect(bench.outbound.count == 0)
    #expect(bench.events == [.callFailed(session: "a", effect: 1, reason: "no-token: the session has no usable access token")])
  }

  @Test func `the result of a load is written as an entry`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("fetch"), to: "a")
    try bench.outbound.end(0, .json(["news": [1, 2]]))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 200])
    #expect(
      try bench.history(of: "a").items.last?.entry.cause == .action(.effect(id: 1, .loaded(["news": [1, 2]]))))
  }

  @Test func `a failed load runs the failure handler of its definition, and is reported`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("fetch"), to: "a")
    try bench.outbound.end(0, .failed("http-status: 503"))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 404])
    #expect(bench.events == [.callFailed(session: "a", effect: 1, reason: "http-status: 503")])
  }

  @Test func `a call that is no longer needed is cancelled, and its result is ignored`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("fetch"), to: "a")
    _ = try bench.outbound.call(0)
    try bench.post(Trial.step("quiet"), to: "a")
    try bench.outbound.waitUntilGivenUp(0)
    let revision = try bench.session("a").state.revision
    try bench.outbound.end(0, .json(1))
    try bench.settle()
    #expect(try bench.session("a").state.revision == revision)
    #expect(bench.events.isEmpty)
  }

  @Test func `a call that was interrupted by the end of the service runs again`() throws {
    let first = try bench(token: "t")
    try first.post(Trial.step("fetchOwn"), login, to: "a")
    _ = try first.outbound.call(1)
    first.store.stop()
    try first.outbound.waitUntilGivenUp(0)
    try first.outbound.waitUntilGivenUp(1)

    journal.reopen()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    let calls = try Set([bench.outbound.call(0), bench.outbound.call(1)])
    let oauth = try #require(Trial.definition().oauth)
    #expect(
      calls == [
        .get(url: Trial.feed, bearer: "t"), .exchange(oauth, environment: environment, code: "c-1"),
      ])
  }

  @Test func `a successful token call sets the token and deletes its code`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    let posted = try bench.post(login, to: "a")
    #expect(posted.performed.map(\.transition.outcome) == [.pending])
    #expect(journal.secrets(of: "a") == [.code(effect: 1): "c-1"])
    let oauth = try #require(Trial.definition().oauth)
    #expect(try bench.outbound.call(0) == .exchange(oauth, environment: environment, code: "c-1"))
    try bench.outbound.end(0, .token("fresh"))
    try bench.settle()
    let state = try bench.session("a").state
    #expect(state.facts[FactDefinition.accessToken] == true)
    #expect(state.login == Login(status: .loggedIn))
    #expect(journal.secrets(of: "a") == [.token: "fresh"])
    #expect(!"\(try bench.history(of: "a"))".contains("fresh"))
    #expect(!"\(try bench.history(of: "a"))".contains("c-1"))
    #expect(!"\(state)".contains("fresh"))
  }

  @Test func `a failed token call deletes its code and can be repeated`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(login, to: "a")
    try bench.outbound.end(0, .failed("timeout"))
    try bench.settle()
    #expect(try bench.session("a").state.login == Login(status: .failed, reason: "timeout"))
    #expect(journal.secrets(of: "a").isEmpty)
    try bench.post(login, to: "a")
    try bench.outbound.end(1, .token("fresh"))
    try bench.settle()
    #expect(journal.secrets(of: "a") == [.token: "fresh"])
  }

  @Test func `logout cancels the token call, and deletes code and token`() throws {
    let bench = try bench(token: "old")
    defer { bench.store.stop() }
    try bench.post(login, to: "a")
    _ = try bench.outbound.call(0)
    #expect(journal.secrets(of: "a") == [.token: "old", .code(effect: 1): "c-1"])
    try bench.post(.action(.logout), to: "a")
    #expect(journal.secrets(of: "a").isEmpty)
    try bench.outbound.waitUntilGivenUp(0)
    try bench.outbound.end(0, .token("late"))
    try bench.settle()
    #expect(try bench.session("a").state.facts[FactDefinition.accessToken] == nil)
    #expect(journal.secrets(of: "a").isEmpty)
  }

  @Test func `a code that is posted and withdrawn in one request is never stored`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(login, .action(.logout), to: "a")
    try bench.settle()
    #expect(journal.secrets(of: "a").isEmpty)
    #expect(bench.outbound.count == 0)
  }

  @Test func `a posted token is stored, and a second one replaces it`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(.token("one"), to: "a")
    #expect(journal.secrets(of: "a") == [.token: "one"])
    try bench.post(.token("two"), to: "a")
    #expect(journal.secrets(of: "a") == [.token: "two"])
  }

  @Test func `a response of the wrong type is a failure`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(login, to: "a")
    try bench.outbound.end(0, .json("stray"))
    try bench.post(Trial.step("fetch"), to: "a")
    try bench.outbound.end(1, .token("stray"))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 404])
    #expect(try bench.session("a").state.login.status == .failed)
    #expect(journal.secrets(of: "a").isEmpty)
  }

  @Test func `the number of simultaneous calls is bounded, and the other calls wait`() throws {
    // A quarter of the 8 calls may go to one host of an app.
    let bench = try bench(limits: StoreLimits(calls: 8))
    defer { bench.store.stop() }
    for id in ["b", "c", "d", "e"] {
      try bench.create(id)
      try bench.post(Trial.step("fetch"), to: id)
    }
    try bench.settle()
    #expect(bench.outbound.count == 2)
    try bench.post(Trial.step("quiet"), to: "d")
    try bench.outbound.end(0, .json(1))
    _ = try bench.outbound.call(2)
    try bench.outbound.end(2, .json(1))
    try bench.settle()
    #expect(try bench.session("b").pages == [0, 200])
    #expect(try bench.session("e").pages == [0, 200])
    #expect(bench.outbound.count == 3)
  }

  @Test func `a host that keeps failing is not called for a while, and is then tried again`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    for number in 0..<10 {
      try bench.create("s\(number)")
      try bench.post(Trial.step("fetch"), to: "s\(number)")
      try bench.outbound.end(number, .failed(number % 2 == 0 ? "timeout" : "unreachable: nobody listens there"))
    }
    try bench.create("early")
    try bench.settle()
    // The writer updates its figures after publishing the commit.
    try wait(for: "the host to be left alone") { bench.store.figures.restingUpstreams == 1 }
    try bench.post(Trial.step("fetch"), to: "early")
    // The call ends at once without being sent, and its end is an entry.
    try wait(for: "the call to end without leaving") { (try? bench.session("early").pages) == [0, 404] }
    #expect(bench.outbound.count == 10)
    bench.clock.advance(by: 1_000)
    try bench.create("late")
    try bench.post(Trial.step("fetch"), to: "late")
    try bench.outbound.end(10, .failed("http-status: 500"))
    try bench.settle()
    try wait(for: "the host to be left alone no more") { bench.store.figures.restingUpstreams == 0 }
    try bench.post(Trial.step("fetch"), to: "a")
    _ = try bench.outbound.call(11)
    try wait(for: "one call that runs") { bench.store.figures.calls.byApp["trial"]?.running == 1 }
  }

  @Test func `hanging calls of one app do not delay the calls of another app`() throws {
    let bench = try bench(limits: StoreLimits(calls: 8))
    defer { bench.store.stop() }
    for number in 0..<20 {
      try bench.create("s\(number)")
      try bench.post(Trial.step("fetch"), to: "s\(number)")
    }
    try bench.settle()
    #expect(bench.outbound.count == 2)
    try bench.create("other", definition: Trial.pinned("other"))
    try bench.post(Trial.step("fetch"), to: "other")
    _ = try bench.outbound.call(2)
    try bench.settle()
    let calls = bench.store.figures.calls.byApp
    #expect(calls["other"]?.running == 1 && calls["other"]?.waiting == 0)
    #expect(calls["trial"]?.running == 2 && calls["trial"]?.waiting == 18)
  }

  @Test func `a cancelled call frees its slot for the next call`() throws {
    let bench = try bench(limits: StoreLimits(calls: 1))
    defer { bench.store.stop() }
    try bench.create("b")
    try bench.post(Trial.step("fetch"), to: "a")
    try bench.post(Trial.step("fetch"), to: "b")
    try bench.delete("a")
    _ = try bench.outbound.call(1)
  }
}

import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Refreshes of a token` {
  let journal = MemoryJournal()
  let clock = ManualClock()

  /// A session that has logged in with the token t1, which expires after a minute, and with the refresh token r1.
  private func bench() throws -> StoreBench {
    let bench = try StoreBench(journal, clock: clock)
    try bench.create("a", creation: Creation(environment: ["TRIAL_BASE_URL": "http://trial.example", "TRIAL_CLIENT_ID": "id"]))
    try bench.post(.login(code: "c", state: nil, byOperator: true), to: "a")
    try bench.outbound.end(0, .tokens(TokenSet("t1", refresh: "r1", lifetime: 60)))
    try bench.settle()
    return bench
  }

  /// Pushes a page, and starts a load with the token on that page.
  private func load(_ page: Int, _ bench: StoreBench) throws {
    try bench.post(Trial.page(page), Trial.step("fetchOwn"), to: "a")
    try bench.settle()
  }

  /// Returns when the service has processed a result and all messages that follow from it.
  private func calm(_ bench: StoreBench) throws { for _ in 0..<6 { try bench.settle() } }

  private func grant(_ call: OutboundCall) -> TokenCall.Grant? { if case .token(let call) = call { call.grant } else { nil } }

  private func own(_ token: String) -> OutboundCall { .get(url: Trial.feed, bearer: token) }

  @Test func `loads wait for one refresh of the expired token, and go with the new one`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try load(1, bench)
    #expect(try bench.outbound.call(1) == own("t1"))
    clock.advance(by: 60_000)
    try load(2, bench)
    try load(3, bench)
    #expect(try grant(bench.outbound.call(2)) == .refresh("r1"))
    try bench.settle()
    #expect(bench.outbound.count == 3)
    let before = try bench.session("a").state
    #expect(before.login == Login(status: .loggedIn) && before.facts[FactDefinition.accessToken] == true)
    try bench.outbound.end(2, .tokens(TokenSet("t2", refresh: "r2", lifetime: 60)))
    #expect(try [bench.outbound.call(3), bench.outbound.call(4)] == [own("t2"), own("t2")])
    #expect(try bench.session("a").pages == [0, 1, 2, 3])
    let history = "\(try bench.history(of: "a"))"
    for secret in ["t1", "t2", "r1", "r2"] { #expect(!history.contains("\"\(secret)")) }
    // The provider rotates refresh tokens, so the next refresh presents the new one.
    clock.advance(by: 60_000)
    try load(4, bench)
    #expect(try grant(bench.outbound.call(5)) == .refresh("r2"))
    // A response without a refresh token leaves the old one valid.
    try bench.outbound.end(5, .tokens(TokenSet("t3", lifetime: 60)))
    #expect(try bench.outbound.call(6) == own("t3"))
    clock.advance(by: 60_000)
    try load(5, bench)
    #expect(try grant(bench.outbound.call(7)) == .refresh("r2"))
  }

  @Test func `a load that is answered by 401 goes once more, with a refreshed token`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try load(1, bench)
    try bench.outbound.end(1, .failed("http-status: 401"))
    #expect(try grant(bench.outbound.call(2)) == .refresh("r1"))
    try bench.outbound.end(2, .tokens(TokenSet("t2", refresh: "r2", lifetime: 60)))
    #expect(try bench.outbound.call(3) == own("t2"))
    try bench.outbound.end(3, .failed("http-status: 401"))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 1, 404, 401])
    #expect(bench.outbound.count == 4)
  }

  @Test(arguments: ["invalid_grant: revoked", "http-status: 401", "malformed: token_type is not Bearer"])
  func `a refused refresh ends the login`(_ reason: String) throws {
    let bench = try bench()
    defer { bench.store.stop() }
    clock.advance(by: 60_000)
    try load(1, bench)
    try bench.outbound.end(1, .failed(reason))
    try calm(bench)
    let session = try bench.session("a")
    #expect(session.pages == [0, 1, 401, 404])
    #expect(session.state.login == Login(status: .failed, reason: reason))
    #expect(session.state.facts[FactDefinition.accessToken] == nil)
    #expect(journal.secrets(of: "a").isEmpty)
    #expect(bench.outbound.count == 2)
    #expect(bench.events.contains(.callFailed(session: "a", effect: 3, reason: reason)))
  }

  @Test(arguments: ["timeout", "unreachable: could not connect to the server", "http-status: 503"])
  func `after a temporary failure the loads fail, and the next one refreshes again`(_ reason: String) throws {
    let bench = try bench()
    defer { bench.store.stop() }
    clock.advance(by: 60_000)
    try load(1, bench)
    try bench.outbound.end(1, .failed(reason))
    try calm(bench)
    #expect(try bench.session("a").pages == [0, 1, 404])
    #expect(try bench.session("a").state.login == Login(status: .loggedIn))
    try load(2, bench)
    #expect(try grant(bench.outbound.call(2)) == .refresh("r1"))
  }

  @Test func `logout cancels the refresh and deletes all tokens`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    clock.advance(by: 60_000)
    try load(1, bench)
    _ = try bench.outbound.call(1)
    try bench.post(.action(.logout), to: "a")
    try bench.outbound.waitUntilGivenUp(1)
    try bench.outbound.end(1, .tokens(TokenSet("late", refresh: "later")))
    try calm(bench)
    #expect(journal.secrets(of: "a").isEmpty)
    #expect(try bench.session("a").state.login == Login(status: .loggedOut))
    #expect(try bench.session("a").pages == [0, 1, 404])
  }

  @Test func `a token that is set during a refresh is kept, and the waiting load goes with it`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    clock.advance(by: 60_000)
    try load(1, bench)
    _ = try bench.outbound.call(1)
    try bench.post(.token("own"), to: "a")
    try bench.outbound.waitUntilGivenUp(1)
    #expect(try bench.outbound.call(2) == own("own"))
    #expect(journal.secrets(of: "a") == [.token: "own"])
  }

  @Test func `a refresh that the end of the service interrupted is sent again, and its refusal ends the login`() throws {
    let first = try bench()
    clock.advance(by: 60_000)
    try load(1, first)
    #expect(try grant(first.outbound.call(1)) == .refresh("r1"))
    first.store.stop()
    journal.reopen()
    let bench = try StoreBench(journal, clock: clock)
    defer { bench.store.stop() }
    #expect(try grant(bench.outbound.call(0)) == .refresh("r1"))
    // The provider has already replaced r1 by new tokens, so it treats the second use of r1 as a theft (RFC 9700, 4.14).
    try bench.outbound.end(0, .failed("invalid_grant"))
    try calm(bench)
    #expect(try bench.session("a").state.login == Login(status: .failed, reason: "invalid_grant"))
    #expect(try bench.session("a").pages == [0, 1, 401, 404])
    #expect(bench.events.contains(.callFailed(session: "a", effect: 3, reason: "invalid_grant")))
    #expect(bench.outbound.count == 1)
  }
}

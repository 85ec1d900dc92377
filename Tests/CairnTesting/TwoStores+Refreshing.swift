import CairnCore
import CairnStore

// Tests tokens that expire while loads of both nodes need them.
extension TwoStores {
  /// Logs in the session s at A with the tokens t1 and r1, which expire, and starts a load at B.
  private static func expire(_ pair: Pair) throws {
    try pair.a.create("s", creation: Creation(environment: ["TRIAL_BASE_URL": "http://trial.example", "TRIAL_CLIENT_ID": "id"]))
    try pair.a.post(.login(code: "c", state: nil, byOperator: true), to: "s")
    try pair.a.outbound.end(0, .tokens(TokenSet("t1", refresh: "r1", lifetime: 60)))
    try pair.settle()
    pair.clock.advance(by: 60_000)
    // At this time, each node looks for effects that no node has begun. At a later time, a node could take over the refresh that A commits.
    try pair.settle()
  }

  private static func refresh(_ call: OutboundCall) -> String? {
    if case .token(let call) = call, case .refresh(let token) = call.grant { token } else { nil }
  }

  static let refreshCases: [Case] = [
    Case(description: "of two nodes whose loads need a fresh token one refreshes, and both loads go with its token") { pair in
      try expire(pair)
      try pair.a.post(Trial.page(1), Trial.step("fetchOwn"), to: "s")
      try expect(refresh(try pair.a.outbound.call(1)), "r1")
      try pair.b.post(Trial.page(2), Trial.step("fetchOwn"), to: "s")
      try pair.settle()
      try expect(pair.b.outbound.count, 0)
      try pair.a.outbound.end(1, .tokens(TokenSet("t2", refresh: "r2", lifetime: 60)))
      try expect(try pair.a.outbound.call(2), .get(url: Trial.feed, bearer: "t2"))
      pair.clock.advance(by: 1_000)
      try pair.settle()
      try expect(try pair.b.outbound.call(0), .get(url: Trial.feed, bearer: "t2"))
      try expect(pair.a.outbound.count, 3)
    },
    Case(description: "a node that loses the race for a refresh waits for that of the other one") { pair in
      try expire(pair)
      try pair.warm("s")
      // B begins its refresh before A's is committed.
      pair.beforeCommitsOfA(2) { number in
        guard number == 2 else { return }
        _ = try? pair.b.post(Trial.page(2), Trial.step("fetchOwn"), to: "s")
        _ = try? pair.b.outbound.call(0)
      }
      try pair.a.post(Trial.page(1), Trial.step("fetchOwn"), to: "s")
      try expect(refresh(try pair.b.outbound.call(0)), "r1")
      try pair.b.outbound.end(0, .tokens(TokenSet("t2", refresh: "r2", lifetime: 60)))
      try expect(try pair.b.outbound.call(1), .get(url: Trial.feed, bearer: "t2"))
      try pair.settle()
      pair.clock.advance(by: 1_000)
      try pair.settle()
      try expect(try pair.a.outbound.call(1), .get(url: Trial.feed, bearer: "t2"))
      try expect([pair.a.outbound.count, pair.b.outbound.count], [2, 2])
    },
    Case(description: "a redirect that both nodes receive is accepted once") { pair in
      try pair.a.create("s", creation: Creation(environment: ["TRIAL_REDIRECT_URL": "trial://cb", "TRIAL_CLIENT_ID": "id"]))
      try pair.a.post(Trial.step("signIn"), to: "s")
      guard let state = try pair.a.session("s").state.nodes.values.compactMap(\.authorization).first else {
        throw BrokenPromise(description: "no login page")
      }
      try pair.warm("s")
      let redirect = Command.open(url: "trial://cb?code=c&state=\(state)")
      let other = Command.open(url: "trial://cb?code=d&state=\(state)")
      pair.beforeCommitsOfA { _ in _ = try? pair.b.post(redirect, to: "s") }
      try expect(try pair.a.fault(redirect, to: "s").map { $0.word.contains("oauth-state-mismatch") }, true)
      try expect(try pair.b.fault(other, to: "s").map { $0.word.contains("oauth-state-mismatch") }, true)
      try pair.settle()
      try expect([pair.a.outbound.count, pair.b.outbound.count], [0, 1])
    },
  ]
}

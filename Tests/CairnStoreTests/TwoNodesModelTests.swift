import Testing

@Suite struct `Two nodes on one session, in every order, with a crash at each step` {
  /// Requests without a key, two at each node. Requests 4 and 5 are refused if request 3 at the other node precedes them.
  private static let plain: [TwoNodesModel.Request] = [
    .init(number: 3, node: 1), .init(number: 4, node: 0, isRefusedAfter: 3), .init(number: 5, node: 0, isRefusedAfter: 3),
    .init(number: 6, node: 1),
  ]
  /// A request with key 9 at each node, and two requests without a key, one of which is refused if the other one precedes it.
  private static let keyed: [TwoNodesModel.Request] = [
    .init(number: 1, node: 0, key: 9), .init(number: 2, node: 1, key: 9), .init(number: 3, node: 1),
    .init(number: 4, node: 0, isRefusedAfter: 3),
  ]
  /// A request with key 9 at each node, and two requests without a key. Request 3 causes the refusal of all requests that follow it.
  private static let refusals: [TwoNodesModel.Request] = [
    .init(number: 1, node: 0, key: 9, isRefusedAfter: 3), .init(number: 2, node: 1, key: 9, isRefusedAfter: 3), .init(number: 3, node: 1),
    .init(number: 4, node: 0, isRefusedAfter: 3),
  ]

  @Test func `no acknowledged commit is missing or performed twice, and no refusal relies on a stale state`() {
    for requests in [Self.plain, Self.keyed, Self.refusals] { #expect(TwoNodesModel().faults(of: requests) == []) }
  }

  @Test func `without the comparison of versions every promise can be broken`() {
    let faults = TwoNodesModel(checksVersions: false).faults(of: Self.plain)
    #expect(faults.isSuperset(of: ["acknowledged and missing", "refused by a stale state"]))
    #expect(TwoNodesModel(checksVersions: false, checksKeys: false).faults(of: Self.refusals).contains("performed twice"))
  }

  @Test func `without the check of keys a repetition can receive another response`() {
    #expect(TwoNodesModel(checksKeys: false).faults(of: Self.refusals) == ["two responses under one key"])
  }
}

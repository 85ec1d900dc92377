import CairnRuntime
package import CairnStore

/// Calls that leave nothing: a test sees them and says how they end.
package final class StubOutbound: Outbound {
  private struct Contents {
    var calls: [OutboundCall] = []
    var replies: [@Sendable (OutboundResult) -> Void] = []
    var givenUp: Set<Int> = []
  }

  private let contents = Monitor(Contents())

  package init() {}

  package func send(_ call: OutboundCall, reply: @escaping @Sendable (OutboundResult) -> Void) -> @Sendable () -> Void {
    let index = contents.change { contents in
      contents.calls.append(call)
      contents.replies.append(reply)
      return contents.calls.count - 1
    }
    return { [self] in _ = contents.change { $0.givenUp.insert(index) } }
  }

  /// How many calls were sent so far.
  package var count: Int { contents.withLock { $0.calls.count } }

  /// Blocks until the n-th call (from 0) was sent.
  package func call(_ index: Int) throws -> OutboundCall {
    try contents.wait(for: "outgoing call \(index)") { $0.calls.indices.contains(index) ? $0.calls[index] : nil }
  }

  /// Ends the n-th call.
  package func end(_ index: Int, _ result: OutboundResult) throws {
    _ = try call(index)
    contents.withLock { $0.replies[index] }(result)
  }

  /// Blocks until the n-th call was given up.
  package func waitUntilGivenUp(_ index: Int) throws {
    try contents.wait(for: "the end of outgoing call \(index)") { $0.givenUp.contains(index) ? () : nil }
  }
}

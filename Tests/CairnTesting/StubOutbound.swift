import CairnRuntime
package import CairnStore

/// Outgoing calls that are only recorded. A test inspects them and supplies their results.
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

  /// The number of calls so far.
  package var count: Int { contents.withLock { $0.calls.count } }

  /// Blocks until call number `index` (from 0) was sent.
  package func call(_ index: Int) throws -> OutboundCall {
    try contents.wait(for: "outgoing call \(index)") { $0.calls.indices.contains(index) ? $0.calls[index] : nil }
  }

  /// Ends call number `index`.
  package func end(_ index: Int, _ result: OutboundResult) throws {
    _ = try call(index)
    contents.withLock { $0.replies[index] }(result)
  }

  /// Blocks until call number `index` was cancelled.
  package func waitUntilGivenUp(_ index: Int) throws {
    try contents.wait(for: "the end of outgoing call \(index)") { $0.givenUp.contains(index) ? () : nil }
  }
}

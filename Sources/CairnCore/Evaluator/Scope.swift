/// The evaluation context of a step's expressions and guards, beside the state.
struct Scope {
  var params: [String: Value] = [:]
  /// The emitting node, or the one that is leaving.
  var emitter: Emitter?
  var result: Value?
  /// Why a load failed.
  var failure: CallFailure?
}

/// A node as it was when it sent a step: it may be gone when the step's turn comes.
struct Emitter: Sendable {
  let record: NodeRecord
  let details: NodeDetails?

  var id: NodeID { record.nodeID }
  var content: Content? { details?.content }
}

extension State {
  /// The node as a sender; `nil` if it does not exist.
  func emitter(_ id: NodeID) -> Emitter? {
    guard let record = nodes.record(id) else { return nil }
    return emitter(record)
  }

  func emitter(_ record: NodeRecord) -> Emitter { Emitter(record: record, details: nodes.storedDetails(of: record)) }
}

/// The evaluation context of a step's expressions and guards, in addition to the state.
struct Scope {
  var params: [String: Value] = [:]
  /// The node that sends the step or is being removed; `nil` in a scope without a sender.
  var emitter: Emitter?
  var result: Value?
  /// The reason why a load failed; `nil` if none did.
  var failure: CallFailure?
}

/// A node as it was when it sent a step. The node may have been destroyed when the step's turn begins.
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

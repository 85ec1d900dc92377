/// The evaluation context of a step's expressions and guards, in addition to the state.
struct Scope {
  var params: [String: Value] = [:]
  /// The node that sends the step or is being removed; `nil` in a scope without a sender.
  var emitter: Emitter?
  /// The flow that handles the step, or that owns the node; its facts and params can be read. `nil` if no flow is concerned.
  var flow: NodeID?
  var result: Value?
  /// The reason why the load or message that sends the step failed; `nil` for other steps.
  var failure: CallFailure?
  /// Whether the user sees the emitter for the first time; `nil` for steps other than `seen`.
  var isFirstSight: Bool?
}

/// A node in the state in which it sent a step. When the turn of the step begins, the node may already have been destroyed.
struct Emitter: Sendable {
  let record: NodeRecord
  let details: NodeDetails?

  var id: NodeID { record.nodeID }
  var content: Content? { details?.content }
}

extension Emitter {
  /// Creates the sender from a node of a state.
  init(_ record: NodeRecord, in state: borrowing State) { self.init(record: record, details: state.nodes.storedDetails(of: record)) }

  /// Creates the sender from the node with this id; `nil` if the node does not exist.
  init?(of id: NodeID, in state: borrowing State) {
    guard let record = state.nodes.record(id) else { return nil }
    self.init(record, in: state)
  }
}

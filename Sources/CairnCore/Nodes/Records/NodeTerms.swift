/// The properties that few nodes have. Most are set only when the node is created. Only the history of tabs, the OAuth state of a login
/// page and the receiver of a result change later.
struct NodeTerms: Hashable, Sendable {
  var steps = NodeSteps()
  var leave: Leave?
  /// The OAuth state of the authorize URL in the node's params or content; `nil` if they contain none.
  var authorization: String?
  /// The receiver of the node's result; `nil` if there is none.
  var resultReceiver: ResultReceiver?
  /// The tabs that the user has left, each once, the tab left last at the end. Only with `back: history`.
  var visited: [NodeID] = []
  /// The slot of an overlay, shown or waiting; `nil` for other nodes.
  var slot: String?

  /// Whether no property is set.
  var isEmpty: Bool { steps.isEmpty && leave == nil && authorization == nil && resultReceiver == nil && visited.isEmpty && slot == nil }
}

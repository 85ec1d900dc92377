/// The properties that few nodes have, stored outside the record. Immutable and shared by the versions of a table.
final class NodeDetails: Sendable {
  let params: [String: Value]
  /// The facts of a flow that have a value.
  let facts: [String: Value]
  let content: Content?
  let left: StepTemplate?
  let leave: Leave?
  /// The OAuth state of the authorize URL in the node's params or content; `nil` if they contain none.
  let authorization: String?
  /// The receiver of the node's result; empty if there is none. An array, because an empty one takes only the size of a pointer.
  private let resultReceivers: [ResultReceiver]
  private let written = LazyReference<JSON>()

  init(
    params: [String: Value] = [:], facts: [String: Value] = [:], content: Content? = nil, left: StepTemplate? = nil, leave: Leave? = nil,
    authorization: String? = nil, resultReceiver: ResultReceiver? = nil
  ) {
    self.params = params
    self.facts = facts
    self.content = content
    self.left = left
    self.leave = leave
    self.authorization = authorization
    resultReceivers = resultReceiver.map { [$0] } ?? []
  }

  /// The receiver of the node's result; `nil` if there is none.
  var resultReceiver: ResultReceiver? { resultReceivers.first }

  /// Calls `body` with the JSON members, which are written on first use.
  @inline(__always)
  func withJSON(_ body: (JSON) -> Void) { written.with(orCreate: { JSON(self) }, body) }

  /// Whether all properties are empty. A node without details is equivalent.
  var isEmpty: Bool {
    params.isEmpty && facts.isEmpty && content == nil && left == nil && leave == nil && authorization == nil && resultReceivers.isEmpty
  }

  /// A copy with other content.
  func with(content: Content?) -> NodeDetails {
    NodeDetails(
      params: params, facts: facts, content: content, left: left, leave: leave, authorization: authorization,
      resultReceiver: resultReceiver)
  }

  /// A copy with other facts.
  func with(facts: [String: Value]) -> NodeDetails {
    NodeDetails(
      params: params, facts: facts, content: content, left: left, leave: leave, authorization: authorization,
      resultReceiver: resultReceiver)
  }

  /// A copy with another receiver of its result.
  func with(resultReceiver: ResultReceiver?) -> NodeDetails {
    NodeDetails(
      params: params, facts: facts, content: content, left: left, leave: leave, authorization: authorization,
      resultReceiver: resultReceiver)
  }

  static let none = NodeDetails()

  /// The details of a `Node`.
  convenience init(_ node: borrowing Node) {
    self.init(
      params: node.params, facts: node.facts, content: node.content, left: node.left, leave: node.leave,
      authorization: node.authorization, resultReceiver: node.resultReceiver)
  }
}

extension NodeDetails: Equatable {
  static func == (one: NodeDetails, other: NodeDetails) -> Bool {
    one === other
      || one.params.isExactly(other.params) && one.facts.isExactly(other.facts) && one.content == other.content
        && one.left == other.left && one.leave == other.leave && one.authorization == other.authorization
        && one.resultReceivers == other.resultReceivers
  }
}

/// The properties that few nodes have. Immutable, and shared by the versions of a table.
final class NodeDetails: Sendable {
  let params: [String: Value]
  let content: Content?
  let left: StepTemplate?
  let leave: Leave?
  /// The OAuth state of the authorize URL in the node.
  let authorization: String?
  /// The receiver of the node's result, at most one. An array, because most nodes have none and an empty array takes only a pointer.
  private let resultReceivers: [ResultReceiver]
  private let written = LazyReference<JSON>()

  init(
    params: [String: Value] = [:], content: Content? = nil, left: StepTemplate? = nil, leave: Leave? = nil, authorization: String? = nil,
    resultReceiver: ResultReceiver? = nil
  ) {
    self.params = params
    self.content = content
    self.left = left
    self.leave = leave
    self.authorization = authorization
    resultReceivers = resultReceiver.map { [$0] } ?? []
  }

  /// The receiver of the node's result.
  var resultReceiver: ResultReceiver? { resultReceivers.first }

  /// Passes the JSON of the members to `body`. It is encoded on first use.
  @inline(__always)
  func withJSON(_ body: (JSON) -> Void) { written.with(orCreate: { JSON(self) }, body) }

  /// Whether there are no details, which is the same as a node without them.
  var isEmpty: Bool { params.isEmpty && content == nil && left == nil && leave == nil && authorization == nil && resultReceivers.isEmpty }

  /// A copy with other content.
  func with(content: Content?) -> NodeDetails {
    NodeDetails(params: params, content: content, left: left, leave: leave, authorization: authorization, resultReceiver: resultReceiver)
  }

  /// A copy with another receiver of its result.
  func with(resultReceiver: ResultReceiver?) -> NodeDetails {
    NodeDetails(params: params, content: content, left: left, leave: leave, authorization: authorization, resultReceiver: resultReceiver)
  }

  static let none = NodeDetails()

  /// Creates the details of a `Node`.
  convenience init(_ node: borrowing Node) {
    self.init(
      params: node.params, content: node.content, left: node.left, leave: node.leave, authorization: node.authorization,
      resultReceiver: node.resultReceiver)
  }
}

extension NodeDetails: Equatable {
  static func == (one: NodeDetails, other: NodeDetails) -> Bool {
    one === other
      || one.params.isExactly(other.params) && one.content == other.content && one.left == other.left
        && one.leave == other.leave && one.authorization == other.authorization && one.resultReceivers == other.resultReceivers
  }
}

import Synchronization

/// What few nodes have, apart from the plain record of each. Immutable; versions of a table share it.
final class NodeDetails: Sendable {
  let params: [String: Value]
  let content: Content?
  let left: StepTemplate?
  let leave: Leave?
  /// The OAuth state of the authorize URL that the node carries.
  let authorization: String?
  private let written = AtomicLazyReference<JSON>()

  init(
    params: [String: Value] = [:], content: Content? = nil, left: StepTemplate? = nil, leave: Leave? = nil, authorization: String? = nil
  ) {
    self.params = params
    self.content = content
    self.left = left
    self.leave = leave
    self.authorization = authorization
  }

  /// Made when somebody asks first; two who ask at once may both make it, and share one of the two.
  var json: JSON { written.load() ?? written.storeIfNil(JSON(self)) }

  /// Nothing in it: a node without details is the same.
  var isEmpty: Bool { params.isEmpty && content == nil && left == nil && leave == nil && authorization == nil }

  /// The same with other content.
  func with(content: Content?) -> NodeDetails {
    NodeDetails(params: params, content: content, left: left, leave: leave, authorization: authorization)
  }

  static let none = NodeDetails()
}

extension NodeDetails: Equatable {
  static func == (one: NodeDetails, other: NodeDetails) -> Bool {
    one === other
      || one.params.isExactly(other.params) && one.content == other.content && one.left == other.left
        && one.leave == other.leave && one.authorization == other.authorization
  }
}

extension NodeDetails {
  /// What a node has beside its record.
  convenience init(_ node: Node) {
    self.init(params: node.params, content: node.content, left: node.left, leave: node.leave, authorization: node.authorization)
  }
}

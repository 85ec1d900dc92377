/// The properties that few nodes have, stored outside the record. Immutable and shared by the versions of a table.
final class NodeDetails: Sendable {
  let params: [String: Value]
  /// The facts of a flow that have a value.
  let facts: [String: Value]
  let content: Content?
  /// The node's terms; empty if none is set. An array, because an empty array takes only the size of a pointer, and copies of the details
  /// share the storage of a filled one.
  private let allTerms: [NodeTerms]
  private let written = LazyReference<JSON>()

  init(params: [String: Value] = [:], facts: [String: Value] = [:], content: Content? = nil, terms: NodeTerms? = nil) {
    self.params = params
    self.facts = facts
    self.content = content
    if let terms, !terms.isEmpty { allTerms = [terms] } else { allTerms = [] }
  }

  private init(params: [String: Value], facts: [String: Value], content: Content?, termsOf other: NodeDetails) {
    self.params = params
    self.facts = facts
    self.content = content
    allTerms = other.allTerms
  }

  var terms: NodeTerms { allTerms.first ?? NodeTerms() }
  var hasTerms: Bool { !allTerms.isEmpty }

  var steps: NodeSteps { allTerms.first?.steps ?? NodeSteps() }
  var leave: Leave? { allTerms.first?.leave }
  /// The OAuth state of the authorize URL in the node's params or content; `nil` if they contain none.
  var authorization: String? { allTerms.first?.authorization }
  /// The receiver of the node's result; `nil` if there is none.
  var resultReceiver: ResultReceiver? { allTerms.first?.resultReceiver }
  var visited: [NodeID] { allTerms.first?.visited ?? [] }
  var slot: String? { allTerms.first?.slot }

  /// Calls `body` with the JSON members, which are written on first use.
  @inline(__always)
  func withJSON(_ body: (JSON) -> Void) { written.with(orCreate: { JSON(self) }, body) }

  /// Whether all properties are empty. A node without details is equivalent.
  var isEmpty: Bool { params.isEmpty && facts.isEmpty && content == nil && allTerms.isEmpty }

  func with(content: Content?) -> NodeDetails { NodeDetails(params: params, facts: facts, content: content, termsOf: self) }

  func with(facts: [String: Value]) -> NodeDetails { NodeDetails(params: params, facts: facts, content: content, termsOf: self) }

  func with(_ terms: NodeTerms) -> NodeDetails { NodeDetails(params: params, facts: facts, content: content, terms: terms) }

  static let none = NodeDetails()

  convenience init(_ node: borrowing Node) {
    self.init(
      params: node.params, facts: node.facts, content: node.content,
      terms: NodeTerms(
        steps: node.steps, leave: node.leave, authorization: node.authorization, resultReceiver: node.resultReceiver, visited: node.visited,
        slot: node.slot)
    )
  }
}

extension NodeDetails: Equatable {
  static func == (one: NodeDetails, other: NodeDetails) -> Bool {
    one === other
      || one.params.isExactly(other.params) && one.facts.isExactly(other.facts) && one.content == other.content
        && one.allTerms == other.allTerms
  }
}

/// A read-only copy of a node with numbers instead of names, for comparing nodes of two states of the same reducer.
package struct NodeOutline: Sendable {
  /// The number of the node's id.
  package let number: Int32
  /// The numbers of the node's name and flow, which are the same in all states of one reducer.
  package let names: UInt64
  /// The kind, style, level, flags and selected child.
  package let traits: UInt64
  /// The number of the flow that owns the node; 0 if no flow owns it.
  package let owner: Int32
  /// The number of the screen on which this modal was presented; 0 if no screen presents the node.
  package let on: Int32
  /// Whether the node presents a modal.
  package let presents: Bool
  package let childCount: Int
  /// The members that most nodes do not have; `nil` if the node has none of them.
  package let details: Details?

  package struct Details: Sendable {
    /// The name of the screen, or of the flow for a container.
    package let name: String
    package let params: [String: Value]
    package let facts: [String: Value]
    package let content: Content?
    package let steps: NodeSteps
    package let leave: Leave?
    package let resultReceiver: ResultReceiver?
    /// The tabs in the history of `back: history`.
    package let visited: [NodeID]
    /// The slot of an overlay.
    package let slot: String?
    /// Whether an authorize URL of this node waits for its redirect.
    package let isAuthorizing: Bool
  }
}

extension State {
  /// The nodes in the order of the tree: the root with its descendants, then the overlays, the modals on levels, the modals and overlays that wait,
  /// and the removed flows that still handle steps.
  package var outlines: [NodeOutline] {
    var walk = OutlineWalk(nodes)
    walk.visit(root)
    for window in nodes.overlays + nodes.levels { walk.visit(window) }
    for modal in waitingModals { walk.visit(modal.id) }
    for listener in listeners where listener.isFlow { walk.visit(listener.node) }
    return walk.outlines
  }
}

private struct OutlineWalk {
  private let nodes: NodeTable
  private(set) var outlines: [NodeOutline] = []

  init(_ nodes: NodeTable) {
    self.nodes = nodes
    outlines.reserveCapacity(nodes.count)
  }

  /// Appends the outlines of a node, its descendants and their modals. Containers are nested at most `Limits.depthLimit` levels, which
  /// bounds the recursion.
  mutating func visit(_ id: NodeID) {
    guard let record = nodes.record(id), record.parentID != nil || !outlines.contains(where: { $0.number == record.id }) else { return }
    let children = nodes.children(of: record)
    outlines.append(NodeOutline(record, childCount: children.count, in: nodes))
    for child in children { visit(child) }
    if let modal = record.presentedID { visit(modal) }
  }
}

extension NodeOutline {
  fileprivate init(_ record: NodeRecord, childCount: Int, in nodes: NodeTable) {
    number = record.id
    names = UInt64(UInt32(bitPattern: record.name)) << 32 | UInt64(UInt32(bitPattern: record.flow))
    traits = UInt64(UInt32(bitPattern: record.traits)) << 32 | UInt64(UInt32(bitPattern: record.selected))
    owner = record.owner
    on = record.on
    presents = record.presented != 0
    self.childCount = childCount
    details = nodes.storedDetails(of: record).map { details in
      Details(
        name: nodes.name(of: record), params: details.params, facts: details.facts, content: details.content, steps: details.steps,
        leave: details.leave, resultReceiver: details.resultReceiver, visited: details.visited, slot: details.slot,
        isAuthorizing: details.authorization != nil)
    }
  }
}

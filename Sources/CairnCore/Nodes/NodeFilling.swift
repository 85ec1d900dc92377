/// Fills tables with nodes that were read from the disk, or that tests create. Stored data may be wrong, so the position of every node is checked.
package enum NodeFilling {
  /// Moves a modal that another node presents to its place in the order of the modals. Must be called after the modal's record has received
  /// its `order`.
  private static func sortModal(_ id: NodeID, in nodes: inout NodeTable) {
    guard let record = nodes.record(id), record.order != 0, let parent = record.parentID, nodes.record(parent)?.presented == record.id
    else { return }
    nodes.setPresented(id, on: parent)
  }

  /// Inserts or replaces a node. `addChildren` adds its children when they exist.
  package static func put(_ node: Node, into nodes: inout NodeTable) {
    let number = Int32(truncatingIfNeeded: node.id.number)
    guard nodes.chunks.newest.map({ $0.id < number }) ?? true else { return replace(node, in: &nodes) }
    let flow = node.flow.map { nodes.number($0) } ?? -1
    var record = NodeRecord(
      id: node.id, kind: node.kind, name: nodes.number(node.name), flow: flow, owner: node.owner, parent: node.parent)
    record.take(node)
    record.isEnded = node.isEnded
    record.level = node.windowLevel
    record.waits = node.waits
    nodes.append(record, details: NodeDetails(node))
    if let modal = node.presented { nodes.setPresented(modal, on: node.id) }
    sortModal(node.id, in: &nodes)
  }

  /// Inserts or replaces a node. The node keeps the children that it has in this table.
  static func replace(_ node: Node, in nodes: inout NodeTable) {
    guard (1...WideInt(Int32.max)).contains(node.id.number) else { return }
    let before = nodes.record(node.id)
    let flow = node.flow.map { nodes.number($0) } ?? -1
    if let before, before.flow != flow || before.owner != NodeRecord.number(node.owner) {
      nodes.setFlow(flow, owner: node.owner, of: node.id)
    } else if before == nil {
      nodes.insert(NodeRecord(id: node.id, kind: node.kind, name: 0, flow: flow, owner: node.owner, parent: node.parent))
    }
    let (name, parent) = (nodes.number(node.name), NodeRecord.number(node.parent))
    // The node is linked to its new parent once the parent exists.
    if before.map({ $0.parent != parent }) ?? false { nodes.unlink(node.id) }
    nodes.update(node.id) {
      $0.kind = node.kind
      $0.name = name
      $0.parent = parent
      $0.take(node)
    }
    nodes.setEnded(node.isEnded, of: node.id)
    if nodes.record(node.id)?.isOnLevel(node) == false { nodes.setLevel(node.windowLevel, waits: node.waits, of: node.id) }
    if nodes.record(node.id)?.presentedID != node.presented { nodes.setPresented(node.presented, on: node.id) }
    let details = NodeDetails(node)
    if nodes.details(of: node.id) != details { nodes.setDetails(details, of: node.id) }
    sortModal(node.id, in: &nodes)
  }

  /// Removes all children of a node except the first `count`. Returns false if the node does not exist or has fewer children.
  package static func keepChildren(_ count: Int, of id: NodeID, in nodes: inout NodeTable) -> Bool {
    guard let record = nodes.record(id), (0...Int(record.childCount)).contains(count) else { return false }
    nodes.setChildren(Array(nodes.children(of: record).prefix(count)), of: id)
    return true
  }

  /// Appends children to a container. Returns false if the node is not a container, or if a child is not in the table, has another parent, or is
  /// a child already.
  package static func addChildren(_ new: [NodeID], to id: NodeID, in nodes: inout NodeTable) -> Bool {
    guard let container = nodes.record(id), !container.isLeaf || new.isEmpty else { return false }
    for child in new {
      guard let record = nodes.record(child), record.parentID == id, record.previous == 0, record.next == 0,
        nodes.record(id)?.firstChildID != child
      else { return false }
      nodes.link(child, to: id)
    }
    return true
  }
}

extension NodeRecord {
  /// Copies the members of a node, except its kind, name, position, and whether it has ended.
  fileprivate mutating func take(_ node: Node) {
    selected = node.selected.map { Int32(clamping: $0) } ?? -1
    style = node.style
    on = NodeRecord.number(node.on)
    order = NodeRecord.number(node.order)
    listen = node.listen
    let counted = flags.intersection(.counted)
    flags = node.flags.intersection(.allStored).subtracting(.counted).union(counted)
    isGuarded = node.leave != nil
    isOverlay = node.slot != nil
  }

  fileprivate func isOnLevel(_ node: Node) -> Bool { level == node.windowLevel && waits == node.waits }
}

extension Node {
  /// The level in the node's record, see `NodeRecord.shownLevel`.
  fileprivate var windowLevel: Int { slot == nil ? level ?? 0 : 1 }
}

extension Reducer {
  /// An empty table that already has the definition's names, which all nodes read into it share.
  package var emptyTable: NodeTable {
    var table = NodeTable()
    table.adopt(program.names)
    return table
  }
}

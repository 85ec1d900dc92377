// Converts the table to a dictionary, for tests and tools.
extension NodeTable {
  public var keys: [NodeID] { records.map { $0.nodeID } }
  public var values: [Node] { records.map { Node($0, in: self) } }

  public subscript(id: NodeID) -> Node? {
    get { record(id).map { Node($0, in: self) } }
    set {
      guard let newValue else { return remove(id) }
      NodeFilling.replace(newValue, in: &self)
      guard children(of: id) != newValue.children else { return }
      setChildren([], of: id)
      for child in newValue.children where record(child) != nil {
        unlink(child)
        link(child, to: id)
      }
    }
  }

  /// Visits the params, the facts and the content of each node that has details.
  package func forEachContent(_ visit: (_ params: [String: Value], _ facts: [String: Value], _ content: Content?) -> Void) {
    for record in records {
      if let details = storedDetails(of: record) { visit(details.params, details.facts, details.content) }
    }
  }
}

extension Node {
  init(_ record: NodeRecord, in nodes: NodeTable) {
    self.init(
      id: record.nodeID, kind: record.kind, name: nodes.name(of: record), flow: nodes.flow(of: record), owner: record.ownerID,
      parent: record.parentID)
    let details = nodes.details(of: record)
    children = nodes.children(of: record)
    selected = record.selectedIndex
    presented = record.presentedID
    style = record.style
    on = record.onID
    params = details.params
    facts = details.facts
    content = details.content
    flags = record.flags.intersection(.allStored)
    listen = record.listen
    steps = details.steps
    leave = details.leave
    level = record.shownLevel
    order = NodeRecord.node(record.order)
    authorization = details.authorization
    resultReceiver = details.resultReceiver
    visited = details.visited
    slot = details.slot
  }
}

extension NodeTable: Hashable {
  public static func == (one: NodeTable, other: NodeTable) -> Bool {
    one.count == other.count && NodeDifference(from: other, to: one).isEmpty
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

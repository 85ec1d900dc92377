// As a dictionary, for those who look from outside.
extension NodeTable {
  public var keys: [NodeID] { records.map { $0.nodeID } }
  public var values: [Node] { records.map(node) }

  public subscript(id: NodeID) -> Node? {
    get { record(id).map(node) }
    set {
      guard let newValue else { return remove(id) }
      write(newValue)
      guard children(of: id) != newValue.children else { return }
      setChildren([], of: id)
      for child in newValue.children where contains(child) {
        unlink(child)
        link(child, to: id)
      }
    }
  }

  private func node(_ record: NodeRecord) -> Node {
    let details = details(of: record)
    var node = Node(
      id: record.nodeID, kind: record.kind, name: name(of: record), flow: flow(of: record), owner: record.ownerID, parent: record.parentID)
    node.children = children(of: record)
    node.selected = record.selectedIndex
    node.presented = record.presentedID
    node.style = record.style
    node.on = record.onID
    node.params = details.params
    node.content = details.content
    node.ended = record.isEnded
    node.listen = record.listen
    node.collapsed = record.isCollapsed
    node.opened = record.isOpened
    node.left = details.left
    node.leave = details.leave
    node.level = record.level == 0 ? nil : record.level
    node.waits = record.waits
    node.authorization = details.authorization
    node.asker = details.asker
    return node
  }

  /// Puts a node in, or in its place, with the children that it has here.
  mutating func write(_ node: Node) {
    guard (1...WideInt(Int32.max)).contains(node.id.number) else { return }
    let before = record(node.id)
    let flow = node.flow.map { number($0) } ?? -1
    if let before, before.flow != flow || before.owner != NodeRecord.number(node.owner) {
      setFlow(flow, owner: node.owner, of: node.id)
    } else if before == nil {
      insert(NodeRecord(id: node.id, kind: node.kind, name: 0, flow: flow, owner: node.owner, parent: node.parent))
    }
    let (name, parent) = (number(node.name), NodeRecord.number(node.parent))
    // It is put below its new parent once that is here too.
    if before.map({ $0.parent != parent }) ?? false { unlink(node.id) }
    update(node.id) {
      $0.kind = node.kind
      $0.name = name
      $0.parent = parent
      $0.selected = node.selected.map { Int32(clamping: $0) } ?? -1
      $0.style = node.style
      $0.on = NodeRecord.number(node.on)
      $0.listen = node.listen
      $0.isGuarded = node.leave != nil
      $0.isCollapsed = node.collapsed
      $0.isOpened = node.opened
    }
    setEnded(node.ended, of: node.id)
    if record(node.id)?.isOnLevel(node) == false { setLevel(node.level ?? 0, waits: node.waits, of: node.id) }
    if record(node.id)?.presentedID != node.presented { setPresented(node.presented, on: node.id) }
    let details = NodeDetails(node)
    if self.details(of: node.id) != details { setDetails(details, of: node.id) }
  }
}

extension NodeRecord {
  fileprivate func isOnLevel(_ node: Node) -> Bool { level == node.level ?? 0 && waits == node.waits }
}

extension NodeTable: Hashable {
  public static func == (one: NodeTable, other: NodeTable) -> Bool { one.count == other.count && one.difference(from: other).isEmpty }

  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

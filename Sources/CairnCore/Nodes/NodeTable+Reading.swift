/// A node as one version of its table has it, to be read member by member: nothing is made that nobody asks for.
package struct NodeReading {
  fileprivate let record: NodeRecord

  package var id: NodeID { record.nodeID }
  package var kind: Node.Kind { record.kind }
  package var owner: NodeID? { record.ownerID }
  package var parent: NodeID? { record.parentID }
  package var selected: Int? { record.selectedIndex }
  package var presented: NodeID? { record.presentedID }
  package var style: PresentationStyle? { record.style }
  package var on: NodeID? { record.onID }
  package var ended: Bool { record.isEnded }
  package var listen: Listen { record.listen }
  package var collapsed: Bool { record.isCollapsed }
  package var opened: Bool { record.isOpened }
  /// nil: none.
  package var level: Int? { record.level == 0 ? nil : record.level }
  package var waits: Bool { record.waits }
}

extension NodeTable {
  /// Visits each node that is not equal in an older version, ascending by id, as it is now and as it was; nil where it is not there.
  /// Takes time with the change alone.
  package func forEachChange(from old: NodeTable, _ visit: (_ now: NodeReading?, _ past: NodeReading?) -> Void) {
    compare(with: old) { now, past in visit(now.map(NodeReading.init), past.map(NodeReading.init)) }
  }

  // Of a node that was read from this version.

  package func name(of node: NodeReading) -> String { name(of: node.record) }
  package func flow(of node: NodeReading) -> String? { flow(of: node.record) }
  package func children(of node: NodeReading) -> [NodeID] { children(of: node.record) }
  package func params(of node: NodeReading) -> [String: Value] { details(of: node.record).params }
  package func content(of node: NodeReading) -> Content? { details(of: node.record).content }
  package func left(of node: NodeReading) -> StepTemplate? { details(of: node.record).left }
  package func leave(of node: NodeReading) -> Leave? { details(of: node.record).leave }
  package func authorization(of node: NodeReading) -> String? { details(of: node.record).authorization }
  package func asker(of node: NodeReading) -> Asker? { details(of: node.record).asker }

  /// Whether a node has the name and the flow that it had in an older version.
  package func isNamed(_ now: NodeReading, as past: NodeReading, in old: NodeTable) -> Bool {
    if names === old.names { return now.record.name == past.record.name && now.record.flow == past.record.flow }
    return name(of: now) == old.name(of: past) && flow(of: now) == old.flow(of: past)
  }

  /// Whether a node has params, content or anything else that few nodes have.
  package func hasDetails(_ node: NodeReading) -> Bool { node.record.details >= 0 }

  /// Whether a node has the same details as in an older version for sure, without looking into them.
  package func sharesDetails(_ now: NodeReading, with past: NodeReading, in old: NodeTable) -> Bool {
    storedDetails(of: now.record) === old.storedDetails(of: past.record)
  }

  /// Visits the params and the content of each node that has details.
  package func forEachDetails(_ visit: (_ params: [String: Value], _ content: Content?) -> Void) {
    for record in records {
      if let details = storedDetails(of: record) { visit(details.params, details.content) }
    }
  }

  /// Visits what each node has that few nodes have.
  func forEachStored(_ visit: (NodeDetails) -> Void) {
    for record in records {
      if let details = storedDetails(of: record) { visit(details) }
    }
  }

  /// Takes out of a node's children all behind the first so many; false: it is not here, or has not so many.
  package mutating func keepChildren(_ count: Int, of id: NodeID) -> Bool {
    guard let record = record(id), (0...Int(record.childCount)).contains(count) else { return false }
    setChildren(Array(children(of: record).prefix(count)), of: id)
    return true
  }

  /// Adds last children to a container; false: it is none, or one of the nodes is not here, says that it has another parent, or is among
  /// somebody's children already.
  package mutating func addChildren(_ new: [NodeID], to id: NodeID) -> Bool {
    guard let container = record(id), !container.isLeaf || new.isEmpty else { return false }
    for child in new {
      guard let record = record(child), record.parentID == id, record.previous == 0, record.next == 0,
        self.record(id)?.firstChildID != child
      else { return false }
      link(child, to: id)
    }
    return true
  }

  /// Puts a node in, or in its place; its children come by `addChildren`, once they are here.
  package mutating func put(_ node: Node) {
    let number = Int32(truncatingIfNeeded: node.id.number)
    guard newest.map({ $0.id < number }) ?? true else { return write(node) }
    let flow = node.flow.map { self.number($0) } ?? -1
    var record = NodeRecord(
      id: node.id, kind: node.kind, name: self.number(node.name), flow: flow, owner: node.owner, parent: node.parent)
    record.selected = node.selected.map { Int32(clamping: $0) } ?? -1
    record.style = node.style
    record.on = NodeRecord.number(node.on)
    record.listen = node.listen
    record.isCollapsed = node.collapsed
    record.isOpened = node.opened
    record.isEnded = node.ended
    record.level = node.level ?? 0
    record.waits = node.waits
    record.isGuarded = node.leave != nil
    let details = NodeDetails(node)
    append(record, details: details.isEmpty ? nil : details)
    if let modal = node.presented { setPresented(modal, on: node.id) }
  }
}

extension Reducer {
  /// A table without nodes that has the definition's names already: nodes that are read into it share these with all others.
  package var emptyTable: NodeTable {
    var table = NodeTable()
    table.adopt(program.names)
    return table
  }
}

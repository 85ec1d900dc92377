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
    for index in 0..<chunkCount {
      for record in chunk(index) {
        if let details = storedDetails(of: record) { visit(details.params, details.content) }
      }
    }
  }

  /// Visits what each node has that few nodes have.
  func forEachStored(_ visit: (NodeDetails) -> Void) {
    for index in 0..<chunkCount {
      for record in chunk(index) {
        if let details = storedDetails(of: record) { visit(details) }
      }
    }
  }

  /// Gives a node other children behind the first of those that it has; false: it is not here, or has not so many.
  package mutating func replaceChildren(of id: NodeID, keeping count: Int, adding new: [NodeID]) -> Bool {
    guard contains(id) else { return false }
    let old = children(of: id)
    guard (0...old.count).contains(count) else { return false }
    setChildren(Array(old[..<count]) + new, of: id)
    return true
  }

  /// Puts a node in, or in its place; the same as the subscript, and faster for the newest.
  package mutating func put(_ node: Node) {
    let number = Int32(truncatingIfNeeded: node.id.number)
    guard chunkCount == 0 || chunk(chunkCount - 1).last.map({ $0.id < number }) ?? false else {
      self[node.id] = node
      return
    }
    let flow = node.flow.map { self.number($0) } ?? -1
    var record = NodeRecord(
      id: node.id, kind: node.kind, name: self.number(node.name), flow: flow, owner: node.owner, parent: node.parent)
    record.selected = node.selected.map { Int32(clamping: $0) } ?? -1
    record.style = node.style
    record.on = NodeRecord.number(node.on)
    record.listen = node.listen
    record.isEnded = node.ended
    record.isGuarded = node.leave != nil
    let details = NodeDetails(node)
    append(record, details: details.isEmpty ? nil : details)
    if !node.children.isEmpty { setChildren(node.children, of: node.id) }
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

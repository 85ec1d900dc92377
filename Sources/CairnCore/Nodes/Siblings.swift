/// The children of a node, linked through their records, in order.
enum Siblings {
  /// Visits the records of a node's children in order.
  @inline(__always)
  static func forEach(below record: NodeRecord, in nodes: NodeTable, _ visit: (NodeRecord) -> Void) {
    var next = record.firstChild
    while let child = nodes.record(next) {
      visit(child)
      next = child.next
    }
  }

  /// The last `count` children of a node in order.
  static func last(_ count: Int, below record: NodeRecord, in nodes: NodeTable) -> [NodeID] {
    guard count > 0 else { return [] }
    var children: [NodeID] = []
    children.reserveCapacity(count)
    var next = record.lastChild
    while children.count < count, let child = nodes.record(next) {
      children.append(child.nodeID)
      next = child.previous
    }
    if count > 1 { children.reverse() }
    return children
  }

  /// The index of a node among its parent's children, from 0.
  static func index(of record: NodeRecord, in nodes: NodeTable) -> Int {
    var (index, here) = (0, record)
    while let before = nodes.record(here.previous) { (index, here) = (index + 1, before) }
    return index
  }

  /// The child at an index; `nil` if the node has fewer children.
  static func child(_ index: Int, of record: NodeRecord, in nodes: NodeTable) -> NodeRecord? {
    guard index >= 0, index < Int(record.childCount) else { return nil }
    // The search begins at the nearer end of the list.
    let fromEnd = Int(record.childCount) - 1 - index
    guard index > fromEnd else {
      var child = nodes.record(record.firstChild)
      for _ in 0..<index { child = child.flatMap { nodes.record($0.next) } }
      return child
    }
    var child = nodes.record(record.lastChild)
    for _ in 0..<fromEnd { child = child.flatMap { nodes.record($0.previous) } }
    return child
  }
}

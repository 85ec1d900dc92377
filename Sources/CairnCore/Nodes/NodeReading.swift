/// Reads the properties of a node from one version of the node table. Each property is decoded when it is read.
package struct NodeReading {
  private let record: NodeRecord
  private let table: NodeTable

  init(_ record: NodeRecord, in table: NodeTable) {
    self.record = record
    self.table = table
  }

  package var id: NodeID { record.nodeID }
  package var fields: NodeFields { NodeFields(record) }
  package var name: String { table.name(of: record) }
  package var flow: String? { table.flow(of: record) }
  package var children: [NodeID] { table.children(of: record) }
  package var childCount: Int { Int(record.childCount) }
  package var params: [String: Value] { table.details(of: record).params }
  package var facts: [String: Value] { table.details(of: record).facts }
  package var content: Content? { table.details(of: record).content }
  package var steps: NodeSteps { table.details(of: record).steps }
  package var leave: Leave? { table.details(of: record).leave }
  package var authorization: String? { table.details(of: record).authorization }
  package var resultReceiver: ResultReceiver? { table.details(of: record).resultReceiver }
  package var visited: [NodeID] { table.details(of: record).visited }
  package var slot: String? { table.details(of: record).slot }
  /// Whether the node has params, content or other rarely used properties.
  package var hasDetails: Bool { record.details >= 0 }

  /// The children after the first `kept` ones, in order.
  package func children(after kept: Int) -> [NodeID] {
    var children: [NodeID] = []
    var next = record.lastChild
    for _ in 0..<max(0, childCount - kept) {
      guard let child = table.record(next) else { break }
      children.append(child.nodeID)
      next = child.previous
    }
    children.reverse()
    return children
  }

  /// Whether the node has the same name and flow as in an older version.
  package func isNamed(as past: NodeReading) -> Bool {
    if table.names === past.table.names { return record.name == past.record.name && record.flow == past.record.flow }
    return name == past.name && flow == past.flow
  }

  /// Whether both versions share the same details object. If false, the details may still be equal.
  package func sharesDetails(with past: NodeReading) -> Bool {
    table.sharesDetails(of: record, with: past.record, in: past.table)
  }
}

extension NodeDifference {
  /// Visits each node that differs from an older version, ascending by id, with its newer and its older version; each is `nil` if the node
  /// does not exist in that version. Takes time proportional to the difference.
  package static func forEachReading(
    from old: NodeTable, to nodes: NodeTable, _ visit: (_ now: NodeReading?, _ past: NodeReading?) -> Void
  ) {
    forEach(from: old, to: nodes) { now, past in
      visit(now.map { NodeReading($0, in: nodes) }, past.map { NodeReading($0, in: old) })
    }
  }
}

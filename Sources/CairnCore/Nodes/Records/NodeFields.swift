/// The numbers, flags and ids of a node, which can be compared without reference counting.
package struct NodeFields {
  /// The kind; `nil` if there is no node.
  package let kind: Node.Kind?
  package let owner, parent, presented, on: NodeID?
  package let selected, level: Int?
  /// The number by which a modal that was put on top again is ordered; `nil` if the id determines the order.
  package let order: NodeID?
  package let style: PresentationStyle?
  /// The flags that are stored.
  package let flags: NodeFlags
  package let listen: Listen

  /// The fields of a node that does not exist, with which a new node is compared.
  package static let none = NodeFields()

  private init() {
    (kind, style) = (nil, nil)
    (owner, parent, presented, on) = (nil, nil, nil, nil)
    (selected, level, order) = (nil, nil, nil)
    flags = []
    listen = Listen()
  }

  init(_ record: NodeRecord) {
    kind = record.kind
    (owner, parent, presented, on) = (record.ownerID, record.parentID, record.presentedID, record.onID)
    (selected, level, order) = (record.selectedIndex, record.shownLevel, NodeRecord.node(record.order))
    style = record.style
    flags = record.flags.intersection(.allStored)
    listen = record.listen
  }
}

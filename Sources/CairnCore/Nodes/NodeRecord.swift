/// A node in its table: plain numbers, so that copying a chunk of them is copying memory. 0 is no node, -1 nothing else.
struct NodeRecord: Sendable {
  let id: Int32
  var kind: Node.Kind
  var style: PresentationStyle?
  var isEnded = false
  var listen = Listen()
  /// Numbers of `Names`.
  var name: Int32
  var flow: Int32
  var owner: Int32
  var parent: Int32
  var presented: Int32 = 0
  var on: Int32 = 0
  var selected: Int32 = -1
  /// Slots of the table's slabs.
  var children: Int32 = -1
  var details: Int32 = -1
  /// The flows that a flow contributed, oldest first, as a list through their records.
  var owned = Owned()

  /// The ends of a flow's own list, and its neighbours in its owner's.
  struct Owned: Sendable {
    var first: Int32 = 0
    var last: Int32 = 0
    var previous: Int32 = 0
    var next: Int32 = 0
  }

  init(id: NodeID, kind: Node.Kind, name: Int32, flow: Int32 = -1, owner: NodeID?, parent: NodeID?) {
    self.id = Int32(truncatingIfNeeded: id.number)
    self.kind = kind
    self.name = name
    self.flow = flow
    self.owner = Self.number(owner)
    self.parent = Self.number(parent)
  }

  static func number(_ id: NodeID?) -> Int32 { Int32(truncatingIfNeeded: id?.number ?? 0) }

  private static func node(_ number: Int32) -> NodeID? { number == 0 ? nil : NodeID(Int(number)) }

  var nodeID: NodeID { NodeID(Int(id)) }
  var ownerID: NodeID? { Self.node(owner) }
  var parentID: NodeID? { Self.node(parent) }
  var presentedID: NodeID? { Self.node(presented) }
  var onID: NodeID? { Self.node(on) }
  var selectedIndex: Int? { selected < 0 ? nil : Int(selected) }
  var isFlow: Bool { flow >= 0 }
  /// A screen or alert: it shows something itself.
  var isLeaf: Bool { kind == .screen || kind == .alert }
  /// A flow that can still handle steps.
  var isAliveFlow: Bool { isFlow && !isEnded }
  /// The flow instance that hears it: a flow hears its own.
  var hearer: NodeID? { isFlow ? nodeID : ownerID }

  /// The same but for what its slots hold and for the list of flows, which follows from the other records.
  func isPlainlyEqual(to other: NodeRecord) -> Bool {
    id == other.id && kind == other.kind && style == other.style && isEnded == other.isEnded && listen == other.listen
      && name == other.name && flow == other.flow && owner == other.owner && parent == other.parent && presented == other.presented
      && on == other.on && selected == other.selected
  }
}

/// A node in its table. It consists of plain numbers, so that a chunk is copied as memory. In a field for a node, 0 means no node; in other
/// fields, -1 means no value.
struct NodeRecord: Sendable, FlaggedNode {
  // The members are stored in vectors, because vectors are copied by a few instructions instead of a call.

  /// In order: id, name, flow, traits.
  private var being: SIMD4<Int32>
  /// In order: owner, parent, presented, on.
  private var place: SIMD4<Int32>
  /// In order: selected, details, first child, last child.
  private var slots = SIMD4<Int32>(-1, -1, 0, 0)
  /// In order: number of children, previous and next child of the parent, first owned flow.
  private var links = SIMD4<Int32>.zero
  /// In order: last owned flow, previous and next flow of the owner, order.
  private var owned = SIMD4<Int32>.zero

  init(id: NodeID, kind: Node.Kind, name: Int32, flow: Int32 = -1, owner: NodeID?, parent: NodeID?) {
    being = SIMD4(Self.number(id), name, flow, 0)
    place = SIMD4(Self.number(owner), Self.number(parent), 0, 0)
    self.kind = kind
  }

  var id: Int32 { being[0] }
  /// The numbers of the node's name and flow in `Names`. The flow is -1 if the node is not a flow.
  var name: Int32 {
    get { being[1] }
    set { being[1] = newValue }
  }
  var flow: Int32 {
    get { being[2] }
    set { being[2] = newValue }
  }
  /// The kind, style, level and flags as bits.
  private(set) var traits: Int32 {
    get { being[3] }
    set { being[3] = newValue }
  }
  private(set) var owner: Int32 {
    get { place[0] }
    set { place[0] = newValue }
  }
  var parent: Int32 {
    get { place[1] }
    set { place[1] = newValue }
  }
  var presented: Int32 {
    get { place[2] }
    set { place[2] = newValue }
  }
  var on: Int32 {
    get { place[3] }
    set { place[3] = newValue }
  }
  var selected: Int32 {
    get { slots[0] }
    set { slots[0] = newValue }
  }
  /// The slot in the table's `DetailSlots`; -1 if there are no details.
  var details: Int32 {
    get { slots[1] }
    set { slots[1] = newValue }
  }
  /// The children of a node form a linked list through their records.
  var firstChild: Int32 {
    get { slots[2] }
    set { slots[2] = newValue }
  }
  var lastChild: Int32 {
    get { slots[3] }
    set { slots[3] = newValue }
  }
  var childCount: Int32 {
    get { links[0] }
    set { links[0] = newValue }
  }
  /// The neighbors in the list of the parent's children.
  var previous: Int32 {
    get { links[1] }
    set { links[1] = newValue }
  }
  var next: Int32 {
    get { links[2] }
    set { links[2] = newValue }
  }
  /// The flows that a flow created form a linked list through their records, the oldest first.
  var firstOwned: Int32 {
    get { links[3] }
    set { links[3] = newValue }
  }
  var lastOwned: Int32 {
    get { owned[0] }
    set { owned[0] = newValue }
  }
  /// The neighbors in the list of the owner's flows.
  var previousOwned: Int32 {
    get { owned[1] }
    set { owned[1] = newValue }
  }
  var nextOwned: Int32 {
    get { owned[2] }
    set { owned[2] = newValue }
  }

  /// The number by which a modal that was put on top again is compared with the ids of other modals; 0 for any other node.
  var order: Int32 {
    get { owned[3] }
    set { owned[3] = newValue }
  }
  /// The number that orders the modals. The modal with the highest number is in front.
  var frontOrder: Int32 { order == 0 ? id : order }
  /// The number in `order`; `nil` if the id determines the order.
  var shownOrder: Int? { order == 0 ? nil : Int(order) }

  /// Sets the flow and its owner. The list of the owner's flows is not updated.
  mutating func setFlow(_ flow: Int32, owner: NodeID?) {
    self.flow = flow
    self.owner = Self.number(owner)
  }

  static func number(_ id: NodeID?) -> Int32 { id.flatMap { Int32(exactly: $0.number) } ?? 0 }

  static func node(_ number: Int32) -> NodeID? { number == 0 ? nil : NodeID(Int(number)) }

  // The bits of the traits: 0 to 3 kind, 4 to 7 style, 8 and 9 `listen`, 16 to 23 level, 24 to 31 flags.

  /// The index of the kind in `Node.Kind.allCases`.
  var kindNumber: Int { Int(traits & 0xF) }

  var kind: Node.Kind {
    get { Node.Kind(number: kindNumber) }
    set { traits = traits & ~0xF | Int32(newValue.number) }
  }

  var style: PresentationStyle? {
    get {
      let number = Int(traits >> 4 & 0xF)
      return number == 0 ? nil : PresentationStyle.allCases[number - 1]
    }
    set { traits = traits & ~0xF0 | (newValue?.number ?? 0) << 4 }
  }

  var flags: NodeFlags {
    get { NodeFlags(rawValue: UInt8(truncatingIfNeeded: traits >> 24)) }
    set { traits = traits & 0xFF_FFFF | Int32(newValue.rawValue) << 24 }
  }

  var listen: Listen {
    get { Listen(hidden: traits & 1 << 8 != 0, dismissed: traits & 1 << 9 != 0) }
    set { traits = traits & ~0x300 | (newValue.hidden ? 1 << 8 : 0) | (newValue.dismissed ? 1 << 9 : 0) }
  }

  /// The level on which the node is presented or for which it waits; 0 for none.
  var level: Int {
    get { Int(traits >> 16 & 0xFF) }
    set { traits = traits & ~0xFF_0000 | Int32(clamping: newValue & 0xFF) << 16 }
  }

  /// The level as clients see it; `nil` for a node on no level. An overlay has the number 1 in its record, because it is a separate window
  /// like a level.
  var shownLevel: Int? { level == 0 || isOverlay ? nil : level }

  var nodeID: NodeID { NodeID(Int(id)) }
  var ownerID: NodeID? { Self.node(owner) }
  var parentID: NodeID? { Self.node(parent) }
  var presentedID: NodeID? { Self.node(presented) }
  var onID: NodeID? { Self.node(on) }
  var selectedIndex: Int? { selected < 0 ? nil : Int(selected) }
  var isFlow: Bool { flow >= 0 }
  /// Whether the node is a screen or alert, which has no children.
  var isLeaf: Bool { kindNumber <= Node.Kind.lastLeaf }
  /// Whether the node is a flow that can still handle steps.
  var isAliveFlow: Bool { isFlow && !isEnded }
  /// The flow instance that handles the node's steps. A flow handles its own.
  var handlingFlow: NodeID? { isFlow ? nodeID : ownerID }

  var firstChildID: NodeID? { Self.node(firstChild) }
  var lastChildID: NodeID? { Self.node(lastChild) }
  var nextID: NodeID? { Self.node(next) }

  /// Whether both records are equal, except for details and positions in lists, which are compared separately.
  func isPlainlyEqual(to other: NodeRecord) -> Bool {
    being == other.being && place == other.place && selected == other.selected && order == other.order
  }

  /// Whether both records are equal, except for names, details and positions in lists. For records with different name tables.
  func isPlainlyEqual(besideNames other: NodeRecord) -> Bool {
    traits == other.traits && owner == other.owner && parent == other.parent && presented == other.presented && on == other.on
      && selected == other.selected && order == other.order
  }
}

extension PresentationStyle {
  /// The number of the style, from 1.
  fileprivate var number: Int32 {
    switch self {
    case .sheet: 1
    case .fullScreen: 2
    case .alert: 3
    }
  }
}

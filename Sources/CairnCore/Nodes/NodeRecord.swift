/// A node in its table: sixteen plain numbers, so that copying a chunk of them is copying memory, and comparing two is four comparisons.
/// 0 is no node, -1 nothing else.
struct NodeRecord: Sendable {
  /// id, name, flow, traits
  private var being: SIMD4<Int32>
  /// owner, parent, presented, on
  private var place: SIMD4<Int32>
  /// selected, children, details
  private var slots = SIMD4<Int32>(-1, -1, -1, 0)
  /// first, last, previous, next: a flow's own flows, and its neighbours among its owner's
  private var flows = SIMD4<Int32>.zero

  init(id: NodeID, kind: Node.Kind, name: Int32, flow: Int32 = -1, owner: NodeID?, parent: NodeID?) {
    being = SIMD4(Self.number(id), name, flow, 0)
    place = SIMD4(Self.number(owner), Self.number(parent), 0, 0)
    self.kind = kind
  }

  static func number(_ id: NodeID?) -> Int32 { id.flatMap { Int32(exactly: $0.number) } ?? 0 }

  private static func node(_ number: Int32) -> NodeID? { number == 0 ? nil : NodeID(Int(number)) }

  var id: Int32 { being[0] }
  /// Numbers of `Names`.
  var name: Int32 {
    get { being[1] }
    set { being[1] = newValue }
  }
  var flow: Int32 {
    get { being[2] }
    set { being[2] = newValue }
  }
  var owner: Int32 { place[0] }
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
  /// Slots of the table's slabs.
  var children: Int32 {
    get { slots[1] }
    set { slots[1] = newValue }
  }
  var details: Int32 {
    get { slots[2] }
    set { slots[2] = newValue }
  }

  /// The flows that a flow contributed, oldest first, as a list through their records.
  var firstOwned: Int32 {
    get { flows[0] }
    set { flows[0] = newValue }
  }
  var lastOwned: Int32 {
    get { flows[1] }
    set { flows[1] = newValue }
  }
  var previousOwned: Int32 {
    get { flows[2] }
    set { flows[2] = newValue }
  }
  var nextOwned: Int32 {
    get { flows[3] }
    set { flows[3] = newValue }
  }

  // The traits: four bits of kind, four of style, from 16 on eight of level, a bit each for the rest.

  /// The place of its kind in `Node.Kind.allCases`.
  var kindNumber: Int { Int(being[3] & 0xF) }

  var kind: Node.Kind {
    get { Node.Kind.allCases[kindNumber] }
    set { being[3] = being[3] & ~0xF | newValue.number }
  }

  var style: PresentationStyle? {
    get {
      let number = Int(being[3] >> 4 & 0xF)
      return number == 0 ? nil : PresentationStyle.allCases[number - 1]
    }
    set { being[3] = being[3] & ~0xF0 | (newValue?.number ?? 0) << 4 }
  }

  var isEnded: Bool {
    get { has(1 << 8) }
    set { set(1 << 8, newValue) }
  }

  var listen: Listen {
    get { Listen(hidden: has(1 << 9), dismissed: has(1 << 10)) }
    set {
      set(1 << 9, newValue.hidden)
      set(1 << 10, newValue.dismissed)
    }
  }

  /// It is asked before a gesture takes it away; its details say how.
  var isGuarded: Bool {
    get { has(1 << 11) }
    set { set(1 << 11, newValue) }
  }

  /// A split that is laid out as a stack.
  var isCollapsed: Bool {
    get { has(1 << 14) }
    set { set(1 << 14, newValue) }
  }

  /// The detail of a split that was opened, and is not the one it was born with.
  var isOpened: Bool {
    get { has(1 << 15) }
    set { set(1 << 15, newValue) }
  }

  /// It waits for a place on its level, and is in no tree yet.
  var waits: Bool {
    get { has(1 << 13) }
    set { set(1 << 13, newValue) }
  }

  /// The level that it is presented on, or waits for; 0: none.
  var level: Int {
    get { Int(being[3] >> 16 & 0xFF) }
    set { being[3] = being[3] & ~0xFF_0000 | Int32(clamping: newValue & 0xFF) << 16 }
  }

  /// All of them.
  var traits: Int32 { being[3] }

  private func has(_ trait: Int32) -> Bool { being[3] & trait != 0 }

  private mutating func set(_ trait: Int32, _ isSet: Bool) { being[3] = isSet ? being[3] | trait : being[3] & ~trait }

  var nodeID: NodeID { NodeID(Int(id)) }
  var ownerID: NodeID? { Self.node(owner) }
  var parentID: NodeID? { Self.node(parent) }
  var presentedID: NodeID? { Self.node(presented) }
  var onID: NodeID? { Self.node(on) }
  var selectedIndex: Int? { selected < 0 ? nil : Int(selected) }
  var isFlow: Bool { flow >= 0 }
  /// A screen or alert: it shows something itself.
  var isLeaf: Bool { being[3] & 0xF <= Node.Kind.lastLeaf }
  /// A flow that can still handle steps.
  var isAliveFlow: Bool { isFlow && !isEnded }
  /// The flow instance that hears it: a flow hears its own.
  var hearer: NodeID? { isFlow ? nodeID : ownerID }

  /// The same numbers, slots included; the list of flows follows from the other records.
  func isSame(as other: NodeRecord) -> Bool { being == other.being && place == other.place && slots == other.slots }

  /// The same but for what its slots hold.
  func isPlainlyEqual(to other: NodeRecord) -> Bool { being == other.being && place == other.place && slots[0] == other.slots[0] }
}

extension Node.Kind {
  /// Leaves first; only within a process, so the order may change.
  static let allCases: [Node.Kind] = [.screen, .alert, .stack, .tabs, .oneOf, .split]

  fileprivate static let lastLeaf: Int32 = 1

  fileprivate var number: Int32 {
    switch self {
    case .screen: 0
    case .alert: 1
    case .stack: 2
    case .tabs: 3
    case .oneOf: 4
    case .split: 5
    }
  }
}

extension PresentationStyle {
  /// From 1.
  fileprivate var number: Int32 {
    switch self {
    case .sheet: 1
    case .fullScreen: 2
    case .alert: 3
    }
  }
}

/// The boolean properties of a node. Each is declared only here: its row in `rows` contains its names in a client's tree, on the disk and in the
/// schema.
public struct NodeFlags: OptionSet, Hashable, Sendable {
  /// One bit per property. Bits exist only within a process, so the order may change.
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  static let ended = NodeFlags(rawValue: 1)
  static let guarded = NodeFlags(rawValue: 1 << 1)
  static let collapsed = NodeFlags(rawValue: 1 << 2)
  static let opened = NodeFlags(rawValue: 1 << 3)
  static let waits = NodeFlags(rawValue: 1 << 4)
  static let cameWithTab = NodeFlags(rawValue: 1 << 5)
  static let overlay = NodeFlags(rawValue: 1 << 6)
  static let sealed = NodeFlags(rawValue: 1 << 7)

  /// The properties in the order in which they are written.
  package static let rows = [
    Row(.ended, shown: "ended", stored: "e", "A flow that has ended, but is still visible."),
    Row(
      .guarded, shown: "guarded",
      "A node with `guard`. While the guard's condition is true, a gesture does not remove the node, but sends the guard's step, if there is one."
    ),
    Row(.collapsed, shown: "collapsed", stored: "h", isOfContainers: true, "A split that is laid out as a stack."),
    Row(
      .opened, stored: "d",
      "A detail node of a split that replaced the initial one, or a page that was on the master's stack above the detail before the split expanded."
    ),
    Row(
      .cameWithTab, stored: "cameWithTab", "A page that was pushed by the same action that selected its tab, in tabs with `back: history`."),
    Row(.overlay, "A screen that is drawn over the app without covering it. Derived from the node's slot."),
    Row(.waits, stored: "waits", "A modal or overlay that waits until its level or slot is free. It is not in the tree yet."),
    Row(
      .sealed, shown: "sealed", stored: "sealed",
      "A modal with `sealed`: no action reaches a node under it, not even an action that the user made before the modal was presented."),
  ]

  static let allShown = NodeFlags(rows.filter { $0.shown != nil }.map { $0.flag })

  /// The flags that are stored. The others are derived from other members of the node.
  static let allStored = NodeFlags(rows.filter { $0.stored != nil }.map { $0.flag })

  /// The flags that `NodeBooks` and `ModalBook` track. They are set only by functions of the table.
  static let counted: NodeFlags = [.ended, .waits]

  /// The description of one property.
  package struct Row: Sendable {
    package let flag: NodeFlags
    /// The member of a client's tree; `nil` if clients do not see the property. The member is written only if the property is true.
    package let shown: StaticString?
    /// The member of a stored node; `nil` if the property follows from other members.
    package let stored: StaticString?
    /// Whether only containers have the property.
    package let isOfContainers: Bool
    /// The description in schemas.
    package let about: String

    init(
      _ flag: NodeFlags, shown: StaticString? = nil, stored: StaticString? = nil, isOfContainers: Bool = false,
      _ about: @autoclosure () -> String
    ) {
      self.flag = flag
      self.shown = shown
      self.stored = stored
      self.isOfContainers = isOfContainers
      self.about = ReferenceText.of(about())
    }
  }

  package subscript(flag: NodeFlags) -> Bool {
    get { !isDisjoint(with: flag) }
    set { self = newValue ? union(flag) : subtracting(flag) }
  }
}

/// A node in one of its representations: as a record, as a value, or in a client's tree.
public protocol FlaggedNode {
  var flags: NodeFlags { get set }
}

extension FlaggedNode {
  public var isEnded: Bool {
    get { flags[.ended] }
    set { flags[.ended] = newValue }
  }
  public var isGuarded: Bool {
    get { flags[.guarded] }
    set { flags[.guarded] = newValue }
  }
  public var isCollapsed: Bool {
    get { flags[.collapsed] }
    set { flags[.collapsed] = newValue }
  }
  public var isOpened: Bool {
    get { flags[.opened] }
    set { flags[.opened] = newValue }
  }
  public var cameWithTab: Bool {
    get { flags[.cameWithTab] }
    set { flags[.cameWithTab] = newValue }
  }
  public var isOverlay: Bool {
    get { flags[.overlay] }
    set { flags[.overlay] = newValue }
  }
  public var isSealed: Bool {
    get { flags[.sealed] }
    set { flags[.sealed] = newValue }
  }
  public var waits: Bool {
    get { flags[.waits] }
    set { flags[.waits] = newValue }
  }
}

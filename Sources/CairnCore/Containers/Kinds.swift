extension Node {
  /// The kinds of nodes, in the order of their numbers. The rules of each kind of container are in a separate file of this folder.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case screen, alert
    case stack, tabs
    case oneOf = "switch"
    case split
  }
}

extension Node.Kind {
  /// The number of the last leaf kind. Leaf kinds have the lowest numbers.
  static let lastLeaf = 1

  /// The kinds with children.
  package static let containers = allCases.filter { !$0.isLeaf }

  /// The kinds without children.
  package static let leaves = allCases.filter { $0.isLeaf }

  /// The kinds that a flow can have, in the order in which the definition language lists them.
  package static let ofFlows: [Node.Kind] = [.stack, .tabs, .split, .screen, .oneOf]

  /// The kinds between which a node can change: a split, and its collapsed layout as a stack.
  package static let ofSplits: [Node.Kind] = [.stack, .split]

  /// The word in the disk format. It stays the same if the kind is renamed in JSON.
  package var stored: StaticString {
    switch self {
    case .screen: "screen"
    case .alert: "alert"
    case .stack: "stack"
    case .tabs: "tabs"
    case .oneOf: "switch"
    case .split: "split"
    }
  }

  /// The rules of the container; `nil` for a leaf.
  var rules: ContainerRules? {
    switch self {
    case .screen, .alert: nil
    case .stack: StackContainer.rules
    case .tabs: TabsContainer.rules
    case .oneOf: SwitchContainer.rules
    case .split: SplitContainer.rules
    }
  }

  /// The number in records. Records exist only within a process, so the order of kinds may change.
  var number: Int {
    switch self {
    case .screen: 0
    case .alert: 1
    case .stack: 2
    case .tabs: 3
    case .oneOf: 4
    case .split: 5
    }
  }

  init(number: Int) {
    self =
      switch number {
      case 0: .screen
      case 1: .alert
      case 2: .stack
      case 3: .tabs
      case 4: .oneOf
      default: .split
      }
  }

  /// Whether the node is a screen or alert, which has no children.
  package var isLeaf: Bool { number <= Self.lastLeaf }

  /// Whether all children are visible, instead of only the one in front.
  package var showsAllChildren: Bool { rules?.showsAllChildren ?? false }
}

extension NodeRecord {
  /// The rules of the container; `nil` for a leaf.
  var rules: ContainerRules? { kind.rules }
}

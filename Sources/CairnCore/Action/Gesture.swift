/// A gesture of the platform, which the definition need not declare.
public enum Gesture: Hashable, Sendable {
  case pop(count: Int, node: NodeID?)
  case popTo(Action.Destination)
  case popToRoot
  /// The system's back gesture. It pops a screen. If no screen can be popped, it dismisses a modal. If there is no modal, it has the effect
  /// that the tabs declare for `back`. If none of these applies, it changes nothing.
  case back
  case dismiss(node: NodeID?)
  case select(Action.Selection, node: NodeID?)
}

// Gestures without a `from`. They act on the screen that is visible when they arrive.
extension Action {
  public static func pop(count: Int, node: NodeID?) -> Action { .gesture(.pop(count: count, node: node), from: nil) }

  public static func popTo(_ destination: Destination) -> Action { .gesture(.popTo(destination), from: nil) }

  public static var popToRoot: Action { .gesture(.popToRoot, from: nil) }

  public static var back: Action { .gesture(.back, from: nil) }

  public static func dismiss(node: NodeID?) -> Action { .gesture(.dismiss(node: node), from: nil) }

  public static func select(_ selection: Selection, node: NodeID?) -> Action { .gesture(.select(selection, node: node), from: nil) }
}

extension Gesture {
  /// The gesture with each node that it names replaced by the result of `new`.
  package func mappingNodes(_ new: (NodeID) -> NodeID) -> Gesture {
    switch self {
    case .pop(let count, let node): .pop(count: count, node: node.map(new))
    case .popTo(.node(let node)): .popTo(.node(new(node)))
    case .dismiss(let node): .dismiss(node: node.map(new))
    case .select(let selection, let node): .select(selection, node: node.map(new))
    case .popTo(.screen), .popToRoot, .back: self
    }
  }

  var kind: Action.Kind {
    switch self {
    case .pop: .pop
    case .popTo: .popTo
    case .popToRoot: .popToRoot
    case .back: .back
    case .dismiss: .dismiss
    case .select: .select
    }
  }

  /// The values in the order of the kind's fields. The last value is `from`.
  func values(from: NodeID?) -> ActionValues {
    let from = from.map(Value.init)
    return switch self {
    case .pop(let count, let node): ActionValues(count == 1 ? nil : .integer(WideInt(count)), node.map(Value.init), from)
    case .popTo(.screen(let screen)): ActionValues(.string(screen), nil, from)
    case .popTo(.node(let node)): ActionValues(nil, Value(node), from)
    case .popToRoot, .back: ActionValues(from)
    case .dismiss(let node): ActionValues(node.map(Value.init), from)
    case .select(.tab(let tab), let node): ActionValues(.integer(WideInt(tab)), nil, node.map(Value.init), from)
    case .select(.flow(let flow), let node): ActionValues(nil, .string(flow), node.map(Value.init), from)
    }
  }
}

extension Action {
  /// The gesture with these values; `nil` if a required value is missing, or if the kind is not a gesture.
  static func gesture(_ kind: Kind, _ values: borrowing ActionValues) -> Action? {
    switch kind {
    case .pop: .gesture(.pop(count: values.integer(0).map { Int(clamping: $0) } ?? 1, node: values.node(1)), from: values.node(2))
    case .popTo: destination(values).map { .gesture(.popTo($0), from: values.node(2)) }
    case .popToRoot: .gesture(.popToRoot, from: values.node(0))
    case .back: .gesture(.back, from: values.node(0))
    case .dismiss: .gesture(.dismiss(node: values.node(0)), from: values.node(1))
    case .select: selection(values).map { .gesture(.select($0, node: values.node(2)), from: values.node(3)) }
    default: nil
    }
  }

  private static func destination(_ values: borrowing ActionValues) -> Destination? {
    if let screen = values.text(0) { return .screen(screen) }
    return values.node(1).map { .node($0) }
  }

  private static func selection(_ values: borrowing ActionValues) -> Selection? {
    if let tab = values.integer(0) { return .tab(Int(clamping: tab)) }
    return values.text(1).map { .flow($0) }
  }
}

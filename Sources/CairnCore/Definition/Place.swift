/// A reference to a node of the tree: the nearest node of a screen or flow whose params have the given values (`PlaceSearch`).
public struct Place: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case screen, flow
    /// A screen or a flow with the name. Used only for modals.
    case any
  }

  public var kind: Kind
  public var name: String
  /// The values that params of the node must have. A missing value does not equal any value.
  public var with: [String: Expression]

  public init(_ kind: Kind, _ name: String, with: [String: Expression] = [:]) {
    self.kind = kind
    self.name = name
    self.with = with
  }

  public static func screen(_ name: String, with: [String: Expression] = [:]) -> Place { Place(.screen, name, with: with) }
  public static func flow(_ name: String, with: [String: Expression] = [:]) -> Place { Place(.flow, name, with: with) }

  /// The name of the screen; `nil` if the place does not name a screen.
  public var screen: String? { kind == .screen ? name : nil }

  /// The values in `with`, in the order of the params' names.
  public var expressions: [Expression] { with.sortedByKey.map { $0.value } }
}

extension Operation {
  /// The place at which the operation searches for a node; `nil` if the operation has none.
  public var place: Place? {
    switch self {
    case .popTo(let place), .reveal(let place), .bring(let place), .remove(let place, _), .select(.flow(let place)): place
    case .dismiss(let place), .content(_, let place), .load(_, _, let place): place
    default: nil
    }
  }
}

extension Guard {
  /// The place whose content the condition reads; `nil` if the condition names no place.
  public var place: Place? {
    switch self {
    case .content(_, _, let place), .status(_, let place): place
    default: nil
    }
  }

  /// The values that params of a node must have for the condition to be true.
  public var nodeParams: [String: Expression] {
    switch self {
    case .visible(_, let with), .screen(_, let with), .flow(_, let with): with
    default: place?.with ?? [:]
    }
  }
}

extension Reference {
  /// The place whose content the reference reads; `nil` if the reference names no place.
  public var place: Place? { if case .content(_, let place) = self { place } else { nil } }
}

extension Place: Coded {
  package static var blank: Place { Place(.screen, "") }

  package static func members<C: Coder & ~Copyable>(_ it: inout Place, _ coder: inout C) throws(C.Failure) {
    try coder.member("kind", &it.kind)
    try coder.member("name", &it.name)
    try coder.table("with", &it.with)
  }
}

extension Place.Kind: CodedWord {
  package static var blank: Place.Kind { .screen }
}

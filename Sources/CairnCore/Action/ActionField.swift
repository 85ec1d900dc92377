/// A member of an action, shared by readers, writers and schemas.
package final class ActionField: Sendable {
  /// The member's name in JSON.
  package let name: StaticString
  /// The member's name in the disk format; `nil` if the member is not stored. It stays the same if `name` is renamed.
  package let stored: StaticString?
  package let shape: Shape
  package let isRequired: Bool
  /// A description of the member for the API's documentation; empty for a member that is only stored.
  package let about: String

  /// The type of a value, and its form in `ActionValues`.
  package enum Shape: Sendable {
    case text
    /// A text without control characters.
    case line
    /// An access token. `TokenText` defines the allowed characters.
    case token
    /// A URL of at most `LinkLimit.bytes`.
    case url
    case flag
    /// An integer not less than this value.
    case integer(from: WideInt)
    /// A time in milliseconds since 1970.
    case time
    /// A duration in text form. The value is its milliseconds.
    case duration
    /// A node id such as `n7`. The value is the number of the id, as in the disk format.
    case node
    /// A link id such as `l3`. The value is the number of the id.
    case link
    /// A question's id such as `q2`. The value is the number of the id.
    case question
    /// The id of a held action, such as `h4`. The value is the number of the id.
    case held
    /// One of the given words.
    case word([String])
    case value
    /// An object of values by name.
    case values
    /// A list of screens with their params, bottom first.
    case routes
  }

  /// Creates a field. `stored` is the name in the disk format if it differs from `name`, for example because the member has been renamed.
  init(
    _ name: StaticString, _ shape: Shape, _ about: @autoclosure () -> String = "", isRequired: Bool = false, stored: StaticString? = nil,
    isStored: Bool = true
  ) {
    self.name = name
    self.stored = isStored ? stored ?? name : nil
    self.shape = shape
    self.isRequired = isRequired
    self.about = ReferenceText.of(about())
  }
}

/// The values of an action's fields, in the order of its row. An omitted value is `nil`.
package struct ActionValues {
  private var all: InlineArray<8, Value?>

  /// The maximum number of fields of an action.
  static let count = 8

  package init() { all = InlineArray(repeating: nil) }

  init(
    _ first: Value?, _ second: Value? = nil, _ third: Value? = nil, _ fourth: Value? = nil, _ fifth: Value? = nil, _ sixth: Value? = nil,
    _ seventh: Value? = nil, _ eighth: Value? = nil
  ) { all = [first, second, third, fourth, fifth, sixth, seventh, eighth] }

  package subscript(place: Int) -> Value? {
    get { all[place] }
    set { all[place] = newValue }
  }

  // Each of these functions returns the value at an index as one type; `nil` if the value is omitted or has another type.

  func text(_ place: Int) -> String? { if case .string(let text) = all[place] { text } else { nil } }
  func flag(_ place: Int) -> Bool? { if case .bool(let flag) = all[place] { flag } else { nil } }
  func integer(_ place: Int) -> WideInt? { if case .integer(let number) = all[place] { number } else { nil } }
  func node(_ place: Int) -> NodeID? { integer(place).map { NodeID($0) } }
  func link(_ place: Int) -> LinkID? { integer(place).map { LinkID($0) } }
  func values(_ place: Int) -> [String: Value]? { if case .object(let values) = all[place] { values } else { nil } }

  func routes(_ place: Int) -> [Action.Route]? {
    guard case .array(let elements) = all[place] else { return nil }
    return elements.compactMap(Action.Route.init)
  }
}

extension Value {
  init(_ node: NodeID) { self = .integer(node.number) }

  init(_ link: LinkID) { self = .integer(link.number) }
}

extension Action.Route {
  /// The form in which `ActionValues` stores a route.
  package var value: Value { ["screen": .string(screen), "params": .object(params)] }

  fileprivate init?(_ value: Value) {
    guard case .string(let screen) = value["screen"] else { return nil }
    self.init(screen)
    if case .object(let params) = value["params"] { self.params = params }
  }
}

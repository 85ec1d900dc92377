import CairnCore

/// A place in a file, from 1; columns in Unicode scalars.
struct Position: Hashable, Comparable, Sendable {
  var line: Int
  var column: Int

  static func < (a: Position, b: Position) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A parsed value that knows where it stands.
struct Element: Sendable {
  var content: Content
  var position: Position

  enum Content: Sendable {
    case scalar(Value)
    case list([Element])
    case map([Member])
  }

  struct Member: Sendable {
    var name: String
    /// Of the name.
    var position: Position
    var element: Element
  }

  /// The value without its places.
  var value: Value {
    switch content {
    case .scalar(let value): value
    case .list(let elements): .array(elements.map(\.value))
    case .map(let members):
      .object(Dictionary(members.map { ($0.name, $0.element.value) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  var isNull: Bool { if case .scalar(.null) = content { true } else { false } }

  var members: [Member]? { if case .map(let members) = content { members } else { nil } }

  var list: [Element]? { if case .list(let elements) = content { elements } else { nil } }

  var text: String? { if case .scalar(.string(let text)) = content { text } else { nil } }

  /// The word for messages: map, list, or the kind of the scalar.
  var kindName: String {
    switch content {
    case .scalar(let value): value.kindName
    case .list: "list"
    case .map: "map"
    }
  }

  func has(_ name: String) -> Bool { members?.contains { $0.name == name } ?? false }
}

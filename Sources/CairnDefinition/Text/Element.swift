package import CairnCore

/// A position in a file. Lines and columns count from 1; columns count Unicode scalars.
package struct Position: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package static func < (a: Position, b: Position) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A parsed value with its position.
package struct Element: Sendable {
  package var content: Content
  package var position: Position

  package enum Content: Sendable {
    case scalar(Value)
    case list([Element])
    case map([Member])
  }

  package struct Member: Sendable {
    package var name: String
    /// The position of the name.
    package var position: Position
    package var element: Element
  }

  /// The value without the positions.
  package var value: Value {
    switch content {
    case .scalar(let value): value
    case .list(let elements): .array(elements.map(\.value))
    case .map(let members):
      .object(Dictionary(members.map { ($0.name, $0.element.value) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  package var isNull: Bool { if case .scalar(.null) = content { true } else { false } }

  package var members: [Member]? { if case .map(let members) = content { members } else { nil } }

  package var list: [Element]? { if case .list(let elements) = content { elements } else { nil } }

  package var text: String? { if case .scalar(.string(let text)) = content { text } else { nil } }

  /// The kind of the value, for messages: `map`, `list`, or the kind of the scalar.
  package var kindName: String {
    switch content {
    case .scalar(let value): value.kindName
    case .list: "list"
    case .map: "map"
    }
  }

  package func has(_ name: String) -> Bool { members?.contains { $0.name == name } ?? false }
}

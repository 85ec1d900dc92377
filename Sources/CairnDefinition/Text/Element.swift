package import CairnCore

/// A position in a file. Lines and columns count from 1; columns count Unicode scalars.
package struct Position: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int
  /// The path of the file if the definition consists of several files; otherwise `nil`, and the caller passes the file's name.
  package var file: String?

  package init(line: Int, column: Int, file: String? = nil) {
    self.line = line
    self.column = column
    self.file = file
  }

  package static func < (a: Position, b: Position) -> Bool { (a.file ?? "", a.line, a.column) < (b.file ?? "", b.line, b.column) }

  /// The position as `file:line:column`. `single` is the name of the file if the position does not contain one.
  package func text(in single: String) -> String { "\(file ?? single):\(line):\(column)" }

  /// The same line and column in a file of this path.
  func placed(in file: String) -> Position { Position(line: line, column: column, file: file) }

  /// This position in a message about the position `other`: `line:column`, preceded by the path if `other` is in another file.
  func text(besides other: Position) -> String { file == other.file ? "\(line):\(column)" : text(in: "") }

  /// This position in a sentence about the position `other`: `on line 4`, or `at flows/orders.yaml:4:3` if `other` is in another file.
  func words(besides other: Position, _ preposition: String = "on") -> String {
    file == other.file ? "\(preposition) line \(line)" : "at \(text(in: ""))"
  }
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

  /// The element with positions in a file of this path.
  func placed(in file: String) -> Element {
    var element = self
    element.position.file = file
    switch content {
    case .scalar: break
    case .list(let elements): element.content = .list(elements.map { $0.placed(in: file) })
    case .map(let members):
      element.content = .map(
        members.map { member in
          var position = member.position
          position.file = file
          return Member(name: member.name, position: position, element: member.element.placed(in: file))
        })
    }
    return element
  }

  package func has(_ name: String) -> Bool { members?.contains { $0.name == name } ?? false }
}

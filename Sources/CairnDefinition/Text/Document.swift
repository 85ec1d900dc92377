/// Reads YAML files other than definitions, such as scenarios, and keeps the positions of their values.
package enum Document {
  /// The maximum size in bytes of a definition and of every other document.
  package static var sizeLimit: Int { ElementReader.sizeLimit }

  /// The kinds of files, determined by their names: `*.scenarios.yaml`, `*.migrate.yaml`, and definitions with any other name.
  package enum Kind: Sendable { case definition, scenarios, migration }

  /// The kind of a file, according to its name.
  package static func kind(of file: String) -> Kind {
    file.contains(".scenarios.") ? .scenarios : file.contains(".migrate.") ? .migration : .definition
  }

  /// The text without a byte order mark at its start (YAML 1.2, 5.2), which some editors write.
  package static func withoutByteOrderMark(_ text: String) -> String {
    text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// The error of a file that is larger than `sizeLimit` and is therefore not read. `size` is the number of bytes; `nil` if it is unknown.
  package static func tooLarge(file: String, size: Int?) -> InvalidDefinition {
    let count = size.map { "\($0)" } ?? "more than \(sizeLimit)"
    return InvalidDefinition(diagnostics: [Diagnostic(.error, file: file, line: 1, column: 1, ElementReader.tooLarge(count))])
  }

  /// The root element of a text. Throws all YAML errors together.
  package static func read(file: String, text: String) throws(InvalidDefinition) -> Element {
    var source = ElementReader()
    let element = source.read(text)
    let diagnostics = source.problems.map {
      Diagnostic(.error, file: file, line: $0.position.line, column: $0.position.column, $0.message)
    }
    guard let element, diagnostics.isEmpty else { throw InvalidDefinition(diagnostics: diagnostics) }
    return element
  }
}

/// Reads YAML files other than definitions, such as scenarios, and keeps the positions of their values.
package enum Document {
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

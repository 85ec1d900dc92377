/// A YAML file read with its places, for other kinds of files than definitions: scenarios.
package enum Document {
  /// The element of a text; throws everything that is wrong with it as YAML.
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

/// One thing that is wrong, or doubtful, in a definition file.
package struct Diagnostic: Error, Hashable, Sendable {
  package var severity: Severity
  package var file: String
  /// From 1.
  package var line: Int
  /// From 1, in Unicode scalars.
  package var column: Int
  /// The error, and what would be valid.
  package var message: String

  package enum Severity: String, Hashable, Sendable { case error, warning }

  package init(_ severity: Severity, file: String, line: Int, column: Int, _ message: String) {
    self.severity = severity
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line:column: error: message`, as compilers print it.
  package var description: String { "\(file):\(line):\(column): \(severity.rawValue): \(message)" }
}

/// A file that is no definition: everything that is wrong with it, in the order of the file.
package struct InvalidDefinition: Error, Hashable, Sendable {
  package var diagnostics: [Diagnostic]

  package init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

extension InvalidDefinition: CustomStringConvertible {
  /// One line a diagnostic.
  package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// An error or a warning in a definition file.
package struct Diagnostic: Error, Hashable, Sendable {
  package var severity: Severity
  package var file: String
  /// The line, from 1.
  package var line: Int
  /// The column in Unicode scalars, from 1.
  package var column: Int
  /// A description of the fault and of the valid alternatives.
  package var message: String

  package enum Severity: String, Hashable, Sendable { case error, warning }

  package init(_ severity: Severity, file: String, line: Int, column: Int, _ message: String) {
    self.severity = severity
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// A diagnostic at a position. `file` is the name of the file if the position does not contain one.
  init(_ severity: Severity, file: String, at position: Position, _ message: String) {
    self.init(severity, file: position.file ?? file, line: position.line, column: position.column, message)
  }

  /// Whether the diagnostic precedes another diagnostic in the order of files, then of positions.
  func precedes(_ other: Diagnostic) -> Bool { (file, line, column, message) < (other.file, other.line, other.column, other.message) }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line:column: error: message`, as compilers print it.
  package var description: String { "\(file):\(line):\(column): \(severity.rawValue): \(message)" }
}

/// All diagnostics of a file that is not a valid definition, in the order of the file.
package struct InvalidDefinition: Error, Hashable, Sendable {
  package var diagnostics: [Diagnostic]

  package init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

extension InvalidDefinition: CustomStringConvertible {
  /// One line per diagnostic.
  package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

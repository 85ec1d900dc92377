package import CairnCore

/// The warnings of `cairn check` for a served definition. It has no errors: otherwise it would not be served.
package struct CheckBody: JSONWritable, Sendable {
  package var app: String
  /// The definition's hash.
  package var definition: String
  /// In the order of the file.
  package var warnings: [Warning]

  package init(app: String, definition: String, warnings: [Warning]) {
    self.app = app
    self.definition = definition
    self.warnings = warnings
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("app", app)
    writer.member("definition", definition)
    writer.member("problems", [Warning]())
    writer.member("warnings", warnings)
    writer.endObject()
  }

  /// A valid but doubtful part of the definition.
  package struct Warning: JSONWritable, Sendable {
    package var message: String
    /// In the file as it was read, from 1; nil: it was read from none.
    package var line: Int?
    /// From 1, in Unicode scalars.
    package var column: Int?

    package init(_ message: String, line: Int? = nil, column: Int? = nil) {
      self.message = message
      self.line = line
      self.column = column
    }

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("column", ifPresent: column)
      writer.member("line", ifPresent: line)
      writer.member("message", message)
      writer.endObject()
    }
  }
}

package import CairnCore

/// What became of a definition that was put.
package struct PublishedBody: JSONWritable, Sendable {
  package var app: String
  /// Its hash.
  package var definition: String
  /// Whether the app was served with another one, or with none, before.
  package var changed: Bool
  /// What is allowed but doubtful.
  package var warnings: [Warning]

  /// One thing that is doubtful, and where; both from 1.
  package struct Warning: JSONWritable, Sendable {
    package var message: String
    package var line: Int
    package var column: Int

    package init(_ message: String, line: Int, column: Int) {
      self.message = message
      self.line = line
      self.column = column
    }

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("column", column)
      writer.member("line", line)
      writer.member("message", message)
      writer.endObject()
    }
  }

  package init(app: String, definition: String, changed: Bool, warnings: [Warning]) {
    self.app = app
    self.definition = definition
    self.changed = changed
    self.warnings = warnings
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("app", app)
    writer.member("changed", changed)
    writer.member("definition", definition)
    writer.member("warnings", warnings)
    writer.endObject()
  }
}

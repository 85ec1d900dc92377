package import CairnCore

/// The result of putting a definition.
package struct PublishedBody: JSONWritable, Sendable {
  package var app: String
  /// Its hash.
  package var definition: String
  /// Whether the app was served with another one, or with none, before.
  package var changed: Bool
  /// Valid but doubtful parts of the definition.
  package var warnings: [CheckBody.Warning]

  package init(app: String, definition: String, changed: Bool, warnings: [CheckBody.Warning]) {
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

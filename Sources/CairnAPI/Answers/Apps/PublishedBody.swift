import CairnCore

/// The response to the upload of a definition.
package struct PublishedBody: DescribedBody, Sendable {
  package var app: String
  /// The definition's hash.
  package var definition: String
  /// Whether the upload changed the definition with which the app is served, or added the app.
  package var changed: Bool
  package var warnings: [CheckBody.Warning]

  package init(app: String, definition: String, changed: Bool, warnings: [CheckBody.Warning]) {
    self.app = app
    self.definition = definition
    self.changed = changed
    self.warnings = warnings
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("app", body?.app)
    visitor.always("changed", body?.changed)
    visitor.always("definition", body?.definition, "The definition's hash.")
    visitor.always("warnings", body?.warnings)
  }

  package static var firstRequired: [String] { ["app", "definition"] }
}

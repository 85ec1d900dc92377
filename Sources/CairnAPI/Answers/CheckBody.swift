import CairnCore

/// The findings of `cairn check` for a definition that is served: it has no errors, or it would not be served.
package struct CheckBody: DescribedBody, Sendable {
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

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("app", body?.app)
    visitor.always("definition", body?.definition, "Its hash.")
    visitor.always("problems", [String](), "None: it is served.")
    visitor.always("warnings", body?.warnings, "Warnings: allowed, but doubtful.")
  }

  /// Something in a definition that is allowed but doubtful.
  package struct Warning: DescribedBody, Sendable {
    package var message: String
    /// In the file as it was read, from 1; `nil` if it was read from no file.
    package var line: Int?
    /// From 1, in Unicode scalars.
    package var column: Int?

    package init(_ message: String, line: Int? = nil, column: Int? = nil) {
      self.message = message
      self.line = line
      self.column = column
    }

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.maybe("column", body?.column, as: .whole(from: 1))
      visitor.maybe("line", body?.line, as: .whole(from: 1))
      visitor.always("message", body?.message)
    }
  }
}

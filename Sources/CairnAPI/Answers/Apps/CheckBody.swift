import CairnCore

/// The warnings of `cairn check` for a served definition. A served definition has no errors.
package struct CheckBody: DescribedBody, Sendable {
  package var app: String
  /// The definition's hash.
  package var definition: String
  /// The warnings in the order of the file.
  package var warnings: [Warning]

  package init(app: String, definition: String, warnings: [Warning]) {
    self.app = app
    self.definition = definition
    self.warnings = warnings
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("app", body?.app)
    visitor.always("definition", body?.definition, "The hash of the checked definition.")
    visitor.always("problems", [String](), "Always empty, because the service accepts no definition with errors.")
    visitor.always("warnings", body?.warnings, "Warnings: places in the definition that are valid, but probably mistakes.")
  }

  /// A warning about a part of a definition that is valid but probably a mistake.
  package struct Warning: DescribedBody, Sendable {
    package var message: String
    /// The file, relative to the folder of the definition's main file; `nil` if the definition is a single file.
    package var file: String?
    /// The line in the file, from 1; `nil` if the definition was not read from a file.
    package var line: Int?
    /// The column in the line, from 1, in Unicode scalars; `nil` if the position is unknown.
    package var column: Int?

    package init(_ message: String, file: String? = nil, line: Int? = nil, column: Int? = nil) {
      self.message = message
      self.file = file
      self.line = line
      self.column = column
    }

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.maybe("column", body?.column, as: .whole(from: 1))
      visitor.maybe(
        "file", body?.file,
        "The path of the file with the warning, relative to the definition's main file; present if the definition includes files.")
      visitor.maybe("line", body?.line, as: .whole(from: 1))
      visitor.always("message", body?.message)
    }
  }
}

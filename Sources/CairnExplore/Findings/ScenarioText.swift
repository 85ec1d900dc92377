import CairnAPI

/// Builds the text of a scenario file.
package enum ScenarioText {
  /// The paths of a migration, relative to the scenario file.
  package struct MigrationPaths: Sendable {
    /// The definition with which sessions start.
    package var old: String
    /// The migration document; `nil` if there is none.
    package var document: String?

    package init(old: String, document: String?) {
      self.old = old
      self.document = document
    }
  }

  /// The text of a file with these cases. `app` is the path of the definition, relative to the scenario file; with a migration, it is the
  /// path of the new definition.
  package static func file(app: String, migration: MigrationPaths? = nil, cases: [String]) -> String {
    var head = "app: \(YAMLText.quoted(app))\n"
    if let document = migration?.document { head += "migration: \(YAMLText.quoted(document))\n" }
    if let old = migration?.old { head += "given: { definition: \(YAMLText.quoted(old)) }\n" }
    guard !cases.isEmpty else { return "\(head)scenarios: []\n" }
    let body = cases.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false)
    return "\(head)scenarios:\n" + body.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n") + "\n"
  }
}

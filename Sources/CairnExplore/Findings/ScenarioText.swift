import CairnAPI

/// Builds the text of a scenario file.
package enum ScenarioText {
  /// The text of a file with these cases. `app` is the path of the definition, relative to the scenario file.
  package static func file(app: String, cases: [String]) -> String {
    guard !cases.isEmpty else { return "app: \(YAMLText.quoted(app))\nscenarios: []\n" }
    let body = cases.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false)
    return "app: \(YAMLText.quoted(app))\nscenarios:\n" + body.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n") + "\n"
  }
}

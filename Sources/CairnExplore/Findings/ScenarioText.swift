import CairnAPI

/// A scenario file as text.
package enum ScenarioText {
  /// `app`: the definition's file, relative to where this is written.
  package static func file(app: String, cases: [String]) -> String {
    guard !cases.isEmpty else { return "app: \(YAMLText.quoted(app))\nscenarios: []\n" }
    let body = cases.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false)
    return "app: \(YAMLText.quoted(app))\nscenarios:\n" + body.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n") + "\n"
  }
}

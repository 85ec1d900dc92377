/// The kind of a document about an app. The raw value is stored.
package enum DocumentKind: String, Hashable, Sendable, CaseIterable {
  case edition, migration, rollout

  /// All kinds as SQL string literals, separated by commas.
  package static let list = allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}

/// The apps that the setting `predict` lists. Their clients may get the definition, to run an engine.
package struct PredictableApps: Sendable, Equatable {
  private let names: Set<String>
  private let isEvery: Bool

  /// Creates an empty list of apps.
  package init() { (names, isEvery) = ([], false) }

  /// Parses names separated by commas or blanks, or `*` for every app. Returns `nil` for `*` together with names.
  package init?(_ text: String) {
    let names = Set(text.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init))
    guard !names.contains("*") || names.count == 1 else { return nil }
    (self.names, isEvery) = names == ["*"] ? ([], true) : (names, false)
  }

  /// Whether clients may get the definition of this app.
  func contains(_ app: String) -> Bool { isEvery || names.contains(app) }
}

package import CairnCore

extension Definition {
  /// Returns the environment variables that the definition names, with the values that `value` returns; a variable without a value is
  /// omitted. The OAuth client's secret is not included.
  package func environment(from value: (String) -> String?) -> [String: String] {
    var names = facts.values.compactMap(\.environment)
    if let oauth { names += oauth.publicVariables }
    return names.reduce(into: [:]) { $0[$1] = value($1) }
  }
}

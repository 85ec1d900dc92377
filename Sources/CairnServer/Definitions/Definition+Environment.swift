package import CairnCore

extension Definition {
  /// The environment variables that the definition names, as `value` returns them. They do not include the OAuth client's secret.
  package func environment(from value: (String) -> String?) -> [String: String] {
    var names = facts.values.compactMap(\.environment)
    if let oauth { names += oauth.publicVariables }
    return names.reduce(into: [:]) { $0[$1] = value($1) }
  }
}

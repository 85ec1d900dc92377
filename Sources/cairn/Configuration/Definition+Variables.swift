import CairnCore

extension Definition {
  /// The environment variables that the definition names.
  var variables: [String] {
    let own =
      facts.values.compactMap(\.environment) + (loads.compactMap(\.request) + submissions.map(\.request)).flatMap(\.variables.values)
    guard let oauth else { return own }
    return own + oauth.publicVariables + (oauth.clientSecret.map { [$0] } ?? [])
  }
}

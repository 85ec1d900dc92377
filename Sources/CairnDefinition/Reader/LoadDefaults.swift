import CairnCore

/// The members of `loadDefaults`, for every load without its own.
struct LoadDefaults {
  /// Milliseconds.
  var timeout: Int?
  var retry: Retry?
  var headers = LoadHeaders()
}

/// The headers of a load.
struct LoadHeaders {
  /// Expressions that are evaluated when the load starts, by the header's name.
  var values: [String: Expression] = [:]
  /// The variable by the header's name.
  var variables: [String: String] = [:]

  /// With those of the defaults that are not among them, whatever their case.
  func merging(_ defaults: LoadHeaders) -> LoadHeaders {
    let own = Set((Array(values.keys) + Array(variables.keys)).map { $0.lowercased() })
    var merged = self
    for (name, value) in defaults.values where !own.contains(name.lowercased()) { merged.values[name] = value }
    for (name, variable) in defaults.variables where !own.contains(name.lowercased()) { merged.variables[name] = variable }
    return merged
  }
}

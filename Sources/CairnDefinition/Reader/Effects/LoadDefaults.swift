import CairnCore

/// The members of `loadDefaults`, which apply to loads that lack a member of the same name.
struct LoadDefaults {
  /// The timeout in milliseconds; `nil` if `loadDefaults` has no `timeout`.
  var timeout: Int?
  var retry: Retry?
  var headers = LoadHeaders()
}

/// The headers of a load.
struct LoadHeaders {
  /// Expressions by header name, evaluated when the load starts.
  var values: [String: Expression] = [:]
  /// The environment variables that contain header values, by header name.
  var variables: [String: String] = [:]

  /// Returns these headers and the default headers with other names. Names are compared without regard to case.
  func merging(_ defaults: LoadHeaders) -> LoadHeaders {
    let own = Set((Array(values.keys) + Array(variables.keys)).map { $0.lowercased() })
    var merged = self
    for (name, value) in defaults.values where !own.contains(name.lowercased()) { merged.values[name] = value }
    for (name, variable) in defaults.variables where !own.contains(name.lowercased()) { merged.variables[name] = variable }
    return merged
  }
}

import CairnCore

extension LoadCall {
  /// An attempt of a request with the settings in `terms`.
  init(_ terms: CallTerms?, url: String, bearer: String?, identity: String?, time: Int) {
    self.init(terms?.method ?? .get, url: url, bearer: bearer, identity: identity, time: time)
    guard let terms else { return }
    body = terms.body
    headers = terms.headers
    variables = terms.variables
  }
}

extension Session {
  /// A value shared by all attempts of a POST, including those after a restart. `nil` for other methods, which may be repeated safely. The
  /// value contains the effect's start time, because a restored database reuses the ids of effects.
  func identity(of effect: Effect) -> String? {
    effect.terms?.method == .post ? "\(id)/\(effect.id)/\(effect.start)" : nil
  }
}

import CairnCore

extension LoadCall {
  /// An attempt of a request, with what it says beside its URL.
  init(_ terms: CallTerms?, url: String, bearer: String?, identity: String?, time: Int) {
    self.init(terms?.method ?? .get, url: url, bearer: bearer, identity: identity, time: time)
    guard let terms else { return }
    body = terms.body
    headers = terms.headers
    variables = terms.variables
  }
}

extension Session {
  /// The identity of a POST through all its attempts and over restarts; `nil`: a request of another method may be repeated as it is. The
  /// time is part of it, since a restored database reuses the numbers of effects.
  func identity(of effect: Effect) -> String? {
    effect.terms?.method == .post ? "\(id)/\(effect.id)/\(effect.start)" : nil
  }
}

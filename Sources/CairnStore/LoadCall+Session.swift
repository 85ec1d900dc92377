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
  /// What tells a POST from every other one, through all its attempts and over restarts; nil: any other method may be repeated as it is. The
  /// time is part of it, since a database that was put back counts its effects again.
  func identity(of effect: Effect) -> String? {
    effect.terms?.method == .post ? "\(id)/\(effect.id)/\(effect.start)" : nil
  }
}

/// The settings of a request other than its URL.
extension CallTerms: Coded {
  package static var blank: CallTerms { CallTerms() }

  package static func members<C: Coder & ~Copyable>(_ it: inout CallTerms, _ coder: inout C) throws(C.Failure) {
    try coder.member("method", &it.method, unless: .get)
    try coder.member("body", &it.body)
    try coder.table("headers", &it.headers)
    try coder.table("variables", &it.variables)
    try coder.table("sealed", &it.sealedHeaders)
    try coder.list("secret", &it.secretMembers)
    try coder.member("timeout", &it.timeout)
    coder.chooseIfAny(&it.retry, ["retries"], [Retry(count: 0)])
    if var retry = it.retry {
      try coder.member("retries", &retry.count)
      try coder.member("backoff", &retry.backoff)
      it.retry = retry
    }
    coder.chooseIfAny(&it.polling, ["every"], [Polling(every: 0)])
    if var polling = it.polling {
      try coder.member("every", &polling.every)
      try coder.member("until", &polling.until)
      it.polling = polling
    }
  }
}

extension HTTPMethod: CodedValue {
  package static var blank: HTTPMethod { .get }

  /// The stored words are independent of the raw values. The compiler requires a word for each case.
  package static func code<C: Coder & ~Copyable>(_ it: inout HTTPMethod, _ coder: inout C) throws(C.Failure) {
    var word =
      switch it {
      case .get: "get"
      case .post: "post"
      case .put: "put"
      case .delete: "delete"
      }
    try coder.code(&word)
    switch word {
    case "get": it = .get
    case "post": it = .post
    case "put": it = .put
    case "delete": it = .delete
    default: try coder.reject("an unknown method")
    }
  }
}

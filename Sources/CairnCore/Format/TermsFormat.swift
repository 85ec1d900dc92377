/// The stored form of a request's settings other than its URL. Empty members are omitted.
enum TermsFormat {
  /// Writes the settings as an object.
  static func write(_ terms: CallTerms, _ writer: inout JSONWriter) {
    writer.beginObject()
    if terms.method != .get { writer.member("method", word(terms.method)) }
    if let body = terms.body {
      writer.member("body", body)
    }
    for case (let name, let texts) in [(StaticString("headers"), terms.headers), ("variables", terms.variables)] where !texts.isEmpty {
      writer.member(name, texts)
    }
    if !terms.sealedHeaders.isEmpty { writer.member("sealed", terms.sealedHeaders) }
    if let timeout = terms.timeout { writer.member("timeout", timeout) }
    if let retry = terms.retry {
      writer.member("retries", retry.count)
      writer.member("backoff", retry.backoff)
    }
    if let polling = terms.polling {
      writer.member("every", polling.every)
      if let until = polling.until {
        writer.name("until")
        GuardFormat.write(until, &writer)
      }
    }
    writer.endObject()
  }

  /// Reads settings that `write` has written.
  static func terms(_ element: JSONElement) throws(UnreadableFormat) -> CallTerms {
    var terms = CallTerms()
    var retry = Retry(count: 0)
    var every: WideInt?
    var until: Guard?
    for (member, value) in try element.readMembers() {
      switch member {
      case "method":
        guard let method = method(try value.readString()) else { throw value.fault("an unknown method") }
        terms.method = method
      case "body": terms.body = value.stored
      case "headers": terms.headers = try value.readTexts()
      case "variables": terms.variables = try value.readTexts()
      case "sealed": for (name, number) in try value.readMembers() { terms.sealedHeaders[try name.readString()] = try number.readNumber() }
      case "timeout": terms.timeout = try value.readNumber()
      case "retries": retry.count = try value.readCount()
      case "backoff": retry.backoff = try value.readNumber()
      case "every": every = try value.readNumber()
      case "until": until = try GuardFormat.condition(value)
      default: throw member.unknown
      }
    }
    if retry.count > 0 { terms.retry = retry }
    terms.polling = every.map { Polling(every: $0, until: until) }
    return terms
  }

  private static func word(_ method: HTTPMethod) -> String {
    switch method {
    case .get: "get"
    case .post: "post"
    case .put: "put"
    case .delete: "delete"
    }
  }

  /// The method for a stored word; `nil` if the word is unknown.
  private static func method(_ word: String) -> HTTPMethod? {
    switch word {
    case "get": .get
    case "post": .post
    case "put": .put
    case "delete": .delete
    default: nil
    }
  }
}

import CairnCore

/// The terms of a request beside its URL, on the disk; an empty member is omitted.
enum TermsFormat {
  /// As an object.
  static func write(_ terms: CallTerms, _ writer: inout JSONWriter) {
    writer.beginObject()
    if terms.method != .get { writer.member("method", word(terms.method)) }
    if let body = terms.body {
      writer.member("body", body)
    }
    for case (let name, let texts) in [(StaticString("headers"), terms.headers), ("variables", terms.variables)] where !texts.isEmpty {
      writer.member(name, texts)
    }
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

  /// Reads what `write` writes.
  static func terms(_ element: JSONElement) throws(UnreadableFormat) -> CallTerms {
    var terms = CallTerms()
    var retry = Retry(count: 0)
    var every: Int?
    var until: Guard?
    for (member, value) in try element.readMembers() {
      switch member {
      case "method":
        guard let method = method(try value.readString()) else { throw value.fault("an unknown method") }
        terms.method = method
      case "body": terms.body = value.stored
      case "headers": terms.headers = try value.readTexts()
      case "variables": terms.variables = try value.readTexts()
      case "timeout": terms.timeout = try value.readInteger()
      case "retries": retry.count = try value.readInteger()
      case "backoff": retry.backoff = try value.readInteger()
      case "every": every = try value.readInteger()
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

  /// nil: no such word.
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

import CairnCore

/// What a request says beside its URL, on the disk; a member that says nothing is left out.
enum TermsFormat {
  /// As an object.
  static func write(_ terms: CallTerms, _ writer: inout DiskWriter) {
    writer.open("{")
    if terms.method != .get { writer.member("method", word(terms.method)) }
    if let body = terms.body {
      writer.name("body")
      writer.write(body)
    }
    for case (let name, let texts) in [(StaticString("headers"), terms.headers), ("variables", terms.variables)] where !texts.isEmpty {
      writer.name(name)
      writer.write(texts.mapValues(Value.string))
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
    writer.close("}")
  }

  /// What `write` wrote.
  static func terms(_ reader: inout DiskReader) throws(UnreadableFormat) -> CallTerms {
    var terms = CallTerms()
    var retry = Retry(count: 0)
    var every: Int?
    var until: Guard?
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "method":
        guard let method = method(try reader.string()) else { throw reader.fault("an unknown method") }
        terms.method = method
      case "body": terms.body = try reader.value()
      case "headers": try texts(into: &terms.headers, &reader)
      case "variables": try texts(into: &terms.variables, &reader)
      case "timeout": terms.timeout = try reader.integer()
      case "retries": retry.count = try reader.integer()
      case "backoff": retry.backoff = try reader.integer()
      case "every": every = try reader.integer()
      case "until": until = try GuardFormat.condition(&reader)
      default: throw reader.unknown(member)
      }
    }
    if retry.count > 0 { terms.retry = retry }
    terms.polling = every.map { Polling(every: $0, until: until) }
    return terms
  }

  private static func texts(into texts: inout [String: String], _ reader: inout DiskReader) throws(UnreadableFormat) {
    var found: [String: String] = [:]
    try reader.members { reader, name throws(UnreadableFormat) in found[name] = try reader.string() }
    texts = found
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

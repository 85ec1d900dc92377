/// The content codings that a client accepts in a response: the value of `Accept-Encoding` (RFC 9110, 12.5.3).
struct AcceptedCodings {
  /// Whether each listed coding is accepted, by its name in lower case. `*` matches all codings that are not listed.
  private var listed: [String: Bool] = [:]

  /// Parses all `Accept-Encoding` fields. A weight of 0 means that the coding is not accepted; other weights are ignored.
  init(_ fields: [String]) {
    for element in fields.joined(separator: ",").lowercased().split(separator: ",") {
      let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let name = parts.first, !name.isEmpty else { continue }
      listed[name] = !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
  }

  /// Whether the client accepts a coding. `false` if the request has no `Accept-Encoding` field, because a client without decoders sends no
  /// such field.
  func contain(_ coding: String) -> Bool { listed[coding] ?? listed["*"] ?? false }
}

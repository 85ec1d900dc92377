/// The content codings that a client accepts in a response: the value of `Accept-Encoding` (RFC 9110, 12.5.3).
struct AcceptedCodings {
  /// Whether a coding is accepted, by its name in lower case. `*` stands for all codings that are not listed.
  private var listed: [String: Bool] = [:]

  /// Reads all fields of that name. Of a weight only matters whether it is 0, which means that the coding is not accepted.
  init(_ fields: [String]) {
    for element in fields.joined(separator: ",").lowercased().split(separator: ",") {
      let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let name = parts.first, !name.isEmpty else { continue }
      listed[name] = !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
  }

  /// Whether the client accepts a coding. False if the request has no such field, because a client without decoders sends none.
  func contain(_ coding: String) -> Bool { listed[coding] ?? listed["*"] ?? false }
}

/// The format of a definition's graph.
enum GraphFormat: String, CaseIterable {
  case json, mermaid, dot

  /// Selects the first supported media type of the `Accept` fields (RFC 9110, 12.5.1), and ignores weights. Selects JSON if no media type
  /// is supported.
  init(accepting fields: [String]) {
    let types = fields.joined(separator: ",").lowercased().split(separator: ",").map { type in
      String(type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" })
    }
    self = types.lazy.compactMap { type in Self.allCases.first { $0.mediaType == type } }.first ?? .json
  }

  var mediaType: String {
    switch self {
    case .json: "application/json"
    case .mermaid: "text/vnd.mermaid"
    case .dot: "text/vnd.graphviz"
    }
  }

  /// The entity tag of a graph. Each format has its own tag, because it is a separate representation (RFC 9110, 8.8.3).
  func tag(of hash: String) -> String { self == .json ? hash : "\(hash)-\(rawValue)" }
}

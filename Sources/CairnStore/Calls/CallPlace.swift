import CairnCore

/// The keys of an outgoing call's slots: its app, its upstream, its session.
struct CallPlace: Hashable, Sendable {
  /// A host as one app calls it. Two apps do not share one: what one app does to a host is nothing that another should feel.
  struct Upstream: Hashable, Sendable {
    var app: String
    /// The authority in lower case.
    var host: String
  }

  var upstream: Upstream
  var session: String

  init(app: String, host: String, session: String) {
    upstream = Upstream(app: app, host: host)
    self.session = session
  }

  var app: String { upstream.app }
}

extension OutboundCall {
  /// The host of a call that has none.
  static let noHost = "none"

  /// The authority that is called, in lower case and without user information.
  package var host: String {
    switch self {
    case .load(let load): Self.host(of: load.url)
    case .exchange(let oauth, let environment, _, _): Self.host(of: oauth.baseURL.value(in: environment))
    }
  }

  /// The same of a URL.
  static func host(of url: String?) -> String {
    guard let url, let scheme = url.firstRange(of: "://") else { return noHost }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    return authority.split(separator: "@").last?.lowercased() ?? noHost
  }
}

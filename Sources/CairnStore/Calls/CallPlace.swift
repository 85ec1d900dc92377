import CairnCore

/// The app, the upstream and the session of an outgoing call. The call counts towards the limits of all three.
struct CallPlace: Hashable, Sendable {
  /// A host that one app calls. Each app has its own limits for a host, so one app cannot slow down another.
  struct Upstream: Hashable, Sendable {
    var app: String
    /// The authority of the called URL in lower case, or `OutboundCall.noHost`.
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
  /// The host of a call without a valid URL.
  static let noHost = "none"

  /// The authority of the called URL, in lower case and without user information; `noHost` without a valid URL.
  package var host: String {
    switch self {
    case .load(let load): Self.host(of: load.url)
    case .token(let call): Self.host(of: call.oauth.tokenEndpoint.value(in: call.environment))
    }
  }

  /// The authority of a URL, in lower case and without user information; `noHost` if the URL is `nil` or invalid.
  static func host(of url: String?) -> String {
    guard let url, let scheme = url.firstRange(of: "://") else { return noHost }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    return authority.split(separator: "@").last?.lowercased() ?? noHost
  }
}

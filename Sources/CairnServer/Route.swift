/// Every endpoint by its template, which is also its name in logs and metrics.
enum Route: String, CaseIterable {
  case sessions = "/v1/sessions"
  case session = "/v1/sessions/{id}"
  case stack = "/v1/sessions/{id}/stack"
  case actions = "/v1/sessions/{id}/actions"
  case open = "/v1/sessions/{id}/open"
  case notifications = "/v1/sessions/{id}/notifications"
  case history = "/v1/sessions/{id}/history"
  case apps = "/v1/apps"
  case app = "/v1/apps/{app}"
  case livez = "/livez"
  case readyz = "/readyz"
  case metrics = "/metrics"

  /// What may be done there, beside HEAD wherever GET, and OPTIONS.
  var methods: [String] {
    switch self {
    case .sessions: ["GET", "POST"]
    case .session: ["GET", "DELETE"]
    case .actions, .open, .notifications: ["POST"]
    case .stack, .history, .apps, .app, .livez, .readyz, .metrics: ["GET"]
    }
  }

  /// The value of `Allow` (RFC 9110, 10.2.1).
  var allow: String {
    methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }.joined(separator: ", ") + ", OPTIONS"
  }

  /// The route of decoded segments, and what stands in its braces; nil: there is none.
  static func of(_ path: [String]) -> (route: Route, parameter: String)? {
    for (route, template) in templates where template.count == path.count {
      var parameter = ""
      let fits = zip(template, path).allSatisfy { pattern, segment in
        guard pattern.first == "{" else { return pattern == segment }
        parameter = segment
        return !segment.isEmpty
      }
      if fits { return (route, parameter) }
    }
    return nil
  }

  private static let templates = allCases.map { route in (route, route.rawValue.split(separator: "/").map(String.init)) }
}

/// Every endpoint. Its template is also its name in logs and metrics.
enum Route: UInt8, CaseIterable {
  case sessions, session, stack, actions, open, notifications, history, events, ticket, allEvents, allTicket
  case apps, app, versions, graph, check, links, livez, readyz, metrics, document, appDocument, console, consoleFile

  var template: String {
    switch self {
    case .sessions: "/v1/sessions"
    case .session: "/v1/sessions/{id}"
    case .stack: "/v1/sessions/{id}/stack"
    case .actions: "/v1/sessions/{id}/actions"
    case .open: "/v1/sessions/{id}/open"
    case .notifications: "/v1/sessions/{id}/notifications"
    case .history: "/v1/sessions/{id}/history"
    case .events: "/v1/sessions/{id}/events"
    case .ticket: "/v1/sessions/{id}/events/ticket"
    case .allEvents: "/v1/events"
    case .allTicket: "/v1/events/ticket"
    case .apps: "/v1/apps"
    case .app: "/v1/apps/{app}"
    case .versions: "/v1/apps/{app}/versions"
    case .graph: "/v1/apps/{app}/graph"
    case .check: "/v1/apps/{app}/check"
    case .links: "/v1/apps/{app}/links"
    case .livez: "/livez"
    case .readyz: "/readyz"
    case .metrics: "/metrics"
    case .document: "/openapi.json"
    case .appDocument: "/v1/apps/{app}/openapi.json"
    case .console: "/console"
    case .consoleFile: "/console/{file}"
    }
  }

  /// What may be done there, beside HEAD wherever GET, and OPTIONS.
  var methods: [RequestRecord.Method] {
    switch self {
    case .sessions: [.get, .post, .delete]
    case .session: [.get, .delete]
    case .actions, .open, .notifications, .ticket, .allTicket: [.post]
    case .app: [.get, .put]
    case .stack, .history, .events, .allEvents, .apps, .versions, .graph, .check, .links, .livez, .readyz, .metrics, .document,
      .appDocument, .console, .consoleFile:
      [.get]
    }
  }

  /// Whether it is answered on a port: how the service is on both, its figures on the one for whoever runs it, if there is such a port.
  func isServed(onAdminPort isAdmin: Bool, hasAdminPort: Bool) -> Bool {
    switch self {
    case .livez, .readyz: true
    case .metrics: isAdmin || !hasAdminPort
    default: !isAdmin
    }
  }

  /// The same, where definitions may be put or may not.
  func methods(isWritable: Bool) -> [RequestRecord.Method] { isWritable ? methods : methods.filter { $0 != .put } }

  /// Whether a method is answered there by an endpoint of its own: not HEAD, which asks what GET does, nor OPTIONS.
  func takes(_ method: RequestRecord.Method, isWritable: Bool) -> Bool {
    (isWritable || method != .put) && Self.taken[Int(rawValue)].contains(method)
  }

  /// `methods` by the route's number: asked for with each request.
  private static let taken = allCases.map(\.methods)

  /// The value of `Allow` (RFC 9110, 10.2.1).
  func allow(isWritable: Bool) -> String {
    (methods(isWritable: isWritable).flatMap { $0 == .get ? [.get, .head] : [$0] } + [.options]).map(\.rawValue).joined(separator: ", ")
  }

  /// The route of decoded segments, and which of them stands in its braces; nil: there is none.
  static func of<Segments: RandomAccessCollection<ArraySlice<UInt8>>>(_ path: Segments) -> (route: Route, parameter: Segments.Index?)?
  where Segments.Index == Int {
    let count = path.count
    for template in templates where template.segments.count == count {
      // From the end: there they differ.
      var index = count
      while index > 0, template.fits(path[path.startIndex + index - 1], at: index - 1) { index -= 1 }
      if index == 0 { return (template.route, template.parameter.map { path.startIndex + $0 }) }
    }
    return nil
  }

  private struct Template {
    let route: Route
    /// nil: any but an empty one.
    let segments: [[UInt8]?]
    let parameter: Int?

    init(_ route: Route) {
      self.route = route
      segments = route.template.split(separator: "/").map { $0.first == "{" ? nil : Array($0.utf8) }
      parameter = segments.firstIndex(of: nil)
    }

    func fits(_ segment: ArraySlice<UInt8>, at index: Int) -> Bool {
      guard let expected = segments[index] else { return !segment.isEmpty }
      return expected.count == segment.count && segment.elementsEqual(expected)
    }
  }

  private static let templates = allCases.map(Template.init)
}

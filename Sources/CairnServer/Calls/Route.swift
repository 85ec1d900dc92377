import CairnHTTP

/// A path of the API: the rows of `Endpoint.all` with the same template. The template is also the route's name in logs and metrics.
struct Route: Hashable, Sendable {
  /// The index in `all`.
  let number: UInt8

  private init(_ number: Int) { self.number = UInt8(number) }

  /// All routes, in the order of the table.
  static let all = entries.indices.map(Route.init)

  var template: String { Self.entries[Int(number)].template }

  /// The rows of the table, one per method.
  var endpoints: [Endpoint] { Self.entries[Int(number)].endpoints }

  /// The port that serves the route.
  var port: Endpoint.Port { Self.entries[Int(number)].port }

  /// Whether a port serves the route. `hasAdminPort` is whether an operators' port is configured; the public port then serves no metrics.
  func isServed(onAdminPort isAdmin: Bool, hasAdminPort: Bool) -> Bool {
    switch port {
    case .both: true
    case .metrics: isAdmin || !hasAdminPort
    case .main: !isAdmin
    }
  }

  /// The methods with an endpoint, without HEAD and OPTIONS. PUT is omitted unless `isWritable` is `true`, which means that operators may
  /// put definitions.
  func methods(isWritable: Bool) -> [RequestRecord.Method] {
    let all = endpoints.map(\.method)
    return isWritable ? all : all.filter { $0 != .put }
  }

  /// Returns the handler of a method; `nil` if no endpoint has the method. HEAD and OPTIONS have no handler of their own: HEAD uses the
  /// handler of GET.
  func handler(of method: RequestRecord.Method, isWritable: Bool) -> Handler? {
    isWritable || method != .put ? Self.handlers[Int(number)].first { $0.method == method } : nil
  }

  /// Returns the value of the header `Allow` (RFC 9110, 10.2.1).
  func allow(isWritable: Bool) -> String {
    (methods(isWritable: isWritable).flatMap { $0 == .get ? [.get, .head] : [$0] } + [.options]).map(\.rawValue).joined(separator: ", ")
  }

  /// Returns the route of a request's path, and the index of the segment that is the template's parameter. Returns `nil` if no template
  /// matches.
  static func of(_ path: RequestPath) -> (route: Route, parameter: Int?)? { of(count: path.count) { path.isSegment($0, $1) } }

  /// Returns the route of path segments that CairnHTTP has not parsed; `nil` if no route matches.
  static func of(_ path: [ArraySlice<UInt8>]) -> (route: Route, parameter: Int?)? {
    of(count: path.count) { index, expected in expected.map { path[index].elementsEqual($0) } ?? !path[index].isEmpty }
  }

  /// Finds a route. `fits` returns whether the segment at an index equals the given bytes. `nil` stands for any segment that is not empty.
  private static func of(count: Int, _ fits: (Int, [UInt8]?) -> Bool) -> (route: Route, parameter: Int?)? {
    guard count < templates.count else { return nil }
    for template in templates[count] {
      // Compares from the end, because most templates differ there.
      var index = count
      while index > 0, fits(index - 1, template.segments[index - 1]) { index -= 1 }
      if index == 0 { return (template.route, template.parameter) }
    }
    return nil
  }

  /// The handler of a method. A separate type, so that a request does not read the whole row of the table.
  struct Handler {
    let method: RequestRecord.Method
    let run: Endpoint.Run
  }

  private struct Entry {
    let template: String
    var endpoints: [Endpoint]
    let port: Endpoint.Port
  }

  private struct Template {
    let route: Route
    /// The segments of the template; `nil` matches any segment that is not empty.
    let segments: [[UInt8]?]
    let parameter: Int?

    init(_ route: Route) {
      self.route = route
      segments = route.template.split(separator: "/").map { $0.first == "{" ? nil : Array($0.utf8) }
      parameter = segments.firstIndex(of: nil)
    }
  }

  private static let entries = Endpoint.all.reduce(into: [Entry]()) { entries, endpoint in
    if let index = entries.firstIndex(where: { $0.template == endpoint.path }) {
      entries[index].endpoints.append(endpoint)
    } else {
      entries.append(Entry(template: endpoint.path, endpoints: [endpoint], port: endpoint.port))
    }
  }

  /// The templates, indexed by the number of their segments.
  private static let templates = all.map(Template.init).reduce(into: [[Template]]()) { templates, template in
    while templates.count <= template.segments.count { templates.append([]) }
    templates[template.segments.count].append(template)
  }
  private static let handlers = entries.map { $0.endpoints.map { Handler(method: $0.method, run: $0.run) } }
}

import CairnHTTP

/// A path of the API: the rows of `Endpoint.all` that share a template. The template is its name in logs and metrics.
struct Route: Hashable, Sendable {
  /// The index in `all`.
  let number: UInt8

  private init(_ number: Int) { self.number = UInt8(number) }

  /// All routes, in the order of the table.
  static let all = entries.indices.map(Route.init)

  var template: String { Self.entries[Int(number)].template }

  /// The endpoints of the route, one per method.
  var endpoints: [Endpoint] { Self.entries[Int(number)].endpoints }

  /// The port that serves the route.
  var port: Endpoint.Port { Self.entries[Int(number)].port }

  /// Whether a port serves the route.
  func isServed(onAdminPort isAdmin: Bool, hasAdminPort: Bool) -> Bool {
    switch port {
    case .both: true
    case .metrics: isAdmin || !hasAdminPort
    case .main: !isAdmin
    }
  }

  /// The methods of the route, with OPTIONS, and with HEAD if it has GET. `isWritable` is set if definitions can be put.
  func methods(isWritable: Bool) -> [RequestRecord.Method] {
    let all = endpoints.map(\.method)
    return isWritable ? all : all.filter { $0 != .put }
  }

  /// The handler of a method; `nil` if the method has no endpoint. HEAD is handled like GET, and OPTIONS has no handler.
  func handler(of method: RequestRecord.Method, isWritable: Bool) -> Handler? {
    isWritable || method != .put ? Self.handlers[Int(number)].first { $0.method == method } : nil
  }

  /// The value of `Allow` (RFC 9110, 10.2.1).
  func allow(isWritable: Bool) -> String {
    (methods(isWritable: isWritable).flatMap { $0 == .get ? [.get, .head] : [$0] } + [.options]).map(\.rawValue).joined(separator: ", ")
  }

  /// The route of a path, and the index of the segment that is its parameter; `nil` if no template matches.
  static func of(_ path: RequestPath) -> (route: Route, parameter: Int?)? { of(count: path.count) { path.isSegment($0, $1) } }

  /// The route of a path that is given as segments.
  static func of(_ path: [ArraySlice<UInt8>]) -> (route: Route, parameter: Int?)? {
    of(count: path.count) { index, expected in expected.map { path[index].elementsEqual($0) } ?? !path[index].isEmpty }
  }

  /// `fits` returns whether the segment at an index equals a segment of the template; `nil` stands for a parameter, which matches any segment but an
  /// empty one.
  private static func of(count: Int, _ fits: (Int, [UInt8]?) -> Bool) -> (route: Route, parameter: Int?)? {
    guard count < templates.count else { return nil }
    for template in templates[count] {
      // Compares from the end, where templates differ most.
      var index = count
      while index > 0, fits(index - 1, template.segments[index - 1]) { index -= 1 }
      if index == 0 { return (template.route, template.parameter) }
    }
    return nil
  }

  /// The handler of a method. Requests read only this, not the rows of the table.
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
    /// The segments of the template. A `nil` segment is a parameter, which matches any segment but an empty one.
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

  /// The templates by their number of segments.
  private static let templates = all.map(Template.init).reduce(into: [[Template]]()) { templates, template in
    while templates.count <= template.segments.count { templates.append([]) }
    templates[template.segments.count].append(template)
  }
  private static let handlers = entries.map { $0.endpoints.map { Handler(method: $0.method, run: $0.run) } }
}

import CairnHTTP

/// The facts of an answered request that are logged. They include nothing of its query, body and secrets.
package struct RequestRecord: Sendable {
  /// The known methods. All others are counted as one, so that the label has few values.
  package enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
    case head = "HEAD"
    case options = "OPTIONS"
    case put = "PUT"
    case patch = "PATCH"
    case other

    /// The raw value as a static string, which needs no reference counting.
    package var label: StaticString {
      switch self {
      case .get: "GET"
      case .post: "POST"
      case .delete: "DELETE"
      case .head: "HEAD"
      case .options: "OPTIONS"
      case .put: "PUT"
      case .patch: "PATCH"
      case .other: "other"
      }
    }
  }

  package var method: Method
  var route: Route?
  package var status: Int
  /// Milliseconds since 1970.
  package var time: Int
  package var nanoseconds: UInt64
  package var session: String?
  package var requestID: String
  package var traceID: String?
  /// The outcome, or the code of the problem.
  package var result: String?
  /// The client's address; empty if it is unknown.
  package var address = ""
  /// The caller; `nil` if it has not been authenticated.
  var principal: Principal?
  /// The revision that the request created; `nil` if it created none.
  package var revision: Int?

  /// The template of the route, or `none`.
  package var routeLabel: String { route?.template ?? "none" }

  /// The caller's role; `nil` if the caller has not been authenticated.
  package var role: Role? { principal?.role }

  /// The operator's name if the caller is an operator. The line is then an audit record.
  package var operatorName: String? { principal.flatMap { $0.role == .operator ? $0.name : nil } }
}

extension RequestRecord.Method {
  /// The method of a request.
  init(_ request: Request?) {
    self = request?.withMethod(Self.init) ?? .other
  }

  private init(_ method: UnsafeRawBufferPointer) {
    if method.isEqual(to: "GET") {
      self = .get
    } else if method.isEqual(to: "POST") {
      self = .post
    } else {
      self = Self(rawValue: String(decoding: method, as: UTF8.self)) ?? .other
    }
  }
}

import CairnHTTP

/// The properties of an answered request for the log and the metrics. They contain no secrets, and no part of the request's query or body.
package struct RequestRecord: Sendable {
  /// The known methods. Every other method is recorded as `other`, so that the metric's label has few values.
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
  /// The time of the response, in milliseconds since 1970.
  package var time: Int
  package var nanoseconds: UInt64
  package var session: String?
  package var requestID: String
  package var traceID: String?
  /// The outcome, or the problem's code. For an ended stream, the reason and the number of events, such as `left:12`. `nil` if the request
  /// has no outcome.
  package var result: String?
  /// The client's address; empty if it is unknown.
  package var address = ""
  /// The caller; `nil` if the caller has not been authenticated.
  var principal: Principal?
  /// The session's revision after the request; `nil` if it is not recorded.
  package var revision: Int?

  /// The template of the request's route, or `none` if no route matches.
  package var routeLabel: String { route?.template ?? "none" }

  /// The caller's role; `nil` if the caller was not authenticated.
  package var role: Role? { principal?.role }

  /// The operator's name; `nil` for other callers. A record with a name is logged as an audit line.
  package var operatorName: String? { principal.flatMap { $0.role == .operator ? $0.name : nil } }
}

extension RequestRecord.Method {
  /// Creates the method of a request; `other` if the request is `nil` or its method is not known.
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

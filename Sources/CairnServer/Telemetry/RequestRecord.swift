import CairnHTTP

/// The logged facts of an answered request: nothing of its query, its body, its secrets.
package struct RequestRecord: Sendable {
  /// The methods known here, so that a label has few values.
  package enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
    case head = "HEAD"
    case options = "OPTIONS"
    case put = "PUT"
    case patch = "PATCH"
    case other

    /// The raw value, as bytes that no count of references belongs to.
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
  /// The outcome or the problem's code.
  package var result: String?
  /// Where it came from; empty: that is not known.
  package var address = ""
  /// The caller; `nil` if it was not authenticated.
  var principal: Principal?
  /// The one that it led its session to; nil: it led to none.
  package var revision: Int?

  /// The template of what was asked for.
  package var routeLabel: String { route?.template ?? "none" }

  /// `nil`: the caller is unknown.
  package var role: Role? { principal?.role }

  /// The operator's name, if the caller was one: then the line is an audit line.
  package var operatorName: String? { principal.flatMap { $0.role == .operator ? $0.name : nil } }
}

extension RequestRecord.Method {
  /// The label of a request's method.
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

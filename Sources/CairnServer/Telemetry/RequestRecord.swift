/// What is kept of an answered request: nothing of its query, its body, its secrets.
struct RequestRecord {
  var method: String
  var route: Route?
  var status: Int
  var nanoseconds: UInt64
  var session: String?
  var requestID: String
  var traceID: String?
  /// The outcome or the problem's code.
  var result: String?

  /// One of the methods known here, so that a label has few values.
  var methodLabel: String {
    ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"].contains(method) ? method : "other"
  }

  var routeLabel: String { route?.rawValue ?? "none" }
}

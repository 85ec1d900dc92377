import CairnHTTP

extension Response {
  /// The response headers that a page may read.
  private static let exposed = [
    "ETag", "Location", "Retry-After", "X-Request-Id", "Preference-Applied", "Idempotency-Replayed", "Idempotency-Expires", "Allow",
    "WWW-Authenticate", "Cairn-Engine", "Cairn-Sealing-Key",
  ].joined(separator: ", ")

  /// The request headers that a page may send.
  private static let sent = [
    "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer", "Last-Event-ID", "X-Request-Id",
    "traceparent", "tracestate",
  ].joined(separator: ", ")

  /// Allows pages of the allowed origins to read this response. Browsers hide it from other pages. Cookies and other credentials of the
  /// browser are not used, because callers authenticate with a header. A response that already has `Access-Control-Allow-Origin` keeps it.
  mutating func addCrossOriginHeaders(_ origins: AllowedOrigins, _ request: Request?) {
    guard !origins.isEmpty, !headers.hasAllowedOrigin else { return }
    headers.add("Vary", "Origin")
    guard let origin = request?.headers["Origin"], origins.contain(origin) else { return }
    headers.add("Access-Control-Allow-Origin", origin)
    headers.add("Access-Control-Expose-Headers", Self.exposed)
  }

  /// Creates the response to a preflight request from a page of an allowed origin. Browsers may cache it for two hours, which is the limit
  /// of Chromium.
  static func preflight(methods: [RequestRecord.Method]) -> Response {
    Response(
      status: 204,
      headers: [
        "Access-Control-Allow-Methods": methods.map(\.rawValue).joined(separator: ", "),
        "Access-Control-Allow-Headers": sent,
        "Access-Control-Max-Age": "7200",
        "Vary": "Access-Control-Request-Method, Access-Control-Request-Headers",
      ])
  }
}

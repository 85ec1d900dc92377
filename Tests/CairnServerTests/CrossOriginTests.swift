import CairnCore
import CairnHTTP
import CairnServer
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Cross-origin requests` {
  private static let app = "https://app.example"

  private func workshop() throws -> Workshop {
    try Workshop(origins: try #require(AllowedOrigins("https://app.example, http://127.0.0.1:3000")))
  }

  private func preflight(_ origin: String, _ method: String = "POST") -> [(String, String)] {
    [("Origin", origin), ("Access-Control-Request-Method", method), ("Access-Control-Request-Headers", "authorization,idempotency-key")]
  }

  @Test(arguments: [
    ("/v1/sessions", "GET, POST, DELETE"), ("/v1/sessions/s0/actions", "POST"), ("/v1/apps", "GET"),
  ])
  func `a preflight returns the allowed methods and headers`(path: String, methods: String) throws {
    let reply = try workshop().send("OPTIONS", path, headers: preflight(Self.app))
    #expect(reply.status == 204 && reply.text.isEmpty)
    #expect(reply.headers["access-control-allow-origin"] == Self.app)
    #expect(reply.headers["access-control-allow-methods"] == methods)
    #expect(reply.headers["access-control-max-age"] == "7200")
    let sent = reply.headers["access-control-allow-headers"]?.lowercased() ?? ""
    for name in ["authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "prefer", "last-event-id"] {
      #expect(sent.contains(name))
    }
    #expect(reply.headers["access-control-allow-credentials"] == nil, "who calls says so by a header of its own")
  }

  @Test func `an allowed origin can read responses, problems and 304`() throws {
    let workshop = try workshop()
    let session = try workshop.session("lab")
    let origin = ("Origin", Self.app)
    let path = "/v1/sessions/\(session.id)"
    let replies = [
      try workshop.send("GET", path, as: session.secret, headers: [origin]),
      try workshop.send("GET", path, as: session.secret, headers: [origin, ("If-None-Match", "\"\(session.created.tag)\"")]),
      try workshop.send("GET", path, headers: [origin]),
      try workshop.send("GET", "/no/such/place", headers: [origin]),
      try workshop.send(
        "POST", "\(path)/actions", #"{"type":"back"}"#, as: session.secret, headers: [origin, ("Idempotency-Key", "a-key-of-its-own")]),
      try workshop.send("DELETE", path, as: session.secret, headers: [origin]),
    ]
    #expect(replies.map(\.status) == [200, 304, 401, 404, 200, 204])
    for reply in replies {
      #expect(reply.headers["access-control-allow-origin"] == Self.app)
      #expect(reply.headers["vary"] == "Origin")
      #expect(reply.headers["access-control-expose-headers"]?.contains("ETag") == true)
    }
  }

  @Test func `an allowed origin can read a rejection by the HTTP server`() throws {
    let workshop = try workshop()
    let text = "GET /livez HTTP/1.1\r\nHost: a\r\nOrigin: \(Self.app)\r\nX: \(String(repeating: "y", count: 70_000))\r\n\r\n"
    #expect(try Wire.exchange(workshop.port, Array(text.utf8)).headers["vary"] == "Origin")
  }

  @Test(arguments: [
    "https://other.example", "http://app.example", "https://app.example:8443", "https://app.example.", "null", "HTTPS://APP.EXAMPLE",
  ])
  func `an origin that is not configured gets no CORS header`(origin: String) throws {
    let workshop = try workshop()
    let refused = try workshop.send("OPTIONS", "/v1/sessions", headers: preflight(origin))
    #expect(refused.status == 403 && refused.code == "cross-origin")
    let reply = try workshop.send("GET", "/v1/apps", headers: [("Origin", origin)])
    #expect(reply.status == 200 && reply.headers["vary"] == "Origin")
    for headers in [refused.headers, reply.headers] { #expect(!headers.keys.contains { $0.hasPrefix("access-control") }) }
  }

  @Test func `a preflight of an unknown path is 404`() throws {
    let reply = try workshop().send("OPTIONS", "/no/such/place", headers: preflight(Self.app))
    #expect(reply.status == 404 && reply.headers["access-control-allow-origin"] == Self.app)
  }

  @Test func `a preflight on the admin port is rejected`() throws {
    let workshop = try workshop()
    let text =
      "OPTIONS /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\nOrigin: \(Self.app)\r\nAccess-Control-Request-Method: GET\r\n\r\n"
    let reply = try Wire.exchange(workshop.admin.port, Array(text.utf8))
    #expect(reply.status == 403 && reply.headers["access-control-allow-methods"] == nil)
  }

  /// Requests that a page may send without a preflight, or that change data.
  private static let changes: [(method: String, path: String, type: String)] = [
    ("POST", "/v1/sessions", "application/x-www-form-urlencoded"), ("POST", "/v1/sessions", "text/plain"),
    ("POST", "/v1/sessions", "application/json"), ("PUT", "/v1/apps/lab", "application/json"),
    ("DELETE", "/v1/sessions", "application/json"),
    ("POST", "/no/such/place", "text/plain"),
  ]

  @Test(arguments: ["https://other.example", "null", "http://cairn.example", "http://cairn:81"])
  func `a change that a page of another origin asks for is refused, with and without configured origins`(origin: String) throws {
    for workshop in [try workshop(), try Workshop()] {
      for change in Self.changes {
        let reply = try workshop.send(
          change.method, change.path, #"{"app":"lab"}"#, as: Workshop.operatorKey, type: change.type, headers: [("Origin", origin)])
        #expect(reply.status == 403 && reply.code == "cross-origin", "\(change)")
        #expect(!reply.headers.keys.contains { $0.hasPrefix("access-control") })
      }
      #expect(try workshop.send("GET", "/v1/sessions", as: Workshop.operatorKey)["sessions"] == [])
    }
  }

  @Test func `the service's own pages, those of allowed origins, and callers that are no page may change things`() throws {
    let workshop = try workshop()
    let callers: [[(String, String)]] = [
      [], [("Origin", "http://cairn")], [("Origin", "https://cairn")], [("Origin", "HTTPS://CAIRN")], [("Origin", Self.app)],
      // Behind a proxy that changes Host.
      [("Origin", "https://console.example"), ("Sec-Fetch-Site", "same-origin")],
    ]
    for headers in callers {
      #expect(try workshop.send("POST", "/v1/sessions", #"{"app":"lab"}"#, headers: headers).status == 201, "\(headers)")
    }
  }

  @Test(arguments: [
    "*", "null", "app.example", "https://", "https://app.example/", "https://app.example/path", "https://app.example:443", "http://a:80",
    "https://App.example", "https://app.example:", "https://app.example:99999", "https://user@app.example", "https://a, *",
  ])
  func `an invalid origin in the setting is rejected`(text: String) { #expect(AllowedOrigins(text) == nil) }

  @Test(arguments: ["https://app.example", "http://127.0.0.1:3000", "http://[::1]:8081", "capacitor://localhost", "https://a,https://b"])
  func `every form of origin that a browser sends can be configured`(text: String) { #expect(AllowedOrigins(text)?.isEmpty == false) }
}

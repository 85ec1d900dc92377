import CairnCore
import CairnTesting
import Foundation
import Testing

/// One request and the expected response.
struct Row: Sendable, CustomTestStringConvertible {
  var method: String
  var target: String
  var body: String?
  var status: Int
  var code: String?
  var places: [String]
  var headers: [String: String]
  var testDescription: String { "\(method) \(target) \(body?.prefix(80) ?? "")" }

  init(
    _ method: String, _ target: String, _ status: Int, _ code: String, at places: String..., headers: [String: String] = [:]
  ) {
    (self.method, self.target, self.body, self.status, self.code) = (method, target, nil, status, code)
    (self.places, self.headers) = (places, headers)
  }

  init(
    _ method: String, _ target: String, _ body: String, _ status: Int, _ code: String, at places: String..., headers: [String: String] = [:]
  ) {
    (self.method, self.target, self.body, self.status, self.code) = (method, target, body, status, code)
    (self.places, self.headers) = (places, headers)
  }
}

@Suite(.tags(.timing), .ownThreads) struct `Rejections and their responses` {
  @Test(.oneNode("it controls the journal in memory")) func `requests without a session are rejected with the code of the row`() throws {
    let workshop = try Workshop()
    let key = Workshop.operatorKey
    for row in [
      Row("GET", "/", 404, "not-found"),
      Row("GET", "/v1", 404, "not-found"),
      Row("GET", "/v1/sessions/", 404, "not-found"),
      Row("GET", "/v1/sessions/s/events/more", 404, "not-found"),
      Row("GET", "/openapi.yaml", 404, "not-found"),
      Row("GET", "/console/nothing.js", 404, "not-found"),
      Row("GET", "/v1/apps/shp", 404, "not-found"),
      Row("PUT", "/v1/sessions", "{}", 405, "method-not-allowed", headers: ["allow": "GET, HEAD, POST, DELETE, OPTIONS"]),
      Row("DELETE", "/v1/apps/shop", 405, "method-not-allowed", headers: ["allow": "GET, HEAD, PUT, OPTIONS"]),
      Row("PUT", "/v1/apps/shop/versions", "", 405, "method-not-allowed", headers: ["allow": "GET, HEAD, OPTIONS"]),
      Row("GET", "/v1/sessions/x/actions", 405, "method-not-allowed", headers: ["allow": "POST, OPTIONS"]),
      Row("POST", "/livez", "", 405, "method-not-allowed"),
      Row("BREW", "/livez", 405, "method-not-allowed"),
      Row("GET", "/v1/apps?x=1", 422, "invalid", at: "?x"),
      Row("GET", "/v1/apps?prety", 422, "invalid", at: "?prety"),
      Row("GET", "/v1/apps?pretty=maybe", 422, "invalid", at: "?pretty"),
      Row("GET", "/livez/%zz", 400, "bad-request"),
      Row("GET", "/../livez", 400, "bad-request"),
      Row("POST", "/v1/sessions", "", 400, "not-json"),
      Row("POST", "/v1/sessions", "{", 400, "not-json"),
      Row("POST", "/v1/sessions", "[]", 400, "wrong-shape"),
      Row("POST", "/v1/sessions", "{}", 422, "invalid", at: "#/app"),
      Row("POST", "/v1/sessions", #"{"app":"shpo"}"#, 422, "unknown-app", at: "#/app"),
      Row("POST", "/v1/sessions", #"{"app":1,"clock":"x","why":1}"#, 422, "invalid", at: "#/app", "#/clock", "#/why"),
      Row("POST", "/v1/sessions", #"{"app":"shop","facts":{}}"#, 403, "operator-only"),
      Row("POST", "/v1/sessions", #"{"app":"shop","notification":{"aps":1}}"#, 422, "invalid", at: "#/notification/aps"),
      Row("POST", "/v1/sessions?x", #"{"app":"shop"}"#, 422, "invalid", at: "?x"),
      Row("POST", "/v1/sessions", String(repeating: " ", count: 65 << 10), 413, "payload-too-large"),
      Row("GET", "/v1/sessions", 401, "unauthorized", headers: ["www-authenticate": "Bearer realm=\"cairn\""]),
    ] {
      try expect(row, try workshop.send(row.method, row.target, row.body))
    }
    for row in [
      Row("GET", "/v1/sessions?limit=0&after=a&after=b&lable=x", 422, "invalid", at: "?after", "?limit", "?lable"),
      Row("GET", "/v1/sessions?after=nobody", 404, "unknown-session"),
      Row("GET", "/v1/sessions/s12345678901234567890123", 404, "unknown-session"),
      Row("GET", "/v1/sessions/nobody", 404, "unknown-session"),
      Row(
        "POST", "/v1/sessions", #"{"app":"lab","facts":{"count":"x","nothing":1}}"#, 422, "invalid", at: "#/facts/count", "#/facts/nothing"),
    ] {
      try expect(row, try workshop.send(row.method, row.target, row.body, as: key))
    }
    #expect(workshop.journal.batches.isEmpty)
  }

  @Test(.oneNode("it controls the journal in memory")) func `requests to a session are rejected with the code of the row`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    let before = try session.get()
    let commits = workshop.journal.batches.count
    for row in [
      Row("POST", "actions", "7", 400, "wrong-shape"),
      Row("POST", "actions", "{}", 400, "wrong-shape"),
      Row("POST", "actions", "[{}]", 400, "wrong-shape"),
      Row("POST", "actions", #"{"step":"go","step":"go"}"#, 422, "invalid", at: "#/step"),
      Row("POST", "actions", #"{"step":"goo"}"#, 422, "invalid", at: "#/step"),
      Row("POST", "actions", #"{"step":"go","params":{"n":"x","m":1}}"#, 422, "invalid", at: "#/params/n", "#/params/m"),
      Row("POST", "actions", #"{"step":"go"}"#, 422, "invalid", at: "#/params/n"),
      Row("POST", "actions", #"{"step":"go","params":{"n":1},"from":"n99"}"#, 422, "invalid", at: "#/from"),
      Row("POST", "actions", #"[{"step":"go","params":{"n":1}},{"step":"go","params":{}}]"#, 422, "invalid", at: "#/1/params/n"),
      Row("POST", "actions", #"{"step":"begin"}"#, 403, "internal-step"),
      Row("POST", "actions", #"{"type":"push","screen":"first"}"#, 403, "operator-only"),
      Row("POST", "actions", #"{"type":"retry","key":"o7"}"#, 403, "operator-only"),
      Row("POST", "actions", #"{"type":"facts","set":{"count":1}}"#, 403, "operator-only"),
      Row("POST", "actions", #"{"type":"login","code":"c"}"#, 409, "oauth-not-configured"),
      Row("POST", "actions", #"{"type":"login","code":"c","state":"s"}"#, 409, "oauth-not-configured"),
      Row("POST", "actions", #"{"type":"advance","by":"1s"}"#, 409, "manual-clock-only"),
      Row("POST", "actions", #"{"type":"select","tab":0}"#, 409, "no-tabs"),
      Row("POST", "actions?state=foreground", #"{"type":"pop"}"#, 422, "invalid", at: "?state"),
      Row("POST", "open", #"{"url":7}"#, 422, "invalid", at: "#/url"),
      Row("POST", "open", #"{"url":"lab://nowhere"}"#, 422, "unknown-link", at: "#/url"),
      Row("POST", "open", #"{"url":"lab://go/seven"}"#, 422, "invalid", at: "#/url"),
      Row("POST", "open", "\"lab://go/7\"", 400, "wrong-shape"),
      Row("POST", "notifications", "[]", 400, "wrong-shape"),
      Row("POST", "notifications?state=asleep&tap=perhaps", "{}", 422, "invalid", at: "?state", "?tap"),
      Row("POST", "notifications", #"{"data":{"url":"lab://nowhere"}}"#, 422, "unknown-link", at: "#/data/url"),
      Row("POST", "notifications", #"{"message":{"data":{"link":"lab://nowhere"}}}"#, 422, "unknown-link", at: "#/message"),
      Row("GET", "history?after=-1&limit=1001", 422, "invalid", at: "?after", "?limit"),
      Row("GET", "?revision=0", 422, "invalid", at: "?revision"),
      Row("GET", "?revision=2", 404, "unknown-revision"),
      Row("GET", "?wait=61s", 422, "invalid", at: "?wait"), Row("GET", "?watch=30s", 422, "invalid", at: "?watch"),
      Row("GET", "event", 404, "not-found"),
    ] {
      let rest = row.target.hasPrefix("?") ? row.target : "/\(row.target)"
      try expect(row, try workshop.send(row.method, "/v1/sessions/\(session.id)\(rest)", row.body, as: session.secret))
    }
    #expect(try session.get().text == before.text)
    #expect(workshop.journal.batches.count == commits)
  }

  private func expect(_ row: Row, _ reply: Reply) throws {
    let comment = Comment(rawValue: "\(row.testDescription): \(reply.status) \(reply.text)")
    #expect(reply.status == row.status, comment)
    #expect(reply.code == row.code, comment)
    #expect(reply.places == row.places, comment)
    #expect(reply["status"] == .integer(row.status), comment)
    #expect(reply.headers["content-type"] == "application/problem+json", comment)
    #expect(reply.text.hasSuffix("\n"), comment)
    let id = try #require(reply.headers["x-request-id"], comment)
    #expect(reply["instance"] == .string("urn:cairn:request:\(id)"), comment)
    #expect(reply.headers["cache-control"] == "no-store" && reply.headers["x-content-type-options"] == "nosniff", comment)
    for (name, value) in row.headers { #expect(reply.headers[name] == value, comment) }
  }

  @Test(
    arguments: [
      ("application/json", 200), ("application/json; charset=UTF-8", 200), ("Application/Problem+JSON", 200),
      ("application/x-www-form-urlencoded", 200), (nil, 200), ("text/plain", 415), ("application/json;charset=utf-16", 415),
      ("application/octet-stream", 415), ("multipart/form-data; boundary=x", 415), ("application/xml", 415),
    ] as [(String?, Int)])
  func `the declared media type decides whether a body is accepted`(type: String?, status: Int) throws {
    let session = try Workshop().session("lab")
    let reply = try session.post("actions", #"{"type":"pop"}"#, type: type)
    #expect(reply.status == status)
    if status == 415 {
      #expect(reply.code == "unsupported-media-type" && reply.headers["accept-post"] == "application/json")
    }
  }

  @Test func `a notification may be declared as a file, and compressed bodies are rejected`() throws {
    let session = try Workshop().session("lab")
    #expect(try session.post("notifications", #"{"url":"lab://go/1"}"#, type: "application/octet-stream").status == 200)
    #expect(try session.post("notifications", #"{"url":"lab://go/1"}"#, headers: [("Content-Encoding", "gzip")]).status == 415)
  }
}

import CairnCore
import CairnHTTP
import CairnRuntime
import CairnServer
import CairnStore
import CairnTesting
import Testing

/// Tests how rejections by CairnHTTP appear to clients, in logs and in metrics.
@Suite(.tags(.timing), .ownThreads) struct FrontTests {
  private func raw(_ workshop: Workshop, _ text: String) throws -> Reply { try Wire.exchange(workshop.port, Array(text.utf8)) }

  @Test(arguments: [
    ("GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400, "bad-request"),
    ("GET /livez\r\n\r\n", 400, "bad-request"),
    ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n", 400, "bad-request"),
    ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n", 413, "payload-too-large"),
    ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414, "target-too-long"),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 70_000))\r\n\r\n", 431, "head-too-large"),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "unsupported-transfer-coding"),
    ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505, "unsupported-version"),
  ])
  func `the response to a malformed request is a problem document`(request: String, status: Int, code: String) throws {
    let workshop = try Workshop()
    let reply = try raw(workshop, request)
    #expect(reply.status == status && reply.code == code && reply["status"] == .integer(status))
    #expect(reply.headers["content-type"] == "application/problem+json" && reply.headers["connection"] == "close")
    #expect(reply.headers["cache-control"] == "no-store" && reply.headers["x-content-type-options"] == "nosniff")
    #expect(reply.headers["content-length"] == "\(reply.text.utf8.count)")
    #expect(!workshop.log.all.contains { $0.contains("libmicrohttpd") }, "what is told once is not told by the library again")
  }

  @Test func `an absolute target of this host is served like its path`() throws {
    let workshop = try Workshop()
    let reply = try raw(workshop, "GET http://cairn:80/v1/apps HTTP/1.1\r\nHost: cairn:80\r\nConnection: close\r\n\r\n")
    let plain = try workshop.send("GET", "/v1/apps")
    #expect(reply.status == 200 && reply.text == plain.text)
    #expect(try raw(workshop, "GET http://other/v1/apps HTTP/1.1\r\nHost: cairn\r\n\r\n").status == 400)
  }

  @Test func `a preflight is rejected if no origin is configured`() throws {
    let workshop = try Workshop()
    let origin = ("Origin", "https://example.org")
    let reply = try workshop.send("OPTIONS", "/v1/sessions", headers: [origin, ("Access-Control-Request-Method", "POST")])
    #expect(reply.status == 403 && reply.code == "cross-origin")
    #expect(!reply.headers.keys.contains { $0.hasPrefix("access-control") })
    #expect(try workshop.send("OPTIONS", "/v1/sessions", headers: [origin]).status == 204, "only a preflight asks both")
    #expect(try workshop.send("GET", "/v1/apps", headers: [origin]).status == 200)
    #expect(try workshop.send("OPTIONS", "*", headers: [origin, ("Access-Control-Request-Method", "POST")]).status == 403)
  }

  @Test(.oneNode("it controls the journal in memory")) func `a request that is rejected during the stop has one line in the log`() throws {
    let workshop = try Workshop()
    let session = try workshop.session("lab")
    workshop.journal.hold()
    let answer = Monitor<Reply?>(nil)
    let path = "/v1/sessions/\(session.id)/actions"
    let thread = try NamedThread("post") {
      let reply = try? workshop.send("POST", path, #"{"step":"go","params":{"n":1}}"#, as: session.secret)
      answer.change { $0 = reply ?? Reply() }
    }
    try workshop.journal.waitUntilHeld()
    workshop.service.leave()
    workshop.server.stop()
    workshop.journal.release()
    thread.join()
    let reply = try #require(answer.withLock { $0 })
    #expect(reply.status == 503 && reply.code == "stopping")
    workshop.store.stop()
    #expect(workshop.service.drain(within: TestTimeout.duration))
    let lines = workshop.log.all.filter { $0.contains("/actions") }
    #expect(lines.count == 1 && lines.first?.contains("503") ?? false, "\(lines)")
  }

  @Test func `rejected connections are counted`() throws {
    let workshop = try Workshop()
    #expect(try workshop.send("GET", "/metrics").text.contains("cairn_http_connections_refused_total 0\n"))
  }
}

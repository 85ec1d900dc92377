import CairnCore
import CairnOutbound
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Loads over HTTP` {
  let outbound = HTTPOutbound { _ in nil }

  private func get(_ url: String, bearer: String? = nil, by outbound: HTTPOutbound? = nil) throws -> OutboundResult {
    let result = try awaiting { reply in _ = (outbound ?? self.outbound).send(.get(url: url, bearer: bearer), reply: reply) }
    // Here an interruption counts as a failure. RequestTests tests whether the load may be repeated.
    if case .interrupted(let reason, _) = result { return .failed(reason) }
    return result
  }

  @Test func `a load returns the JSON of the response`() throws {
    let server = try TinyServer(body: #"{"valid": true, "count": 3, "share": 0.5, "list": [null, "é"]}"#)
    let result = try get(server.address + "/check?a=b%20c")
    #expect(result == .json(["valid": true, "count": 3, "share": .number(0.5), "list": [.null, "é"]]))
    let request = try server.request()
    #expect(request.line == "GET /check?a=b%20c HTTP/1.1")
    #expect(request.header("Accept") == "application/json")
    #expect(request.header("Authorization") == nil)
    #expect(request.header("Cookie") == nil)
  }

  @Test func `a token is sent as bearer`() throws {
    let server = try TinyServer(body: "true")
    #expect(try get(server.address, bearer: "tok-1") == .json(true))
    #expect(try server.request(0).header("Authorization") == "Bearer tok-1")
  }

  @Test(arguments: ["", " ", "a b", "a\r\nX-Other: 1", "a\nb", "a\u{0}b", "é", String(repeating: "t", count: 8_193)])
  func `a request with a token that cannot be used is not sent`(_ token: String) throws {
    let server = try TinyServer(body: "true")
    #expect(try get(server.address, bearer: token) == .failed("no-token: the session has no usable access token"))
    #expect(server.count == 0)
  }

  @Test(arguments: ["400 Bad Request", "401 Unauthorized", "404 Not Found", "500 Oops", "503 Service Unavailable"])
  func `another status is a failure with its number`(_ status: String) throws {
    let server = try TinyServer(status, body: "{}", headers: ["WWW-Authenticate: Basic realm=\"x\""])
    #expect(try get(server.address, bearer: "t") == .failed("http-status: \(status.prefix(3))"))
    #expect(server.count == 1)
  }

  @Test(arguments: [
    "http://api.invalid/", "HTTP://127.0.0.1.api.invalid/", "http://localhost@api.invalid/", "http://128.0.0.1/", "http://127.1/",
  ])
  func `a token is never sent over plain http to another machine`(url: String) throws {
    #expect(try get(url, bearer: "token") == .failed("insecure: a secret is not sent over plain HTTP"))
    #expect(PlainHTTP.mayCarrySecrets(url.replacing("http:", with: "https:").replacing("HTTP:", with: "https:")))
  }

  @Test(arguments: ["http://localhost:1/x", "http://127.0.0.1", "http://127.200.3.4:80?x", "http://[::1]:8080/", "https://api.example"])
  func `a token is sent over plain http to this machine, and with TLS`(url: String) { #expect(PlainHTTP.mayCarrySecrets(url)) }

  @Test(arguments: [301, 302, 303, 307, 308]) func `redirects are not followed`(_ status: Int) throws {
    let elsewhere = try TinyServer(body: "true")
    let server = try TinyServer("\(status) Elsewhere", body: "", headers: ["Location: \(elsewhere.address)/"])
    #expect(try get(server.address, bearer: "t") == .failed("http-status: \(status)"))
    #expect(elsewhere.count == 0)
  }

  @Test(arguments: ["", "not json", "{", "{\"a\":1} trailing", "<html>"]) func `a body without JSON is malformed`(_ body: String) throws {
    let server = try TinyServer(body: body)
    #expect(try get(server.address) == .failed("malformed: not JSON"))
  }

  @Test func `a text that was cut in an emoji does not fail the load`() throws {
    let server = try TinyServer(body: #"{"title":"cut \ud83d","name":"\ude00","whole":"\ud83d\ude00 \\ud83d"}"#)
    #expect(try get(server.address) == .json(["title": "cut \u{FFFD}", "name": "\u{FFFD}", "whole": "😀 \\ud83d"]))
  }

  @Test func `a load ends at its timeout`() throws {
    let server = try TinyServer { _ in .silence }
    let outbound = HTTPOutbound(timeout: .milliseconds(150)) { _ in nil }
    let result = try get(server.address, by: outbound)
    #expect(result == .failed("timeout"))
  }

  @Test func `a load ends at its timeout, although bytes arrive`() throws {
    let server = try TinyServer { _ in .flood(head: "HTTP/1.1 200 OK\r\n\r\n", chunk: " ") }
    let outbound = HTTPOutbound(timeout: .milliseconds(150), limit: .max) { _ in nil }
    let result = try get(server.address, by: outbound)
    #expect(result == .failed("timeout"))
  }

  @Test func `a body over the maximum is rejected, with or without Content-Length`() throws {
    let outbound = HTTPOutbound(limit: 1_000) { _ in nil }
    let fits = try TinyServer(body: "\"" + String(repeating: "x", count: 998) + "\"")
    #expect(try get(fits.address, by: outbound) == .json(.string(String(repeating: "x", count: 998))))
    let announced = try TinyServer(body: "\"" + String(repeating: "x", count: 999) + "\"")
    #expect(try get(announced.address, by: outbound) == .failed("malformed: the response body is larger than 1000 bytes"))
    let endless = try TinyServer { _ in
      .flood(head: "HTTP/1.1 200 OK\r\n\r\n", chunk: String(repeating: "x", count: 512))
    }
    #expect(try get(endless.address, by: outbound) == .failed("malformed: the response body is larger than 1000 bytes"))
  }

  @Test func `a port without a listener is unreachable`() throws {
    let server = try TinyServer(body: "true")
    server.stop()
    #expect(try get(server.address + "/?secret=s3cret") == .failed("unreachable: could not connect to the server"))
  }

  @Test func `an unknown host is unreachable`() throws {
    let result = try get("http://nowhere.invalid/?secret=s3cret")
    // A resolver may also fail to answer in time.
    #expect([.failed("unreachable: the host is unknown"), .failed("timeout")].contains(result))
  }

  @Test func `a closed connection is a failure, and no response text is quoted`() throws {
    let server = try TinyServer { _ in .hangUp }
    guard case .failed(let reason) = try get(server.address + "/?secret=s3cret") else {
      Issue.record("it brought something")
      return
    }
    #expect(reason.hasPrefix("unreachable: ") || reason.hasPrefix("malformed: "))
    #expect(!reason.contains("s3cret"))
  }

  @Test func `a malformed response is a failure`() throws {
    let server = try TinyServer { _ in .answer("\u{1}\u{2} what is this\r\n\r\n") }
    guard case .failed = try get(server.address) else {
      Issue.record("it brought something")
      return
    }
  }

  @Test(arguments: ["", "nonsense", "ftp://127.0.0.1/", "file:///etc/hostname", "http://", "http:///x", "data:,1"])
  func `only addresses with http and https are accepted`(_ url: String) throws {
    #expect(try get(url) == .failed("unreachable: not an HTTP or HTTPS URL"))
  }

  @Test func `a cancelled load ends at once`() throws {
    let server = try TinyServer { _ in .silence }
    let result = Awaited<OutboundResult>()
    let giveUp = outbound.send(.get(url: server.address, bearer: nil)) { result.give($0) }
    _ = try server.request()
    giveUp()
    #expect(try result.value() == .failed("cancelled: the call was cancelled"))
    #expect(result.count == 1)
  }

  @Test func `a load can be cancelled at any moment of a redirect`() throws {
    let server = try TinyServer("302 Elsewhere", body: "", headers: ["Location: /again"])
    var results: [Awaited<OutboundResult>] = []
    for spins in 0..<300 {
      let result = Awaited<OutboundResult>()
      results.append(result)
      let seen = server.count
      let giveUp = outbound.send(.get(url: server.address, bearer: nil)) { result.give($0) }
      while spins % 3 == 0, server.count == seen, result.count == 0 {}
      if spins % 3 == 1 { _ = try result.value() }
      giveUp()
    }
    for result in results {
      #expect([.failed("http-status: 302"), .failed("cancelled: the call was cancelled")].contains(try result.value()))
      #expect(result.count == 1)
    }
  }

  @Test func `a load ends when the last reference to its caller is released`() throws {
    let server = try TinyServer { _ in .silence }
    let result = Awaited<OutboundResult>()
    do {
      let outbound = HTTPOutbound { _ in nil }
      _ = outbound.send(.get(url: server.address, bearer: nil)) { result.give($0) }
      _ = try server.request()
    }
    #expect(try result.value() == .failed("cancelled: the call was cancelled"))
  }

  @Test func `a load does not wait for another one`() throws {
    let silent = try TinyServer { _ in .silence }
    let server = try TinyServer(body: "1")
    let waiting = Awaited<OutboundResult>()
    let stops = (0..<20).map { _ in outbound.send(.get(url: silent.address, bearer: nil)) { waiting.give($0) } }
    #expect(try get(server.address) == .json(1))
    for stop in stops { stop() }
  }
}

import CairnCore
import CairnOutbound
import CairnStore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Requests with retry and identity` {
  private func send(_ load: LoadCall, secret: [String: String] = [:]) throws -> OutboundResult {
    let outbound = HTTPOutbound { secret[$0] }
    return try awaiting { reply in _ = outbound.send(.load(load), reply: reply) }
  }

  @Test(arguments: HTTPMethod.allCases) func `a request has its method, its headers and its body`(_ method: HTTPMethod) throws {
    let server = try TinyServer(body: #"{"ok": true}"#)
    var load = LoadCall(method, url: server.address + "/x", bearer: "tok", headers: ["X-Trace": "a b"], variables: ["X-Api-Key": "KEY"])
    if method.takesBody { load.body = ["amount": 7, "to": ["DE1", .null]] }
    #expect(try send(load, secret: ["KEY": "s3cret"]) == .json(["ok": true]))
    let request = try server.request()
    #expect(request.line == "\(method.word) /x HTTP/1.1")
    #expect(request.header("Authorization") == "Bearer tok")
    #expect(request.header("X-Trace") == "a b")
    #expect(request.header("X-Api-Key") == "s3cret")
    #expect(request.header("Content-Type") == (method.takesBody ? "application/json" : nil))
    #expect(request.body == (method.takesBody ? #"{"amount":7,"to":["DE1",null]}"# : ""))
    #expect(request.header("Idempotency-Key") == nil)
  }

  @Test func `the idempotency key is a hash, and equal for every attempt`() throws {
    let server = try TinyServer(body: "1")
    for identity in ["s1/7/99", "s1/7/99", "s1/8/99"] {
      _ = try send(LoadCall(.post, url: server.address, bearer: nil, identity: identity))
    }
    let keys = try (0..<3).map { try #require(try server.request($0).header("Idempotency-Key")) }
    #expect(keys[0] == keys[1] && keys[0] != keys[2])
    #expect(keys[0].count == 66 && keys[0].hasPrefix("\"") && !keys[0].contains("s1"))
  }

  @Test(arguments: ["408 Late", "429 Many", "502 Bad", "503 Busy", "504 Slow"]) func `a temporary status may be retried`(
    _ status: String
  ) throws {
    let server = try TinyServer(status, body: "{}")
    #expect(try send(LoadCall(url: server.address, bearer: nil)) == .interrupted("http-status: \(status.prefix(3))", wait: nil))
  }

  @Test(arguments: ["400 Bad", "401 Who", "404 None", "409 Twice", "500 Broken", "501 Never"]) func `any other status is final`(
    _ status: String
  ) throws {
    let server = try TinyServer(status, body: "{}", headers: ["Retry-After: 1"])
    #expect(try send(LoadCall(.post, url: server.address, bearer: nil)) == .failed("http-status: \(status.prefix(3))"))
  }

  @Test func `a port without a listener may be retried`() throws {
    let server = try TinyServer(body: "")
    server.stop()
    #expect(try send(LoadCall(url: server.address, bearer: nil)) == .interrupted("unreachable: could not connect to the server", wait: nil))
  }

  @Test func `a connection that breaks before the response may be retried`() throws {
    let server = try TinyServer { _ in .hangUp }
    let result = try send(LoadCall(url: server.address, bearer: nil))
    guard case .interrupted = result else {
      Issue.record("it counts as answered: \(result)")
      return
    }
  }

  @Test(arguments: [("7", 7_000), ("0", 0), ("-1", nil), ("soon", nil)]) func `Retry-After is returned`(_ said: String, _ wait: Int?) throws
  {
    let server = try TinyServer("503 Busy", body: "", headers: ["Retry-After: \(said)"])
    #expect(try send(LoadCall(url: server.address, bearer: nil)) == .interrupted("http-status: 503", wait: wait))
  }

  @Test func `a date in Retry-After is returned as a time`() throws {
    let server = try TinyServer("503 Busy", body: "", headers: ["Retry-After: Fri, 31 Dec 2999 23:59:59 GMT"])
    guard case .interrupted("http-status: 503", let wait?) = try send(LoadCall(url: server.address, bearer: nil)) else {
      Issue.record("it hears nothing")
      return
    }
    #expect(wait > 1_000_000_000)
  }

  @Test(arguments: [HTTPMethod.post, .put, .delete]) func `a write may have an empty response`(_ method: HTTPMethod) throws {
    let server = try TinyServer("200 OK", body: "")
    #expect(try send(LoadCall(method, url: server.address, bearer: nil)) == .json(.null))
    let empty = try TinyServer { _ in .answer("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n") }
    #expect(try send(LoadCall(url: empty.address, bearer: nil)) == .json(.null))
  }

  @Test func `a request ends at its own timeout`() throws {
    let server = try TinyServer { _ in .silence }
    #expect(try send(LoadCall(url: server.address, bearer: nil, time: 150)) == .failed("timeout"))
  }

  @Test func `a value of a variable is never sent over plain http, nor if it is unset or breaks its header`() throws {
    let server = try TinyServer(body: "1")
    func load(_ url: String) -> LoadCall { LoadCall(url: url, bearer: nil, variables: ["X-Api-Key": "KEY"]) }
    #expect(try send(load("http://api.invalid/"), secret: ["KEY": "s"]) == .failed("insecure: a secret is not sent over plain HTTP"))
    #expect(try send(load(server.address)) == .failed("not-configured: the environment variable KEY is not set"))
    #expect(
      try send(load(server.address), secret: ["KEY": "a\r\nX: 1"])
        == .failed("malformed: KEY contains characters that are not allowed in a header"))
    #expect(server.count == 0)
  }
}

import CairnClient
import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Stream of changes of a session` {
  static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\nretry: 5\n\n"

  private static func session(_ revision: Int, _ name: String = "home") -> String {
    #"{"id":"s1","app":"a","definition":"d","revision":\#(revision),"facts":{},"login":{"status":"loggedOut"},"accepts":{"steps":[],"primitives":[]},"#
      + #""pending":[],"createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","stack":[],"visible":null,"#
      + #""tree":{"id":"n1","kind":"stack","name":"main","children":[{"id":"n2","kind":"screen","name":"\#(name)"}]}}"#
  }

  static func reset(_ revision: Int) -> String { "event: reset\nid: \(revision)\ndata: \(session(revision))\n\n" }

  static func change(_ revision: Int) -> String {
    "event: change\nid: \(revision)\ndata: "
      + #"{"revision":\#(revision),"at":"2026-01-01T00:00:00.000Z","cause":{"type":"back"},"outcome":"performed","events":[],"#
      + #""changes":[{"op":"push","in":"n1","node":{"id":"n\#(revision + 10)","kind":"screen","name":"é漢"}}]}"# + "\n\n"
  }

  private static func end(_ reason: String) -> String { "event: end\ndata: {\"reason\":\"\(reason)\"}\n\n" }

  /// A server that sends response n to request n, and the last response to all later requests.
  private func server(_ answers: TinyServer.Behaviour...) throws -> TinyServer {
    let count = Lock(0)
    return try TinyServer { _ in
      let turn = count.withLock { count -> Int in
        count += 1
        return count - 1
      }
      return answers[min(turn, answers.count - 1)]
    }
  }

  private func session(of server: TinyServer) throws -> SessionClient {
    var policy = RetryPolicy()
    policy.pause = { _ in try Task.checkCancellation() }
    return CairnClient(url: try #require(URL(string: server.address)), retry: policy).connect(id: "s1", secret: "cs_1")
  }

  /// The events until the end of the stream, at most `count`, as one text per event.
  private func told(_ changes: SessionChanges, _ count: Int = .max) async throws(ClientError) -> [String] {
    var words: [String] = []
    var iterator = changes.makeAsyncIterator()
    while words.count < count, let event = try await iterator.next() {
      switch event {
      case .connected: words.append("connected")
      case .reset(let session): words.append("reset \(session.revision)")
      case .change(let entry): words.append("change \(entry.revision)")
      case .interrupted: words.append("interrupted")
      case .ended(let reason): words.append("ended \(reason.rawValue)")
      }
    }
    return words
  }

  @Test func `an interrupted stream continues after the last complete event`() async throws {
    let server = try server(
      .answer(Self.head + Self.reset(3) + Self.change(4) + "event: change\nid: 5\ndata: {\"revi"), .hangUp,
      .answer(Self.head + Self.change(5) + ": still there\n\n" + Self.change(6) + Self.end("deleted")))
    let words = try await told(session(of: server).changes)
    #expect(
      words == [
        "connected", "reset 3", "change 4", "interrupted", "interrupted", "connected", "change 5", "change 6", "ended deleted",
      ])
    let requests = try (0..<3).map { try server.request($0) }
    #expect(requests.map { $0.header("Last-Event-ID") } == [nil, "4", "4"])
    #expect(requests.allSatisfy { $0.line == "GET /v1/sessions/s1/events HTTP/1.1" && $0.header("Authorization") == "Bearer cs_1" })
    #expect(requests.allSatisfy { $0.header("Accept") == "text/event-stream" })
  }

  @Test func `a stream begins after the given revision`() async throws {
    let server = try server(.answer(Self.head + Self.change(8) + Self.end("expired")))
    #expect(try await told(session(of: server).changes(after: 7)) == ["connected", "change 8", "ended expired"])
    #expect(try server.request().header("Last-Event-ID") == "7")
  }

  @Test(arguments: ["stopping", "slow", "something newer"])
  func `the client reconnects after the service has stopped`(reason: String) async throws {
    let server = try server(
      .answer(Self.head + Self.reset(3) + Self.end(reason)), .answer("HTTP/1.1 503 No\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"),
      .answer(Self.head + Self.reset(9) + "event: newer\ndata: {}\n\n" + Self.end("credential")))
    let words = try await told(session(of: server).changes)
    #expect(words == ["connected", "reset 3", "interrupted", "interrupted", "connected", "reset 9", "ended credential"])
  }

  @Test func `an error that a retry cannot resolve is thrown`() async throws {
    for (answer, isRefusal) in [
      ("HTTP/1.1 401 Who\r\nContent-Length: 0\r\n\r\n", true),
      ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n", false),
      (Self.head + "event: reset\ndata: {}\n\n", false),
    ] {
      let server = try server(.answer(answer))
      let changes = try session(of: server).changes
      do throws(ClientError) {
        _ = try await told(changes)
        Issue.record("nothing was thrown")
      } catch {
        #expect((error.problem != nil) == isRefusal)
      }
      #expect(server.count == 1)
    }
    let empty = try server(.answer("HTTP/1.1 204 Enough\r\n\r\n"))
    #expect(try await told(session(of: empty).changes) == [])
  }

  @Test func `cancelling the task ends the stream and closes its connection`() async throws {
    let server = try server(.begin(Self.head + Self.reset(3)))
    let session = try session(of: server)
    let hasBegun = Lock(false)
    let task = Task.onOwnThreads {
      var words: [String] = []
      for try await event in session.changes {
        if case .reset = event { hasBegun.withLock { $0 = true } }
        words.append("one")
      }
      return words
    }
    try await reached { hasBegun.withLock { $0 } }
    task.cancel()
    let words = try await task.value
    try #require(words == ["one", "one"])
    try await reached { server.connections == 0 }
  }

  @Test func `a subscriber that stops reading closes the connection`() async throws {
    let server = try server(.begin(Self.head + Self.reset(3)))
    let words = try await told(session(of: server).changes, 2)
    try #require(words == ["connected", "reset 3"])
    try await reached { server.connections == 0 }
  }

  @Test func `changes are applied to trees, and after a gap the tree is read again`() async throws {
    let whole = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.session(9, "other").utf8.count)\r\n\r\n\(Self.session(9, "other"))"
    let server = try server(
      .answer(Self.head + Self.reset(3) + Self.change(4)), .answer(Self.head + Self.change(4) + Self.change(6)), .answer(whole),
      .answer(Self.head + Self.change(7) + Self.change(10) + Self.end("deleted")))
    var trees: [String] = []
    for try await live in try session(of: server).trees { trees.append("\(live.revision) \(live.tree.sketch)") }
    #expect(trees == ["3 main[home]", "4 main[home, é漢]", "9 main[other]", "10 main[other, é漢]"])
  }
}

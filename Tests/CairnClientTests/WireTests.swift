import CairnClient
import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

/// The exact bytes of requests.
@Suite(.tags(.timing), .ownThreads) struct `Requests of the client` {
  private static let tree = #"{"id":"n1","kind":"stack","name":"main"}"#
  /// A response with the members that the types of all responses require.
  private static let answer =
    #"{"outcome":"performed","revision":2,"events":[],"changes":[],"answers":[],"stack":[],"visible":null,"tree":\#(tree),"id":"s1","#
    + #""app":"a","definition":"d","facts":{},"login":{"status":"loggedOut"},"accepts":{"steps":[],"primitives":[]},"pending":[],"#
    + #""entries":[],"#
    + #""createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","secret":"cs_2","sessions":[],"ended":0}"#

  private let server: TinyServer
  private let client: CairnClient
  private let session: SessionClient

  init() throws {
    server = try TinyServer(body: Self.answer)
    client = CairnClient(url: try #require(URL(string: server.address + "/below/")), key: "op key", retry: .never)
    session = client.connect(id: "s/1 é", secret: "cs_1")
  }

  /// The request that a call sends.
  private func request(_ call: () async throws -> Void) async throws -> TinyServer.Request {
    let index = server.count
    try await call()
    return try server.request(index)
  }

  private static let path = "/below/v1/sessions/s%2F1%20%C3%A9"

  @Test func `a read is a GET without an idempotency key`() async throws {
    for (line, call) in [
      ("", { _ = try await session.session() }), ("?revision=4", { _ = try await session.session(at: 4) }),
      ("/history", { _ = try await session.history() }),
      ("/history?after=3&limit=2", { _ = try await session.history(after: 3, limit: 2) }),
      ("/history?since=30d&by=at", { _ = try await session.history(in: EntryPeriod(since: "30d", by: .at)) }),
      ("/history?as=scenario", { _ = try await session.scenario() }),
    ] as [(String, () async throws -> Void)] {
      let request = try await request(call)
      #expect(request.line == "GET \(Self.path)\(line) HTTP/1.1")
      #expect(request.header("Authorization") == "Bearer cs_1" && request.header("Idempotency-Key") == nil && request.body == "")
    }
  }

  @Test func `a post has a new idempotency key, and a plan has none`() async throws {
    for (line, body, isPlan, call) in [
      ("/actions", #"{"type":"back"}"#, false, { try await session.act(.back) }),
      ("/actions", #"[{"type":"back"},{"type":"logout"}]"#, false, { try await session.act([.back, .logout]) }),
      ("/open", #"{"url":"u"}"#, false, { try await session.open("u") }),
      ("/notifications?state=background", #"{"payload":{"url":"u"}}"#, false, { try await session.notify(["url": "u"]) }),
      ("/actions?plan", #"{"type":"back"}"#, true, { _ = try await session.plan(.back) }),
      ("/actions?plan", #"[{"type":"back"}]"#, true, { _ = try await session.plan([.back]) }),
      ("/open?plan", #"{"url":"u"}"#, true, { _ = try await session.planOpen("u") }),
      ("/notifications?state=background&plan", #"{"payload":{"url":"u"}}"#, true, { _ = try await session.planNotify(["url": "u"]) }),
    ] as [(String, String, Bool, () async throws -> Void)] {
      let request = try await request(call)
      #expect(request.line == "POST \(Self.path)\(line) HTTP/1.1" && request.body == body + "\n")
      #expect((request.header("Idempotency-Key") == nil) == isPlan, "\(line)")
      #expect(request.header("Content-Type") == "application/json" && request.header("If-Match") == nil)
    }
  }

  @Test func `an expected revision is sent as an entity tag`() async throws {
    for call in [
      { try await session.act(.back, ifRevision: 7) }, { try await session.act([.back], ifRevision: 7) },
      { try await session.open("u", ifRevision: 7) },
    ] as [() async throws -> Void] {
      #expect(try await request(call).header("If-Match") == #""7""#)
    }
  }

  @Test func `each method posts its action`() async throws {
    for (type, call) in [
      ("pop", { try await session.pop() }), ("popTo", { try await session.popTo("s") }), ("popToRoot", { try await session.popToRoot() }),
      ("back", { try await session.back() }), ("dismiss", { try await session.dismiss() }),
      ("select", { try await session.select(tab: 1) }),
      ("select", { try await session.select(flow: "f") }), ("login", { try await session.login(code: "c") }),
      ("token", { try await session.token("t") }), ("logout", { try await session.logout() }),
      ("appState", { try await session.appState(.foreground) }), ("facts", { try await session.facts(["f": 1]) }),
      ("advance", { try await session.advance(by: .seconds(1)) }), ("cancel", { try await session.cancel(LinkID(1)) }),
      ("retry", { try await session.act(.retry("o7")) }), ("answer", { try await session.answer(.failed("r")) }),
    ] as [(String, () async throws -> Void)] {
      let body = try FoundationJSON.value(try await request(call).body)
      #expect(body["type"] == .string(type))
    }
  }

  @Test func `calls for operators send the operator key`() async throws {
    for (line, call) in [
      ("GET /below/v1/sessions?label=a%20b&limit=2", { _ = try await client.sessions(SessionFilter(label: "a b"), limit: 2) }),
      ("GET /below/v1/sessions?after=x", { _ = try await client.sessions(after: "/v1/sessions?after=x") }),
      ("DELETE /below/v1/sessions?app=a", { try await client.endSessions(SessionFilter(app: "a")) }),
    ] as [(String, () async throws -> Void)] {
      let request = try await request(call)
      #expect(request.line == "\(line) HTTP/1.1" && request.header("Authorization") == "Bearer op key")
    }
  }

  @Test func `a definition is put as YAML`() async throws {
    let server = try TinyServer(body: #"{"definition":"h","changed":true,"warnings":[]}"#)
    let client = CairnClient(url: try #require(URL(string: server.address)), key: "k", retry: .never)
    #expect(try await client.put("app: x\n", as: "a b").isChanged)
    let request = try server.request()
    #expect(
      request.line == "PUT /v1/apps/a%20b HTTP/1.1" && request.body == "app: x\n" && request.header("Content-Type") == "application/yaml")
  }

  @Test func `a creation has a new idempotency key, and later requests send the secret`() async throws {
    let request = try await request {
      let started = try await client.start(app: "a")
      #expect(started.id == "s1" && started.secret == "cs_2" && started.created?.revision == 2)
    }
    #expect(request.line == "POST /below/v1/sessions HTTP/1.1" && request.body == "{\"app\":\"a\"}\n")
    #expect(request.header("Idempotency-Key")?.count == 38 && request.header("Authorization") == "Bearer op key")
  }

  @Test func `connecting without a secret is invalid`() async throws {
    let server = try TinyServer(body: Self.answer.replacingOccurrences(of: #""secret":"cs_2","#, with: ""))
    let client = CairnClient(url: try #require(URL(string: server.address)), retry: .never)
    await #expect {
      _ = try await client.start(app: "a")
    } throws: {
      if case ClientError.malformed? = $0 as? ClientError { true } else { false }
    }
    #expect(try server.request().header("Authorization") == nil)
  }

  @Test func `a session is deleted with DELETE`() async throws {
    #expect(try await request { try await session.end() }.line == "DELETE \(Self.path) HTTP/1.1")
  }

  @Test func `many sessions are deleted page by page, and counted`() async throws {
    let pages = [#"{"ended":2,"next":"/v1/sessions?app=a&after=x"}"#, #"{"ended":3}"#].map {
      "HTTP/1.1 200 OK\r\nContent-Length: \($0.utf8.count)\r\nConnection: close\r\n\r\n\($0)"
    }
    let server = try TinyServer { .answer($0.line.contains("after=x") ? pages[1] : pages[0]) }
    let client = CairnClient(url: try #require(URL(string: server.address)), key: "k", retry: .never)
    #expect(try await client.endSessions(SessionFilter(app: "a")) == 5)
    #expect(try server.request(1).line == "DELETE /v1/sessions?app=a&after=x HTTP/1.1" && server.count == 2)
  }

  @Test func `any other request is sent unchanged, and its response is returned with any status`() async throws {
    let get = try await request { _ = try await client.exchange("GET", "/v1/x") }
    #expect(get.line == "GET /below/v1/x HTTP/1.1" && get.header("Idempotency-Key") == nil)
    let post = try await request { _ = try await client.exchange("POST", "/v1/x", [1]) }
    #expect(post.body == "[1]\n" && post.header("Idempotency-Key")?.count == 38 && post.header("Authorization") == "Bearer op key")
    let refusing = try TinyServer("409 Conflict", body: "no")
    let answer = try await CairnClient(url: try #require(URL(string: refusing.address)), retry: .never).exchange("GET", "/")
    #expect(answer.status == 409 && answer.json == .null && answer.attempts == 1)
  }

  @Test func `a slash at the end of the address is removed`() throws {
    #expect(client.address == server.address + "/below")
    #expect(CairnClient(url: try #require(URL(string: "http://h:1"))).address == "http://h:1")
  }
}

/// The wait before a stream is opened again.
@Suite(.tags(.timing), .ownThreads) struct `Waits before a stream is reopened` {
  private static func head(_ retry: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n\(retry)"
  }
  private static let change =
    "id: 4\nevent: change\ndata: "
    + #"{"revision":4,"at":"2026-01-01T00:00:00.000Z","cause":{},"outcome":"performed","changes":[]}"# + "\n\n"
  private static let end = "event: end\ndata: {\"reason\":\"deleted\"}\n\n"

  /// The waits between the given responses. The last response ends the stream.
  private func waits(_ answers: [String]) async throws -> [Duration] {
    let count = Lock(0)
    let server = try TinyServer { _ in
      let turn = count.withLock { count -> Int in
        count += 1
        return count - 1
      }
      return .answer(answers[min(turn, answers.count - 1)])
    }
    let waits = Lock<[Duration]>([])
    var policy = RetryPolicy(attempts: 2, first: .milliseconds(100), longest: .seconds(1))
    policy.pause = { wait in waits.withLock { $0.append(wait) } }
    let session = CairnClient(url: try #require(URL(string: server.address)), retry: policy).connect(id: "s1", secret: "cs_1")
    for try await _ in session.changes(after: 3) {}
    return waits.withLock { $0 }
  }

  @Test func `the wait is that of the retry field`() async throws {
    #expect(try await waits([Self.head("retry: 5000\n\n"), Self.head(Self.end)]) == [.seconds(5)])
  }

  @Test func `the wait is that of a busy service, also above the maximum for one request`() async throws {
    let busy = "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    #expect(try await waits([busy, busy, busy, Self.head(Self.end)]) == [.seconds(7), .seconds(7), .seconds(7)])
  }

  @Test func `waits grow until an event is received`() async throws {
    let empty = Self.head("")
    let waits = try await waits([empty, empty, empty, Self.head(Self.change), Self.head(Self.end)])
    #expect(waits.count == 4)
    for (wait, full) in zip(waits, [100, 200, 400, 100]) {
      #expect(wait >= .milliseconds(full) / 2 && wait <= .milliseconds(full))
    }
  }
}

import CairnClient
import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Actions that wait behind a request` {
  private static func answer(_ status: String, _ body: String) -> TinyServer.Behaviour {
    .answer("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
  }

  private static let tree = #""stack":[],"visible":null,"tree":{"id":"n1","kind":"stack","name":"main"}"#
  private static let single = answer("200 OK", #"{"outcome":"performed","revision":2,"events":[],"changes":[],\#(tree)}"#)

  /// A response to numbered actions with one element for each text.
  private static func numbered(_ answers: String...) -> TinyServer.Behaviour {
    answer("200 OK", #"{"answers":[\#(answers.joined(separator: ","))],"revision":9,\#(tree)}"#)
  }

  private static func ran(_ revision: Int) -> String { #"{"outcome":"performed","revision":\#(revision),"events":[],"changes":[]}"# }
  private static func refused(_ code: String, _ status: Int) -> String {
    #"{"error":{"code":"\#(code)","status":\#(status),"detail":"no"}}"#
  }

  /// Whether the servers send responses.
  private let isOpen = Monitor(true)

  /// Holds all responses while `work` runs, so that each call in `work` begins before the first response.
  private func withoutAnswers<Result>(_ work: () -> Result) -> Result {
    isOpen.change { $0 = false }
    defer { isOpen.change { $0 = true } }
    return work()
  }

  /// A session on a server that sends these responses in order, and repeats the last one.
  private func session(_ answers: [TinyServer.Behaviour]) throws -> (TinyServer, SessionClient) {
    let count = Counter()
    let server = try TinyServer { [isOpen] _ in
      _ = isOpen.wait(until: TestTimeout.deadline) { $0 ? true : nil }
      return answers[min(count.next(), answers.count - 1)]
    }
    var policy = RetryPolicy()
    policy.pause = { _ in try Task.checkCancellation() }
    return (server, CairnClient(url: try #require(URL(string: server.address)), retry: policy).connect(id: "s1", secret: "cs_1"))
  }

  /// Posts `count` actions before the first one gets a response. Action n pops n nodes.
  private func post(_ count: Int, to session: SessionClient) -> [Task<ActionAnswer, any Error>] {
    withoutAnswers { (1...count).map { number in Task.immediate { try await session.pop(number) } } }
  }

  /// The result of each post: its revision, or the code of its refusal.
  private func ends(_ tasks: [Task<ActionAnswer, any Error>]) async -> [String] {
    var ends: [String] = []
    for task in tasks {
      switch await task.result {
      case .success(let answer): ends.append("\(answer.revision)")
      case .failure(let error as ClientError): ends.append(error.problem?.code ?? error.text)
      case .failure(let error): ends.append("\(error)")
      }
    }
    return ends
  }

  private func body(_ server: TinyServer, _ request: Int) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(try server.request(request).body.utf8))
  }

  private func pops(_ counts: ClosedRange<Int>) -> Value {
    .array(counts.map { $0 == 1 ? ["type": "pop"] : ["type": "pop", "count": .integer($0)] })
  }

  @Test func `go in one request with numbers, which rise from request to request`() async throws {
    let (server, session) = try session([
      Self.single, Self.numbered(Self.ran(3), Self.ran(4)), Self.single, Self.numbered(Self.ran(5), Self.ran(6)),
    ])
    #expect(await ends(post(3, to: session)) == ["2", "3", "4"])
    #expect(await ends(post(3, to: session)) == ["2", "5", "6"])
    #expect(server.count == 4)
    let (first, second) = (try body(server, 1), try body(server, 3))
    #expect(first["first"] == 1 && first["actions"] == pops(2...3) && second["first"] == 3)
    guard case .string(let client)? = first["client"] else { throw NeverCame() }
    #expect(client.wholeMatch(of: /[0-9a-f]{32}/) != nil && second["client"] == first["client"])
    let request = try server.request(1)
    #expect(request.line == "POST /v1/sessions/s1/actions HTTP/1.1" && request.header("Idempotency-Key") == nil)
    #expect(request.header("Authorization") == "Bearer cs_1")
    #expect(try server.request(0).header("Idempotency-Key") != nil)
  }

  @Test func `are repeated under the same numbers after a broken connection`() async throws {
    let (server, session) = try session([Self.single, .hangUp, Self.answer("503 Busy", "{}"), Self.numbered(Self.ran(3), Self.ran(4))])
    #expect(await ends(post(3, to: session)) == ["2", "3", "4"])
    #expect(try server.count == 4 && body(server, 1) == body(server, 2) && body(server, 2) == body(server, 3))
  }

  @Test func `have a response each, of which the last that ran has the tree`() async throws {
    let (server, session) = try session([Self.single, Self.numbered(Self.ran(3), Self.ran(4), Self.refused("guarded", 409))])
    let tasks = post(4, to: session)
    #expect(await ends(tasks) == ["2", "3", "4", "guarded"])
    #expect(server.count == 2)
    #expect(try await tasks[1].value.tree == nil)
    #expect(try await tasks[2].value.tree?.name == "main")
  }

  @Test func `run later under their numbers if the service has not run them`() async throws {
    let busy = Self.refused("overloaded", 503)
    let (server, session) = try session([Self.single, Self.numbered(Self.ran(3), busy, busy), Self.numbered(Self.ran(4), Self.ran(5))])
    #expect(await ends(post(4, to: session)) == ["2", "3", "4", "5"])
    #expect(try server.count == 3 && body(server, 2)["first"] == 2 && body(server, 2)["actions"] == pops(3...4))
  }

  @Test func `say that an expired response is forgotten`() async throws {
    let (server, session) = try session([Self.single, Self.numbered(#"{"outcome":"known","revision":8}"#, Self.ran(9))])
    let tasks = post(3, to: session)
    #expect(await ends(tasks) == ["2", "response-forgotten", "9"])
    #expect(server.count == 2)
  }

  @Test(arguments: ["413 Large", "422 Unprocessable"]) func `go one by one if the service refuses their request`(status: String)
    async throws
  {
    let problem = #"{"code":"invalid","status":422,"detail":"no"}"#
    let (server, session) = try session([
      Self.single, Self.answer(status, problem), Self.single, Self.single, Self.answer("422 No", problem),
    ])
    #expect(await ends(post(4, to: session)) == ["2", "2", "2", "invalid"])
    let requests = try (2...4).map { try server.request($0) }
    #expect(server.count == 5 && requests.map(\.body) == [2, 3, 4].map { #"{"count":\#($0),"type":"pop"}"# + "\n" })
    #expect(Set(requests.compactMap { $0.header("Idempotency-Key") }).count == 3)
  }

  @Test func `all fail with an error of the whole request, and later ones are sent`() async throws {
    let (server, session) = try session([
      Self.single, Self.answer("401 Who", #"{"code":"unauthorized","status":401,"detail":"no"}"#), Self.single,
    ])
    #expect(await ends(post(3, to: session)) == ["2", "unauthorized", "unauthorized"])
    #expect(await ends(post(1, to: session)) == ["2"])
    #expect(server.count == 3)
  }

  @Test func `have requests of their own, in their order, if they have a condition, or are no single action`() async throws {
    let (server, session) = try session([Self.single])
    let tasks = withoutAnswers {
      [
        Task.immediate { try await session.back() }, Task.immediate { try await session.act(.back, ifRevision: 2) },
        Task.immediate { try await session.open("x://y") }, Task.immediate { try await session.back() },
      ]
    }
    #expect(await ends(tasks) == ["2", "2", "2", "2"])
    let requests = try (0..<4).map { try server.request($0) }
    #expect(requests.map { $0.header("If-Match") } == [nil, "\"2\"", nil, nil])
    #expect(requests.map { $0.body.dropLast() } == [#"{"type":"back"}"#, #"{"type":"back"}"#, #"{"url":"x://y"}"#, #"{"type":"back"}"#])
  }

  @Test func `are not sent if they are cancelled before, and are sent by another call if their sender is cancelled`() async throws {
    let count = Counter()
    let server = try TinyServer { [isOpen] request in
      _ = isOpen.wait(until: TestTimeout.deadline) { $0 ? true : nil }
      guard !request.body.contains("client") else { return count.next() > 0 ? Self.numbered(Self.ran(3), Self.ran(4)) : .silence }
      return Self.single
    }
    let session = CairnClient(url: try #require(URL(string: server.address))).connect(id: "s1", secret: "cs_1")
    let tasks = withoutAnswers {
      let tasks = (1...4).map { number in Task.immediate { try await session.pop(number) } }
      tasks[1].cancel()
      return tasks
    }
    #expect(await ends([tasks[1], tasks[0]]) == ["cancelled", "2"])
    // Request 0 contained the first action, and request 1 contains the others.
    try await reached { server.count == 2 }
    tasks[2].cancel()
    #expect(await ends(Array(tasks[2...])) == ["cancelled", "4"])
    #expect(try server.count == 3 && body(server, 1)["actions"] == pops(3...4) && body(server, 1) == body(server, 2))
  }

  @Test func `run each on its own and in order in the service`() async throws {
    let service = try LocalService()
    let session = try await service.client().start(app: "shop", SessionStart(accessToken: "t"))
    let tasks = service.withoutAnswers {
      [7, 8, -1, 9].map { id -> Task<ActionAnswer, any Error> in
        let step = id < 0 ? SessionAction.step("termsAreClosed") : .step("productIsPicked", ["productId": .integer(id)])
        return Task.immediate { try await session.act(step) }
      }
    }
    let came = await ends(tasks)
    #expect(came == ["2", "3", "not-in-contract", "4"])
    #expect(try await tasks[3].value.tree?.sketch == "main[home, product(productId: 7), product(productId: 8), product(productId: 9)]")
    let senders = try await session.history().entries.map { $0.json.at(["sender", "action"]) }
    #expect(senders == [nil, nil, 1, 3])
  }
}

/// Counts calls from any thread.
private final class Counter: Sendable {
  private let count = Lock(0)

  func next() -> Int {
    count.withLock { count -> Int in
      count += 1
      return count - 1
    }
  }
}

import CairnClient
import CairnCore
import CairnRuntime
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Repeated requests` {
  private static let performed =
    #"{"outcome":"performed","revision":2,"events":[],"changes":[],"stack":[],"visible":null,"tree":{"id":"n1","kind":"stack","name":"main"}}"#

  private static func answer(_ status: String, _ body: String, _ headers: String...) -> String {
    (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
      + body
  }

  private static let busy = answer("503 Busy", #"{"code":"overloaded","status":503,"detail":"later"}"#, "Retry-After: 3")

  /// A client that records the durations of its waits instead of waiting.
  private func client(of server: TinyServer, _ policy: RetryPolicy = RetryPolicy(), waits: Lock<[Duration]> = Lock([])) throws
    -> CairnClient
  {
    var policy = policy
    policy.pause = { wait in
      try Task.checkCancellation()
      waits.withLock { $0.append(wait) }
    }
    return CairnClient(url: try #require(URL(string: server.address)), retry: policy)
  }

  private func failure(_ body: () async throws -> Void) async -> ClientError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? ClientError
    }
  }

  @Test func `a POST is repeated with the same key, after the time that the service requests`() async throws {
    let count = Lock(0)
    let server = try TinyServer { _ in
      let turn = count.withLock { count -> Int in
        count += 1
        return count
      }
      return turn == 1 ? .hangUp : .answer(turn == 2 ? Self.busy : Self.answer("200 OK", Self.performed))
    }
    let waits = Lock<[Duration]>([])
    let session = try client(of: server, waits: waits).connect(id: "s1", secret: "cs_1")
    #expect(try await session.back().revision == 2)
    let requests = try (0..<3).map { try server.request($0) }
    let keys = requests.map { $0.header("Idempotency-Key") ?? "" }
    #expect(Set(keys).count == 1 && keys[0].count == 38)
    #expect(requests.allSatisfy { $0.line == "POST /v1/sessions/s1/actions HTTP/1.1" && $0.body == requests[0].body })
    #expect(requests.allSatisfy { $0.header("Authorization") == "Bearer cs_1" })
    let waited = waits.withLock { $0 }
    #expect(waited.count == 2 && waited[0] < .seconds(1) && waited[1] >= .seconds(3))
    _ = try await session.back()
    #expect(try server.request(3).header("Idempotency-Key") != keys[0])
  }

  @Test func `a request whose rejection cannot change is sent once`() async throws {
    for (status, code) in [
      ("409 Conflict", "guarded"), ("422 No", "invalid"), ("401 Who", "unauthorized"), ("429 Many", "too-many-sessions"),
    ] {
      let server = try TinyServer(status, body: #"{"code":"\#(code)","status":\#(status.prefix(3)),"detail":"no"}"#)
      let session = try client(of: server).connect(id: "s1", secret: "x")
      let error = await failure { _ = try await session.back() }
      #expect(error?.problem?.code == code)
      #expect(server.count == 1, "\(status)")
    }
  }

  @Test func `the number of attempts is bounded, and a request for a long wait ends the attempts`() async throws {
    let busy = try TinyServer { _ in .answer(Self.busy) }
    let session = try client(of: busy, RetryPolicy(attempts: 3)).connect(id: "s1", secret: "x")
    let error = await failure { _ = try await session.session() }
    #expect(error?.problem?.code == "overloaded" && error?.problem?.retryAfter == .seconds(3) && busy.count == 3)
    let impatient = try client(of: busy, RetryPolicy(longest: .seconds(2))).connect(id: "s1", secret: "x")
    #expect(await failure { _ = try await impatient.session() }?.problem != nil)
    #expect(busy.count == 4)
  }

  @Test func `a response that is not from Cairn is reported as such`() async throws {
    let proxy = try TinyServer("502 Bad Gateway", body: "<html>")
    let first = await failure { _ = try await client(of: proxy).connect(id: "s1", secret: "x").session() }
    #expect(first?.problem?.code == "status-502" && proxy.count == 5)
    let page = try TinyServer(body: "<html>")
    let second = await failure { _ = try await client(of: page).connect(id: "s1", secret: "x").session() }
    guard case .malformed? = second else { throw ClientError.malformed("\(String(describing: second))") }
    let redirect = try TinyServer { _ in .answer("HTTP/1.1 302 Found\r\nLocation: \(page.address)/\r\nContent-Length: 0\r\n\r\n") }
    let third = await failure {
      _ = try await client(of: redirect).connect(id: "s1", secret: "x").session()
    }
    guard case .malformed? = third else { throw ClientError.malformed("\(String(describing: third))") }
    #expect(page.count == 1)
  }

  @Test func `an unreachable, silent or interrupted service is reported after the same number of attempts`() async throws {
    let gone = try TinyServer { _ in .hangUp }
    let client = try client(of: gone, RetryPolicy(attempts: 2))
    gone.stop()
    let first = await failure { _ = try await client.connect(id: "s1", secret: "x").session() }
    guard case .unreachable? = first else { throw ClientError.malformed("\(String(describing: first))") }
    let silent = try TinyServer { _ in .silence }
    let (hasty, waits) = (RetryPolicy(attempts: 2, timeout: .milliseconds(100)), Lock<[Duration]>([]))
    let second = await failure {
      _ = try await self.client(of: silent, hasty, waits: waits).connect(id: "s1", secret: "x").session()
    }
    guard case .timeout? = second else { throw ClientError.malformed("\(String(describing: second))") }
    // On a busy machine the timeout may pass before the request has arrived.
    #expect(waits.withLock { $0.count } == 1 && silent.count <= 2)
    let short = try TinyServer { _ in .answer("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"id\":") }
    let third = await failure {
      _ = try await self.client(of: short).connect(id: "s1", secret: "x").session()
    }
    guard case .unreachable? = third else { throw ClientError.malformed("\(String(describing: third))") }
    #expect(short.count == 5)
  }

  @Test func `a cancelled task does not wait any longer`() async throws {
    let silent = try TinyServer { _ in .silence }
    let session = try client(of: silent).connect(id: "s1", secret: "x")
    let task = Task.onOwnThreads { await failure { _ = try await session.back() } }
    try await reached { silent.count == 1 }
    task.cancel()
    guard case .cancelled? = await task.value else { throw ClientError.malformed("not cancelled") }
    #expect(silent.count == 1)
  }

  @Test func `a repeated deletion whose first response was lost succeeds`() async throws {
    let count = Lock(0)
    let server = try TinyServer { _ in
      let isFirst = count.withLock { count -> Bool in
        count += 1
        return count == 1
      }
      return isFirst ? .hangUp : .answer(Self.answer("401 Who", #"{"code":"unauthorized","status":401,"detail":"no"}"#))
    }
    try await client(of: server).connect(id: "s1", secret: "x").end()
    let error = await failure { try await client(of: server).connect(id: "s1", secret: "x").end() }
    #expect(error?.problem?.code == "unauthorized")
  }
}

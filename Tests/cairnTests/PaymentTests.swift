import CairnCore
import CairnHTTP
import CairnTesting
import Foundation
import Testing

/// A POST to another service that is interrupted by a crash.
@Suite(.tags(.timing), .ownThreads) struct `Payments and crashes` {
  private static func app(_ port: Int) -> String {
    """
    app: till
    language: 1
    compat: { emits: any }
    root: { flow: main }
    allowHosts: ["127.0.0.1:\(port)"]
    screens: { till: , paid: { params: { id: integer } } }
    steps: { pay: { amount: integer }, paymentIsDone: { id: integer }, paymentFailed: }
    flows:
      main:
        stack: till
        handle:
          pay:
            load:
              post: "http://127.0.0.1:\(port)/payments"
              body: { amount: $amount }
              headers: { X-Api-Key: { env: TILL_KEY } }
              bearer: accessToken
              timeout: 10m
              retry: 3
              then: { step: paymentIsDone, with: { id: $result.id } }
              else: paymentFailed
          paymentIsDone: { push: paid, with: { id: $id } }
          paymentFailed: []
    """
  }

  @Test func `a payment that a crash interrupted is repeated with the same idempotency key`() async throws {
    let silent = try Provider([Provider.json(#"{"id":7}"#, status: 201)], held: true)
    let port = try #require(silent.url.split(separator: ":").last.flatMap { Int($0) })
    let service = try await Service(environment: ["TILL_KEY": "the-key-of-the-till"], apps: ["till.yaml": Self.app(port)])
    let session = try await service.session("till", ["accessToken": "the-token-of-the-till"])
    let paying = try await session.step("pay", ["amount": 7])
    #expect(paying.sketch == "main[till~loading]")
    try await silent.asked(1)
    service.crash()
    try await service.start()
    try await silent.asked(2)
    let (first, second) = (silent.requests[0], silent.requests[1])
    let key = try #require(first.headers["idempotency-key"])
    #expect(second.headers["idempotency-key"] == key)
    #expect(first.body == second.body && String(decoding: first.body, as: UTF8.self) == #"{"amount":7}"#)
    #expect(first.headers["x-api-key"] == "the-key-of-the-till" && first.headers["authorization"] == "Bearer the-token-of-the-till")
    #expect(!key.contains(session.id) && !key.contains(session.secret))
    silent.release()
    _ = try await session.until { $0.sketch == "main[till~{id:7}, paid(id: 7)]" }
    // Neither the history nor a copy of the database contains the credentials of the request.
    let history = try await session.get("/history")
    #expect(!history.text.contains("the-key-of-the-till") && !history.text.contains("the-token-of-the-till"))
    let next = try await session.step("pay", ["amount": 8])
    #expect(next.status == 200)
    try await silent.asked(3)
    #expect(silent.requests[2].headers["idempotency-key"] != key)
    silent.release()
  }

  private static func messageApp(_ port: Int) -> String {
    """
    app: counter
    language: 1
    allowHosts: ["127.0.0.1:\(port)"]
    root: main
    screens: { home: { emits: [begun] }, till: { emits: { pay: { amount: integer } } } }
    steps: { paid: { id: { type: integer, default: 0 } }, payFailed: }
    facts: { paidWith: { type: integer, default: 0 } }
    flows:
      main:
        stack: home
        handle:
          begun: { push: till }
          pay:
            submit:
              post: "http://127.0.0.1:\(port)/payments"
              key: "counter {amount}"
              body: { amount: $amount }
              bearer: accessToken
              timeout: 10m
              retry: 3
              then: { step: paid, with: { id: $result.id } }
              else: payFailed
          paid: { write: { paidWith: $id } }
          payFailed: []
    """
  }

  @Test func `a message outlives its page, a logout and a crash, and a fork does not send it`() async throws {
    let silent = try Provider([Provider.json(#"{"id":7}"#, status: 201)], held: true)
    let port = try #require(silent.url.split(separator: ":").last.flatMap { Int($0) })
    let service = try await Service(apps: ["counter.yaml": Self.messageApp(port)])
    let session = try await service.session("counter", ["accessToken": "the-token-of-the-call"])
    _ = try await session.step("begun")
    #expect(try await session.step("pay", ["amount": 7]).status == 200)
    try await silent.asked(1)
    #expect(try await session.act(["type": "back"]).sketch == "main[home]")
    #expect(try await session.act(["type": "logout"]).status == 200)
    let fork = try await service.post("/v1/sessions/\(session.id)/fork", [:], secret: Service.operatorKey)
    #expect(fork.status == 201 && fork["pending"] == [])
    service.crash()
    try await service.start()
    try await silent.asked(2)
    let (first, second) = (silent.requests[0], silent.requests[1])
    let key = try #require(first.headers["idempotency-key"])
    #expect(second.headers["idempotency-key"] == key && first.body == second.body)
    #expect(second.headers["authorization"] == "Bearer the-token-of-the-call")
    guard case .array(let pending)? = try await session.get()["pending"] else { throw Service.Failure("no pending") }
    #expect(pending.first?["kind"] == "message" && pending.first?["key"] == "counter 7")
    silent.release()
    _ = try await session.until { $0["facts", "paidWith"] == 7 }
    #expect(silent.requests.count == 2)
    // A later message with the same key gets the result, and is not sent.
    _ = try await session.step("begun")
    #expect(try await session.step("pay", ["amount": 7]).status == 200)
    #expect(silent.requests.count == 2)
    let verified = try await service.verify()
    #expect(verified.code == 0, "\(verified.output)\(verified.error)")
  }

  @Test func `a command of an operator sends the message of an imported session`() async throws {
    let silent = try Provider([Provider.json(#"{"id":7}"#, status: 201)], held: true)
    let port = try #require(silent.url.split(separator: ":").last.flatMap { Int($0) })
    let service = try await Service(apps: ["counter.yaml": Self.messageApp(port)])
    let session = try await service.session("counter", ["accessToken": "the-token-of-the-call"])
    _ = try await session.step("begun")
    #expect(try await session.step("pay", ["amount": 7]).status == 200)
    try await silent.asked(1)
    let environment = [
      "XDG_STATE_HOME": service.folder.appending(path: "state").path, "CAIRN_URL": "http://127.0.0.1:\(service.port)", "LC_ALL": "C.UTF-8",
      "COLUMNS": "200", "NO_COLOR": "", "CAIRN_OPERATOR_KEY": Service.operatorKey,
    ]
    func run(_ arguments: String...) async throws -> Finished {
      try await service.run(["session"] + arguments, environment: environment)
    }
    let file = service.folder.appending(path: "counter.jsonl").path
    let written = try await run("export", file, "--session", session.id)
    #expect(written.code == 0, "\(written.output)\(written.error)")
    #expect(try await run("import", file).code == 0)
    // After the import, the imported session is the current one. It has no token, because the file contains none.
    let own = try await run("retry", "counter 7")
    #expect(own.code == 5 && own.error.hasPrefix("cairn: operator-only: "), "\(own.error)")
    let early = try await run("retry", "counter 7", "--key", Service.operatorKey)
    #expect(early.code == 4 && early.error.hasPrefix("refused: token-missing: "), "\(early.error)")
    #expect(try await run("token", "the-token-of-the-retry").code == 0)
    #expect(silent.requests.count == 1)
    let retried = try await run("retry", "counter 7", "--key", Service.operatorKey)
    #expect(retried.code == 0 && retried.output.hasPrefix("performed"), "\(retried.output)\(retried.error)")
    try await silent.asked(2)
    let (first, second) = (silent.requests[0], silent.requests[1])
    #expect(second.headers["idempotency-key"] == first.headers["idempotency-key"] && second.body == first.body)
    #expect(second.headers["authorization"] == "Bearer the-token-of-the-retry")
    let unknown = try await run("retry", "counter 8", "--key", Service.operatorKey)
    #expect(unknown.code == 4 && unknown.error.hasPrefix("refused: message-gone: "), "\(unknown.error)")
    silent.release()
    let verified = try await service.verify()
    #expect(verified.code == 0, "\(verified.output)\(verified.error)")
  }
}

import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Exactly once, across crashes` {
  private func key(_ name: String = "") -> [String: String] { ["Idempotency-Key": "\"\(UUID().uuidString)\(name)\""] }

  /// The process is killed before, during or after the commit, so the response is lost.
  @Test func `a post without a response is repeated after the crash, and has one entry`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    let action: Value = ["step": "productIsPicked", "params": ["productId": 1]]
    for round in 1...6 {
      let key = key()
      let lost = Task.onOwnThreads { try? await session.act(action, headers: key) }
      if round % 2 == 0 { _ = await lost.value }
      service.crash()
      _ = await lost.value
      try await service.start()
      let first = try await session.act(action, headers: key)
      let again = try await session.act(action, headers: key)
      #expect(first.status == 200 && first.revision == round + 1)
      #expect(again.text == first.text && again.headers["idempotency-replayed"] == "true")
      if round % 2 == 0 { #expect(first.text == (await lost.value)?.text) }
      #expect(try await session.get().revision == round + 1)
    }
  }

  @Test func `a rejection is repeated after a crash`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    let key = key()
    let first = try await session.act(["type": "popTo", "screen": "product"], headers: key)
    #expect(first.status == 409)
    service.crash()
    try await service.start()
    _ = try await session.step("productIsPicked", ["productId": 1])
    let again = try await session.act(["type": "popTo", "screen": "product"], headers: key)
    #expect(again.text == first.text && again.headers["idempotency-replayed"] == "true")
  }

  @Test func `a creation is repeated with the same session and secret, and neither key nor secret is in any file`() async throws {
    let service = try await Service()
    let key = key("-to-look-for")
    let body: Value = ["app": "shop", "accessToken": "t"]
    let first = try await service.post("/v1/sessions", body, headers: key)
    guard case .string(let id) = first["id"], case .string(let secret) = first["secret"] else { throw Service.Failure(first.text) }
    service.crash()
    try await service.start()
    let again = try await service.post("/v1/sessions", body, headers: key)
    #expect(again.status == 201 && again.text == first.text && again.headers["idempotency-replayed"] == "true")
    #expect(try await service.send("GET", "/v1/sessions/\(id)", secret: secret).status == 200)
    #expect(try await service.post("/v1/sessions", ["app": "shop"], headers: key).status == 422)
    #expect(service.terminate() == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: service.folder.path)
    for file in files where file.hasPrefix("cairn.sqlite") || file == "log.txt" {
      let bytes = try Data(contentsOf: service.folder.appending(path: file))
      for text in ["-to-look-for", secret, String(secret.dropFirst(3))] { #expect(bytes.range(of: Data(text.utf8)) == nil, "\(file)") }
    }
  }

  @Test func `fifty simultaneous repeats make one entry`() async throws {
    let service = try await Service()
    let session = try await service.session("shop", ["accessToken": "t"])
    let key = key()
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 {
        group.addTask { try await session.act(["step": "productIsPicked", "params": ["productId": 1]], headers: key).text }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(texts.count == 1)
    #expect(try await session.get().revision == 2)
  }

  @Test func `the lifetime of responses is a setting, and returned in a header`() async throws {
    let service = try await Service(arguments: ["--idempotency-retention", "30d"])
    let session = try await service.session("shop", ["accessToken": "t"])
    let reply = try await session.act(["type": "pop"], headers: key())
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let until = try #require(reply.headers["idempotency-expires"].flatMap(format.date))
    #expect(abs(until.timeIntervalSinceNow - 30 * 86_400) < 60)
  }

  @Test func `a notification with an id is processed once, also after a crash`() async throws {
    let service = try await Service()
    #expect(service.terminate() == 0)
    let file = service.folder.appending(path: "apps/shop.yaml")
    let text = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(
      of: "notifications:\n", with: "notifications:\n  id: /message\n")
    try text.write(to: file, atomically: true, encoding: .utf8)
    try await service.start()
    let session = try await service.session("shop", ["accessToken": "t"])
    let payload: Value = ["aps": [:], "url": "https://shop.example/products/5", "message": "m-1"]
    #expect(try await session.notify(payload).revision == 2)
    service.crash()
    try await service.start()
    let again = try await session.notify(payload)
    #expect(again.outcome == "unchanged" && again["reason"] == "duplicate" && again.revision == 2)
  }

  @Test func `each reply to a notification is processed once, also after a crash`() async throws {
    let service = try await Service()
    #expect(service.terminate() == 0)
    let app = """
      app: chat
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, page: { params: { text: string } } }
      steps: { said: { text: string } }
      flows: { main: { stack: home, handle: { said: { push: page, with: { text: $text } } } } }
      notifications: { id: /id, take: [{ how: reply, send: said, with: { text: $reply } }] }
      """
    try app.write(to: service.folder.appending(path: "apps/chat.yaml"), atomically: true, encoding: .utf8)
    try await service.start()
    let session = try await service.session("chat")
    func reply(_ text: String) -> Value { ["payload": ["id": "m-1"], "reply": .string(text)] }
    #expect(try await session.notify(["id": "m-1"])["reason"] == "no-link")
    #expect(try await session.notify(reply("one")).revision == 2)
    service.crash()
    try await service.start()
    #expect(try await session.notify(reply("one"))["reason"] == "duplicate")
    #expect(try await session.notify(reply("two")).revision == 3)
    #expect(try await session.notify(["id": "m-1"])["reason"] == "no-link")
  }
}

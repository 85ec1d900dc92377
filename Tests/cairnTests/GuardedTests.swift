import CairnCore
import CairnTesting
import Foundation
import Testing

private let app = """
  app: wizard
  language: 1
  root: { flow: main }
  screens: { home: { emits: [open, stay] }, page: { emits: [over] }, discard: { emits: [over] }, wall: { emits: [] } }
  steps: { open: {}, stay: {}, over: {}, leaveIsAsked: }
  flows:
    main:
      stack: home
      handle:
        open: { present: { flow: asking, guard: leaveIsAsked } }
        stay: { push: wall, guard: true }
        over: [dismiss, popToRoot]
    asking: { stack: page, handle: { leaveIsAsked: { present: discard, style: alert } } }
  """

@Suite(.tags(.timing), .ownThreads) struct `Guarded nodes over HTTP` {
  @Test func `responses list guarded gestures, repeats are equal, and a crash changes nothing`() async throws {
    let service = try await Service()
    try app.write(to: service.folder.appending(path: "apps/wizard.yaml"), atomically: true, encoding: .utf8)
    service.crash()
    try await service.start()
    let session = try await service.session("wizard")
    #expect(try await session.get()["accepts", "guarded"] == nil)
    let opened = try await session.step("open")
    #expect(opened["tree", "presented", "guarded"] == true)
    service.crash()
    try await service.start()

    let now = try await session.get()
    #expect(now["accepts", "guarded"] == ["dismiss", "back"])
    #expect(now["tree", "presented", "guarded"] == true)
    let asked = try await session.act(["type": "back"], headers: ["Idempotency-Key": "once"])
    #expect(asked.status == 200)
    #expect(asked.outcome == "performed")
    #expect(asked["reason"] == "guarded")
    #expect(asked.sketch == "main[home] ^ asking[page] ^ discard")
    #expect(try await session.act(["type": "back"], headers: ["Idempotency-Key": "once"]).text == asked.text)
    guard case .array(let entries)? = try await session.get("/history").json["entries"] else { throw Service.Failure("no entries") }
    #expect(entries.last?["action"] == ["type": "back"])

    #expect(try await session.step("over").sketch == "main[home]")
    _ = try await session.step("stay")
    let refused = try await session.act(["type": "pop"])
    #expect(refused.status == 409)
    #expect(refused.code == "guarded")
    #expect(try await session.get().sketch == "main[home, wall]")
  }
}

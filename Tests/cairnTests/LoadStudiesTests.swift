import CairnCore
import CairnTesting
import Foundation
import Testing

private let activate: [String: Value] = ["isActive": true]

@Suite(.tags(.timing), .ownThreads) struct `App load-studies over HTTP` {
  private func session(_ service: Service) async throws -> Driven { try await service.session("load-studies", ["clock": "manual"]) }

  private func advance(_ session: Driven, _ by: String) async throws -> Reply {
    try await session.act(["type": "advance", "by": .string(by)])
  }

  @Test func `content is loaded after navigation`() async throws {
    let service = try await Service()
    let session = try await session(service)
    _ = try await session.step("eager")
    let asked = try await session.step("setNavigation", activate)
    #expect(asked.sketch == "studies[menu, eager, counter~loading]")
    #expect(try await session.get().text.contains("\"kind\":\"load\""))
    #expect(try await session.step("increment")["reason"] == "not-loaded")
    #expect(try await advance(session, "999ms").sketch == "studies[menu, eager, counter~loading]")
    #expect(try await session.step("setNavigation", activate).outcome == "unchanged")
    let loaded = try await advance(session, "1ms")
    #expect(loaded.sketch == "studies[menu, eager, counter~{count:0}]")
    for step in ["increment", "increment", "decrement"] { _ = try await session.step(step) }
    let counted = try await session.get()
    guard case .array(let flows)? = counted["tree"]?["children"], let counter = flows.last else { throw Service.Failure(counted.text) }
    #expect(counter.at(["content", "value", "count"]) == 1)
    #expect(try await session.step("counterIsLoaded").status == 403)
    _ = try await session.act(["type": "pop"])
    _ = try await session.step("setNavigation", activate)
    _ = try await advance(session, "500ms")
    #expect(try await session.act(["type": "pop"]).events == ["loadCancelled"])
    #expect(try await advance(session, "1s").sketch == "studies[menu, eager]")
  }

  @Test func `navigation follows a load, in rows and in a modal`() async throws {
    let service = try await Service()
    let session = try await session(service)
    _ = try await session.step("lazy")
    #expect(try await session.step("setNavigation", activate).sketch == "studies[menu, lazy~loading]")
    #expect(try await advance(session, "1s").routes == ["menu", "lazy", "counter"])
    _ = try await session.act(["type": "popToRoot"])
    _ = try await session.step("list")
    _ = try await session.step("rowIsPicked", ["row": 100])
    _ = try await advance(session, "1s")
    _ = try await session.step("increment")
    #expect(try await session.step("rowIsClosed").sketch == "studies[menu, list~{rows:{1:1,100:101,42:42}}]")
    #expect(try await session.step("rowIsPicked", ["row": 7]).status == 422)
    _ = try await session.act(["type": "popToRoot"])
    _ = try await session.step("loadThenPresent")
    _ = try await session.step("setNavigation", activate)
    #expect(try await advance(session, "1s").visible == "counter")
  }

  @Test func `after a restart due effects run once, and others wait`() async throws {
    let service = try await Service()
    // Two sessions with the clock of the system, and one with a manual clock.
    let due = try await service.session("load-studies")
    let manual = try await session(service)
    for session in [due, manual] {
      _ = try await session.step("eager")
      #expect(try await session.step("setNavigation", activate).sketch == "studies[menu, eager, counter~loading]")
    }
    service.crash()
    try await service.start()
    let loaded = try await due.until { $0.sketch == "studies[menu, eager, counter~{count:0}]" }
    #expect(try await manual.get().sketch == "studies[menu, eager, counter~loading]")
    service.crash()
    try await service.start()
    #expect(try await due.get().revision == loaded.revision)
    #expect(try await advance(manual, "1s").sketch == "studies[menu, eager, counter~{count:0}]")
  }
}

import CairnTesting
import Testing

@testable import CairnCore

private let app = """
  app: timers
  language: 1
  root: main
  offlineFor: 2d
  screens: { home: { emits: [opened] }, page: , late: , dayEnded: }
  flows:
    main:
      stack: home
      handle:
        opened: [{ push: page, timer: { after: 1h, send: pageIsLate } }, { timer: { after: 2h, send: dayIsOver }, of: flow }]
        pageIsLate: { push: late }
        dayIsOver: { present: dayEnded }
  """

private let hour = 3_600_000
private let ana = "client-of-ana-0123456789"

@Suite struct `A timer of a screen in an app that works offline` {
  private func drive(_ yaml: String = app) throws -> Drive { try Drive(yaml, creation: Creation(manualClock: true)) }

  @Test func `runs in the service if no client runs timers`() throws {
    var drive = try drive()
    drive.step("opened")
    drive.advance(hour)
    #expect(drive.sketch == "main[home, page, late]")
    // A client that numbers its actions does not run timers for that.
    var other = try self.drive()
    other.run(.step(Step("opened"), from: nil), sender: Sender(client: ana, number: 1))
    other.advance(hour)
    #expect(other.sketch == "main[home, page, late]")
  }

  @Test func `waits for the client that was in contact, and runs when the client is out of contact for too long`() throws {
    var drive = try drive()
    drive.run(.contact, sender: Sender(client: ana, number: 1))
    drive.step("opened")
    drive.advance(hour)
    #expect(drive.sketch == "main[home, page]")
    #expect(drive.state.effects.contains { $0.waitsForClient(in: drive.state) })
    drive.advance(hour)
    // The timer of the flow does not wait.
    #expect(drive.sketch == "main[home, page] ^ dayEnded")
    drive.run(.contact, sender: Sender(client: ana, number: 2))
    drive.advance(47 * hour)
    #expect(!drive.sketch.contains("late"))
    drive.advance(hour)
    #expect(try drive.broken == [] && drive.replayed() == drive.state)
    drive.run(.gesture(.dismiss(node: nil), from: nil))
    drive.advance(0)
    #expect(drive.sketch == "main[home, page, late]")
  }

  @Test func `cannot end in the service before that, and can by an action of the client`() throws {
    var drive = try drive()
    drive.run(.contact, sender: Sender(client: ana, number: 1))
    drive.step("opened")
    drive.advance(hour)
    let timer = try #require(drive.state.effects.first { $0.owner == drive.id("page") })
    drive.run(.effect(id: timer.id, .due(tick: 1)))
    #expect(drive.outcome == "effect-gone")
    drive.run(.effect(id: timer.id, .due(tick: 1)), sender: Sender(client: ana, number: 2))
    #expect(drive.sketch == "main[home, page, late]")
  }

  @Test func `skips the ticks that the client did not send`() throws {
    var drive = try drive(
      app.replacing("after: 1h, send: pageIsLate", with: "every: 1h, send: pageIsLate"))
    drive.run(.contact, sender: Sender(client: ana, number: 1))
    drive.step("opened")
    let timer = try #require(drive.state.effects.first { $0.owner == drive.id("page") })
    let upcoming = try #require(drive.state.upcoming.first { $0.id == timer.id })
    #expect(upcoming.due == timer.start + 48 * hour && upcoming.ticks == 47)
  }

  @Test func `runs in the service in an app that does not declare offlineFor`() throws {
    var drive = try drive(app.replacing("offlineFor: 2d\n", with: ""))
    drive.run(.contact, sender: Sender(client: ana, number: 1))
    drive.step("opened")
    drive.advance(hour)
    #expect(drive.sketch == "main[home, page, late]")
  }
}

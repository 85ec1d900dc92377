import CairnTesting
import Testing

@testable import CairnCore

private let app = """
  app: naps
  language: 1
  root: main
  screens: { home: { emits: [napped, nappedTwice, told, left] }, bed: { emits: [left, dozed] }, page: { params: { id: integer } }, hint: }
  flows:
    main:
      stack: home
      handle:
        napped: { timer: { after: 2m, send: woken, name: nap }, of: flow }
        nappedTwice:
          - { timer: { after: 3m, send: shown, with: { id: 3 } }, of: flow }
          - { timer: { after: 2m, send: shown, with: { id: 2 } }, of: flow }
        told: { overlay: hint, slot: top, for: 3s }
        left: { push: bed }
        dozed: { timer: { every: 1m, send: ticked } }
        ticked: { push: page, with: { id: 1 } }
        woken: { present: page, with: { id: 0 }, level: 9 }
        shown: { push: page, with: { id: $id } }
  steps: { shown: { id: integer }, woken: , ticked: }
  """

private let minute = 60_000
private let hour = 60 * minute

@Suite struct `A tick of a timer that a client has run` {
  private let flow = NodeID(1)

  /// A session in which a step that happened `age` milliseconds before its arrival has started a timer.
  private func late(_ step: String, by age: Int) throws -> Drive {
    var drive = try Drive(app)
    drive.wait(2 * hour)
    drive.run(.step(Step(step), from: nil), clientTime: ClientTime(clock: 0, happened: drive.time + 1 - age))
    return drive
  }

  private func tick(_ drive: inout Drive, _ send: String, node: NodeID? = nil, _ tick: Int = 1, age: Int = 0) {
    drive.run(.tick(node: node ?? flow, send: send, tick: tick), clientTime: ClientTime(clock: 0, happened: drive.time + 1 - age))
  }

  @Test func `sends the step of a timer that is due by the client's time, and the service's own tick comes too late`() throws {
    var drive = try late("napped", by: hour)
    let timer = try #require(drive.state.effects.first)
    #expect(timer.start == drive.time - hour && timer.received == drive.time && timer.due == timer.start + 2 * minute)
    tick(&drive, "woken", age: hour - 2 * minute - 1)
    #expect(drive.outcome == "performed" && drive.sketch == "main[home] ^9 page(id: 0)" && drive.state.effects == [])
    #expect(try drive.entries.last?.cause == .action(.tick(node: flow, send: "woken", tick: 1)) && drive.replayed() == drive.state)
    drive.run(.effect(id: timer.id, .due(tick: 1)))
    #expect(drive.outcome == "effect-gone")
    tick(&drive, "woken")
    #expect(drive.outcome == "unchanged (timer-gone)" && drive.broken == [])
  }

  @Test func `changes nothing before the timer is due by the client's time, whenever it arrives`() throws {
    var drive = try late("napped", by: hour)
    tick(&drive, "woken", age: hour - minute)
    #expect(drive.outcome == "unchanged (not-due)" && drive.state.effects.count == 1)
    // A tick may be up to 10 s early, because the requests of the action and of the tick may have taken different times.
    tick(&drive, "woken", age: hour - 2 * minute + 11_000)
    #expect(drive.outcome == "unchanged (not-due)")
    tick(&drive, "woken", age: hour - 2 * minute + 10_000)
    #expect(drive.outcome == "performed" && drive.state.effects == [] && drive.broken == [])
  }

  @Test func `changes nothing if the service's tick ran first, the timer was cancelled, or the node is gone`() throws {
    var drive = try late("napped", by: hour)
    drive.run(.effect(id: drive.state.effects[0].id, .due(tick: 1)))
    for (send, node) in [("woken", flow), ("shown", flow), ("woken", NodeID(0)), ("", flow)] {
      tick(&drive, send, node: node)
      #expect(drive.outcome == "unchanged (timer-gone)")
    }
    #expect(drive.broken == [])
  }

  @Test func `ends the timer that is due first, if several of a node send the step`() throws {
    var drive = try late("nappedTwice", by: hour)
    for _ in 1...2 { tick(&drive, "shown") }
    #expect(drive.sketch == "main[home, page(id: 2), page(id: 3)]" && drive.state.effects == [])
  }

  @Test func `counts the ticks of a repeating timer`() throws {
    var drive = try late("left", by: hour)
    drive.run(.step(Step("dozed"), from: nil), clientTime: ClientTime(clock: 0, happened: drive.time + 1 - hour))
    let bed = drive.id("bed")
    tick(&drive, "ticked", node: bed, 2)
    #expect(drive.sketch == "main[home, bed, page(id: 1)]" && drive.state.effects.first?.ticks == 2)
    drive.run(.pop(count: 1, node: nil))
    for number in 1...2 { tick(&drive, "ticked", node: bed, number) }
    #expect(drive.outcome == "unchanged (timer-gone)" && drive.sketch == "main[home, bed]")
    tick(&drive, "ticked", node: bed, 3)
    #expect(drive.sketch == "main[home, bed, page(id: 1)]" && drive.broken == [])
  }

  @Test func `is stored with its timer, and read back`() throws {
    let drive = try late("napped", by: hour)
    #expect(try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version) == drive.state)
  }
}

@Suite struct `The timers of a client` {
  private let year = 365 * 24 * hour

  @Test func `are those that its waiting actions have started, and their ticks are confirmed as predicted`() throws {
    var drive = try Drive(app)
    var replica = try Replica(drive.reducer.definition, state: ReplicaFormat.state(drive.state, by: drive.reducer))
    #expect(replica.nextTick == nil)
    _ = replica.predict(.step(Step("napped"), from: nil), number: 1, at: year)
    let next = try #require(replica.nextTick)
    #expect(next == (NodeID(1), "woken", year + 2 * minute))
    _ = replica.predict(.tick(node: next.node, send: next.send, tick: 1), number: 2, at: next.due)
    #expect(replica.tree.sketch == "main[home] ^9 page(id: 0)" && replica.nextTick == nil)
    // The action and the tick arrive a day later.
    drive.wait(25 * hour)
    for (number, action, at) in [
      (1, Action.step(Step("napped"), from: nil), year), (2, .tick(node: next.node, send: next.send, tick: 1), next.due),
    ] {
      let before = drive.state
      drive.run(action, clientTime: ClientTime(at, sent: year + 24 * hour, arrival: drive.time, earliest: 0))
      let difference = try ReplicaFormat.difference(StateFormat.difference(from: before, to: drive.state), by: drive.reducer)
      _ = try replica.confirm(difference, number: number)
      #expect(replica.tree.sketch == "main[home] ^9 page(id: 0)", "the predicted lock stays")
    }
    #expect(replica.tree == drive.tree && replica.waiting == [])
  }

  @Test func `end its overlays`() throws {
    let drive = try Drive(app)
    var replica = try Replica(drive.reducer.definition, state: ReplicaFormat.state(drive.state, by: drive.reducer))
    _ = replica.predict(.step(Step("told"), from: nil), number: 1, at: year)
    let next = try #require(replica.nextTick)
    #expect(next.send == "" && next.due == year + 3_000)
    _ = replica.predict(.tick(node: next.node, send: "", tick: 1), number: 2, at: next.due)
    #expect(replica.tree.overlays == nil && replica.nextTick == nil)
  }

  @Test func `are neither those of the service, nor repeating ones, nor any in a session with a manual clock`() throws {
    var drive = try Drive(app)
    drive.step("napped")
    drive.step("left")
    var replica = try Replica(drive.reducer.definition, state: ReplicaFormat.state(drive.state, by: drive.reducer))
    _ = replica.predict(.step(Step("dozed"), from: nil), number: 1, at: year)
    #expect(replica.nextTick == nil)
    let manual = try Drive(app, creation: Creation(manualClock: true))
    replica = try Replica(manual.reducer.definition, state: ReplicaFormat.state(manual.state, by: manual.reducer))
    _ = replica.predict(.step(Step("napped"), from: nil), number: 1, at: year)
    #expect(replica.nextTick == nil)
  }

  @Test func `are not predicted once they are confirmed, if their step has params, which only the service has`() throws {
    var drive = try Drive(app)
    drive.step("nappedTwice")
    var replica = try Replica(drive.reducer.definition, state: ReplicaFormat.state(drive.state, by: drive.reducer))
    #expect(replica.predict(.tick(node: NodeID(1), send: "shown", tick: 1), number: 1, at: year) == .unpredictable)
  }
}

import CairnTesting
import Testing

@testable import CairnCore

private let app = """
  app: clocks
  language: 1
  root: main
  screens: { home: { emits: [went] }, page: { emits: [went] }, pin: { emits: [pinAccepted] } }
  rules: [{ when: { fact: away, over: 2m }, send: lockDue }]
  flows:
    main:
      stack: home
      idle: { for: 10m, send: left }
      handle:
        went: { push: page }
        left: popToRoot
        lockDue: [{ when: { not: { screen: pin } }, do: { present: pin, level: 9, guard: true, sealed: true } }]
        pinAccepted: dismiss
  """

private let minute = 60_000
private let hour = 60 * minute
private let year = 365 * 24 * hour

@Suite struct `The time at which a user acted` {
  /// Actions that arrive at 10,000 in a request that was sent at 8,000 by the client's clock.
  @Test(arguments: [
    // The client's clock at the action, the earliest time, and the time at which the action happened.
    (7_000, 0, 9_000), (8_000, 0, 10_000), (7_000, 9_500, 9_500), (0, 2_001, 2_001), (0, 0, 2_000),
    // The client's clock was set back, or was a year fast at the time of the action.
    (9_000, 0, 10_000), (8_000 + year, 0, 10_000), (State.latestTime, 0, 10_000),
    // The earliest time is after the arrival, which is impossible, so the arrival counts.
    (7_000, 12_000, 10_000),
  ])
  func `is the age of the action before its arrival, within bounds`(clock: Int, earliest: Int, happened: Int) {
    let time = ClientTime(clock, sent: 8_000, arrival: 10_000, earliest: earliest)
    #expect(time == ClientTime(clock: clock, happened: happened))
  }

  @Test func `does not depend on how wrong the client's clock is`() {
    for offset in [0, hour, year, 50 * year] {
      #expect(ClientTime(offset + 7_000, sent: offset + 8_000, arrival: 10_000, earliest: 0).happened == 9_000)
    }
  }

  @Test func `is the oldest known one after the clock was set forward by a year`() {
    #expect(ClientTime(7_000, sent: 8_000 + year, arrival: 10_000, earliest: 6_000).happened == 6_000)
  }

  @Test func `stays in a stamp whose other parts change`() {
    let time = ClientTime(clock: 1, happened: 2)
    var stamp = Stamp(time: 3, nonce: "n", covers: [Cover(NodeID(4))], clientTime: time)
    stamp.zones = [ZoneWindow("UTC", from: 0, until: 1, offset: 0, changes: [])]
    stamp.covers = []
    #expect(stamp.clientTime == time && stamp.zones.count == 1 && stamp.covers == [])
    stamp.clientTime = ClientTime(clock: 5, happened: 6)
    #expect(stamp.clientTime?.clock == 5 && stamp.zones.count == 1)
    stamp.clientTime = nil
    #expect(stamp.clientTime == nil && stamp.zones.count == 1 && !stamp.isPlain)
  }
}

@Suite struct `Reports of the app that waited for the network` {
  /// Posts a report with a time by the client's clock.
  private func report(_ activity: Action.Activity, at clock: Int, _ drive: inout Drive) {
    drive.run(.appState(activity), clientTime: ClientTime(clock: clock, happened: drive.time))
  }

  /// The time away and the tree after two reports. Each report is given by its arrival on the service's clock and its time on the client's clock.
  private func away(_ left: (arrival: Int, clock: Int?), _ back: (arrival: Int, clock: Int?)) throws -> (time: Value?, tree: String) {
    var drive = try Drive(app)
    for (activity, report) in [(Action.Activity.background, left), (.foreground, back)] {
      drive.wait(report.arrival - drive.time - 1)
      drive.run(.appState(activity), clientTime: report.clock.map { ClientTime(clock: $0, happened: report.arrival) })
    }
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
    return (drive.state.facts["away"], drive.sketch)
  }

  @Test func `lock an app that was away for hours, although they arrive together`() throws {
    let (time, tree) = try away((5_000, 9 * hour), (5_001, 14 * hour))
    #expect(time == .integer(5 * hour) && tree == "main[home] ^9 pin")
  }

  @Test(arguments: [
    // By the service's clock the app was away for a minute.
    (100, 100 + 5 * minute, 5 * minute), (100, 100 + minute / 2, minute), (100, 100, minute),
    // The client's clock was set back or ahead by a year while the app was away.
    (year, 0, minute), (0, year, year), (State.latestTime, 0, minute),
  ])
  func `count with the longer time, by the service's clock or by the client's`(left: Int, back: Int, expected: Int) throws {
    let (time, tree) = try away((5_000, left), (5_000 + minute, back))
    #expect(time == .integer(expected) && tree == (expected > 2 * minute ? "main[home] ^9 pin" : "main[home]"))
  }

  @Test func `count by the service's clock if one of them has no time`() throws {
    #expect(try away((5_000, nil), (5_000 + minute, year)).time == .integer(minute))
    #expect(try away((5_000, 0), (5_000 + minute, nil)).time == .integer(minute))
  }

  @Test func `count from the first one that is not foreground, and only once`() throws {
    var drive = try Drive(app)
    report(.inactive, at: hour, &drive)
    report(.background, at: 2 * hour, &drive)
    report(.foreground, at: 3 * hour, &drive)
    #expect(drive.state.facts["away"] == .integer(2 * hour) && drive.state.leftForegroundByClient == nil)
    report(.background, at: 3 * hour, &drive)
    drive.run(.appState(.foreground))
    #expect(drive.state.facts["away"] == 1)
  }

  @Test func `keep the client's time over an undo and in the stored state`() throws {
    var drive = try Drive(app)
    let past = drive.state
    report(.background, at: hour, &drive)
    var state = drive.state
    _ = drive.reducer.restore(past, in: &state, of: drive.reducer, stamp: Stamp(time: drive.time, nonce: "undo"))
    #expect(state.leftForegroundByClient == hour)
    #expect(try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version) == drive.state)
  }
}

@Suite struct `The time without an action` {
  private func idleStart(_ drive: Drive) -> Int? { drive.state.effects.first { $0.isInactivity }.map { $0.due - 10 * minute } }

  @Test func `starts when the user acted, not when the action arrived`() throws {
    var drive = try Drive(app)
    drive.wait(hour)
    let acted = drive.time - 20 * minute
    drive.run(.step(Step("went"), from: nil), clientTime: ClientTime(clock: 0, happened: acted))
    #expect(idleStart(drive) == acted)
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `starts no earlier than the last action of another client`() throws {
    var drive = try Drive(app)
    drive.wait(hour)
    drive.step("went")
    let other = drive.time
    drive.run(.step(Step("went"), from: nil), clientTime: ClientTime(clock: 0, happened: other - 20 * minute))
    #expect(idleStart(drive) == other)
    drive.step("went")
    #expect(idleStart(drive) == drive.time)
  }
}

@Suite struct `The predicted time away` {
  /// A service and a client whose clock is `offset` ahead.
  private struct Sides {
    var service: Drive
    var replica: Replica
    let offset: Int
    private var number = 0

    init(offset: Int) throws {
      service = try Drive(app)
      replica = try Replica(service.reducer.definition, state: ReplicaFormat.state(service.state, by: service.reducer))
      self.offset = offset
    }

    private var clock: Int { service.time + offset }

    /// Lets the client report the state of its app. Returns the client's time.
    mutating func predict(_ activity: Action.Activity) -> Int {
      number += 1
      _ = replica.predict(.appState(activity), number: number, at: clock)
      return clock
    }

    /// Delivers a report to the service after `delay`, and its entry to the client.
    mutating func arrive(_ activity: Action.Activity, at clock: Int, number: Int, delay: Int = 0) throws {
      service.wait(delay)
      let before = service.state
      service.run(.appState(activity), clientTime: ClientTime(clock, sent: self.clock, arrival: service.time, earliest: 0))
      let difference = StateFormat.difference(from: before, to: service.state)
      _ = try replica.confirm(ReplicaFormat.difference(difference, by: service.reducer), number: number)
    }

    var predicted: Value? { replica.shown.facts["away"] }
    var confirmed: Value? { service.state.facts["away"] }
  }

  @Test(arguments: [0, hour, -hour, year])
  func `is the confirmed one if both reports wait, whatever the client's clock shows`(offset: Int) throws {
    var sides = try Sides(offset: offset + year)
    let left = sides.predict(.background)
    sides.service.wait(3 * hour)
    let back = sides.predict(.foreground)
    #expect(sides.predicted == .integer(3 * hour) && sides.replica.tree.sketch == "main[home] ^9 pin")
    sides.service.wait(hour)
    try sides.arrive(.background, at: left, number: 1)
    #expect(sides.predicted == .integer(3 * hour), "the prediction of the second report runs again")
    try sides.arrive(.foreground, at: back, number: 2)
    #expect(sides.confirmed == .integer(3 * hour) && sides.service.sketch == "main[home] ^9 pin")
    #expect(sides.replica.tree == sides.service.tree)
  }

  @Test(arguments: [0, hour, -hour, year])
  func `is not above the confirmed one if only the second report waits`(offset: Int) throws {
    var sides = try Sides(offset: offset + year)
    let left = sides.predict(.background)
    try sides.arrive(.background, at: left, number: 1, delay: 10)
    sides.service.wait(minute)
    let back = sides.predict(.foreground)
    #expect(sides.predicted == .integer(minute + 11))
    try sides.arrive(.foreground, at: back, number: 2, delay: hour)
    #expect(sides.confirmed == .integer(hour + minute + 1) && sides.service.sketch == "main[home] ^9 pin", "the service's time is longer")
  }

  @Test func `is that of the manual clock in a session that has one`() throws {
    var service = try Drive(app, creation: Creation(manualClock: true))
    service.run(.appState(.background))
    service.advance(hour)
    var replica = try Replica(service.reducer.definition, state: ReplicaFormat.state(service.state, by: service.reducer))
    _ = replica.predict(.appState(.foreground), number: 1, at: year)
    service.run(.appState(.foreground))
    #expect(replica.shown.facts["away"] == .integer(hour) && service.state.facts["away"] == .integer(hour))
  }

  @Test func `is 0 if the first report has no time, because the clocks cannot be compared`() throws {
    var sides = try Sides(offset: year)
    let before = sides.service.state
    sides.service.run(.appState(.background))
    let difference = StateFormat.difference(from: before, to: sides.service.state)
    _ = try sides.replica.confirm(ReplicaFormat.difference(difference, by: sides.service.reducer), number: nil)
    _ = sides.predict(.foreground)
    #expect(sides.predicted == 0 && sides.replica.tree.sketch == "main[home]")
  }
}

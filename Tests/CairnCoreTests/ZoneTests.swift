import CairnDefinition
import CairnRuntime
import CairnTesting
import Testing

@testable import CairnCore

private let app = """
  app: zones
  language: 1
  root: main
  facts: { zone: { type: string, default: Europe/Berlin }, answer: { type: string, default: none } }
  screens: { home: { emits: { asked: null, set: null, moved: { zone: string } } }, page: { emits: [asked, set, moved] } }
  flows:
    main:
      stack: home
      handle:
        asked:
          - { when: { between: ["22:00", "06:00"], zone: $fact.zone }, do: { write: { answer: night } } }
          - { do: { write: { answer: day } } }
        moved: { write: { zone: $zone } }
        set: { timer: { daily: "02:30", zone: $fact.zone, send: rang }, of: flow }
        rang: [{ when: { visible: home }, do: { push: page } }, { do: [] }]
  """

@Suite struct `Time zones` {
  private static let day = 86_400_000

  private func moment(_ text: String) throws -> Int { try #require(ISOTime.milliseconds(text)) }

  private func zone(_ name: String, around text: String) throws -> ZoneWindow {
    let file = try #require(ZoneFiles.content(of: name).flatMap { ZoneFile($0) }, "tzdata has \(name)")
    let time = try moment(text)
    return file.window(of: name, from: time - 10 * Self.day, until: time + 10 * Self.day)
  }

  /// The next moments, in order, at which the clock of the zone shows a time.
  private func next(_ time: Int, in zone: ZoneWindow, after text: String, count: Int) throws -> [Int] {
    var moments = [try moment(text)]
    for _ in 0..<count { moments.append(zone.next(time, after: moments.last ?? 0)) }
    return Array(moments.dropFirst())
  }

  @Test func `a time that the clock skips counts with the offset before the gap, and only once`() throws {
    let berlin = try zone("Europe/Berlin", around: "2026-03-29T00:00:00Z")
    #expect(
      try next(9_000_000, in: berlin, after: "2026-03-28T12:00:00Z", count: 3)
        == [moment("2026-03-29T01:30:00Z"), moment("2026-03-30T00:30:00Z"), moment("2026-03-31T00:30:00Z")])
  }

  @Test func `a time that exists twice counts the first time`() throws {
    let berlin = try zone("Europe/Berlin", around: "2026-10-25T00:00:00Z")
    #expect(
      try next(9_000_000, in: berlin, after: "2026-10-24T12:00:00Z", count: 2)
        == [moment("2026-10-25T00:30:00Z"), moment("2026-10-26T01:30:00Z")])
  }

  @Test func `a zone whose clock changes by half an hour, and one that is far in the east`() throws {
    let island = try zone("Australia/Lord_Howe", around: "2026-10-03T12:00:00Z")
    #expect(
      try next(7_200_000, in: island, after: "2026-10-02T15:30:00Z", count: 2) == [
        moment("2026-10-03T15:30:00Z"), moment("2026-10-04T15:00:00Z"),
      ])
    let line = try zone("Pacific/Kiritimati", around: "2026-06-01T00:00:00Z")
    #expect(try next(0, in: line, after: "2026-06-01T00:00:00Z", count: 1) == [moment("2026-06-01T10:00:00Z")])
  }

  @Test func `the rules of a zone are known for all years`() throws {
    let berlin = try zone("Europe/Berlin", around: "2525-07-01T00:00:00Z")
    #expect(berlin.offset == 7_200)
    let berlinInWinter = try zone("Europe/Berlin", around: "2525-12-01T00:00:00Z")
    #expect(berlinInWinter.offset == 3_600)
  }

  @Test func `the interval goes over midnight if its second time is earlier`() throws {
    let utc = try zone("UTC", around: "2026-06-01T00:00:00Z")
    let (ten, six) = (22 * 3_600_000, 6 * 3_600_000)
    for (text, isInside) in [("T21:59:59Z", false), ("T22:00:00Z", true), ("T05:59:59Z", true), ("T06:00:00Z", false)] {
      let time = try moment("2026-06-01\(text)")
      #expect(utc.isBetween(ten, six, at: time) == isInside, "at \(text)")
      #expect(utc.isBetween(six, ten, at: time) == !isInside, "at \(text)")
      #expect(!utc.isBetween(six, six, at: time))
    }
  }

  @Test(arguments: ["", "/etc/passwd", "../zoneinfo/UTC", "Europe", "Europe//Berlin", "Europe/.", "Mars/Olympus", "tzdata.zi"])
  func `a name that is no zone has no file, and names lead nowhere else`(_ name: String) {
    #expect(ZoneFiles.content(of: name).flatMap { ZoneFile($0) } == nil)
  }

  @Test func `a damaged file is no zone`() throws {
    let whole = try #require(ZoneFiles.content(of: "Europe/Berlin"))
    #expect(ZoneFile(whole) != nil)
    for length in stride(from: 0, to: whole.count - 1, by: 7) {
      #expect(ZoneFile(Array(whole[..<length])) == nil, "the first \(length) bytes")
    }
    var other = whole
    other[0] = 0
    #expect(ZoneFile(other) == nil)
  }

  @Test func `the entries of a session can be replayed without tzdata`() throws {
    var drive = try Drive(app, creation: Creation(manualClock: true))
    for zone in ["Europe/Berlin", "Asia/Tokyo", "Mars/Olympus", "America/New_York"] {
      drive.step("moved", ["zone": .string(zone)])
      drive.step("asked")
      drive.step("set")
      drive.advance(500 * Self.day)
    }
    #expect(drive.broken == [])
    #expect(drive.state.zones.map(\.name) == ["America/New_York", "Asia/Tokyo", "Europe/Berlin"])
    let reducer = Reducer(drive.reducer.definition)
    let first = try #require(drive.entries.first)
    guard case .creation(let creation) = first.cause else { return #expect(Bool(false), "the first entry is the creation") }
    var state = try reducer.create(creation, stamp: first.stamp).state
    for entry in drive.entries.dropFirst() {
      guard case .action(let action) = entry.cause else { continue }
      _ = try reducer.reduce(&state, action, stamp: entry.stamp)
    }
    #expect(state == drive.state)
  }

  @Test func `the offsets of a zone are read once a year, not with each action`() throws {
    var drive = try Drive(app, creation: Creation(manualClock: true))
    for _ in 0..<20 {
      drive.step("asked")
      drive.advance(Self.day)
    }
    #expect(drive.entries.filter { !$0.stamp.zones.isEmpty }.count == 1)
  }

  @Test func `days that passed while the service was down count once together`() throws {
    var drive = try Drive(app, creation: Creation(manualClock: false))
    drive.step("set")
    let timer = try #require(drive.state.effects.first)
    #expect(timer.due == 5_400_000)
    // The service starts again three days later, at noon.
    var state = drive.state
    let noon = 3 * Self.day + Self.day / 2
    _ = try drive.reducer.reduce(&state, .effect(id: timer.id, .due(tick: 1)), stamp: Stamp(time: noon, nonce: "n"))
    #expect(drive.reducer.tree(of: state).sketch == "main[home, page]")
    #expect(state.effects.map(\.due) == [4 * Self.day + 5_400_000])
  }

  @Test func `a session keeps its daily timer and its zones on the disk`() throws {
    var drive = try Drive(app, creation: Creation(manualClock: true))
    drive.step("set")
    let stored = StateFormat.snapshot(drive.state)
    #expect(try StateFormat.state(stored, version: StateFormat.version) == drive.state)
  }
}

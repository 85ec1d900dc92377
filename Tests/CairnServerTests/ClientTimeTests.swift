import CairnCore
import CairnServer
import CairnTesting
import Testing

private let hour = 3_600_000
private let day = 24 * hour
private let year = 365 * 24 * hour

/// Numbered actions with the times at which their user acted. Times are in milliseconds after the creation of the session.
@Suite(.tags(.timing), .ownThreads) struct `Numbered actions with the client's time` {
  private static let client = "client-of-twenty-two-x"
  private static let start = 1_800_000_000_000
  private static let app = """
    app: clocks
    language: 1
    root: main
    screens: { home: { emits: [went] }, page: { emits: [went] }, pin: { emits: [pinAccepted] } }
    rules:
      - { when: { fact: appState, is: background }, send: appHidden }
      - { when: { fact: appState, is: foreground }, send: appShown }
      - { when: { fact: away, over: 2m }, send: lockDue }
    flows:
      main:
        stack: home
        handle:
          went: { push: page }
          appHidden: [{ cancel: lock }, { timer: { after: 2m, send: lockDue, name: lock }, of: flow }]
          appShown: { cancel: lock }
          lockDue: [{ when: { not: { screen: pin } }, do: { present: pin, level: 9, guard: true, sealed: true } }]
          pinAccepted: dismiss
    """

  private let clock = ManualClock(start)
  private let workshop: Workshop
  private let session: Driven

  init() throws {
    workshop = try Workshop(clock: clock)
    session = try workshop.session("clocks", of: Self.app)
  }

  /// Posts numbered actions at `now` by the client's clock.
  private func post(_ first: Int, now: Int?, _ actions: [String], to other: Driven? = nil) throws -> Reply {
    let time = now.map { #""now":\#($0),"# } ?? ""
    return try (other ?? session).post(
      "actions", #"{"client":"\#(Self.client)","first":\#(first),\#(time)"actions":[\#(actions.joined(separator: ","))]}"#)
  }

  private func went(at: Int, seen: Int? = nil) -> String { #"{"step":"went","at":\#(at)\#(seen.map { ",\"seen\":\($0)" } ?? "")}"# }
  private func report(_ state: String, at: Int) -> String { #"{"type":"appState","state":"\#(state)","at":\#(at)}"# }

  private func tick(at: Int, _ node: String = #""n1""#) -> String { #"{"type":"tick","node":\#(node),"send":"lockDue","at":\#(at)}"# }

  /// A member of each answer.
  private static func answers(_ reply: Reply, _ member: String) -> [Value?] {
    if case .array(let answers)? = reply["answers"] { answers.map { $0[member] } } else { [] }
  }

  /// The revisions of the entries in a page of the history.
  private static func revisions(_ page: Reply) -> [Int] {
    guard case .array(let entries)? = page["entries"] else { return [] }
    return entries.compactMap { if case .integer(let revision)? = $0["revision"] { revision } else { nil } }
  }

  /// The screen in front.
  private func visible(_ query: String = "", of other: Driven? = nil) throws -> Value? {
    try (other ?? session).get(query)["visible"]?["screen"]
  }

  /// `at` and `receivedAt` of the entries after a revision.
  private func times(after revision: Int = 1, of other: Driven? = nil) throws -> [[Int?]] {
    guard case .array(let entries)? = try (other ?? session).get("/history?after=\(revision)")["entries"] else {
      throw NeverCame("a history")
    }
    return entries.map(Self.times)
  }

  private static func times(_ entry: Value) -> [Int?] {
    ["at", "receivedAt"].map { name in
      guard case .string(let text)? = entry[name] else { return nil }
      return ISOTime.milliseconds(text).map { $0 - start }
    }
  }

  @Test(arguments: [0, year, 10 * year])
  func `lock an app that was away for hours, although its reports arrive together`(offset: Int) throws {
    clock.advance(by: 8 * hour)
    _ = try post(1, now: offset + 8 * hour, [report("background", at: offset + hour), report("foreground", at: offset + 6 * hour)])
    #expect(try visible() == "pin" && session.get()["facts"]?["away"] == .integer(5 * hour))
    #expect(try times() == [[hour, 8 * hour], [6 * hour, 8 * hour]])
    #expect(try visible("?revision=3") == "pin")
  }

  @Test(arguments: [0, year])
  func `may tick a timer that one of them has started, and lock the app that was unlocked later`(offset: Int) throws {
    clock.advance(by: 8 * hour)
    let minute = 60_000
    let times = [hour, hour + 2 * minute, hour + 5 * minute, 2 * hour].map { offset + $0 }
    let actions = [
      report("background", at: times[0]), tick(at: times[1]), #"{"step":"pinAccepted","at":\#(times[2])}"#, tick(at: times[3]),
    ]
    let reply = try post(1, now: offset + 8 * hour, actions)
    #expect(Self.answers(reply, "outcome") == ["performed", "performed", "performed", "unchanged"], "\(reply.text)")
    #expect(try visible() == "home" && self.times().map(\.first) == [hour, hour + 2 * minute, hour + 5 * minute])
  }

  @Test func `may tick a timer of a node that none of them created, which changes nothing and refuses nothing`() throws {
    clock.advance(by: 8 * hour)
    let reply = try post(
      1, now: 8 * hour, [#"{"step":"pinAccepted","at":0}"#, tick(at: 0, #"{"action":1,"node":0}"#), tick(at: 0), went(at: 0)])
    #expect(Self.answers(reply, "reason") == [nil, "timer-gone", "timer-gone", nil], "\(reply.text)")
    #expect(try session.get().routes == ["home", "page"])
  }

  @Test func `start a timer that the service leaves to their client, while that still sends its actions`() throws {
    clock.advance(by: 8 * hour)
    _ = try post(1, now: 8 * hour, [report("background", at: hour)])
    #expect(try visible() == "home", "the timer was due hours ago")
    clock.advance(by: 20_000)
    _ = try post(2, now: 8 * hour + 20_000, [tick(at: hour + 120_000), #"{"step":"pinAccepted","at":\#(2 * hour)}"#])
    clock.advance(by: hour)
    #expect(try visible() == "home")
  }

  @Test func `are in the history and in streams with both times, and other entries with one`() throws {
    let stream = try session.listen()
    _ = try stream.next()
    clock.advance(by: 8 * hour)
    #expect(try post(1, now: 100 * hour, [went(at: 93 * hour, seen: 1), went(at: 98 * hour, seen: 1)]).status == 200)
    _ = try session.act(#"{"step":"went"}"#)
    let expected = [[hour, 8 * hour], [6 * hour, 8 * hour], [8 * hour, nil]]
    #expect(try times() == expected)
    #expect(try stream.next(3).map { Self.times($0.json) } == expected)
  }

  @Test(arguments: [
    // The period and the revisions in it. Entry 2 happened an hour after the creation, entry 3 after 6 hours, and both arrived after 8.
    ("since=2027-01-15T08:00:00Z", [1, 2, 3, 4]), ("since=2027-01-15T08:00:01Z", [2, 3, 4]), ("until=2027-01-15T16:00:00Z", [1]),
    ("since=2027-01-15T09:00:00Z&until=2027-01-15T10:00:00Z", []), ("since=2027-01-15T09:00:00Z&until=2027-01-15T10:00:00Z&by=at", [2]),
    ("since=2027-01-15T14:00:00.000Z&by=at", [3, 4]), ("until=2027-01-15T14:00:00Z&by=at", [1, 2]), ("by=at", [1, 2, 3, 4]),
    ("since=2027-01-15&until=2027-01-16&by=receivedAt&after=2", [3, 4]),
  ])
  func `are found in the history by either time`(period: String, revisions: [Int]) throws {
    clock.advance(by: 8 * hour)
    _ = try post(1, now: 100 * hour, [went(at: 93 * hour, seen: 1), went(at: 98 * hour, seen: 1)])
    clock.advance(by: hour)
    _ = try session.act(#"{"step":"went"}"#)
    #expect(try revisions == Self.revisions(session.get("/history?\(period)")))
    var (found, next): ([Int], String?) = ([], "/history?\(period)&limit=1")
    while let path = next {
      let page = try session.get(path)
      found += Self.revisions(page)
      next = page["next"].flatMap { if case .string(let text) = $0 { String(text.drop { $0 != "?" }) } else { nil } }.map {
        "/history" + $0
      }
    }
    #expect(found == revisions)
  }

  @Test(arguments: [
    ("since=yesterday", "since"), ("until=2027-13-01", "until"), ("since=2027-01-16&until=2027-01-15", "since"), ("by=arrival", "by"),
    ("as=scenario&since=2027-01-15", "since"), ("as=scenario&by=at", "by"),
  ])
  func `cannot be found in a period that is invalid`(query: String, parameter: String) throws {
    let reply = try session.get("/history?\(query)")
    #expect(reply.status == 422 && reply.text.contains("\"\(parameter)\""), "\(reply.text)")
    #expect(try session.get("/history?since=2027-01-15&until=2027-01-15").status == 200)
  }

  @Test(arguments: [
    // The times by the client's clock, the time of the request by the same clock, and when the actions happened.
    ([hour, 2 * hour + year], 3 * hour + year, [-14 * day, 7 * hour]),
    ([hour + year, 2 * hour], 3 * hour, [8 * hour, 8 * hour]),
    ([4 * hour], 3 * hour, [8 * hour]),
    ([2 * hour, hour], 3 * hour, [7 * hour, 7 * hour]),
    ([0, State.latestTime], State.latestTime, [-14 * day, 8 * hour]),
    ([State.latestTime, 0], 0, [8 * hour, 8 * hour]),
  ])
  func `happened within bounds if the client's clock jumps, and run in their order`(ats: [Int], now: Int, happened: [Int]) throws {
    clock.advance(by: 8 * hour)
    let reply = try post(1, now: now, ats.map { went(at: $0, seen: 1) })
    #expect(reply.status == 200, "\(reply.text)")
    #expect(try times() == happened.map { [$0, 8 * hour] })
    #expect(try session.get().routes == ["home"] + ats.map { _ in "page" })
  }

  @Test func `happened neither before the revision that the user saw nor before the client's last action`() throws {
    clock.advance(by: 2 * hour)
    _ = try session.act(#"{"step":"went"}"#)
    clock.advance(by: 6 * hour)
    for (number, seen) in [(1, 1), (2, 2), (3, 1)] {
      let reply = try post(number, now: 10 * hour, [went(at: 3 * hour, seen: seen)])
      #expect(reply.status == 200, "\(reply.text)")
    }
    #expect(try times(after: 2).map { $0[0] } == [hour, 2 * hour, 2 * hour])
  }

  @Test(arguments: [nil, 1])
  func `happened at most 14 days before the creation of the session, which may have begun without a network`(seen: Int?) throws {
    clock.advance(by: hour)
    _ = try post(1, now: year, [went(at: 0, seen: seen)])
    #expect(try times() == [[-14 * day, hour]])
  }

  @Test func `lock an app that was away for hours before the service could create its session`() throws {
    clock.advance(by: hour)
    _ = try post(1, now: 8 * hour, [report("background", at: hour), report("foreground", at: 6 * hour)])
    #expect(try visible() == "pin" && session.get()["facts"]?["away"] == .integer(5 * hour))
    #expect(try times() == [[-6 * hour, hour], [-hour, hour]])
  }

  @Test func `have the service's time in a session with a manual clock`() throws {
    let manual = try workshop.session("clocks", #","clock":"manual""#)
    clock.advance(by: 8 * hour)
    _ = try post(1, now: 8 * hour, [report("background", at: hour), report("foreground", at: 6 * hour)], to: manual)
    #expect(try visible(of: manual) == "home" && manual.get()["facts"]?["away"] == 0)
    #expect(try times(of: manual).map { $0[1] } == [nil, nil])
  }

  @Test func `are the same action if they are repeated with another time`() throws {
    clock.advance(by: hour)
    let first = try post(1, now: 9, [went(at: 7)])
    clock.advance(by: hour)
    let again = try post(1, now: 11, [went(at: 8)])
    #expect(first["answers"] == again["answers"] && first.status == 200)
    #expect(try times() == [[hour - 2, hour]])
  }

  @Test(arguments: ["-1", "\"1\"", "1.5", "null", "253402300800000"]) func `need a time as at and now`(time: String) throws {
    for (body, place) in [
      (#""now":5,"actions":[{"step":"went","at":\#(time)}]"#, "/actions/0/at"),
      (#""now":\#(time),"actions":[{"step":"went","at":5}]"#, "/now"),
    ] {
      let reply = try session.post("actions", #"{"client":"\#(Self.client)","first":1,\#(body)}"#)
      #expect(reply.status == 422 && reply.text.contains(place), "\(reply.text)")
    }
    #expect(try session.get().revision == 1)
  }

  @Test func `need now if one has at, and others have neither`() throws {
    let reply = try post(1, now: nil, [#"{"step":"went"}"#, went(at: 5)])
    #expect(reply.status == 422 && reply.text.contains("/now") && reply.text.contains("an action has `at`"), "\(reply.text)")
    #expect(try session.act(went(at: 5)).status == 422)
    #expect(try post(1, now: 5, [#"{"step":"went"}"#]).status == 200)
    #expect(try times() == [[0, nil]])
  }
}

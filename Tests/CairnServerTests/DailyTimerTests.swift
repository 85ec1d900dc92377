import CairnCore
import CairnServer
import CairnTesting
import Testing

/// Daily timers by the clock of the service, which advances several days at once.
@Suite(.tags(.timing), .ownThreads) struct `Daily timers over HTTP` {
  private static let app = """
    app: alarm
    language: 1
    root: main
    screens: { home: { emits: [alarmSet] }, ringing: }
    flows:
      main:
        stack: home
        handle:
          alarmSet: { timer: { daily: "02:30", zone: Europe/Berlin, send: rang }, of: flow }
          rang: { push: ringing }
    """

  private static func moment(_ text: String) throws -> Int { try #require(ISOTime.milliseconds(text)) }

  @Test(arguments: [
    // The clock of Berlin goes back on 25 October 2026, and forward on 28 March 2027.
    ("2026-10-22T10:00:00Z", "2026-10-23T00:30:00.000Z", "2026-10-25T11:00:00Z", "2026-10-26T01:30:00.000Z"),
    ("2027-03-25T11:00:00Z", "2027-03-26T01:30:00.000Z", "2027-03-28T10:00:00Z", "2027-03-29T00:30:00.000Z"),
  ])
  func `three days that passed at once are one firing, and the next one comes on the next day`(
    start: String, due: String, later: String, next: String
  ) throws {
    let clock = ManualClock(try Self.moment(start))
    let session = try Workshop(clock: clock).session("alarm", of: Self.app)
    #expect(try session.act(#"{"step":"alarmSet"}"#).status == 200)
    #expect(try dues(of: session) == [.string(due)])
    clock.advance(by: try Self.moment(later) - Self.moment(start))
    try wait(for: "the timer") { try dues(of: session) == [.string(next)] }
    #expect(try session.get().routes == ["home", "ringing"])
    clock.advance(by: try Self.moment(next) - Self.moment(later))
    try wait(for: "the next day") { try session.get().routes == ["home", "ringing", "ringing"] }
  }

  /// The moments at which the timers of a session are due.
  private func dues(of session: Driven) throws -> [Value?] {
    guard case .array(let pending)? = try session.get()["pending"] else { return [] }
    return pending.map { $0["due"] }
  }
}

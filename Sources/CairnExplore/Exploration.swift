package import CairnCore
package import CairnDefinition
package import CairnRuntime

/// The result of exploring an app.
package struct Exploration: Sendable {
  package var findings: [Finding]
  /// The number of distinct states.
  package var states: Int
  /// The number of moves tried, including refused moves.
  package var transitions: Int
  /// The parts of the app that were not explored, one line each.
  package var unknown: [String]
  /// A small set of scenarios that take every transition; empty unless requested.
  package var cover: [String]
  /// The limit that ended the exploration early; `nil` if everything within the limits was explored.
  package var end: String?
  /// The duration in nanoseconds, without the time for building the findings.
  package var time: UInt64

  /// Explores an app within limits. With a migration, the findings are only the states that cannot move to the other definition. `report` receives the
  /// progress: the numbers of states, of moves, and of states waiting to be explored. Throws if a thread cannot be started.
  package static func of(
    _ definition: Definition, claims: [Claim] = [], given: Start = Start(), limits: Limits = Limits(), covers: Bool = false,
    migration: (to: Definition, by: Migration)? = nil,
    report: (_ states: Int, _ transitions: Int, _ waiting: Int) -> Void = { _, _, _ in }
  ) throws(ThreadError) -> Exploration {
    let start = Monotonic.now()
    // A tenth of the time is reserved for the findings, because the path to each finding is replayed.
    let deadline = limits.time.map { start + UInt64($0) * 1_000_000 / 10 * 9 }
    let claims = claims + (migration.map { [Claim.reading($0.by, from: definition, to: $0.to)] } ?? [])
    var walk = Walk(
      app: App(definition, claims, given: given, limits, covers: covers, migration: migration.map { ($0.to, $0.by) }), until: deadline)
    try walk.run(report)
    // The second walk determines whether the parts that were not reached are unreachable. With a migration, this walk is not needed,
    // because the only findings are states that cannot move.
    if migration == nil { try walk.lookNearer(report) }
    let time = Monotonic.now() - start
    return Exploration(
      findings: walk.findings(), states: walk.ground.count, transitions: walk.transitions, unknown: walk.unknown,
      cover: covers ? walk.cover() : [], end: walk.ending, time: time)
  }

  /// The extent of the exploration in one line.
  package var summary: String {
    let seconds = Double(time / 10_000_000) / 100
    let found = findings.isEmpty ? "nothing found" : CountText.of(findings.count, "finding")
    return "\(found) in \(CountText.of(states, "state")) and \(CountText.of(transitions, "move")), \(seconds) s"
  }
}

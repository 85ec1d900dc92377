import CairnCore
import CairnTesting
import Foundation
import Testing

/// Random drives of definitions that use the whole language. They were recorded when the language was complete. `CAIRN_RECORD_DRIVES` and
/// `CAIRN_TRACE_SEED` work as in `RecordedDriveTests`.
@Suite struct `Recorded drives of the whole language` {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Drives/whole.txt")
  private static let seeds = 0..<300

  /// Runs up to 40 actions on a random definition. Returns their trace, or `nil` if the definition loops at its start.
  private static func trace(_ seed: Int) -> Trace? {
    let reducer = Reducer(RandomDefinition.whole(seed: UInt64(seed)))
    let creation = Creation(manualClock: true, manualRequests: seed % 2 == 0)
    guard let born = try? reducer.create(creation, stamp: Stamp(time: 1_000, nonce: "start")) else { return nil }
    var state = born.state
    var trace = Trace()
    trace.note(.success(born.transition), state, reducer)
    var chance = Chance(seed: UInt64(seed) &* 104_729)
    for count in 0..<40 where state.nodes.count < 120 {
      let stamp = Stamp(time: state.manualTime ?? 1_000, nonce: "nonce\(count)")
      let result: Result<Transition, Refusal>
      if chance.isHeads(oneIn: 8) {
        let by = chance.below(4_000)
        result = Result { () throws(Refusal) in try reducer.advance(&state, by: by, nonce: stamp.nonce).transition }
      } else {
        let action = RandomAction.whole(&chance, for: state)
        result = Result { () throws(Refusal) in try reducer.reduce(&state, action, stamp: stamp) }
      }
      trace.note(result, state, reducer)
      trace.noteRest(of: state, reducer)
    }
    return trace
  }

  @Test func `random drives of the whole language equal the recorded ones`() throws {
    let now = Self.seeds.map { "\($0) \(Self.trace($0)?.digest ?? "loops")" }
    if ProcessInfo.processInfo.environment["CAIRN_RECORD_DRIVES"] != nil {
      try (now.joined(separator: "\n") + "\n").write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let then = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
    try #require(now.count == then.count)
    for (new, old) in zip(now, then) where new != old {
      Issue.record("seed \(old.prefix { $0 != " " }) does something else than it did")
      break
    }
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["CAIRN_TRACE_SEED"] != nil)) func `the trace of one seed is printed`() throws {
    let seed = try #require(ProcessInfo.processInfo.environment["CAIRN_TRACE_SEED"].flatMap { Int($0) })
    print(Self.trace(seed)?.text ?? "loops")
  }
}

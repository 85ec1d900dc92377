import CairnCore
import CairnTesting
import Foundation
import Testing

/// The behaviour of the engine with random definitions and actions, recorded as one digest per seed. Any change of behaviour fails. If
/// `CAIRN_RECORD_DRIVES` is set, the fixture is recorded again, which is right only for an intended change.
@Suite struct `Recorded drives` {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Drives/random.txt")
  private static let seeds = 0..<600

  /// Runs up to 40 actions on a random definition. Returns their trace, or `nil` if the definition loops at its start.
  private static func trace(_ seed: Int) -> Trace? {
    let definition = RandomDefinition.make(seed: UInt64(seed))
    let reducer = Reducer(definition)
    let first = Stamp(time: 1_000, nonce: "start")
    guard let born = try? reducer.create(Creation(manualClock: true), stamp: first) else { return nil }
    var state = born.state
    var trace = Trace()
    trace.note(.success(born.transition), state, reducer)
    var chance = Chance(seed: UInt64(seed) &* 104_729)
    for count in 0..<40 where state.nodes.count < 120 {
      let stamp = Stamp(time: state.manualTime ?? 1_000, nonce: "nonce\(count)")
      if chance.isHeads(oneIn: 8) {
        let by = chance.below(4_000)
        let result = Result { () throws(Refusal) in try reducer.advance(&state, by: by, nonce: stamp.nonce).transition }
        trace.note(result, state, reducer)
      } else {
        let action = RandomAction.make(&chance, for: state)
        let result = Result { () throws(Refusal) in try reducer.reduce(&state, action, stamp: stamp) }
        trace.note(result, state, reducer)
      }
    }
    return trace
  }

  @Test func `random drives equal the recorded ones`() throws {
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

  /// Prints one seed, to find a difference: `CAIRN_TRACE_SEED=7 swift test --filter Recorded`.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CAIRN_TRACE_SEED"] != nil)) func `the trace of one seed is printed`() throws {
    let seed = try #require(ProcessInfo.processInfo.environment["CAIRN_TRACE_SEED"].flatMap { Int($0) })
    print(Self.trace(seed)?.text ?? "loops")
  }
}

import CairnCore
import CairnStore
import CairnTesting
import Foundation
import Testing

/// The responses to 100,000 random actions in the whole language and the resulting views, byte for byte, and how often each byte occurs in what is
/// stored. One digest covers 25 seeds. If `CAIRN_RECORD_DRIVES` is set, the fixture is recorded again, as for the recorded drives.
@Suite struct `Recorded responses` {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/answers.txt")
  private static let seeds = 2_525
  private static let seedsPerLine = 25

  @Test func `responses and views have the recorded bytes, and stored states the recorded number of each byte`() throws {
    let firsts = Array(stride(from: 0, to: Self.seeds, by: Self.seedsPerLine))
    let now = firsts.map { first in
      var record = AnswerRecord()
      for seed in first..<(first + Self.seedsPerLine) { record.drive(seed: seed, actions: 40) }
      return "\(first) \(record.actions) \(record.digest)"
    }
    if ProcessInfo.processInfo.environment["CAIRN_RECORD_DRIVES"] != nil {
      try (now.joined(separator: "\n") + "\n").write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let then = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(now.count == then.count)
    let unlike = zip(now, then).filter { $0 != $1 }.map(\.1)
    #expect(unlike.isEmpty, "of these 25 seeds each, something is not what it was")
  }
}

/// Digest of the bytes that the actions produced.
private struct AnswerRecord {
  private(set) var actions = 0
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// FNV-1a with 64 bits, in hexadecimal.
  var digest: String { String(hash, radix: 16) }

  /// Runs random actions on a random definition, unless the definition cannot start a session.
  mutating func drive(seed: Int, actions: Int) {
    let reducer = Reducer(RandomDefinition.whole(seed: UInt64(seed)))
    let creation = Creation(manualClock: true, manualRequests: seed % 2 == 0)
    guard let born = try? reducer.create(creation, stamp: Stamp(time: 1_000, nonce: "start")) else { return }
    var state = born.state
    add(unordered: StateFormat.snapshot(state))
    var chance = Chance(seed: UInt64(seed) &* 7_919 &+ 1)
    for count in 0..<actions where state.nodes.count < 120 {
      let before = state
      let stamp = Stamp(time: state.manualTime ?? 1_000, nonce: "nonce\(count)")
      // The bounds of the service, but so low that some actions exceed them.
      var meter = Meter(Bounds(nodes: 60, effects: 20, state: 16 << 10, value: 4 << 10))
      let result: Result<Transition, Refusal>
      let isOneAction = !chance.isHeads(oneIn: 8)
      if !isOneAction {
        let by = chance.below(4_000)
        result = Result { () throws(Refusal) in
          try reducer.advance(&state, by: by, nonce: stamp.nonce, meter: &meter) { _, before, after in
            add(unordered: StateFormat.difference(from: before, to: after))
          }
        }
      } else {
        let action = RandomAction.whole(&chance, for: state)
        result = Result { () throws(Refusal) in try reducer.reduce(&state, action, stamp: stamp, meter: &meter) }
      }
      add(result, isOneAction: isOneAction, from: before, to: state, reducer)
      self.actions += 1
    }
  }

  private mutating func add(
    _ result: Result<Transition, Refusal>, isOneAction: Bool, from before: State, to state: State, _ reducer: Reducer
  ) {
    var writer = JSONWriter()
    writer.beginObject()
    switch result {
    case .failure(let refusal):
      writer.member("code", refusal.code.rawValue)
      writer.member("detail", refusal.detail)
      for fault in refusal.faults { writer.member("fault", "\(fault.pointer) \(fault.detail)") }
    case .success(let transition):
      transition.writeMembers(to: &writer)
      reducer.writeView(of: state, to: &writer)
      for effect in transition.started { writer.member("started", effect.id) }
      for effect in transition.cancelled { writer.member("cancelled", effect) }
    }
    writer.endObject()
    add((try? writer.bytes()) ?? [])
    // The difference as the store writes it. An advance of the clock is more than one action.
    add(unordered: StateFormat.difference(from: before, to: state, by: isOneAction ? try? result.get() : nil))
  }

  /// Counts each byte value, because the order of a stored object's members is a dictionary's and differs per process.
  private mutating func add(unordered bytes: [UInt8]) {
    var counts = [UInt8](repeating: 0, count: 256)
    for byte in bytes { counts[Int(byte)] &+= 1 }
    add(counts)
  }

  private mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}

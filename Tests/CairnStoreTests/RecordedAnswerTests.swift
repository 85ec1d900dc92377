import CairnCore
import CairnStore
import CairnTesting
import Foundation
import Testing

/// The responses to 100,000 random actions in the whole language, with the resulting views, and what is stored, byte for byte. The members of a stored object
/// have the order of a dictionary, which differs per process, so the test compares them in alphabetical order. Each seed has one digest of the responses and
/// views, and one of the stored data. If `CAIRN_RECORD_DRIVES` is set, the fixture is recorded again, as for the recorded drives.
@Suite struct `Recorded responses` {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/answers.txt")
  private static let seeds = 2_525
  private static let columns = ["seed", "number of actions", "responses and views", "stored states and differences"]

  @Test func `responses, views, stored states and stored differences have the recorded bytes`() throws {
    let now = (0..<Self.seeds).map { seed in
      var record = AnswerRecord()
      record.drive(seed: seed, actions: 40)
      return "\(seed) \(record.actions) \(record.responses) \(record.stored)"
    }
    if ProcessInfo.processInfo.environment["CAIRN_RECORD_DRIVES"] != nil {
      try (now.joined(separator: "\n") + "\n").write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let then = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(now.count == then.count)
    let unlike = zip(now, then).filter { $0 != $1 }.map { line, recorded in
      let parts = zip(Self.columns, zip(line.split(separator: " "), recorded.split(separator: " "))).filter { $1.0 != $1.1 }
      return "seed \(recorded.prefix { $0 != " " }): \(parts.map(\.0).joined(separator: ", "))"
    }
    #expect(unlike == [], "these are not what they were")
  }

  @Test func `stored bytes with another value, another name or another order of a list are not the same`() {
    func sorted(_ text: String) -> String { String(decoding: SortedMembers.bytes(of: Array(text.utf8)), as: UTF8.self) }
    let text = #"{"b":[1,{"y":"}\"","x":{}}],"a":-1.5e3,"c":null}"#
    #expect(sorted(text) == #"{"a":-1.5e3,"b":[1,{"x":{},"y":"}\""}],"c":null}"#)
    let others = [#""b":[{"y":"}\"","x":{}},1]"#, #""b":[1,{"x":"}\"","y":{}}]"#, #""b":[1,{"y":"\"}","x":{}}]"#]
    for other in others { #expect(sorted(text.replacing(#""b":[1,{"y":"}\"","x":{}}]"#, with: other)) != sorted(text)) }
  }
}

/// Sorts the members of each object in a JSON text by their names. All other bytes stay as they are.
private struct SortedMembers {
  private var rest: ArraySlice<UInt8>

  static func bytes(of text: [UInt8]) -> [UInt8] {
    var reader = SortedMembers(rest: text[...])
    return reader.value() + reader.rest
  }

  private mutating func value() -> [UInt8] {
    switch rest.first {
    case UInt8(ascii: "{"): list(sorted: true)
    case UInt8(ascii: "["): list(sorted: false)
    case UInt8(ascii: "\""): string()
    default: take { !",]}".utf8.contains($0) }
    }
  }

  /// Reads an object or an array, and returns its bytes in the new order.
  private mutating func list(sorted: Bool) -> [UInt8] {
    let start = take(1)
    var parts: [[UInt8]] = []
    while let byte = rest.first, !"]}".utf8.contains(byte) {
      parts.append(sorted ? string() + take(1) + value() : value())
      if rest.first == UInt8(ascii: ",") { rest.removeFirst() }
    }
    if sorted { parts.sort { $0.lexicographicallyPrecedes($1) } }
    return start + parts.joined(separator: [UInt8(ascii: ",")]) + take(1)
  }

  private mutating func string() -> [UInt8] {
    var text = take(1)
    while let byte = rest.first, byte != UInt8(ascii: "\"") { text += take(byte == UInt8(ascii: "\\") ? 2 : 1) }
    return text + take(1)
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  private mutating func take(while isPart: (UInt8) -> Bool) -> [UInt8] {
    defer { rest = rest.drop(while: isPart) }
    return Array(rest.prefix(while: isPart))
  }
}

/// A digest of 64 bits: FNV-1a.
private struct Digest: CustomStringConvertible {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // A mark for the end of the bytes.
    hash = (hash ^ 0x100) &* 0x100_0000_01B3
  }

  var description: String { String(hash, radix: 16) }
}

/// Digests of the bytes that the actions produced.
private struct AnswerRecord {
  private(set) var actions = 0
  private(set) var responses = Digest()
  private(set) var stored = Digest()

  /// Runs random actions on a random definition, unless the definition cannot start a session.
  mutating func drive(seed: Int, actions: Int) {
    let reducer = Reducer(RandomDefinition.whole(seed: UInt64(seed)))
    let creation = Creation(manualClock: true, manualRequests: seed % 2 == 0)
    guard let born = try? reducer.create(creation, stamp: Stamp(time: 1_000, nonce: "start")) else { return }
    var state = born.state
    store(StateFormat.snapshot(state))
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
            store(StateFormat.difference(from: before, to: after))
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
    responses.add((try? writer.bytes()) ?? [])
    // The difference as the store writes it. An advance of the clock is more than one action.
    store(StateFormat.difference(from: before, to: state, by: isOneAction ? try? result.get() : nil))
  }

  private mutating func store(_ bytes: [UInt8]) { stored.add(SortedMembers.bytes(of: bytes)) }
}

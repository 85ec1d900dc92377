import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite struct `Decoding of encoded responses` {
  private func again<Body: JSONWritable & Decodable>(_ body: Body) throws -> Body {
    var writer = JSONWriter()
    body.write(to: &writer)
    return try JSONDecoder().decode(Body.self, from: Data(try writer.bytes()))
  }

  @Test func `changes, events, trees and accepts of random sessions are decoded unchanged`() throws {
    var count = 0
    for seed in 0..<60 {
      let reducer = Reducer(RandomDefinition.whole(seed: UInt64(seed)))
      guard let born = try? reducer.create(Creation(manualClock: true), stamp: Stamp(time: 1_000, nonce: "start")) else { continue }
      var state = born.state
      var chance = Chance(seed: UInt64(seed) &* 7_919)
      for turn in 0..<30 where state.nodes.count < 120 {
        let stamp = Stamp(time: state.manualTime ?? 1_000, nonce: "nonce\(turn)")
        guard let transition = try? reducer.reduce(&state, RandomAction.whole(&chance, for: state), stamp: stamp) else { continue }
        count += transition.changes.count
        #expect(try again(transition.changes) == transition.changes, "seed \(seed)")
        #expect(try again(transition.events) == transition.events, "seed \(seed)")
        #expect(try again(reducer.accepts(state)) == reducer.accepts(state), "seed \(seed)")
        #expect(try again(reducer.routes(of: state)) == reducer.routes(of: state), "seed \(seed)")
        #expect(try again(reducer.tree(of: state)) == reducer.tree(of: state), "seed \(seed)")
      }
    }
    #expect(count > 100)
  }

  @Test func `an invalid operation or event is rejected`() {
    for text in [#"[{"op":"fly","node":"n1"}]"#, #"[{"op":"pop","in":"n1"}]"#, #"[{"op":"push","in":"n1"}]"#] {
      #expect(throws: (any Error).self) { try JSONDecoder().decode([Change].self, from: Data(text.utf8)) }
    }
    #expect(throws: (any Error).self) { try JSONDecoder().decode(Event.self, from: Data(#"{"type":"sungAlong"}"#.utf8)) }
  }
}

import CairnCore
import Foundation
import Testing

@Suite struct `What is stored and read again is the same` {
  private func roundTrip<T: Codable & Equatable>(_ value: T) throws -> T {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try JSONDecoder().decode(T.self, from: encoder.encode(value))
  }

  @Test(
    arguments: [
      .null, true, 0, -1, 1, .integer(.max), .integer(.min), .number(1.5), .number(-0.25), .number(1e300), "", "a\u{0}\u{1F600}/\"\\", [],
      [:],
      [.null, [.null]], ["a": .null, "b": ["c": .null]], ["n": [1, .number(2.5), "x", false]],
    ] as [Value]) func `a value`(value: Value) throws
  {
    #expect(try roundTrip(value) == value)
    #expect(try roundTrip(["nested": value]) == ["nested": value])
  }

  @Test func `content that is null, or none`() throws {
    for content in [Content(status: .loaded, value: .null), Content(status: .loading), Content(status: .failed, value: 1, error: "x")] {
      #expect(try roundTrip(content) == content)
    }
  }

  @Test func `effects with all that they carry`() throws {
    let then = StepTemplate(
      "then", with: ["a": .reference(.result(["x"])), "b": .literal(.null), "c": .object(["d": .reference(.content(["e"], of: "f"))])])
    for work in [
      Effect.Work.value(.null, delay: 1, then: then, otherwise: nil),
      .request(url: "u", bearer: true, delay: 0, then: nil, otherwise: then),
      .timer(name: nil, step: Step("s", params: ["p": .null]), delay: 1, period: 2, ticks: 3), .exchange,
    ] {
      let effect = Effect(id: 1, owner: NodeID(2), start: 3, work: work, whileVisible: true)
      #expect(try roundTrip(effect) == effect)
    }
  }

  @Test func `every action`() throws {
    let route = Action.Route("s", params: ["a": .null])
    let actions: [Action] = [
      .step(Step("s"), from: nil), .step(Step("s", params: ["a": 1]), from: NodeID(3)), .pop(count: 1, node: nil),
      .pop(count: 3, node: nil),
      .pop(count: 1, node: NodeID(1)), .popTo(.screen("s")), .popTo(.node(NodeID(4))), .popToRoot, .back, .dismiss(node: nil),
      .dismiss(node: NodeID(1)),
      .select(.tab(0), node: nil), .select(.flow("f"), node: NodeID(1)), .push(route),
      .present(route, style: .alert, node: NodeID(1), replace: true),
      .present(route, style: .sheet, node: nil, replace: false), .set([route, route]), .remove(node: NodeID(1)),
      .login(hasCode: true, state: "s", error: nil, byOperator: false), .login(hasCode: false, state: nil, error: "e", byOperator: true),
      .logout,
      .token, .facts(["a": .null]), .open(url: "u"), .notification(url: nil, category: nil, tap: false, appState: .killed), .advance(to: 5),
      .effect(id: 1, .due(tick: 2)), .effect(id: 1, .loaded(.null)), .effect(id: 1, .loaded(["a": 1])), .effect(id: 1, .failed("r")),
      .effect(id: 1, .exchanged),
    ]
    for action in actions {
      #expect(try roundTrip(action) == action)
      let entry = Entry(revision: 1, stamp: Stamp(time: 1, nonce: "n"), cause: .action(action))
      #expect(try roundTrip(entry) == entry)
    }
    let first = Entry(revision: 1, stamp: Stamp(time: 1, nonce: "n"), cause: .creation(Creation(hasToken: true, facts: ["f": .null])))
    #expect(try roundTrip(first) == first)
  }
}

import CairnCore
import CairnStore

// Tests messages that either node may send.
extension TwoStores {
  private static func submit(_ key: String) -> Command { Trial.step("submit", ["key": .string(key), "amount": 5]) }

  static let messageCases: [Case] = [
    Case(description: "of two calls with one key at both nodes one sends the message") { pair in
      try pair.a.create("s")
      try pair.warm("s")
      pair.beforeCommitsOfA { _ in _ = try? pair.b.post(submit("7"), to: "s") }
      try pair.a.post(submit("7"), to: "s")
      try pair.settle()
      try expect(pair.a.outbound.count + pair.b.outbound.count, 1)
      for bench in [pair.a, pair.b] { try expect(try bench.session("s").state.effects.compactMap { $0.message?.key }, ["7"]) }
      try (pair.a.outbound.count == 1 ? pair.a : pair.b).outbound.end(0, .json(.null))
      try pair.settle()
      try expect(pair.a.outbound.count + pair.b.outbound.count, 1)
      for bench in [pair.a, pair.b] { try expect(try bench.session("s").pages, [0, 200]) }
    },
    Case(description: "messages that were called at both nodes are sent one after the other") { pair in
      try pair.a.create("s")
      try pair.a.post(submit("1"), to: "s")
      _ = try pair.a.outbound.call(0)
      try pair.b.post(submit("2"), to: "s")
      try pair.settle()
      try expect([pair.a.outbound.count, pair.b.outbound.count], [1, 0])
      try pair.a.outbound.end(0, .json(.null))
      _ = try pair.a.outbound.call(1)
      try pair.settle()
      try expect([pair.a.outbound.count, pair.b.outbound.count], [2, 0])
    },
    Case(description: "a retry at the other node of a message that was sent sends no second request") { pair in
      try pair.a.create("s")
      try pair.a.post(submit("7"), to: "s")
      _ = try pair.a.outbound.call(0)
      try pair.b.post(.action(.retry(key: "7")), to: "s")
      try pair.settle()
      try expect([pair.a.outbound.count, pair.b.outbound.count], [1, 0])
      try pair.a.outbound.end(0, .json(.null))
      try pair.settle()
      for bench in [pair.a, pair.b] { try expect(try bench.session("s").pages, [0, 200]) }
    },
  ]
}

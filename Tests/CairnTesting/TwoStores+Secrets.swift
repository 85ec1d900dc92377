import CairnCore
import CairnJournal
import CairnStore

// Tests secret params that one node receives and the other one sends.
extension TwoStores {
  private static let pin = "pin-1618033988749894"

  private static func step(_ name: String, _ pin: String = pin) -> Command { Trial.step(name, ["pin": .string(pin)]) }

  /// The number of the only secret that the session refers to.
  private static func number(_ session: Session) throws -> Int {
    let numbers = session.state.secrets
    guard numbers.count == 1, let number = numbers.first else { throw BrokenPromise(description: "not one secret: \(numbers)") }
    return number
  }

  /// The secret params of a session that the journal has kept, among all possible numbers.
  private static func kept(_ pair: Pair, _ id: String) throws -> [String] {
    try (0..<20 * 256).compactMap { try pair.handleB.secret(.param($0), of: id) }
  }

  static let secretCases: [Case] = [
    Case(description: "a secret param is kept outside the entries, and the other node sends it") { pair in
      try pair.a.create("s")
      let posted = try pair.a.post(step("openSafe"), to: "s")
      let number = try number(posted.session)
      try expect(try pair.handleB.secret(.param(number), of: "s"), pin)
      let cause = try pair.b.history(of: "s").items.last?.entry.cause
      try expect(cause, .action(.step(Step("openSafe", params: ["pin": .sealed(number)]), from: nil)))
      try pair.b.post(Trial.step("sendAgain"), to: "s")
      guard case .load(let load) = try pair.b.outbound.call(0) else { throw BrokenPromise(description: "no load") }
      try expect(load.body, ["pin": .string(pin)])
      try expect(load.hasSecretParams, true)
    },
    Case(description: "a secret param is deleted when nothing refers to it any more, and with its session") { pair in
      try pair.a.create("s")
      try pair.a.post(step("openSafe"), to: "s")
      try pair.b.post(step("openSafe", "other"), to: "s")
      try expect(try kept(pair, "s"), [pin, "other"])
      try pair.a.post(Trial.step("closeSafe"), to: "s")
      try expect(try kept(pair, "s"), [pin])
      try pair.b.post(Trial.step("closeSafe"), to: "s")
      try expect(try kept(pair, "s"), [])
      try pair.a.post(step("openSafe"), to: "s")
      try pair.b.delete("s")
      try expect(try kept(pair, "s"), [])
    },
    Case(description: "a load keeps its secret for its retries, and no longer") { pair in
      try pair.a.create("s")
      try pair.a.post(step("sendPin"), to: "s")
      for attempt in 0...1 {
        guard case .load(let load) = try pair.a.outbound.call(attempt) else { throw BrokenPromise(description: "no load") }
        try expect(load.body, ["pin": .string(pin)])
        try expect(load.headers, ["X-Pin": pin])
        try expect(try kept(pair, "s"), [pin])
        if attempt == 0 {
          try pair.a.outbound.end(attempt, .interrupted("unreachable", wait: nil))
          try pair.a.settle()
          pair.clock.advance(by: 2_000)
        } else {
          try pair.a.outbound.end(attempt, .json(1))
        }
      }
      try pair.settle()
      try expect(try pair.b.session("s").pages, [0, 200])
      try expect(try kept(pair, "s"), [])
    },
    Case(description: "a secret of a rejected request, and one that nothing keeps, is not stored") { pair in
      try pair.a.create("s")
      try expect(try pair.a.fault(step("openSafe"), Trial.nonsense, to: "s")?.word, "refused invalid at 1 by 1")
      try expect(try pair.a.fault(step("closeSafe"), to: "s")?.word, "refused invalid at 0 by 1")
      try pair.a.post(step("openSafe"), Trial.step("closeSafe"), to: "s")
      try expect(try kept(pair, "s"), [])
    },
    Case(description: "after an undo a secret that was deleted stays so: its load fails with secret-gone") { pair in
      try pair.a.create("s")
      try pair.a.post(step("openSafe"), to: "s")
      try pair.a.post(Trial.step("closeSafe"), to: "s")
      try pair.b.undo("s", to: 2)
      try expect(try kept(pair, "s"), [])
      try pair.b.post(Trial.step("sendAgain"), to: "s")
      try pair.settle()
      try expect(pair.b.outbound.count, 0)
      try expect(pair.b.events.contains(.callFailed(session: "s", effect: 1, reason: CallFailure.secretGone)), true)
      try expect(try pair.b.session("s").pages.last, 404)
    },
    Case(description: "a secret of a link is kept outside the entries, also while the link is held, and the other node sends it") { pair in
      try pair.a.create("s")
      let held = try pair.a.post(.open(url: "trial://later/\(pin)?x=\(pin)"), to: "s")
      let number = try number(held.session)
      try expect(held.session.state.pendingLinks.map(\.url), ["trial://later/…\(number)"])
      try expect(try pair.b.history(of: "s").items.last?.entry.cause, .action(.open(url: "trial://later/…\(number)")))
      try expect(try kept(pair, "s"), [pin])
      let opened = try pair.b.post(.open(url: "trial://safe/\(pin)"), to: "s")
      try expect(opened.session.state.secrets.count, 2)
      try expect(try kept(pair, "s"), [pin, pin])
      try pair.b.post(Trial.step("sendAgain"), to: "s")
      guard case .load(let load) = try pair.b.outbound.call(0) else { throw BrokenPromise(description: "no load") }
      try expect(load.body, ["pin": .string(pin)])
      let link = try pair.a.session("s").state.pendingLinks.first?.id ?? LinkID(0)
      try pair.a.post(.action(.cancel(link: link)), to: "s")
      try expect(try kept(pair, "s"), [pin])
    },
    Case(description: "a secret of a response is kept outside the entries, and as long as the content refers to it") { pair in
      try pair.a.create("s")
      try pair.a.post(Trial.step("fetchPin"), to: "s")
      try pair.a.outbound.end(0, .json(["pin": .string(pin), "n": 1]))
      try pair.settle()
      let number = try number(try pair.b.session("s"))
      let cause = try pair.b.history(of: "s").items.last?.entry.cause
      try expect(cause, .action(.effect(id: 1, .loaded(["pin": .sealed(number), "n": 1]))))
      try expect(try kept(pair, "s"), [pin])
      try pair.b.post(Trial.step("closeSafe"), to: "s")
      try expect(try kept(pair, "s"), [pin])
      try pair.b.post(Trial.step("openLoaded"), to: "s")
      try pair.b.post(Trial.step("sendAgain"), to: "s")
      guard case .load(let load) = try pair.b.outbound.call(0) else { throw BrokenPromise(description: "no load") }
      try expect(load.body, ["pin": .string(pin)])
    },
    Case(description: "a response whose secret is not a text fails the load, and nothing of it is kept") { pair in
      try pair.a.create("s")
      try pair.a.post(Trial.step("fetchPin"), to: "s")
      try pair.a.outbound.end(0, .json(["pin": 4711]))
      try pair.settle()
      try expect(try pair.b.session("s").pages, [0, 404])
      try expect(try kept(pair, "s"), [])
    },
  ]
}

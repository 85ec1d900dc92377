import CairnCore
import CairnCrypto
import CairnTesting
import Testing

@testable import CairnStore

@Suite struct `Sealing keys` {
  private static let secret = [UInt8](repeating: 7, count: 32)
  private let keys = SealingKeys(key: secret)
  private let start = 1_300 * SealingKeys.period
  private let definition = Definition(
    app: "a", root: Contribution(.flow("main")),
    steps: ["enter": StepDefinition(params: ["pin": .secret, "note": ParameterDefinition(.any)])],
    flows: ["main": FlowDefinition(container: .stack)])

  private func command(_ params: [String: Value]) -> Command { .action(.step(Step("enter", params: params), from: nil)) }

  private func sealed(_ key: String, for session: String = "s1") throws -> Value {
    let publicKey = try #require(Base64URL.bytes(of: key))
    let info = Array("cairn secret param".utf8)
    let box = try #require(HPKE.seal(Array("4711".utf8), for: publicKey, info: info, authenticating: Array(session.utf8)))
    return .object(["key": .string(String(key.prefix(16))), "sealed": .string(Base64URL.text(of: box))])
  }

  private func open(_ command: Command, at now: Int, by definition: Definition? = nil) throws(Refusal) -> Command {
    var meter = Meter.idle
    return try keys.opened(command, in: "s1", by: definition ?? self.definition, at: now, meter: &meter)
  }

  private func opened(_ value: Value, at now: Int) throws -> Bool { try open(command(["pin": value]), at: now) == command(["pin": "4711"]) }

  @Test func `nodes with the same secret have the same key, which changes each period`() {
    let key = keys.publicKey(at: start)
    #expect(SealingKeys(key: Self.secret).publicKey(at: start + SealingKeys.period - 1) == key)
    #expect(keys.publicKey(at: start + SealingKeys.period) != key && keys.publicKey(at: start - 1) != key)
    #expect(SealingKeys(key: [UInt8](repeating: 8, count: 32)).publicKey(at: start) != key)
  }

  @Test func `a key opens values in its period, in the two periods after it, and on a node whose clock is behind`() throws {
    let period = SealingKeys.period
    let value = try sealed(keys.publicKey(at: start))
    for now in [start - period, start - 1, start, start + period, start + 3 * period - 1] { #expect(try opened(value, at: now)) }
    for now in [start - period - 1, start + 3 * period] {
      do throws(Refusal) {
        _ = try open(command(["pin": value]), at: now)
        Issue.record("the key opens a value at \(now - start)")
      } catch {
        #expect(error.code == .sealedKeyGone && error.faults.map(\.pointer) == ["/params/pin/key"])
      }
    }
  }

  @Test func `other values, params and commands are not changed`() throws {
    let value = try sealed(keys.publicKey(at: start))
    let others: [Command] = [
      command(["pin": "4711"]), command(["pin": ["sealed": "AA"]]), command(["pin": 1]), command(["note": value]),
      command(["other": value]),
      .action(.step(Step("unknown", params: ["pin": value]), from: nil)), .action(.back), .open(url: "https://example.org"),
    ]
    for other in others { #expect(try open(other, at: start) == other) }
  }

  @Test func `all values that cannot be opened are named, and none of their text`() throws {
    var both = definition
    both.steps["enter"]?.params["code"] = .secret
    let params: [String: Value] = [
      "pin": try sealed(keys.publicKey(at: start), for: "s2"), "code": ["key": "canary", "sealed": "canary"],
    ]
    do throws(Refusal) {
      _ = try open(command(params), at: start, by: both)
      Issue.record("the values are opened")
    } catch {
      #expect(error.code == .sealedKeyGone && error.faults.map(\.pointer) == ["/params/code/key", "/params/pin/sealed"])
      #expect(!"\(error)".contains("canary"))
    }
  }

  @Test func `opening values counts as work, also of values that cannot be opened`() throws {
    let values = [try sealed(keys.publicKey(at: start)), try sealed(keys.publicKey(at: start), for: "s2")]
    for value in values {
      var meter = Meter(Bounds(work: 2_500))
      for _ in 1...2 { _ = try? keys.opened(command(["pin": value]), in: "s1", by: definition, at: start, meter: &meter) }
      #expect(meter.spent == 2_000)
      do throws(Refusal) {
        _ = try keys.opened(command(["pin": value]), in: "s1", by: definition, at: start, meter: &meter)
        Issue.record("a third value is opened")
      } catch {
        #expect(error.code == .tooMuchWork)
      }
    }
  }
}

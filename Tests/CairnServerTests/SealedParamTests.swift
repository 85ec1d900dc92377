import CairnCore
import CairnCrypto
import CairnStore
import CairnTesting
import Testing

@testable import CairnServer

/// Values of secret params that a client has sealed while it was offline.
@Suite(.tags(.timing), .ownThreads) struct `Sealed values of secret params` {
  private static let app = """
    app: vault
    language: 1
    compat: { emits: any }
    root: main
    allowHosts: [bank.example]
    screens: { lock: , safe: { params: { pin: { type: string, secret: true } } }, note: { params: { text: string } } }
    steps:
      enter: { pin: { type: string, secret: true } }
      send: { pin: { type: string, secret: true } }
      write: { text: any }
      right:
    flows:
      main:
        stack: lock
        handle:
          enter: { push: safe, with: { pin: $pin } }
          send: { load: { post: "https://bank.example/pin", body: { pin: $pin }, then: right } }
          write: { push: note, with: { text: x } }
          right: { push: lock }
    """
  private static let pin = "canary-2718281828"
  private static let day = 86_400_000

  private let clock = ManualClock(1_800_000_000_000)
  private let workshop: Workshop
  private let session: Driven

  init() throws {
    workshop = try Workshop(clock: clock, predictable: try #require(PredictableApps("vault, shop")))
    session = try workshop.session("vault", of: Self.app)
  }

  /// The key that the service currently publishes.
  private func key() throws -> String { try #require(try session.get("/definition").headers["cairn-sealing-key"]) }

  private func sealed(_ text: String = pin, key: String, for id: String? = nil, info: String = "cairn secret param") throws -> String {
    let publicKey = try #require(Base64URL.bytes(of: key))
    let box = HPKE.seal(Array(text.utf8), for: publicKey, info: Array(info.utf8), authenticating: Array((id ?? session.id).utf8))
    return #"{"key":"\#(key.prefix(16))","sealed":"\#(Base64URL.text(of: try #require(box)))"}"#
  }

  private func body(_ step: String, _ value: String) -> String { #"{"step":"\#(step)","params":{"pin":\#(value)}}"# }

  private func numbered(_ first: Int, _ actions: String...) -> String {
    #"{"client":"client-of-twenty-two-x","first":\#(first),"actions":[\#(actions.joined(separator: ","))]}"#
  }

  @Test func `the key comes with a session and its definition, but only for an app with secrets that clients predict`() throws {
    let key = try key()
    #expect(key.count == 87 && session.created.headers["cairn-sealing-key"] == key)
    #expect(try session.get().headers["cairn-sealing-key"] == key && session.get("/replica").headers["cairn-sealing-key"] == key)
    let tag = try #require(try session.get("/definition").headers["etag"])
    clock.advance(by: 14 * Self.day)
    let later = try session.get("/definition", headers: [("If-None-Match", tag)])
    #expect(later.status == 304 && later.headers["cairn-sealing-key"] != key, "the definition and its tag do not contain the key")
    #expect(try workshop.session("shop").created.headers["cairn-sealing-key"] == nil, "it has no secrets")
    let other = try Workshop().session("vault", of: Self.app)
    #expect(other.created.headers["cairn-sealing-key"] == nil, "the setting predict does not list the app")
  }

  @Test func `a sealed value is opened for the action, numbered or not, in an array, a plan and a prediction`() throws {
    let value = try sealed(key: key())
    #expect(try session.post("actions?plan", body("enter", value)).routes == ["lock", "safe"])
    #expect(try session.post("predictions", #"{"actions":[\#(body("enter", value))]}"#).status == 200)
    #expect(try session.act(body("enter", value)).routes == ["lock", "safe"])
    #expect(try session.act("[\(body("enter", value))]").status == 200)
    let many = try session.post("actions", numbered(1, body("enter", value), body("send", value)))
    #expect(many.status == 200 && many.revision == 5, "\(many.text)")
    guard case .load(let load) = try workshop.outbound.call(0) else { throw NeverCame() }
    #expect(load.body == ["pin": .string(Self.pin)])
    for rest in ["", "/history", "/history?as=scenario"] { #expect(try !session.get(rest).text.contains(Self.pin)) }
    #expect(try session.get("/history?after=1").text.contains(#""params":{"pin":true}"#))
    #expect(workshop.log.all.allSatisfy { !$0.contains(Self.pin) })
  }

  @Test func `a key opens values for 28 days after it was published, and then no more`() throws {
    // A key is published for 14 days. The value is sealed at the beginning of such a period.
    clock.advance(by: 14 * Self.day - clock.now() % (14 * Self.day))
    let value = try sealed(key: key())
    clock.advance(by: 42 * Self.day - 1)
    #expect(try session.act(body("enter", value)).status == 200)
    clock.advance(by: 1)
    let late = try session.act(body("enter", value))
    #expect(late.status == 422 && late.code == "sealed-key-gone" && late.places == ["#/params/pin/key"], "\(late.text)")
    #expect(try session.get().revision == 2)
  }

  @Test func `a value that cannot be opened is refused at its place, and nothing is kept`() throws {
    let key = try key()
    let other = try workshop.session("vault")
    let value = try sealed(key: key)
    let damaged = value.replacing(#"","sealed":"B"#, with: #"","sealed":"C"#)
    #expect(damaged != value)
    let cases: [(String, String, [String])] = [
      (value.replacing(String(key.prefix(16)), with: "BAAAAAAAAAAAAAAA"), "sealed-key-gone", ["#/params/pin/key"]),
      (try sealed(key: key, for: other.id), "invalid", ["#/params/pin/sealed"]),
      (try sealed(key: key, info: "another use"), "invalid", ["#/params/pin/sealed"]),
      (damaged, "invalid", ["#/params/pin/sealed"]),
      (#"{"key":"\#(key.prefix(16))","sealed":""}"#, "invalid", ["#/params/pin/sealed"]),
      (#"{"key":"\#(key.prefix(16))","sealed":"+/=="}"#, "invalid", ["#/params/pin/sealed"]),
      (#"{"key":"\#(key.prefix(16))","sealed":1}"#, "invalid", ["#/params/pin"]),
      (#"{"sealed":"BA"}"#, "invalid", ["#/params/pin"]),
      (try sealed(String(repeating: "x", count: 4_097), key: key), "invalid", ["#/params/pin"]),
    ]
    for (value, code, places) in cases {
      let reply = try session.act(body("enter", value))
      #expect(reply.status == 422 && reply.code == code && reply.places == places, "\(value): \(reply.text)")
    }
    let second = try session.act("[\(body("enter", value)),\(body("enter", damaged))]")
    #expect(second.status == 422 && second.places == ["#/1/params/pin/sealed"], "\(second.text)")
    #expect(try session.get().revision == 1)
  }

  @Test func `a numbered action whose value cannot be opened uses up its number, and the others run`() throws {
    let value = try sealed(key: key())
    let gone = value.replacing(#"{"key":"B"#, with: #"{"key":"C"#)
    let reply = try session.post("actions", numbered(1, body("enter", gone), body("enter", value)))
    guard case .array(let answers)? = reply["answers"] else { throw NeverCame(reply.text) }
    #expect(answers.map { $0["error"]?["code"] } == ["sealed-key-gone", nil] && reply.revision == 2)
    let again = try session.post("actions", numbered(1, body("enter", gone)))
    #expect(again.text.contains("sealed-key-gone"))
  }

  @Test func `a sealed value of a param that is not secret is never opened`() throws {
    let reply = try session.act(#"{"step":"write","params":{"text":\#(try sealed(key: key()))}}"#)
    #expect(reply.status == 200 && !reply.text.contains(Self.pin))
    #expect(try !session.get("/history").text.contains(Self.pin))
  }
}

import CairnCore
import CairnTesting
import Testing

@Suite struct `Secret params` {
  private let reducer: Reducer

  init() {
    let pin = Contribution(.screen("safe"), with: ["pin": .reference(.param("pin"))])
    func handler(_ branches: [Handler.Branch]) -> Handler { Handler(branches: branches) }
    reducer = Reducer(
      Definition(
        app: "a", root: Contribution(.flow("main")), covered: .accept,
        screens: [
          "home": ScreenDefinition(), "safe": ScreenDefinition(params: ["pin": .secret]),
          "note": ScreenDefinition(params: ["text": ParameterDefinition(.any)]),
        ],
        steps: [
          "enter": StepDefinition(params: ["pin": .secret]), "twice": StepDefinition(params: ["pin": .secret]),
          "leak": StepDefinition(params: ["pin": .secret]),
        ],
        flows: [
          "main": FlowDefinition(
            container: .stack, initialChildren: .root(Contribution(.screen("home"))),
            handle: [
              "enter": handler([
                Handler.Branch(when: .param("pin", .equals(.literal("1234"))), operations: [.push(Contribution(.screen("home")))]),
                Handler.Branch(when: .param("pin", .present), operations: [.push(pin)]),
              ]),
              "twice": handler([Handler.Branch(operations: [.push(pin), .push(pin)])]),
              "leak": handler([
                Handler.Branch(operations: [.push(Contribution(.screen("note"), with: ["text": .reference(.param("pin"))]))])
              ]),
            ])
        ]))
  }

  private func created() throws -> State { try reducer.create(Creation(), stamp: Stamp(time: 0, nonce: "")).state }

  private func step(_ name: String, _ pin: Value) -> Action { .step(Step(name, params: ["pin": pin]), from: nil) }

  /// Seals and runs an action.
  private func run(_ action: Action, on state: inout State) throws -> Sealed {
    let sealed = try reducer.seal(.action(action), for: state)
    _ = try reducer.reduce(&state, sealed.action, stamp: Stamp(time: 0, nonce: ""))
    return sealed
  }

  @Test func `a number that follows from the revision replaces the value, so that a replay has the same numbers`() throws {
    var state = try created()
    for revision in 2...3 {
      let sealed = try run(step("enter", "1234"), on: &state)
      #expect(sealed == Sealed(step("enter", .sealed(revision * 256)), secret: .params([revision * 256: "1234"])))
      #expect(state.revision == revision)
    }
    #expect(reducer.tree(of: state).sketch == "main[home, safe(pin: true), safe(pin: true)]")
    #expect(state.secrets == [512, 768])
  }

  @Test func `each secret of an action has its own number, in screens too`() throws {
    let state = try created()
    let routes = ["one", "two"].map { Action.Route("safe", params: ["pin": .string($0)]) }
    let sealed = try reducer.seal(.action(.set(routes)), for: state)
    #expect(sealed.secret == .params([512: "one", 513: "two"]))
    #expect(sealed.action == .set([512, 513].map { Action.Route("safe", params: ["pin": .sealed($0)]) }))
    let push = try reducer.seal(.action(.push(routes[0])), for: state)
    #expect(push == Sealed(.push(Action.Route("safe", params: ["pin": .sealed(512)])), secret: .params([512: "one"])))
  }

  @Test func `an action has at most 256 secrets`() throws {
    let state = try created()
    func routes(_ count: Int) -> Command {
      .action(.set((0..<count).map { _ in Action.Route("safe", params: ["pin": "x"]) }))
    }
    guard case .params(let texts)? = try reducer.seal(routes(256), for: state).secret else { throw NeverCame() }
    #expect(texts.count == 256 && texts.keys.max() == 767)
    let refusal = #expect(throws: Refusal.self) { try reducer.seal(routes(257), for: state) }
    #expect(refusal?.faults.map(\.pointer) == ["/stack/256/params/pin"])
  }

  @Test(arguments: [Value.integer(1234), .null, .bool(true), ["1234"], ["$sealed": 512]])
  func `a value of another type is not sealed, and rejected`(value: Value) throws {
    var state = try created()
    let sealed = try reducer.seal(.action(step("enter", value)), for: state)
    #expect(sealed == Sealed(step("enter", value)))
    let refusal = #expect(throws: Refusal.self) { try reducer.reduce(&state, sealed.action, stamp: Stamp(time: 0, nonce: "")) }
    #expect(refusal?.faults.map(\.detail) == ["must be of type string, not \(value.kindName)"])
  }

  @Test func `the reducer accepts no secret in clear, and none in another param`() throws {
    var state = try created()
    let before = state
    #expect(throws: Refusal.self) { try reducer.reduce(&state, step("enter", "1234"), stamp: Stamp(time: 0, nonce: "")) }
    let refusal = #expect(throws: Refusal.self) { try run(step("leak", "1234"), on: &state) }
    #expect(refusal?.code == .valueMismatch && refusal?.detail.contains("cannot be a secret") == true)
    #expect(state == before)
  }

  @Test func `a secret is gone with the last node that has it`() throws {
    var state = try created()
    _ = try run(step("twice", "1234"), on: &state)
    let both = state
    #expect(both.secrets == [512])
    _ = try run(.pop(count: 1, node: nil), on: &state)
    let one = state
    #expect(one.secrets(since: both).gone == [])
    _ = try run(.pop(count: 1, node: nil), on: &state)
    #expect(state.secrets(since: one).gone == [512] && state.secrets(since: both).gone == [512] && state.secrets == [])
    #expect(both.secrets(since: state).present == [512])
  }

  @Test(arguments: [
    Value.sealed(7), ["a": .sealed(7)], [.sealed(1), .sealed(2)], ["$sealed": 7], ["$$sealed": 7], ["$sealed": "x"],
    ["$sealed": .sealed(7)], ["$sealed": 7, "b": 1], ["sealed": 7], ["$": 7], [:],
  ])
  func `a stored value is read as it was written`(value: Value) throws {
    let bytes = JSONWriter.stored { $0.array([value]) }
    let read = try JSONDocument.read(
      bytes, depthLimit: 64, isStored: true, failure: { _ in NeverCame() },
      { element throws(NeverCame) in element.value(isStored: true) })
    #expect(read == .array([value]))
  }

  @Test func `clients get true in place of a secret`() throws {
    var writer = JSONWriter()
    Value.object(["pin": .sealed(7), "n": 1]).write(to: &writer)
    #expect(String(decoding: try writer.bytes(), as: UTF8.self) == #"{"n":1,"pin":true}"#)
  }

  @Test func `the texts of a value are put in only if all are there`() {
    let value: Value = ["card": ["pin": .sealed(7)], "list": [.sealed(8), 1]]
    let texts = [7: "one", 8: "two"]
    #expect(value.opened { texts[$0] } == ["card": ["pin": "one"], "list": ["two", 1]])
    #expect(value.opened { $0 == 7 ? "one" : nil } == nil)
  }
}

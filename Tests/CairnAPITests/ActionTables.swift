import CairnAPI
import CairnCore
import Testing

/// Parses an action from a text.
private func read(_ text: String, byOperator: Bool = false) throws(BodyFault) -> ActionRequest {
  try JSONBody.read(Array(text.utf8)) { body throws(BodyFault) in try ActionRequest(body, byOperator: byOperator) }
}

/// A text, and the command to which it is parsed.
struct Understood: Sendable, CustomTestStringConvertible {
  var text: String
  var command: Command
  var testDescription: String { text }

  init(_ text: String, _ command: Command) {
    self.text = text
    self.command = command
  }

  init(_ text: String, _ action: Action) { self.init(text, .action(action)) }
}

/// A text, and the expected faults, each as a pointer and a word of its detail.
struct Misunderstood: Sendable, CustomTestStringConvertible {
  var text: String
  var faults: [(pointer: String, word: String)]
  var testDescription: String { text }

  init(_ text: String, _ faults: (String, String)...) {
    self.text = text
    self.faults = faults
  }
}

extension Understood {
  static let rows: [Understood] = [
    Understood(#"{"step":"s"}"#, .step(Step("s"), from: nil)),
    Understood(
      #"{"step":"s","params":{"a":1,"b":[true,null]},"from":"n7"}"#,
      .step(Step("s", params: ["a": 1, "b": [true, .null]]), from: NodeID(7))),
    Understood(#"{"type":"pop"}"#, .pop(count: 1, node: nil)),
    Understood(#"{"type":"pop","count":2}"#, .pop(count: 2, node: nil)),
    Understood(#"{"type":"pop","node":"n3"}"#, .pop(count: 1, node: NodeID(3))),
    Understood(#"{"type":"popTo","screen":"home"}"#, .popTo(.screen("home"))),
    Understood(#"{"type":"popTo","node":"n3"}"#, .popTo(.node(NodeID(3)))),
    Understood(#"{"type":"popToRoot"}"#, .popToRoot), Understood(#"{"type":"back"}"#, .back),
    Understood(#"{"type":"dismiss"}"#, .dismiss(node: nil)),
    Understood(#"{"type":"dismiss","node":"n3"}"#, .dismiss(node: NodeID(3))),
    Understood(#"{"type":"select","tab":1}"#, .select(.tab(1), node: nil)),
    Understood(#"{"type":"select","flow":"f","node":"n2"}"#, .select(.flow("f"), node: NodeID(2))),
    Understood(#"{"type":"push","screen":"a"}"#, .push(Action.Route("a"))),
    Understood(#"{"type":"push","screen":"a","params":{"p":"x"}}"#, .push(Action.Route("a", params: ["p": "x"]))),
    Understood(#"{"type":"present","screen":"a"}"#, .present(Action.Route("a"), style: .sheet, node: nil, replace: false)),
    Understood(
      #"{"type":"present","screen":"a","style":"alert","node":"n2","replace":true}"#,
      .present(Action.Route("a"), style: .alert, node: NodeID(2), replace: true)),
    Understood(
      #"{"type":"set","stack":[{"screen":"a"},{"screen":"b","params":{"p":1}}]}"#,
      .set([Action.Route("a"), Action.Route("b", params: ["p": 1])])),
    Understood(#"{"type":"set","stack":[]}"#, .set([])),
    Understood(#"{"type":"remove","node":"n4"}"#, .remove(node: NodeID(4))),
    Understood(#"{"type":"retry","key":"o7"}"#, .retry(key: "o7")),
    Understood(#"{"type":"login","code":"c","state":"s"}"#, .login(code: "c", state: "s", byOperator: false)),
    Understood(#"{"type":"logout"}"#, .logout),
    Understood(#"{"type":"token","accessToken":"~"}"#, .token("~")),
    Understood(#"{"type":"appState","state":"inactive"}"#, .appState(.inactive)),
    Understood(#"{"type":"advance","by":"1.5s"}"#, .advance(by: 1_500)),
    Understood(#"{"type":"facts","set":{"a":1}}"#, .facts(["a": 1])),
    Understood(#"{"type":"cancel","link":"l3"}"#, .cancel(link: LinkID(3))),
    Understood(#"{"type":"cancel","question":"q3"}"#, .cancelQuestion(QuestionID(3))),
    Understood(#"{"type":"cancel","held":"h3"}"#, .cancelHeld(HeldID(3))), Understood(#"{"type":"contact"}"#, .contact),
    Understood(#"{"type":"logout","deliver":"settled"}"#, .settled(.logout)),
    Understood(#"{"step":"go","deliver":"settled"}"#, .settled(.step(Step("go"), from: nil))),
    Understood(#"{"type":"answer","loaded":null}"#, .answer(RequestAnswer(.loaded(.null)))),
    Understood(#"{"type":"answer","loaded":{"a":1},"effect":4}"#, .answer(RequestAnswer(.loaded(["a": 1]), of: 4))),
    Understood(#"{"type":"answer","failed":"status-500"}"#, .answer(RequestAnswer(.failed("status-500")))),
    Understood(#"{"type":"answer","exchanged":"t"}"#, .answer(RequestAnswer(.exchanged(token: "t")))),
    Understood(#"{"type":"answer","exchangeFailed":"r"}"#, .answer(RequestAnswer(.exchangeFailed("r")))),
  ]
}

extension Misunderstood {
  static let rows: [Misunderstood] = [
    Misunderstood(#"{"type":"popp"}"#, ("/type", "did you mean `pop`?")),
    Misunderstood(#"{"type":"somethingElse"}"#, ("/type", "use one of `pop`, `popTo`")),
    Misunderstood(#"{"type":1}"#, ("/type", "must be a string, not integer")),
    Misunderstood(#"{"step":"s","type":"pop"}"#, ("", "both `step` and `type`")),
    Misunderstood(#"{"step":7}"#, ("/step", "must be a string")),
    Misunderstood(#"{"step":"s","params":[1]}"#, ("/params", "must be an object, not array")),
    Misunderstood(#"{"step":"s","parms":{},"from":"7"}"#, ("/from", "such as \"n7\""), ("/parms", "did you mean `params`?")),
    Misunderstood(#"{"step":"s","from":null}"#, ("/from", "not null")),
    Misunderstood(#"{"type":"pop","count":0}"#, ("/count", "of at least 1")),
    Misunderstood(#"{"type":"pop","count":1.5}"#, ("/count", "not number")),
    Misunderstood(#"{"type":"pop","count":1,"node":"n1"}"#, ("", "both `count` and `node`")),
    Misunderstood(#"{"type":"popTo"}"#, ("", "needs `screen`")),
    Misunderstood(#"{"type":"popTo","screen":"a","node":"n1"}"#, ("", "both `screen` and `node`")),
    Misunderstood(#"{"type":"back","count":1}"#, ("/count", "is unknown")),
    Misunderstood(#"{"type":"popToRoot","count":1}"#, ("/count", "is unknown")),
    Misunderstood(#"{"type":"select"}"#, ("", "needs `tab`")),
    Misunderstood(#"{"type":"select","tab":-1}"#, ("/tab", "of at least 0")),
    Misunderstood(#"{"type":"push"}"#, ("/screen", "is missing")),
    Misunderstood(
      #"{"type":"present","screen":"a","style":"popover","replace":"yes"}"#, ("/style", "one of sheet, fullScreen, alert"),
      ("/replace", "true or false")),
    Misunderstood(
      #"{"type":"set","stack":[{"screen":"a"},3,{"params":{}},{"screen":"b","x":1}]}"#, ("/stack/1", "must be an object"),
      ("/stack/2/screen", "is missing"), ("/stack/3/x", "is unknown")),
    Misunderstood(#"{"type":"set"}"#, ("/stack", "is missing")),
    Misunderstood(#"{"type":"remove"}"#, ("/node", "is missing")),
    Misunderstood(#"{"type":"retry"}"#, ("/key", "is missing")),
    Misunderstood(#"{"type":"retry","key":7}"#, ("/key", "must be a string")),
    Misunderstood(#"{"type":"login","state":"s"}"#, ("/code", "is missing")),
    Misunderstood(#"{"type":"logout","why":"x"}"#, ("/why", "the members are `type`, `deliver`, `definition`")),
    Misunderstood(#"{"type":"token"}"#, ("/accessToken", "is missing")),
    Misunderstood(#"{"type":"token","accessToken":"a\nb"}"#, ("/accessToken", "visible ASCII characters")),
    Misunderstood(#"{"type":"appState"}"#, ("/state", "is missing")),
    Misunderstood(#"{"type":"appState","state":"killed"}"#, ("/state", "one of foreground, inactive, background")),
    Misunderstood(#"{"type":"advance","by":"1 week"}"#, ("/by", "must be a duration")),
    Misunderstood(#"{"type":"advance","by":5}"#, ("/by", "must be a duration")),
    Misunderstood(#"{"type":"facts","set":[]}"#, ("/set", "must be an object")),
    Misunderstood(#"{"step":"s","params":{"a":1,"a":2}}"#, ("/params/a", "given more than once")),
    Misunderstood(#"[{"step":"s"},{"type":"pop","n~/o":1},{"type":"x"}]"#, ("/1/n~0~1o", "is unknown"), ("/2/type", "use one of")),
    Misunderstood("[]", ("", "at least one")),
    Misunderstood(#"{"type":"cancel"}"#, ("", "needs one of `link`")),
    Misunderstood(#"{"type":"cancel","link":"n3"}"#, ("/link", "such as \"l3\"")),
    Misunderstood(#"{"type":"answer"}"#, ("", "needs one of `loaded`")),
    Misunderstood(#"{"type":"answer","effect":1}"#, ("", "needs one of `loaded`")),
    Misunderstood(#"{"type":"answer","loaded":1,"failed":"r"}"#, ("", "needs one of `loaded`")),
    Misunderstood(#"{"type":"answer","loaded":1,"effect":0}"#, ("/effect", "of at least 1")),
    Misunderstood(#"{"type":"answer","failed":1}"#, ("/failed", "must be a string")),
    Misunderstood(#"{"type":"answer","exchanged":"a\u0007"}"#, ("/exchanged", "visible ASCII characters")),
    Misunderstood(#"{"type":"advance","by":"40000d"}"#, ("/by", "must be a duration")),
    Misunderstood(#"{"type":"select","tab":1,"flow":"f"}"#, ("", "both `tab` and `flow`")),
    Misunderstood(#"{"type":"select","node":"n0","tab":1}"#, ("/node", "such as \"n7\"")),
  ]

  /// Texts that name no action.
  static let noActions = ["7", "\"pop\"", "null", "{}", #"{"params":{}}"#, "[1]", #"[{"step":"s"},{}]"#]
}

@Suite struct `Actions in request bodies` {
  @Test(arguments: Understood.rows)
  func `each form of an action is parsed`(row: Understood) throws {
    let request = try read(row.text)
    #expect(request.commands == [row.command])
    #expect(!request.isArray)
  }

  @Test(arguments: Understood.rows)
  func `an action is written in the form in which it is parsed`(row: Understood) throws {
    // Other commands are written by their effect: a token as `true`, and an advance as the new time.
    guard case .action(let action) = row.command else { return }
    let text = String(decoding: try JSONText.bytes(action), as: UTF8.self)
    #expect(try read(text).commands == [row.command], "\(text)")
  }

  @Test(arguments: Misunderstood.rows)
  func `all faults of an action are reported together, with their positions`(row: Misunderstood) throws {
    do {
      let request = try read(row.text)
      Issue.record("was read as \(request)")
    } catch {
      guard case .invalid(let faults) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(faults.map(\.pointer) == row.faults.map(\.pointer))
      for (fault, expected) in zip(faults, row.faults) { #expect(fault.detail.contains(expected.word), "\(fault.detail)") }
    }
  }

  @Test(arguments: Misunderstood.noActions)
  func `a text that names no action is rejected`(text: String) throws {
    #expect {
      try read(text)
    } throws: { error in
      if case BodyFault.wrongShape? = error as? BodyFault { true } else { false }
    }
  }

  @Test func `an array contains at most a thousand actions`() throws {
    let many = { (count: Int) in "[" + Array(repeating: #"{"type":"pop"}"#, count: count).joined(separator: ",") + "]" }
    #expect(try read(many(1_000)).commands.count == 1_000)
    #expect(throws: BodyFault.invalid([.init(pointer: "", detail: "the array must have at most 1000 actions, not 1001")])) {
      try read(many(1_001))
    }
  }

  @Test func `an operator's login needs no state`() throws {
    #expect(try read(#"{"type":"login","code":"c"}"#, byOperator: true).commands == [.login(code: "c", state: nil, byOperator: true)])
  }
}

import CairnTesting
import Testing

@testable import CairnCore

@Suite struct `Evaluator of expressions` {
  private static let app = """
    app: values
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { base: { type: string, default: "https://a.example/v1" }, ready: { type: boolean, default: true }, count: { type: integer, default: 3 } }
    screens: { home: {}, item: { params: { id: integer } } }
    steps: { open: { id: integer } }
    flows: { main: { stack: { screen: home, content: { rows: { a: { n: 1 } }, on: true } }, handle: { open: { push: item, with: { id: $id } } } } }
    """

  private let drive: Drive
  private let evaluator: Evaluator
  private let scope: Scope

  init() throws {
    var drive = try Drive(Self.app)
    let home = drive.id("home")
    drive.step("open", ["id": 7])
    self.drive = drive
    evaluator = Evaluator(program: drive.reducer.program, stamp: Stamp(time: 1, nonce: "n"))
    var scope = Scope(params: ["id": 5, "row": "a", "text": "a b/ü"], emitter: Emitter(of: home, in: drive.state))
    scope.result = ["total": 9]
    self.scope = scope
  }

  private func value(_ expression: Expression) -> Value? { evaluator.value(of: expression, in: scope, drive.state) }
  private func holds(_ condition: Guard) -> Bool { evaluator.holds(condition, in: scope, drive.state) }

  @Test func `params, content, facts and results are read, and a missing one is absent`() {
    #expect(value(.reference(.param("id"))) == 5)
    #expect(value(.reference(.param("other"))) == nil)
    #expect(value(.reference(.content(["rows", "a", "n"]))) == 1)
    #expect(value(.reference(.content(["rows", "$row", "n"]))) == 1)
    #expect(value(.reference(.content(["rows", "b"]))) == nil)
    #expect(value(.reference(.content(["rows", "a", "n"], of: .screen("home")))) == 1)
    #expect(value(.reference(.content(["rows"], of: .screen("nowhere")))) == nil)
    #expect(value(.reference(.fact("count"))) == 3)
    #expect(value(.reference(.result(["total"]))) == 9)
    #expect(value(.reference(.authorizeURL)) == nil)
  }

  @Test func `a missing member of an object is omitted, and a missing element of a list is null`() {
    #expect(value(.object(["a": .reference(.param("id")), "b": .reference(.param("other"))])) == ["a": 5])
    #expect(value(.array([.reference(.param("id")), .reference(.param("other"))])) == [5, .null])
  }

  @Test func `the base of a URL is inserted as it is, and later values are percent-encoded`() {
    let parts: [Expression.Part] = [.reference(.fact("base")), .text("/items/"), .reference(.param("text"))]
    #expect(value(.template(parts)) == "https://a.example/v1/items/a%20b%2F%C3%BC")
    #expect(value(.template(parts + [.reference(.param("other"))])) == nil)
  }

  @Test func `a value over the maximum size is absent`() {
    let large = Expression.literal(.string(String(repeating: "x", count: 600_000)))
    #expect(value(.array([large])) != nil)
    #expect(value(.array([large, large])) == nil)
  }

  @Test func `guards read facts, params, content, visible screens and live flows`() {
    let yes: [Guard] = [
      .fact("ready", .isTrue), .fact("count", .equals(.literal(3))), .fact("none", .absent), .fact("count", .present),
      .param("id", .equals(.literal(5))), .content(["on"], .isTrue), .content(["rows", "b"], .absent), .status(.loaded),
      .visible(["home", "item"], with: [:]), .visible(["item"], with: ["id": .literal(7)]), .flow("main"), .all([]),
      .any([.flow("other"), .flow("main")]), .not(.flow("other")), .not(.any([])),
      // A missing value differs from every value.
      .not(.param("id", .equals(.reference(.param("other"))))), .not(.param("other", .equals(.literal(5)))),
    ]
    let no: [Guard] = [
      .fact("count", .isTrue), .fact("count", .absent), .fact("none", .equals(.literal(.null))), .param("id", .isTrue),
      .visible(["home"], with: [:]), .visible(["item"], with: ["id": .literal(8)]), .flow("other"), .status(.failed),
      .all([.flow("main"), .flow("other")]), .any([]), .not(.flow("main")),
      // A missing value does not equal any value, not even another missing value.
      .visible(["item"], with: ["id": .reference(.param("other"))]), .param("other", .equals(.reference(.fact("none")))),
      .param("id", .equals(.reference(.param("other")))),
    ]
    for condition in yes { #expect(holds(condition), "\(condition)") }
    for condition in no { #expect(!holds(condition), "\(condition)") }
  }

  @Test func `null counts as absent, and equals a given null`() {
    var scope = Scope(params: ["given": .null])
    #expect(evaluator.holds(.param("given", .absent), in: scope, drive.state))
    #expect(evaluator.holds(.param("given", .equals(.literal(.null))), in: scope, drive.state))
    scope.params = [:]
    #expect(!evaluator.holds(.param("given", .equals(.literal(.null))), in: scope, drive.state))
  }

  @Test func `the params of a step must be the declared ones, and the first other one is reported`() throws {
    let program = drive.reducer.program
    let right = program.compile(StepTemplate("open", with: ["id": .reference(.param("id"))]))
    #expect(try evaluator.step(from: right, in: scope, drive.state).step == Step("open", params: ["id": 5]))
    let wrong = program.compile(StepTemplate("open", with: ["id": .reference(.param("row"))]))
    let refusal = #expect(throws: Refusal.self) { try evaluator.step(from: wrong, in: scope, drive.state) }
    #expect(refusal?.code == .valueMismatch)
  }

  @Test func `a partial evaluation leaves the results of a load, and inserts all other values`() {
    let template = StepTemplate(
      "came", with: ["id": .reference(.param("id")), "n": .reference(.result(["n"])), "none": .reference(.param("other"))])
    #expect(
      evaluator.partial(template, in: scope, drive.state)
        == StepTemplate("came", with: ["id": .literal(5), "n": .reference(.result(["n"]))]))
    let nested = StepTemplate("came", with: ["all": .object(["id": .reference(.param("id")), "n": .reference(.result(["n"]))])])
    #expect(
      evaluator.partial(nested, in: scope, drive.state)
        == StepTemplate("came", with: ["all": .object(["id": .literal(5), "n": .reference(.result(["n"]))])]))
    let later = StepTemplate(
      "later", with: ["id": .reference(.param("id")), "on": .reference(.content(["on"])), "fact": .reference(.fact("none"))])
    let (past, next) = (Expression.literal(5), Expression.reference(.content(["on"])))
    #expect(
      evaluator.partial(NodeSteps(removed: later, seen: later), in: scope, drive.state)
        == NodeSteps(
          removed: StepTemplate("later", with: ["id": past, "on": next]),
          seen: StepTemplate("later", with: ["id": past, "on": next, "fact": .reference(.fact("none"))])))
    #expect(evaluator.partial(nil as StepTemplate?, in: scope, drive.state) == nil)
  }
}

import CairnAPI
import CairnCore
import CairnTesting
import Testing

@Suite struct `Problem documents` {
  @Test(
    arguments: [
      (.notJSON("t"), "not-json", 400), (.wrongShape("t"), "wrong-shape", 400), (.tooLarge("t"), "payload-too-large", 413),
      (.invalid([.init(pointer: "", detail: "t")]), "invalid", 422),
    ] as [(BodyFault, String, Int)]) func `each fault of a body has its code and its status`(fault: BodyFault, code: String, status: Int)
    throws
  {
    let problem = Problem(fault)
    #expect(problem.code == code && problem.status == status)
    #expect((problem.errors == nil) == (code != "invalid"))
    #expect(SchemaDocument.faults(try json(problem), .problem) == [])
  }

  @Test func `the detail counts the faults, and each pointer is a URI fragment`() throws {
    let one = Problem(.invalid([.init(pointer: "/a b/é", detail: "is wrong")]))
    #expect(one.detail == "a member of the body is invalid")
    #expect(try json(one)["errors"] == [["detail": "is wrong", "pointer": "#/a%20b/%C3%A9"]])
    let two = Problem(.invalid([.init(pointer: "", detail: "x"), .init(pointer: "/~1", detail: "y")]))
    #expect(two.detail == "2 members of the body are invalid")
    #expect(two.errors?.map(\.pointer) == ["#", "#/~1"])
  }

  @Test func `the detail counts the omitted faults too`() {
    var faults = Faults()
    for _ in 0..<50 { faults.append(.init(pointer: "/x", detail: "y")) }
    let problem = Problem(.invalid(faults))
    #expect(problem.detail == "50 members of the body are invalid" && problem.errors?.count == Faults.limit + 1)
  }

  @Test func `a rejection without faults has no errors, and a title derived from its code`() throws {
    let body = try json(Problem(Refusal(.oauthStateMismatch, "d")))
    #expect(
      body == [
        "code": "oauth-state-mismatch", "status": 409, "title": "Oauth state mismatch", "detail": "d",
        "type": "urn:cairn:problem:oauth-state-mismatch",
      ])
  }

  @Test func `a problem with all members fits its schema`() throws {
    var problem = Problem(.invalid, "d", errors: [.init("a", pointer: "#/x"), .init("b", parameter: "y"), .init("c", line: 1, column: 2)])
    problem.instance = "urn:cairn:request:1"
    problem.index = 3
    problem.revision = 4
    problem.traceId = String(repeating: "0", count: 32)
    problem.accepts = Acceptance(
      steps: [.init(step: "s", params: ["p": "string?"])], primitives: ["pop"], guarded: ["back"], facts: ["f": "any"])
    let body = try json(problem)
    #expect(SchemaDocument.faults(body, .problem) == [])
    #expect(
      body["accepts"] == [
        "steps": [["step": "s", "params": ["p": "string?"]]], "primitives": ["pop"], "guarded": ["back"], "facts": ["f": "any"],
      ])
  }

  @Test func `every code of the table fits the schema of a problem`() throws {
    for code in ProblemCode.allCases { #expect(SchemaDocument.faults(try json(Problem(code, "d")), .problem) == [], "\(code)") }
    for code in Refusal.Code.allCases { #expect(SchemaDocument.faults(try json(Problem(Refusal(code, "d"))), .problem) == [], "\(code)") }
  }

  @Test func `the descriptions of actions contain only codes of rejections`() {
    let refusals = Set(ProblemMeaning.refusals.map(\.code))
    #expect(refusals.contains("guarded") && !refusals.contains("overloaded"))
    #expect(ProblemMeaning(.invalid as ProblemCode) == ProblemMeaning(.invalid as Refusal.Code))
  }
}

import CairnCore
import Testing

/// The declarations of steps, and the handlers that send them.
@Suite struct `Steps that screens emit` {
  /// An app with the given screens, and with the given handlers of its only flow. `more` contains further lines of the definition.
  private func app(screens: String, _ more: String = "", handle: String) -> String {
    """
    app: demo
    language: 1
    root: { flow: main }
    screens: { \(screens) }
    \(more)
    flows: { main: { stack: home, handle: { \(handle) } } }
    """
  }

  @Test func `emits declares steps with their params, and a second screen names them`() throws {
    let text = app(
      screens: "home: { emits: { pick: { id: integer }, close: } }, list: { emits: [pick] }", handle: "pick: { push: list }, close: pop")
    let demo = try definition(text)
    #expect(demo.steps == ["pick": StepDefinition(params: ["id": ParameterDefinition(.integer)]), "close": StepDefinition()])
    #expect(demo.screens["home"]?.emits == ["pick", "close"] && demo.screens["list"]?.emits == ["pick"])
  }

  @Test func `a screen or flow without emits emits nothing, and a step that is not emitted is internal`() throws {
    let demo = try definition(app(screens: "home: ", "steps: { loaded: { n: integer } }", handle: "due: pop, loaded: pop"))
    #expect(demo.screens["home"]?.emits == [] && demo.flows["main"]?.emits == [])
    #expect(
      demo.steps == [
        "due": StepDefinition(isInternal: true),
        "loaded": StepDefinition(params: ["n": ParameterDefinition(.integer)], isInternal: true),
      ])
  }

  @Test func `a flow declares steps of all its screens`() throws {
    let text = app(screens: "home: ", handle: "pick: pop").replacing("stack: home", with: "stack: home, emits: { pick: { id: integer } }")
    let demo = try definition(text)
    #expect(demo.flows["main"]?.emits == ["pick"] && demo.steps["pick"]?.isClients == true)
  }

  @Test func `only operators post a step by operator`() throws {
    let demo = try definition(app(screens: "home: ", "steps: { begin: { by: operator, id: integer } }", handle: "begin: pop"))
    #expect(demo.steps == ["begin": StepDefinition(params: ["id": ParameterDefinition(.integer)], isOperators: true)])
    #expect(demo.operatorsPart(of: .action(.step(Step("begin"), from: nil))) == "the step begin")
  }

  @Test func `a param may be named by`() throws {
    let demo = try definition(app(screens: "home: ", "steps: { move: { by: integer } }", handle: "move: pop"))
    #expect(demo.steps["move"] == StepDefinition(params: ["by": ParameterDefinition(.integer)], isInternal: true))
  }

  @Test func `with compat emits any, a screen without emits may send every step`() throws {
    let demo = try definition(app(screens: "home: , list: { emits: [go] }", "compat: { emits: any }", handle: "go: pop, due: pop"))
    #expect(demo.screens["home"]?.emits == nil && demo.screens["list"]?.emits == ["go"])
    #expect(demo.steps == ["go": StepDefinition(), "due": StepDefinition()])
  }

  @Test(arguments: [
    (
      "home: { emits: { go: { n: integer } } }, list: { emits: { go: { n: integer } } }", "", "go: pop",
      ["4:70: the step `go` is declared twice; it was declared on line 4, so name it only here"]
    ),
    (
      "home: { emits: { go: { n: integer } } }", "steps: { go: }", "go: pop",
      ["4:29: the step `go` is declared twice; it was declared on line 5, so name it only here"]
    ),
    ("home: { emits: [go, go] }", "", "go: pop", ["4:32: `emits` lists `go` twice"]),
    ("home: { emits: go }", "", "go: pop", ["4:27: `emits` must be a list of steps, or a map of steps with their params, not a string"]),
    ("home: { emits: [go] }", "steps: { go: { by: operator } }", "go: pop", ["4:28: `go` is `by: operator`, so no screen can emit it"]),
    ("home: { emits: [go] }", "", "go: { send: gone }", ["6:53: there is no step `gone`; the definition declares `go`"]),
    ("home: { emitz: [go] }", "", "go: pop", ["4:20: the screen `home` has no member `emitz`; did you mean `emits`?"]),
    (
      "home: ", "steps: { go: { internal: true } }", "go: pop",
      ["5:16: `internal` is not needed: clients may send a step only if a screen or flow emits it; remove it"]
    ),
    ("home: ", "compat: { emits: all }", "go: pop", ["5:18: `emits` of `compat` must be `any`, not `all`"]),
    (
      "home: ", "compat: { words: [ende] }", "go: pop",
      ["5:19: each of the `words` of `compat` must be `adapt`, `end`, `listen` or `show`, not `ende`; did you mean `end`?"]
    ),
    ("home: ", "covered: accept", "go: pop", ["5:1: a definition no longer has the member `covered`: write it in `compat`"]),
    (
      "home: ", "", "go: { end: go }",
      [
        "6:52: `end` is a word for apps that were written for another navigation system: write `finish`, and `then` where the flow is created, "
          + "or add `compat: { words: [end] }`"
      ]
    ),
  ]) func `a mistake in emits, steps or compat is reported`(screens: String, more: String, handle: String, said: [String]) {
    #expect(complaints(app(screens: screens, more, handle: handle)) == said)
  }
}

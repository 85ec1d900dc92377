import CairnCore
import CairnExplore
import Testing

/// An exploration reports that something never happens only if it has tried every value that a condition can distinguish.
@Suite struct `Certainty about things that never happen` {
  /// An app with a stack, in which the screen `last` is shown only if `given` gets the right values.
  private static func app(
    _ given: String, steps: String = "chosen: { total: integer }, given: { number: integer }",
    chosen: String = "{ push: page, content: { total: $total } }", more: String = ""
  ) -> String {
    """
    app: trial
    language: 1
    root: { flow: main }
    allowHosts: [api.example]
    screens: { form: { emits: [chosen] }, page: { emits: [given] }, last: { emits: [] } }
    steps: { \(steps) }
    flows: { main: { stack: form, handle: { chosen: \(chosen), given: \(given) } } }
    \(more)
    """
  }

  private static func shows(_ condition: String) -> String { "[{ when: { \(condition) }, do: { push: last } }, { do: [] }]" }

  private static let loading = "{ push: page, load: { get: 'https://api.example/x' } }"

  /// Passes loaded content to a param. Conditions compare the param with two values.
  private static var passedOn: String {
    let done =
      "done: [{ when: { screen: last, with: { kind: b } }, do: { push: end } }, "
      + "{ when: { screen: last, with: { kind: a } }, do: [] }, { do: [] }],"
    let text = app("{ push: last, with: { kind: $content.kind } }", steps: "chosen: , given: , done: ", chosen: loading)
    let screens = text.replacing("last: { emits: [] }", with: "last: { params: { kind: string }, emits: [done] }, end: ")
    return screens.replacing("handle: {", with: "handle: { \(done)")
  }

  /// Passes a loaded object to the content of another screen, where a condition reads a member of it.
  private static var carried: String {
    let done = "done: [{ when: { content: item.kind, is: b }, do: { push: end } }, { do: [] }],"
    let text = app("{ push: last, content: { item: $content.found } }", steps: "chosen: , given: , done: ", chosen: loading)
    let screens = text.replacing("last: { emits: [] }", with: "last: { emits: [done] }, end: ")
    return screens.replacing("handle: {", with: "handle: { \(done)")
  }

  /// Apps that can show the screen `last`, and in which every branch can run.
  private static let reachable: [(what: String, app: String)] = [
    ("a param equals content", app(shows("content: total, is: $number"))),
    (
      "a param equals content that has a list",
      app(shows("content: total, is: $number"), steps: "chosen: { total: { type: integer, in: [1, 2] } }, given: { number: integer }")
    ),
    (
      "two lists have one value in common",
      app(
        shows("content: total, is: $number"),
        steps: "chosen: { total: { type: integer, in: [1, 2, 3, 4] } }, given: { number: { type: integer, in: [4, 5, 6] } }")
    ),
    ("a param equals a value of the app", app(shows("content: total, is: $number"), chosen: "{ push: page, content: { total: 5 } }")),
    (
      "a param equals the default of a fact",
      app(shows("param: number, is: $fact.limit"), more: "facts: { limit: { type: integer, default: 3 } }")
    ),
    ("a param is less than content", app(shows("param: number, under: $content.total"))),
    ("a param is greater than content", app(shows("param: number, over: $content.total"))),
    (
      "a param is less than the least of a list",
      app(
        shows("param: number, under: $content.total"),
        steps: "chosen: { total: { type: integer, in: [7, 8] } }, given: { number: integer }")
    ),
    (
      "a list has a value beyond a bound",
      app(shows("param: number, over: 50"), steps: "chosen: { total: integer }, given: { number: { type: integer, in: [5, 20, 30, 100] } }")
    ),
    (
      "a number lies between two integers",
      app(
        shows("all: [{ param: number, over: 0 }, { param: number, under: 1 }]"),
        steps: "chosen: { total: integer }, given: { number: number }")
    ),
    ("a param of any type is a number", app(shows("param: number, is: 5"), steps: "chosen: { total: integer }, given: { number: any }")),
    ("a param of any type is true", app(shows("param: number"), steps: "chosen: { total: integer }, given: { number: any }")),
    (
      "two of many optional params are missing",
      app(
        shows("all: [{ param: a, is: absent }, { param: b, is: absent }]"),
        steps:
          "chosen: { total: integer }, given: { a: optional string, b: optional string, c: optional string, d: optional string, number: integer }"
      )
    ),
    (
      "a loaded value equals a param",
      app(shows("content: total, is: $number"), steps: "chosen: , given: { number: integer }", chosen: loading)
    ),
    ("a loaded value that is passed on is not the first that is tried", passedOn),
    ("a member of a loaded object that is passed on", carried),
  ]

  @Test(arguments: Self.reachable.map { $0.what }) func `every value that a reference can meet is tried`(what: String) throws {
    let app = try #require(Self.reachable.first { $0.what == what }).app
    let trial = try Trial(app)
    #expect(!trial.told.contains { $0.hasPrefix("unreached") } && !trial.found.unknown.contains { $0.contains("never") }, "\(trial.told)")
  }

  @Test func `a response is tried with and without each optional member`() throws {
    let app = """
      app: load
      language: 1
      root: { flow: main }
      allowHosts: [api.example]
      screens: { home: { emits: [pay] }, paid: { params: { id: string }, emits: [] }, bank: { params: { url: string }, emits: [] }, odd: { emits: [] } }
      steps: { pay: {}, answered: { state: string, url: optional string, id: optional string } }
      flows:
        main:
          stack: home
          handle:
            pay: { load: { post: "https://api.example/pay", then: { step: answered, with: { state: $result.state, url: $result.url, id: $result.id } } } }
            answered:
              - { when: { all: [{ param: state, is: challenge }, { param: url, is: present }] }, do: { push: bank, with: { url: $url } } }
              - { when: { param: id, is: present }, do: { push: paid, with: { id: $id } } }
              - { do: { push: odd } }
      """
    #expect(try Trial(app).told == [])
  }

  @Test func `a reply is tried with the text that a condition names`() throws {
    let app = """
      app: reply
      language: 1
      root: { flow: main }
      screens: { home: { emits: [] }, page: { emits: [] } }
      steps: { said: { text: string } }
      notifications: { take: [{ how: reply, send: said, with: { text: $reply } }] }
      flows:
        main:
          stack: home
          handle: { said: [{ when: { param: text, is: stop }, do: { push: page } }, { do: [] }] }
      """
    #expect(try !Trial(app).told.contains { $0.hasPrefix("unreached") })
  }

  @Test func `what really never happens is a finding`() throws {
    let steps = "chosen: { total: { type: integer, in: [1, 2] } }, given: { number: { type: integer, in: [3, 4] } }"
    #expect(
      try Trial(Self.app(Self.shows("content: total, is: $number"), steps: steps)).told.contains(
        "unreached: the screen last is never shown"))
  }

  @Test func `a counted value that is compared with a param is not known`() throws {
    let app = Self.app(
      Self.shows("content: total, is: $number"), steps: "chosen: , given: { number: integer }, more: , never: ",
      chosen: "{ push: page, content: { total: 0 } }"
    ).replacing("page: { emits: [given] }", with: "page: { emits: [given, more] }").replacing(
      "handle: {", with: "handle: { more: { content: { total: { add: 1 } } }, never: { push: last },"
    )
    let trial = try Trial(app)
    #expect(!trial.told.contains { $0.hasPrefix("unreached") }, "\(trial.told)")
    #expect(
      trial.found.unknown.contains(
        "not every combination of values was tried: number, total are compared with each other, and one of them is a counter"))
    let line = "with the values that were tried, the handler main never never runs; a scenario that reaches it would disprove this"
    #expect(trial.found.unknown.contains(line), "\(trial.found.unknown)")
  }

  @Test func `params with too many combinations leave open what was not reached, and whether a state is dead`() throws {
    let names = ["a", "b", "c", "d", "e", "f", "g"]
    let condition = "all: [\(names.map { "{ param: \($0), is: x }" }.joined(separator: ", "))]"
    let steps = "chosen: , given: { \(names.map { "\($0): optional string" }.joined(separator: ", ")) }"
    // In each combination that is tried at most one value is missing, or all but one are.
    let two = "all: [{ param: c, is: x }, { param: e, is: x }, { param: a, is: absent }, { param: b, is: absent }]"
    let trial = try Trial(
      Self.app(
        "[{ when: { \(condition) }, do: [] }, { when: { \(two) }, do: { push: last } }, { do: [] }]", steps: steps,
        chosen: "{ set: [page] }"))
    #expect(trial.told == [], "\(trial.told)")
    #expect(
      trial.found.unknown.contains(
        "not every combination of values was tried: the step given: conditions read more than 64 combinations of its params' values"))
    #expect(trial.found.unknown.contains { $0.hasPrefix("with the values that were tried, the screen last is never shown") })
  }

  @Test func `a deadline behind very many ticks leaves open what it does`() throws {
    let app = """
      app: ticks
      language: 1
      root: { flow: main }
      screens: { home: { emits: [go] }, page: { emits: [] } }
      steps: { go: , tick: , due: }
      flows:
        main:
          stack: home
          handle:
            go: [{ timer: { every: 1s, send: tick }, of: flow }, { timer: { after: 1d, send: due }, of: flow }]
            tick: []
            due: { push: page }
      """
    let trial = try Trial(app)
    #expect(!trial.told.contains { $0.hasPrefix("unreached") })
    #expect(
      trial.found.unknown.contains(
        "not every combination of values was tried: a timer that is due after more than 8000 ticks of another timer"))
  }

  @Test func `a limit of timers that hides something makes it unknown`() throws {
    let app = """
      app: timers
      language: 1
      root: { flow: main }
      screens: { home: { emits: [a, b, c, d] }, last: { emits: [] } }
      steps: { a: , b: , c: , d: , due: }
      facts: { one: { type: boolean, default: false }, two: { type: boolean, default: false } }
      flows:
        main:
          stack: home
          handle:
            a: [{ when: { not: { fact: one } }, do: [{ timer: { every: 1d, send: due, name: a }, of: flow }, { write: { one: true } }] }]
            b: [{ when: { fact: one }, do: [{ timer: { every: 1d, send: due, name: b }, of: flow }, { write: { two: true } }] }]
            c: [{ when: { fact: two }, do: { timer: { every: 1d, send: due, name: c }, of: flow } }]
            d: [{ when: { all: [{ fact: one }, { fact: two }] }, do: { push: last } }]
            due: []
      """
    let trial = try Trial(app) {
      $0.depth = 3
      $0.effects = 1
    }
    #expect(!trial.told.contains { $0.hasPrefix("unreached") }, "\(trial.told)")
  }
}

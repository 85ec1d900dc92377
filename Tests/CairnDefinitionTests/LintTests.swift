import CairnDefinition
import Foundation
import Testing

/// The messages of `cairn check` for a text, as `line:column: warning: message`.
func doubts(_ text: String) -> [String] {
  do throws(InvalidDefinition) {
    return try DefinitionLoader.check(file: "demo.yaml", text: text).warnings.map {
      "\($0.line):\($0.column): \($0.severity.rawValue): \($0.message)"
    }
  } catch {
    return error.diagnostics.map { "\($0.line):\($0.column): \($0.severity.rawValue): \($0.message)" }
  }
}

/// A change of a small app that has no warnings, and the warnings that the change causes. The change applies to the text of the whole app.
struct Doubt: Sendable, CustomTestStringConvertible {
  var changes: [(String, String)]
  var said: [String]
  var testDescription: String { changes.map(\.1).joined(separator: " ") }

  /// Replaces `part` of the base by `text`. `said` contains the expected warnings.
  init(_ part: String, _ text: String, _ said: String...) {
    changes = [(part, text)]
    self.said = said
  }

  init(_ changes: [(String, String)], _ said: String...) {
    self.changes = changes
    self.said = said
  }

  /// The base text begins with line 1. `#` marks places for insertions.
  static let base = """
    app: demo
    language: 1
    compat: { words: [adapt, end, listen, show] }
    root: { flow: main, start: started }
    sets: { few: [1, 2] }
    facts: { isKnown: { type: boolean, default: false } }
    screens:
      home: { emits: [picked, asked] }
      detail: { params: { id: { type: integer, in: few } }, emits: [] }
      form: { emits: [answered] }
      #screens
    steps:
      started:
      picked: { id: integer }
      asked:
      #steps
    rules:
      - { when: { fact: isKnown }, send: started }
      #rules
    links:
      - { host: demo.example, path: "/items/{id}", send: picked }
      #links
    flows:
      main:
        stack: home
        handle:
          started: popToRoot
          picked: [{ reveal: home }, { push: detail, with: { id: $id } }]
          asked: { present: { flow: asking } }
          answered: dismiss
          #main
      asking:
        stack: form
        #asking
      #flows
    """

  var text: String {
    changes.reduce(Doubt.base) { $0.replacing($1.0, with: $1.1) }
  }
}

@Suite struct LintTests {
  @Test func `the base app has no warnings`() {
    #expect(doubts(Doubt.base) == [])
  }

  @Test func `loading a definition computes no lint warnings`() throws {
    let text = Doubt.base.replacing("#screens", with: "lost:")
    #expect(try DefinitionLoader.load(file: "demo.yaml", text: text).warnings == [])
    #expect(doubts(text) == ["11:3: warning: the screen `lost` can never be shown: no flow creates it"])
  }

  @Test func `the warnings of the parser are reported too, in the order of the file`() {
    let text = Doubt.base.replacing("#screens", with: "lost:").replacing("send: picked }", with: "send: picked, holdFor: 5h }")
    #expect(
      doubts(text) == [
        "11:3: warning: the screen `lost` can never be shown: no flow creates it",
        "21:62: warning: `holdFor` has no effect without `requires`",
      ])
  }

  @Test(arguments: ShippedApp.names) func `a shipped app has no warnings`(name: String) throws {
    #expect(doubts(try ShippedApp.text(name)) == [])
  }

  /// An app with a lock on a level.
  private static func lock(_ more: String) -> String {
    """
    app: locked
    language: 1
    root: main
    screens:
      home: { emits: [hidden] }
      pin: { emits: { pinEntered: { pin: { type: string, secret: true } } } }
    flows:
      main:
        stack: home
        handle:
          hidden: { present: pin, level: 9, guard: true\(more) }
          pinEntered: dismiss
    """
  }

  @Test func `a lock that is not sealed causes a warning`() {
    #expect(
      doubts(Self.lock("")) == [
        "11:26: warning: `pin` looks like a lock but is not sealed; add `sealed: true`, so that no earlier action of a user reaches a "
          + "node under it"
      ])
    #expect(doubts(Self.lock(", sealed: true")) == [])
    // Without a secret param, the modal is not taken for a lock. It may be a call, and the user may have acted before the call arrived.
    #expect(doubts(Self.lock("").replacing(", secret: true", with: "")) == [])
  }

  private static let nowhere = Doubt(
    "started: popToRoot", "started: { timer: { daily: \"06:30\", zone: Europe/Nowhere, send: asked } }",
    "27:49: warning: there is no time zone `Europe/Nowhere`: no timer with this zone starts, and no condition with it is true")

  @Test(arguments: [
    nowhere,
    Doubt("started: popToRoot", "started: { timer: { daily: \"06:30\", zone: America/Argentina/Ushuaia, send: asked } }"),
    Doubt(
      "started: popToRoot", "started: [{ when: { between: [\"22:00\", \"06:00\"], zone: europe/berlin }, do: pop }]",
      "27:62: warning: there is no time zone `europe/berlin`: no timer with this zone starts, and no condition with it is true"),
    Doubt("#steps", "extra:", "16:3: warning: the step `extra` is never used"),
    Doubt([("#steps", "extra:"), ("emits: [answered]", "emits: [answered, extra]")], "16:3: warning: no flow handles the step `extra`"),
    Doubt([("#steps", "extra:"), ("start: started", "start: [started, extra]")], "16:3: warning: no flow handles the step `extra`"),
    Doubt(
      [("#main", "answerd: []")],
      "31:7: warning: nothing sends the step `answerd`: no screen emits it, and no rule, link, start, timer, load or handler names it"),
    Doubt(
      [("answered: dismiss", "answerd: dismiss")], "10:19: warning: no flow handles the step `answered`; did you mean `answerd`?",
      "30:7: warning: nothing sends the step `answerd`: no screen emits it, and no rule, link, start, timer, load or handler names it; "
        + "did you mean `answered`?"),
    Doubt(
      [("#steps", "extra:"), ("#links", "- { host: demo.example, path: /all, send: extra, to: all }")],
      "16:3: warning: no flow handles the step `extra`"),
    Doubt(
      [("#steps", "extra:"), ("#main", "extra: []")],
      "16:3: warning: nothing sends the step `extra`: no screen emits it, and no rule, link, start, timer, load or handler names it"),
  ]) func `a step that is never sent or never handled causes a warning`(doubt: Doubt) {
    #expect(doubts(doubt.text) == doubt.said)
  }

  @Test func `a screen that neither a gesture nor a handler can remove causes a warning`() {
    let text = """
      app: stays
      language: 1
      root: { flow: main }
      screens: { home: { emits: [go] }, wall: { emits: [] } }
      steps: { go: }
      flows:
        main: { stack: home, handle: { go: { push: wall, guard: true } } }
      """
    #expect(
      doubts(text) == [
        "4:35: warning: the screen `wall` can never be removed: `guard: true` forbids gestures, and no handler removes it; remove it in a handler, or omit `guard`"
      ])
    #expect(doubts(text.replacing("go: { push: wall, guard: true }", with: "go: [pop, { push: wall, guard: true }]")) == [])
    #expect(
      doubts(text.replacing("guard: true", with: "guard: go")) == [
        "4:35: warning: nothing answers the question that is asked before the screen `wall` is removed: add `proceed` to the handler of the answer"
      ])
    #expect(doubts(Self.asking(answer: "proceed")) == [])
    #expect(
      doubts(Self.asking(answer: "pop")) == [
        "9:15: warning: `agreed` answers the question before the screen `wall` is removed; write `proceed` instead of `pop`, so that the action "
          + "that the guard stopped (Back, a link or a tab) continues"
      ])
  }

  @Test func `a guard whose question never lets the action go on causes a warning`() {
    func text(_ ask: String, _ answer: String, _ own: String = "[]") -> String {
      """
      app: asks
      language: 1
      root: main
      screens: { home: { emits: [opened] }, form: { emits: [sent, given] }, sure: { emits: [dropped] } }
      flows:
        main:
          stack: home
          handle: { opened: { push: form, guard: leaving }, leaving: \(ask), dropped: \(answer), sent: popToRoot, given: \(own) }
      """
    }
    func said(_ text: String) -> Int {
      doubts(text).count { $0.contains("nothing answers the question that is asked before the screen `form` is removed") }
    }
    #expect(said(text("{ present: sure, style: alert }", "[]")) == 1)
    #expect(said(text("[]", "proceed")) == 1)
    for fine in [
      text("{ present: sure, style: alert }", "proceed"), text("{ present: sure, style: alert }", "{ send: sent }"), text("pop", "[]"),
      // The page asks the question itself, and another step of the page is the answer.
      text("[]", "[]", "proceed"),
      text("{ load: { value: 1, then: dropped } }", "proceed"),
    ] { #expect(said(fine) == 0, "\(fine)") }
  }

  private static func again(_ operation: String) -> String {
    """
    app: again
    language: 1
    root: main
    screens: { list: { emits: [wanted] }, article: { seen: shown }, hint: { emits: [closed] } }
    flows: { main: { stack: list, handle: { wanted: { push: article }, shown: \(operation), closed: pop } } }
    """
  }

  @Test func `a page that opens whenever another page is seen causes a warning`() {
    let said =
      "5:83: warning: `shown` opens `hint` whenever a page is seen, also when it has just been closed; add a condition, such as one on `$seen.first`"
    #expect(doubts(Self.again("{ push: hint }")).filter { $0.contains("whenever a page") } == [said])
    #expect(doubts(Self.again("{ present: hint }")).count { $0.contains("whenever a page") } == 1)
    for fine in [
      "{ present: hint, style: alert }", "{ overlay: hint, slot: top, for: 5s }", "[{ when: { visible: list }, do: { push: hint } }]",
    ] {
      #expect(doubts(Self.again(fine)).filter { $0.contains("whenever a page") } == [], "\(fine)")
    }
  }

  private static func under(_ operations: String, _ arrival: String) -> String {
    """
    app: under
    language: 1
    root: main
    screens: { home: , page: , sheet: { emits: [closed] } }
    \(arrival)
    flows: { main: { stack: home, handle: { linked: [\(operations)], closed: dismiss } } }
    """
  }

  @Test(arguments: [
    "links: [{ scheme: r, path: /news, send: linked, to: main }]",
    "notifications: { take: [{ category: news, send: linked, to: main }] }",
  ]) func `a page that a link opens under its own modal causes a warning`(arrival: String) {
    func said(_ operations: String) -> Int {
      doubts(Self.under(operations, arrival)).count { $0.contains("opens `page` under `sheet`, which it has just presented") }
    }
    #expect(said("{ present: sheet }, { push: page }") == 1)
    #expect(said("{ present: sheet, level: 5 }, { set: [home, page] }") == 1)
    for fine in [
      "{ push: page }, { present: sheet }", "{ present: sheet, style: alert }, { push: page }", "{ present: sheet, queue: true }",
    ] {
      #expect(said(fine) == 0, "\(fine)")
    }
  }

  @Test func `a page that creates itself again when it is seen causes a warning`() {
    #expect(
      doubts(Self.creatingItself) == [
        "7:52: warning: `shown` creates the screen `home` each time that screen is seen, which never ends; add a condition"
      ])
    #expect(
      doubts(Self.creatingItself.replacing("{ replace: home }", with: "{ present: { screen: home, seen: other } }, other: []")).filter {
        $0.contains("again")
      } == [])
  }

  private static let creatingItself = """
    app: anew
    language: 1
    root: { flow: main }
    screens: { home: { seen: shown } }
    steps: { shown: }
    flows:
      main: { stack: home, handle: { shown: { replace: home } } }
    """

  @Test func `a question that lies under the level of the screen that asks causes a warning`() {
    let raised = Self.asking(answer: "proceed").replacing("push: wall", with: "present: wall, level: 5")
    #expect(
      doubts(raised) == [
        "11:25: warning: the question before the screen `wall` is removed is covered by level 5; add `of: screen` to `present`, so that it is shown over the screen"
      ])
    #expect(doubts(raised.replacing("style: alert", with: "style: alert, of: screen")) == [])
    #expect(doubts(raised.replacing("style: alert", with: "style: alert, level: 6")) == [])
  }

  /// A guard whose question is a screen, and the handler of its answer.
  private static func asking(answer: String) -> String {
    """
    app: asking
    language: 1
    root: { flow: main }
    screens: { home: { emits: [go] }, wall: { emits: [] }, sure: { emits: [agreed] } }
    flows:
      main:
        stack: home
        handle:
          agreed: \(answer)
          go: { push: wall, guard: asked }
          asked: { present: sure, style: alert }
    """
  }

  @Test func `tabs with a reselect that pops nothing, and a flow that cannot be revealed, cause warnings`() {
    let text = """
      app: taps
      language: 1
      root: { flow: main }
      screens: { home: { emits: [go] }, list: { emits: [] } }
      steps: { go: }
      flows:
        main: { tabs: [home, list], reselect: popToRoot, handle: { go: { reveal: { flow: lost } } } }
        lost: { stack: list }
      """
    #expect(
      doubts(text) == [
        "7:3: warning: `reselect` of `main` never pops: no tab has a stack",
        "7:76: warning: `reveal` never finds `lost`: no flow creates it",
        "8:3: warning: the flow `lost` can never start: no other flow creates it",
      ])
    #expect(doubts(text.replacing("tabs: [home, list]", with: "tabs: [home, { flow: lost }]")) == [])
  }

  /// An app with a gated tab.
  private static func gated(_ tab: String, _ rules: String = "{ when: { fact: isOpen, is: false }, send: closed }") -> String {
    """
    app: gates
    language: 1
    root: main
    facts: { isOpen: { type: boolean, default: false, by: client }, fixed: { type: boolean, default: false } }
    screens: { home: { emits: [asked] }, news: {} }
    rules: [\(rules)]
    flows:
      main:
        tabs: [home, { screen: news, \(tab) }]
        handle: { closed: { select: 0 }, asked: { write: { isOpen: true } }, shown: { present: home } }
    """
  }

  @Test func `gated tabs that nothing opens, that open themselves or that no rule answers cause warnings`() {
    let fine = "requires: { fact: isOpen }, else: shown"
    #expect(doubts(Self.gated(fine)).filter { $0.contains("the tab") } == [])
    #expect(
      doubts(Self.gated("requires: { fact: isOpen }")).filter { $0.contains("the tab") } == [
        "9:44: warning: the tab `news` of `main` has `requires` without `else`, so a tap on it shows nothing; add `else`, the step that shows what is missing"
      ])
    #expect(
      doubts(Self.gated("requires: { fact: fixed }, else: shown")).filter { $0.contains("the tab") } == [
        "9:44: warning: the tab `news` of `main` stays as it is at the start: nothing writes `fixed`, which `requires` tests; write it in a handler, or add `by: client`"
      ])
    #expect(
      doubts(Self.gated("requires: { fact: isOpen }, else: asked")).filter { $0.contains("the tab") } == [
        "9:44: warning: the tab `news` of `main` opens itself: the handler of `asked`, its `else`, writes `isOpen`, which `requires` tests"
      ])
    #expect(
      doubts(Self.gated(fine).replacing("shown: { present: home }", with: "shown: []")).filter { $0.contains("the tab") } == [
        "9:44: warning: the tab `news` of `main` shows nothing when it is closed: the handler of `shown`, its `else`, does nothing"
      ])
    for rules in ["", "{ when: { fact: isOpen }, send: closed }"] {
      #expect(
        doubts(Self.gated(fine, rules)).filter { $0.contains("the tab") } == [
          "9:44: warning: the tab `news` of `main` stays selected when its `requires` becomes false, because `requires` is tested only when the tab is selected; add a rule that selects another tab"
        ])
    }
  }

  private static let adding = """
    app: adding
    language: 1
    root: main
    screens: { home: { emits: [told] } }
    flows: { main: { stack: home, handle: { told: { content: { n: { add: 1 } }, of: home } } } }
    """

  private static let club = """
    app: club
    language: 1
    root: main
    facts: { isMember: { type: boolean, default: false, by: client } }
    screens: { home: , club: }
    rules: [{ when: { fact: isMember, is: false }, send: left }]
    flows:
      main: { tabs: [home, { flow: club, requires: { fact: isMember }, else: needed }], handle: { needed: { select: club }, left: { select: 0 } } }
      club: { stack: club }
    """

  @Test func `a gated tab whose else selects it causes a warning`() {
    #expect(
      doubts(Self.club) == [
        "8:48: warning: the tab `club` of `main` selects itself while it is closed: the handler of `needed`, its `else`, selects it, so a tap on it is refused"
      ])
  }

  @Test(arguments: [
    ("overlay: home, slot: top", true), ("overlay: home, slot: top, for: 8s", false),
    ("overlay: home, slot: top }, { dismiss: home", false),
    ("overlay: home, slot: top }, { overlay: home, slot: top, replace: true", false),
  ])
  func `an overlay that nothing closes causes a warning`(operations: String, isEndless: Bool) {
    let text = Self.gated("requires: { fact: isOpen }, else: shown").replacing("{ present: home }", with: "[{ \(operations) }]")
    let said = "10:93: warning: nothing closes the overlay `home`: add `for`, such as `for: 8s`, or `dismiss: home` in a handler"
    #expect(doubts(text).filter { $0.contains("overlay") } == (isEndless ? [said] : []))
  }

  @Test func `tabs of which none can be selected at the start are an error`() {
    func text(_ first: String) -> String {
      """
      app: gates
      language: 1
      root: main
      facts: { isOpen: { type: boolean, default: false, by: client }, isKnown: { type: boolean, default: true } }
      screens: { home: {}, news: {} }
      flows: { main: { tabs: [{ screen: home, requires: { fact: \(first) } }, { screen: news, requires: { fact: isOpen } }] } }
      """
    }
    #expect(
      doubts(text("isOpen")).filter { $0.contains("error:") } == [
        "6:18: error: no tab of `main` can be selected at the start: every tab has a `requires` that is false then; leave one tab without `requires`"
      ])
    #expect(!doubts(text("isKnown")).contains { $0.contains("error:") })
  }

  @Test(arguments: [
    // The step is sent to the flow above.
    Doubt("send: picked }", "send: picked, to: asking }"),
    Doubt("send: picked }", "send: picked, to: all }"),
    Doubt(
      [("words:", "unhandled: drop, words:"), ("send: picked }", "send: picked, to: asking }")],
      "21:66: warning: `asking` does not handle the step `picked`"),
    Doubt("{ fact: isKnown }, send: started }", "{ fact: isKnown }, send: answered, to: root }"),
    Doubt(
      [
        ("{ fact: isKnown }, send: started }", "{ fact: isKnown }, send: extra, to: root }"), ("#steps", "extra:"),
        ("#asking", "handle: { extra: [] }"),
      ], "18:49: warning: `main` does not handle the step `extra`, and neither does a flow above it"),
  ]) func `a step to a flow that does not handle it causes a warning`(doubt: Doubt) {
    #expect(doubts(doubt.text) == doubt.said)
  }

  @Test(arguments: [
    // The step is sent by `adapt`, a timer, a load, `removed`, a guard, `end`, `send` or a rule.
    Doubt([("#steps", "extra:"), ("#main", "extra: []"), ("#asking", "adapt: { answered: [{ when: { fact: isKnown }, to: extra }] }")]),
    Doubt([("#steps", "extra:"), ("#main", "extra: []"), ("stack: home", "stack: { screen: home, timer: { after: 5s, send: extra } }")]),
    Doubt([
      ("#steps", "extra:"), ("#main", "extra: []"), ("stack: home", "stack: { screen: home, load: { value: 1, then: extra } }"),
    ]),
    Doubt([
      ("#steps", "extra:"), ("#main", "extra: []"), ("stack: home", "stack: { screen: home, load: { value: 1, else: extra } }"),
    ]),
    Doubt([("#steps", "extra:"), ("#main", "extra: []"), ("stack: home", "stack: { screen: home, removed: extra }")]),
    Doubt([("#steps", "extra:"), ("#main", "extra: pop"), ("stack: home", "stack: { screen: home, guard: extra }")]),
    Doubt([("#steps", "extra:"), ("#main", "extra: dismiss"), ("#asking", "handle: { answered: { end: extra } }")]),
    Doubt([("#steps", "extra:"), ("#main", "extra: []"), ("started: popToRoot", "started: { send: extra }")]),
    Doubt([("#steps", "extra:"), ("#main", "extra: []"), ("#rules", "- { when: { fact: isKnown }, send: extra }")]),
    // The step is sent by a screen without a contract, and handled by its flow or by a flow above.
    Doubt([
      ("words:", "emits: any, words:"), ("#steps", "extra:"), ("#main", "extra: []"), ("form: { emits: [answered] }", "form:"),
    ]),
    Doubt([
      ("words:", "emits: any, words:"), ("#steps", "extra:"), ("#asking", "handle: { extra: [] }"),
      ("form: { emits: [answered] }", "form:"),
    ]),
    // An operator sends the step.
    Doubt([("#steps", "extra: { by: operator }"), ("#main", "extra: []")]),
    Doubt([("#steps", "extra:"), ("#main", "extra: []"), ("emits: [answered]", "emits: [answered, extra]")]),
  ]) func `a step that is sent and handled causes no warning`(doubt: Doubt) {
    #expect(doubts(doubt.text) == doubt.said)
  }

  @Test func `a screen without a contract does not send a step that its flows do not handle`() {
    let doubt = Doubt([
      ("words:", "emits: any, words:"), ("#steps", "extra:"), ("#asking", "handle: { extra: [] }"),
      ("home: { emits: [picked, asked] }", "home:"),
    ])
    #expect(
      doubts(doubt.text) == [
        "16:3: warning: nothing sends the step `extra`: no screen emits it, and no rule, link, start, timer, load or handler names it"
      ])
  }

  @Test(arguments: [
    Doubt("#screens", "lost:", "11:3: warning: the screen `lost` can never be shown: no flow creates it"),
    Doubt(
      [("#screens", "lost:"), ("#rules", "- { when: { all: [{ fact: isKnown }, { visible: lost }] }, send: started }")],
      "11:3: warning: the screen `lost` can never be shown: no flow creates it"),
    Doubt("#flows", "side: { stack: home }", "35:3: warning: the flow `side` can never start: no other flow creates it"),
    Doubt(
      "#flows", "side: { stack: { flow: other } }\n  other: { stack: home }",
      "35:3: warning: the flow `side` can never start: no other flow creates it",
      "36:3: warning: the flow `other` can never start: it is created only by `side`, which can never start either"),
    Doubt(
      "#flows", "side: { stack: home, handle: { asked: { push: { flow: side } } } }",
      "35:3: warning: the flow `side` can never start: no other flow creates it"),
    Doubt(
      [
        (
          "#flows",
          "area: { switch: [one, two] }\n  one: { stack: [] }\n  two: { stack: [] }"
        ),
        ("stack: home", "stack: area"), ("{ reveal: home }, ", ""),
      ], "8:3: warning: the screen `home` can never be shown: no flow creates it",
      "37:3: warning: the flow `two` can never start: no other flow creates it"),
  ]) func `an unreachable screen or flow causes a warning`(doubt: Doubt) {
    #expect(doubts(doubt.text) == doubt.said)
  }

  @Test(arguments: [
    Doubt([
      ("#screens", "more:"), ("#asking", "handle: { asked: { push: { flow: side } } }"),
      ("#flows", "side: { screen: more }"),
    ]),
    Doubt([("#screens", "more:"), ("#asking", "handle: { asked: { replace: more } }")]),
    Doubt([("#screens", "more:"), ("#asking", "handle: { asked: { set: [form, more] } }")]),
    Doubt([("#screens", "more:"), ("#asking", "handle: { asked: { present: more, style: alert } }")]),
    Doubt([
      ("#screens", "one:\n  two:\n  three:"), ("#asking", "handle: { asked: { push: { flow: halves } } }"),
      ("#flows", "halves:\n    split: { master: [one], detail: two }\n    handle: { asked: { detail: three } }"),
    ]),
    Doubt([
      ("#screens", "one:\n  two:"), ("#asking", "handle: { asked: { push: { flow: bar } } }"),
      ("#flows", "bar: { tabs: [one], handle: { asked: { set: [two] } } }"),
    ]),
    Doubt([
      ("#screens", "one:"), ("#asking", "handle: { asked: { push: { flow: area } } }"),
      (
        "#flows",
        "area: { switch: [sub], handle: { asked: { show: { flow: sub, screen: one } } } }\n  sub: { stack: home }"
      ),
    ]),
  ]) func `a reachable screen or flow causes no warning`(doubt: Doubt) {
    #expect(doubts(doubt.text) == doubt.said)
  }

  @Test(arguments: [
    Doubt(
      "answered: dismiss", "answered: []",
      "32:3: warning: the flow `asking` is never dismissed: it does not end, and `main`, which presents it, has no `dismiss`"),
    // A `dismiss` in the flow closes a modal that the flow presents, and not the flow itself.
    Doubt(
      [("answered: dismiss", "answered: []"), ("#asking", "handle: { answered: dismiss }")],
      "32:3: warning: the flow `asking` is never dismissed: it does not end, and `main`, which presents it, has no `dismiss`"),
    // A sheet can be closed by a gesture. A full screen needs a step.
    Doubt(
      [
        ("answered: dismiss", "answered: []"), ("form: { emits: [answered] }", "form: { emits: [] }"),
        ("#links", "- { scheme: demo, path: /x, send: answered }"),
        ("{ flow: asking } }", "{ flow: asking }, style: fullScreen }"),
      ], "32:3: warning: the flow `asking` is never dismissed: it does not end, and `main`, which presents it, has no `dismiss`"),
  ]) func `a presented flow that nothing closes causes a warning`(doubt: Doubt) {
    #expect(doubts(doubt.text) == doubt.said)
  }

  @Test(arguments: [
    Doubt("asked: { present: { flow: asking } }", "asked: { present: { flow: asking }, level: 9 }"),
    Doubt(
      [("{ flow: asking } }", "{ flow: asking }, level: 9 }"), ("answered: dismiss", "answered: []")],
      "29:25: warning: `asking` is never dismissed from level 9: `main`, which presents it, neither dismisses it nor ends"),
    Doubt([("{ flow: asking } }", "{ flow: asking }, level: 9 }"), ("answered: dismiss", "answered: { dismiss: asking }")]),
    Doubt([
      ("{ flow: asking } }", "{ flow: asking }, level: 9 }"), ("answered: dismiss", "answered: []"),
      ("#asking", "handle: { answered: dismiss }"),
    ]),
    // A screen on a level needs a `dismiss` too. A `dismiss` with the name of another node does not close it.
    Doubt(
      [
        ("{ flow: asking } }", "{ flow: asking } }\n      extra: { present: form, level: 9, style: fullScreen }"),
        ("answered: dismiss", "answered: { dismiss: asking }"), ("#steps", "extra:"), ("emits: [picked", "emits: [extra, picked"),
      ], "30:25: warning: `form` is never dismissed from level 9: `main`, which presents it, neither dismisses it nor ends"),
    Doubt(
      "answered: dismiss", "answered: { dismiss: home }", "30:28: warning: `dismiss` never finds `home`: no flow presents it",
      "32:3: warning: the flow `asking` is never dismissed: it does not end, and `main`, which presents it, has no `dismiss`"),
  ]) func `a modal on a level that nothing closes causes a warning`(doubt: Doubt) {
    #expect(doubts(doubt.text) == doubt.said)
  }

  @Test(arguments: [
    Doubt(
      [
        ("answered: dismiss", "answered: []\n      extra: dismiss"), ("#steps", "extra:"),
        ("home: { emits: [", "home: { emits: [extra, "), ("#asking", "handle: { answered: { end: answered } }"),
      ],
      "35:32: warning: the flow `asking` stays in the tree after its end: `main`, which creates it, does not remove it at `answered`, "
        + "and an ended flow receives no steps"
    ),
    Doubt([("#asking", "handle: { answered: { end: answered } }")]),
    Doubt([
      ("answered: dismiss", "answered: { send: started }"),
      ("#asking", "handle: { answered: { end: answered } }"),
    ]),
    Doubt([("answered: dismiss", "answered: { write: { isKnown: true } }"), ("#asking", "handle: { answered: { end: answered } }")]),
  ]) func `an ended flow that nothing removes causes a warning`(doubt: Doubt) {
    let said = doubts(doubt.text).filter { $0.contains("stays in the tree") }
    #expect(said.map { $0.drop { $0 != "w" } } == doubt.said.map { $0.drop { $0 != "w" } })
  }

  @Test(arguments: [
    Doubt([("answered: dismiss", "answered: { reveal: home }"), ("#asking", "handle: { answered: { end: answered } }")]),
    Doubt([("answered: dismiss", "answered: { reveal: home }"), ("picked: [{ reveal: home }, ", "picked: [")]),
    Doubt([("answered: dismiss", "answered: { present: { flow: asking }, replace: true }"), ("picked: [{ reveal: home }, ", "picked: [")]),
    // The flow is also pushed, so Back removes it.
    Doubt([("answered: dismiss", "answered: { push: { flow: asking } }"), ("picked: [{ reveal: home }, ", "picked: [")]),
    Doubt([
      ("answered: dismiss", "answered: []"), ("picked: [{ reveal: home }, ", "picked: ["),
      ("form: { emits: [answered] }", "form: { emits: [] }"),
      ("#links", "- { scheme: demo, path: /x, send: answered }"),
    ]),
    // A flow above removes the node that presents the flow.
    Doubt([
      ("answered: dismiss", "answered: popToRoot"),
      ("#flows", "low: { stack: home, handle: { asked: { present: { flow: asking } } } }"),
      ("asked: { present: { flow: asking } }\n", "asked: { push: { flow: low } }\n"),
    ]),
  ]) func `a presented flow that can be closed causes no warning`(doubt: Doubt) {
    #expect(doubts(doubt.text) == doubt.said)
  }

  @Test(arguments: [
    Doubt(
      [("#screens", "lost:"), ("{ reveal: home }", "{ reveal: lost }")],
      "11:3: warning: the screen `lost` can never be shown: no flow creates it",
      "28:26: warning: `reveal` never finds `lost`: no flow creates it")
  ]) func `a target that never exists causes a warning`(doubt: Doubt) {
    #expect(doubts(doubt.text) == doubt.said)
  }

  @Test(arguments: ["popTo", "remove"]) func `popTo and remove of a screen that is never on a stack cause a warning`(word: String) {
    let doubt = Doubt([
      ("started: popToRoot", "started: [{ when: { fact: isKnown }, do: [] }, { do: [pop, { \(word): note }] }]"),
      ("#screens", "note: { emits: [] }"),
      ("asked: { present: { flow: asking } }", "asked: [{ present: { flow: asking } }, { present: note, replace: true }]"),
    ])
    // A `remove` also removes modals.
    let said = word == "popTo" ? ["27:75: warning: `popTo` never finds `note`: no flow puts it on a stack"] : []
    #expect(doubts(doubt.text) == said)
    #expect(doubts(doubt.text.replacing("present: note, replace: true", with: "push: note")) == [])
    #expect(doubts(doubt.text.replacing("\(word): note", with: "reveal: note")) == [])
  }

  @Test(arguments: ["popTo", "remove", "bring"]) func `the detail of a split that collapses lies on a stack`(word: String) {
    func app(_ collapse: String) -> String {
      """
      app: demo
      language: 1
      root: main
      facts: { isWide: { type: boolean, default: false, by: client } }
      screens: { list: { emits: [picked] }, nothing: , trip: { emits: [closed] } }
      flows:
        main:
          split: { master: list, detail: nothing }
          \(collapse)
          handle: { picked: { detail: trip }, closed: { \(word): trip } }
      """
    }
    #expect(doubts(app("collapse: { fact: isWide, is: false }")) == [])
    #expect(doubts(app("")).contains { $0.contains("`\(word)` never finds `trip`") })
  }

  @Test func `a link that an earlier link hides causes a warning`() {
    func links(_ links: String...) -> [String] {
      doubts(Doubt.base.replacing("#links", with: links.joined(separator: "\n  ")))
    }
    let fixed = "- { host: demo.example, path: /items/1, send: asked }"
    let shadowed = "22:33: warning: this link never matches: the link in line 21 matches all its URLs first"
    #expect(links(fixed) == [shadowed])
    #expect(links("- { host: demo.example, path: /items/1, query: [id], send: picked }") == [shadowed])
    #expect(links("- { host: [demo.example, other.example], path: /items/1, send: asked }") == [])
    #expect(links("- { host: demo.example, scheme: demo, path: /items/1, send: asked }") == [])
    #expect(links("- { host: demo.example, path: /items, send: asked }") == [])
    #expect(links("- { host: demo.example, path: /items/1/2, send: asked }") == [])
    #expect(links("- { host: demo.example, path: \"/{a}/{b}\", send: asked }") == [])
    #expect(
      links(
        "- { scheme: demo, path: \"/items/{id}\", send: picked }", "- { host: demo.example, scheme: demo, path: /items/1, send: asked }")
        == [
          "23:47: warning: this link never matches: the links in lines 21, 22 match all its URLs first"
        ])
  }

  @Test(
    arguments: [
      ("/a/../b", "no URL can match the segment `..`: URLs are normalized before they are compared with the path; write `/b`"),
      ("/./a/.", "no URL can match the segment `.`: URLs are normalized before they are compared with the path; write `/a`"),
      ("/..", "no URL can match the segment `..`: URLs are normalized before they are compared with the path; write `/`"),
      ("/caf%C3%A9/{id}", "no URL can match the segment `caf%C3%A9`: escapes are decoded before the path is compared; write `/café/{id}`"),
      ("/orders/:id", "a path does not support wildcards such as `:id`; write `/orders/{id}`"),
      ("/orders/:id(\\\\d+)", "a path does not support wildcards such as `:id(\\d+)`; write `/orders/{id}`"),
      ("/orders/:path*", "a path does not support wildcards such as `:path*`; write `/orders/{path...}`"),
      ("/orders/*path", "a path does not support wildcards such as `*path`; write `/orders/{path...}`"),
      ("/a/.*", "a path does not support wildcards such as `.*`; write `/a/{rest...}`"),
      ("/a/(.*)", "a path does not support wildcards such as `(.*)`; write `/a/{rest...}`"),
      ("/orders/<int:id>", "a path does not support wildcards such as `<int:id>`; write `/orders/{id}`"),
      ("/orders/<path:rest>", "a path does not support wildcards such as `<path:rest>`; write `/orders/{rest...}`"),
      ("/orders/[id]", "a path does not support wildcards such as `[id]`; write `/orders/{id}`"),
      ("/orders/[...rest]", "a path does not support wildcards such as `[...rest]`; write `/orders/{rest...}`"),
      ("/orders/[[...rest]]", "a path does not support wildcards such as `[[...rest]]`; write `/orders/{rest...}`"),
      ("/:a/:b", "a path does not support wildcards such as `:a`; write `/{a}/{b}`"),
      ("/a.b/...", nil),
      ("/50%/100%25off", "no URL can match the segment `100%25off`: escapes are decoded before the path is compared; write `/50%/100%off`"),
      ("/50%/a%zz", nil), ("/(a)/<b", nil), ("/:/[]", nil), ("/@name/~x", nil),
    ] as [(String, String?)])
  func `a path that no URL has, or that is another router's pattern, causes a warning with the right form`(path: String, said: String?) {
    let link = "- { host: other.example, path: \"\(path)\", send: asked }"
    #expect(doubts(Doubt.base.replacing("#links", with: link)) == (said.map { ["22:34: warning: \($0)"] } ?? []))
  }

  @Test(arguments: [
    ("all: [{ fact: isKnown, is: true }, { fact: isKnown, is: false }]", true),
    ("all: [{ fact: isKnown }, { all: [{ fact: isKnown, is: false }] }]", true),
    ("all: [{ fact: isKnown, is: absent }, { fact: isKnown }]", true),
    ("all: [{ fact: isKnown, is: present }, { fact: isKnown, is: absent }]", true),
    ("all: [{ fact: isKnown }, { not: { fact: isKnown } }]", true),
    ("any: [{ fact: isKnown }, { not: { fact: isKnown } }]", false),
    ("all: [{ fact: isKnown, is: present }, { fact: isKnown, is: false }]", false),
    ("all: [{ fact: isKnown, not: false }, { fact: isKnown, is: present }]", false),
    ("all: [{ fact: isKnown }, { fact: accessToken, is: absent }]", false),
    ("all: [{ fact: isKnown, in: [true] }, { fact: isKnown, is: false }]", true),
    ("all: [{ fact: isKnown, in: [true, false] }, { fact: isKnown, is: false }]", false),
    ("all: [{ fact: isKnown, in: [true] }, { fact: isKnown, is: absent }]", true),
  ]) func `a rule whose condition can never hold causes a warning`(condition: String, isImpossible: Bool) {
    let message = "18:13: warning: this rule never sends its step: its tests of `isKnown` contradict each other"
    #expect(doubts(Doubt.base.replacing("fact: isKnown }, send", with: "\(condition) }, send")) == (isImpossible ? [message] : []))
  }

  @Test(arguments: [
    ("#rules", "- { when: { fact: more }, send: started }"), ("started: popToRoot", "started: { write: { more: true } }"),
    ("started: popToRoot", "started: { write: { more: null } }"), ("started: popToRoot", "started: [{ when: { fact: more }, do: pop }]"),
    ("started: popToRoot", "started: { content: { x: $fact.more } }"),
    ("started: popToRoot", "started: { load: { value: { x: [$fact.more] } } }"),
    ("stack: home", "stack: { screen: home, content: $fact.more }"),
    ("send: picked }", "send: picked, requires: { fact: more } }"),
    ("#asking", "adapt: { answered: [{ when: { not: { fact: more } }, to: asked }] }"),
  ]) func `a fact that is used causes no warning`(part: String, use: String) {
    let text = Doubt.base.replacing("default: false }", with: "default: false }, more: { type: boolean, default: false }")
    #expect(doubts(text) == ["6:54: warning: the fact `more` is never used"])
    #expect(doubts(text.replacing(part, with: use)) == [])
  }

  @Test func `a set that is used causes no warning`() {
    let text = Doubt.base.replacing("few: [1, 2] }", with: "few: [1, 2], more: [3] }")
    #expect(doubts(text) == ["5:22: warning: the set `more` is never used"])
    #expect(doubts(text.replacing("picked: { id: integer }", with: "picked: { id: { type: integer, in: more } }")) == [])
    #expect(
      doubts(text.replacing("{ type: boolean, default: false }", with: "{ type: boolean, default: false }, n: { type: integer, in: more }"))
        .count == 1)
    let given = doubts(text.replacing("#asking", with: "gives: { id: { type: integer, in: more } }"))
    #expect(!given.contains { $0.contains("the set") })
  }

  @Test func `a param that a link cannot fill and an unknown timer are errors`() {
    #expect(
      doubts(Doubt.base.replacing("/items/{id}", with: "/items/{it}")) == [
        "21:54: error: the step `picked` requires `id: integer` in `with`"
      ]
    )
    #expect(
      doubts(Doubt.base.replacing("popToRoot", with: "{ cancel: nap }")) == [
        "27:26: error: there is no timer named `nap`; use `all`, or give a timer this name"
      ])
  }

  /// The first column of the table on the page, as regular expressions. A word in capitals stands for a name. The page omits the backticks of the
  /// messages.
  private static let patterns: [String] = {
    let lines =
      DocumentTests.text(of: "reference.md").components(separatedBy: "## Warnings").last?.components(separatedBy: "\n## ").first ?? ""
    return lines.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
      line.dropFirst(2).prefix { $0 != "|" }.components(separatedBy: ", ").map {
        "^" + $0.trimmingCharacters(in: ["`", " "]).replacing(/\b[SFP]\b/, with: "[a-z]+")
      }
    }
  }()

  @Test(arguments: [
    ("{ fact: away, over: 5m }, { fact: away, under: 3m }", true), ("{ fact: away, over: 3m }, { fact: away, under: 5m }", false),
    ("{ fact: away, over: 3m }, { fact: away, is: 180000 }", true), ("{ fact: away, over: 3m }, { fact: away, in: [1, 200000] }", false),
    ("{ fact: away, under: 3m }, { fact: away, is: absent }", true),
    ("{ fact: appState, in: [background] }, { fact: away, over: 1 }", false),
  ]) func `a rule on numbers that can never hold causes a warning`(conditions: String, isImpossible: Bool) {
    let said = doubts(Doubt.base.replacing("fact: isKnown }, send", with: "all: [{ fact: isKnown }, \(conditions)] }, send"))
    #expect(said == (isImpossible ? ["18:13: warning: this rule never sends its step: its tests of `away` contradict each other"] : []))
  }

  @Test(arguments: [
    // The step is only in `emits` of a flow. In the last row, a condition uses the set.
    Doubt([
      ("#steps", "extra:"), ("#main", "extra: []"),
      ("stack: form", "emits: [extra]\n    stack: form"),
    ]),
    Doubt([
      ("emits: [answered]", "emits: []"), ("stack: form", "emits: [answered]\n    stack: form"),
    ]),
    Doubt([
      ("emits: [answered]", "emits: []"), ("stack: home", "emits: [answered]\n    stack: home"),
    ]),
    Doubt([("{ few: [1, 2] }", "{ few: [1, 2], more: [true] }"), ("{ fact: isKnown }, send", "{ fact: isKnown, in: more }, send")]),
  ]) func `a step in emits of a flow counts as sent, and a set in a condition as used`(doubt: Doubt) {
    #expect(doubts(doubt.text) == doubt.said)
  }

  /// An app whose flow `part` has `finish`.
  private static func finishing(in main: String, _ opened: String) -> String {
    """
    app: part
    language: 1
    root: main
    screens: { home: { emits: [opened] }, form: { emits: [done] } }
    flows:
      main: { \(main), handle: { opened: \(opened), answered: { push: home } } }
      part: { stack: form, gives: { id: integer }, handle: { done: { finish: { id: 1 } } } }
    """
  }

  @Test(arguments: [
    ("tabs: [part]", "[]", true), ("stack: part", "popToRoot", true), ("stack: home", "{ push: part }", false),
    ("tabs: [home, part]", "{ present: part }", false), ("tabs: [home, { flow: part, then: { step: answered } }]", "[]", false),
    ("stack: home", "{ set: [part, home] }", false),
  ]) func `a flow that ends where nothing can remove it causes a warning`(main: String, opened: String, isStuck: Bool) {
    let found = doubts(Self.finishing(in: main, opened)).filter { $0.contains("`finish` cannot remove the flow `part`") }
    #expect(
      found
        == (isStuck
          ? [
            "7:74: warning: `finish` cannot remove the flow `part`, which is in a tab or at the bottom wherever it is created, so its screens stay "
              + "and send no steps; push or present it, or add `then` where it is created"
          ] : []))
  }

  @Test func `the page lists every warning and no other`() throws {
    let texts = [
      ("#steps", "extra:"), ("start: started", "start: [started, asked]"), ("#screens", "lost:"),
      ("answered: dismiss", "answered: []"),
      ("{ reveal: home }", "{ reveal: lost }"), ("started: popToRoot", "started: [{ popTo: lost }, { remove: lost }]"),
      (
        "#links",
        """
        - { host: demo.example, path: /items/1, send: asked, holdFor: 5h, else: asked }
          - { host: demo.example, path: "/a%20b", send: asked }
          - { host: demo.example, path: "/:id", send: asked }
        """
      ),
      ("flows:", "linkDefaults: { holdAtMost: 2 }\nnotifications: { take: [{ link: \"x://y\" }, { link: \"x://y\" }] }\nflows:"),
      (
        "#flows",
        """
        side: { stack: [] }
          over: { stack: form, gives: { id: integer }, handle: { over: { end: over } } }
          taps: { tabs: [form], reselect: popToRoot, handle: { heard: { present: { screen: form, guard: true } } } }
        """
      ),
      ("#rules", "- { when: { all: [{ fact: isKnown, is: present }, { fact: isKnown, is: absent }] }, send: started }"),
      ("- { when: { fact: isKnown }, send: started }", "- { when: { fact: isKnown }, send: answered, to: side }"),
      ("{ few: [1, 2] }", "{ few: [1, 2], more: [3] }"), ("facts: {", "loadDefaults: { unauthorized: started }\nfacts: { more: string,"),
      (
        "#main",
        "heard: { push: { flow: over } }\n      over: []\n      mine: { send: mine }\n      locked: [{ present: form, level: 9, style: fullScreen }, { dismiss: lost }]"
      ),
      ("#asking", "adapt: { answered: [{ when: { fact: isKnown }, to: sent }] }"),
    ]
    let text = ([("asked:\n  #steps", "asked:\n  heard:\n  over:\n  sent:\n  locked:\n  mine:\n  #steps")] + texts).reduce(Doubt.base) {
      $0.replacing($1.0, with: $1.1)
    }
    let probed = [
      ("picked: { id: integer }", "picked: { id: optional integer }"), ("facts: { ", "facts: { few: integer, "),
      ("#screens", "note: { emits: [] }"),
      ("asked: { present: { flow: asking } }", "asked: [{ push: { flow: bar } }, { present: { flow: bar } }]"),
      (
        "#flows",
        """
        bar:
            tabs: [form]
            handle:
              answered: [{ when: { content: error, is: late }, do: { push: detail, with: { id: $fact.few } } }]
              asked: [{ replace: detail, with: { id: $content.row } }, { present: note, style: alert }]
              picked: { content: { error: late } }
        """
      ), ("answered: dismiss", "answered: []"), ("started: popToRoot", "started: []"), ("{ reveal: home }, ", ""),
    ].reduce(Doubt.base) { $0.replacing($1.0, with: $1.1) }
    let started = """
      app: started
      language: 1
      root: { flow: main }
      screens: { home: { emits: [go, shut] }, note: { emits: [go, shut] }, ask: { emits: [go, shut] } }
      flows:
        main: { tabs: [{ flow: one, start: begun, content: { n: 0 } }, { flow: one, start: begun }] }
        one:
          stack: home
          handle:
            begun: { content: { n: 1 }, of: one }
            go: [{ content: { m: { add: 1 } }, of: home }, { load: { value: 1, then: loaded }, of: flow }]
            loaded: [{ load: { value: 1, then: loaded } }, { timer: { after: 1m, send: due }, of: flow }]
            due: { present: note, level: 3 }
            shut: [{ dismiss: note }, { dismiss: ask }, { present: ask, level: 3 }]
      """
    let unanswered = ["[]", "pop", "proceed"].flatMap {
      doubts(Self.asking(answer: $0).replacing("push: wall", with: $0 == "proceed" ? "present: wall, level: 5" : "push: wall"))
    }
    let overlay = doubts(Self.gated("requires: { fact: isOpen }").replacing("present: home", with: "overlay: home, slot: top"))
    let gates = ["fact: isOpen }", "fact: fixed }, else: shown", "fact: isOpen }, else: asked"].flatMap {
      doubts(Self.gated("requires: { \($0)", ""))
    }
    let silent = doubts(Self.gated("requires: { fact: isOpen }, else: shown").replacing("shown: { present: home }", with: "shown: []"))
    let covers =
      doubts(Self.again("{ push: hint }"))
      + doubts(Self.under("{ present: sheet }, { push: page }", "links: [{ scheme: r, path: /news, send: linked, to: main }]"))
    let messages =
      (doubts(text) + doubts(probed) + doubts(started) + doubts(Self.creatingItself) + unanswered + gates + overlay + silent + covers
      + doubts(Self.nowhere.text) + doubts(Self.lock("")) + doubts(Self.club) + doubts(Self.adding)
      + doubts(`Warnings about lost results`.app()) + doubts(`Warnings about levels of user and office`.app())
      + doubts(Self.finishing(in: "tabs: [part]", "[]"))).compactMap {
        $0.components(separatedBy: "warning: ").last?.replacing("`", with: "")
      }
    var used: Set<String> = []
    for message in messages {
      let pattern = try LintTests.patterns.first { message.contains(try Regex($0)) }
      #expect(pattern != nil, "\(message)")
      if let pattern { used.insert(pattern) }
    }
    #expect(LintTests.patterns.filter { !used.contains($0) } == [])
    #expect(LintTests.patterns.count == 60)
  }
}

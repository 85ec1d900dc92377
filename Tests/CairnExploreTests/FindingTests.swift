import CairnCore
import CairnExplore
import Testing

/// Each kind of finding, with an app that has the fault and one that does not.
@Suite struct `Kinds of findings` {
  /// An app with a stack and these handlers. Screens without members emit `emitted`; the other handled steps are internal.
  private func app(
    _ handle: String, screens: String = "home: , page: ", emitted: String = "go, back", steps: String = "", more: String = ""
  ) -> String {
    let screens = screens.replacing(/(\w+): (?=,|$)/) { "\($0.1): { emits: [\(emitted)] }" }
    return """
      app: trial
      language: 1
      root: { flow: main }
      screens: { \(screens) }
      steps: { \(steps) }
      flows: { main: { stack: home, handle: { \(handle) } } }
      \(more)
      """
  }

  private func expect(_ finding: String, in faulty: String, notIn mended: String, claims: String? = nil) throws {
    let trial = try Trial(faulty, claims: claims)
    #expect(trial.told.contains(finding), "\(trial.told)")
    try trial.play(trial.found.findings.compactMap(\.scenario))
    let other = try Trial(mended, claims: claims)
    #expect(!other.told.contains(finding), "\(other.told)")
  }

  @Test func `a state that no action leaves is dead`() throws {
    let screens = "home: , page: { emits: [] }"
    try expect(
      "dead: no action on page makes progress", in: app("go: { set: [page] }, back: []", screens: screens),
      notIn: app("go: { push: page }, back: []", screens: screens))
  }

  @Test func `a timer leaves a state if no user action is possible`() throws {
    let screens = "home: { emits: [go] }, page: { emits: [] }"
    try expect(
      "dead: no action on page makes progress",
      in: app("go: { set: [page] }, due: { set: [home] }", screens: screens),
      notIn: app("go: [{ set: [page] }, { timer: { after: 5s, send: due }, of: flow }], due: { set: [home] }", screens: screens))
  }

  @Test func `a link that shows a screen leaves a state`() throws {
    let screens = "home: { emits: [go] }, page: { emits: [] }"
    let handle = "go: { set: [page] }, back: { set: [home] }"
    let links = { (step: String) in "links: [{ scheme: trial, path: /x, send: \(step) }]" }
    try expect(
      "dead: no action on page makes progress", in: app(handle, screens: screens, more: links("go")),
      notIn: app(handle, screens: screens, more: links("back")))
  }

  @Test func `a screen that is never shown is unreached`() throws {
    try expect(
      "unreached: the screen page is never shown", in: app("go: [], back: pop"), notIn: app("go: { push: page }, back: pop"))
  }

  @Test func `a handler whose step can never be sent is unreached`() throws {
    try expect(
      "unreached: the handler main back never runs",
      in: app("go: { push: page }, back: pop", screens: "home: { emits: [go] }, page: { emits: [go] }"),
      notIn: app("go: { push: page }, back: pop", screens: "home: { emits: [go] }, page: { emits: [back] }"))
  }

  @Test func `a branch after one that always holds is unreached, and the path of the finding leads to the earlier one`() throws {
    let fault = app("go: [{ when: { any: [{ visible: page }, { not: { visible: page } }] }, do: { push: page } }, { do: [] }], back: pop")
    let finding = "unreached: main go, branch 2 never runs"
    try expect(finding, in: fault, notIn: app("go: [{ when: { not: { visible: page } }, do: { push: page } }, { do: [] }], back: pop"))
    #expect(try Trial(fault).way(to: finding).contains("- when: { step: go }\n      then: { tree: \"main[home, page]\" }"))
  }

  @Test func `a link after one that accepts all its URLs is unreached`() throws {
    let links = { (first: String, second: String) in
      """
      links:
        - { scheme: trial, path: \(first), send: go }
        - { scheme: trial, path: \(second), send: back }
      """
    }
    try expect(
      "unreached: the link /page is never followed", in: app("go: [], back: []", more: links("\"/{path...}\"", "/page")),
      notIn: app("go: [], back: []", more: links("/page", "\"/{path...}\"")))
  }

  @Test func `a link whose page is always covered is unseen`() throws {
    func text(_ more: String) -> String {
      app(
        "go: { present: wall\(more) }, push: { push: page }, back: []", screens: "home: , page: , wall: ", emitted: "back",
        more: "links: [{ scheme: trial, path: /x, send: push }]"
      ).replacing("{ flow: main }", with: "{ flow: main, start: go }")
    }
    let finding = "unseen: the page of the link /x is never seen, because something always covers it"
    try expect(finding, in: text(", level: 5, guard: true"), notIn: text(", level: 5"))
    try expect(finding, in: text(", level: 5, guard: true"), notIn: text(""))
  }

  @Test func `an overlay that nothing closes is kept, and its own step may close it`() throws {
    func text(_ overlay: String, _ closed: String = "[]") -> String {
      """
      app: trial
      language: 1
      root: main
      screens: { home: { emits: [go] }, banner: { emits: [closed] } }
      flows: { main: { stack: home, handle: { go: { overlay: banner, slot: top\(overlay) }, closed: \(closed) } } }
      """
    }
    let finding = "kept: no action removes banner"
    try expect(finding, in: text(""), notIn: text(", for: 8s"))
    try expect(finding, in: text(""), notIn: text("", "dismiss"))
  }

  @Test func `a user can close an overlay by a gesture`() throws {
    let app = """
      app: trial
      language: 1
      root: main
      screens: { home: { emits: [go] }, banner: , thanks: }
      flows: { main: { stack: home, handle: { go: { overlay: banner, slot: top, removed: gone }, gone: { push: thanks } } } }
      """
    let told = try Trial(app).told
    #expect(!told.contains { $0.contains("thanks") })
    // The finding is reported although a gesture removes the banner, because a page need not offer the gesture.
    #expect(told.contains("kept: no action removes banner"))
  }

  @Test func `a held link whose condition never holds is unresumed`() throws {
    func text(_ step: String) -> String {
      app(
        "go: { push: page }, back: [], write: { write: { isIn: \(step) } }", emitted: "go, back, write",
        more: """
          facts: { isIn: { type: boolean, default: false } }
          links: [{ scheme: trial, path: /x, requires: { fact: isIn }, send: go }]
          """)
    }
    let finding = "unresumed: the link /x is held but never followed"
    try expect(finding, in: text("false"), notIn: text("true"))
    #expect(try Trial(text("false")).way(to: finding).contains("{ open: "))
  }

  @Test func `a timer that pushes repeatedly grows the stack, and a single push does not`() throws {
    func text(_ handler: String) -> String {
      """
      app: trial
      language: 1
      compat: { words: [listen] }
      root: { flow: main }
      screens: { home: , page: }
      steps: { due: }
      flows:
        main:
          stack: { screen: home, listen: { hidden: true }, timer: { every: 1s, send: due } }
          handle: { due: \(handler) }
      """
    }
    try expect(
      "growth: main due keeps adding nodes without any input", in: text("{ push: page }"),
      notIn: text("[{ when: { not: { visible: page } }, do: { push: page } }, { do: [] }]"))
  }

  @Test func `a stack that only the user grows is not reported as growth`() throws {
    #expect(try !Trial(app("go: { push: page }, back: []")).told.contains { $0.hasPrefix("growth") })
  }

  @Test func `steps that send each other form a loop`() throws {
    try expect(
      "step-loop: main back leads to steps that send each other without end",
      in: app("go: { send: back }, back: { send: go }", emitted: "go"),
      notIn: app("go: { send: back }, back: { push: page }", emitted: "go"))
  }

  @Test func `a step without a handler is dropped, unless the app intends it`() throws {
    let text = app("go: { send: note, to: current }, back: []", steps: "note: ")
    try expect("dropped: the step note is dropped: not-handled", in: text, notIn: text + "\ncompat: { unhandled: drop }")
  }

  @Test func `a step that is dropped at the start has the start as its path`() throws {
    let text = app("go: [], back: []", steps: "begun: ")
      .replacing("root: { flow: main }", with: "root: { flow: main, start: begun }")
    let trial = try Trial(text)
    let finding = "dropped: the step begun is dropped: not-handled"
    #expect(try trial.way(to: finding).contains("  steps:\n    - then: { tree: \"main[home]\" }"))
  }

  @Test func `a step in accepts that is rejected is a finding`() throws {
    try expect(
      "refused: main go is in accepts, but is refused: screen-not-found", in: app("go: { reveal: page }, back: []"),
      notIn: app("go: { push: page }, back: []"))
  }

  @Test func `a flow with a guard that never ends is kept`() throws {
    func text(_ left: String) -> String {
      """
      app: trial
      language: 1
      compat: { words: [end] }
      root: { flow: main }
      screens: { home: { emits: [go] }, page: { emits: [left] } }
      steps: { go: , asked: , left: , over: }
      flows:
        main: { stack: home, handle: { go: { present: { flow: form, guard: asked } }, over: { dismiss: form } } }
        form: { stack: page, handle: { asked: [], left: \(left) } }
      """
    }
    try expect("kept: no action removes form", in: text("[]"), notIn: text("{ end: over }"))
  }

  @Test func `a guarded gesture in accepts is no finding`() throws {
    let trial = try Trial(
      """
      app: trial
      language: 1
      root: { flow: main }
      screens: { home: { emits: [go] }, page: { emits: [back] } }
      steps: { go: , back: }
      flows: { main: { stack: home, handle: { go: { push: { screen: page, guard: true } }, back: { set: [home] } } } }
      """)
    #expect(!trial.told.contains { $0.hasPrefix("refused") }, "\(trial.told)")
  }

  @Test func `a claim about all states is reported with the first state that breaks it`() throws {
    let claims = "- { name: no page, always: { then: { not: { visible: page } } } }"
    let faulty = app("go: { push: page }, back: pop")
    try expect("claim: the claim is not always true: no page", in: faulty, notIn: app("go: [], back: pop"), claims: claims)
    let way = try Trial(faulty, claims: claims).way(to: "claim: the claim is not always true: no page")
    #expect(way.contains("  steps:\n    - when: { step: go }\n      then: { tree: \"main[home, page]\" }"))
  }

  @Test func `a reachability claim counts actions of the user, and not links`() throws {
    let claims = "- { name: home, reachable: { from: { visible: page }, to: { visible: home } } }"
    let screens = "home: { emits: [go] }, page: { emits: [back] }"
    let link = "links: [{ scheme: trial, path: /x, send: home }]"
    let handle = { (back: String) in "go: { set: [page] }, back: \(back), home: { set: [home] }" }
    try expect(
      "claim: no state that satisfies the claim's `to` can be reached from the end of this scenario: home",
      in: app(handle("[]"), screens: screens, more: link),
      notIn: app(handle("{ set: [home] }"), screens: screens, more: link), claims: claims)
  }

  @Test func `each finding is reported once, with its shortest path`() throws {
    let trial = try Trial(app("go: { push: page }, back: { reveal: nothing }", screens: "home: , page: , nothing: { emits: [] }"))
    let refused = trial.found.findings.filter { $0.kind == .refused }
    #expect(refused.count == 1)
    #expect(refused.first?.scenario?.contains("  steps:\n    - when: { step: back }\n      then: { refused: screen-not-found }") == true)
  }

  @Test func `findings are ordered by kind`() throws {
    let trial = try Trial(
      app(
        "go: { send: note, to: current }, back: { set: [end] }", screens: "home: , page: , end: { emits: [] }",
        steps: "note: "))
    #expect(
      trial.told == [
        "dead: no action on end makes progress", "unreached: the screen page is never shown",
        "dropped: the step note is dropped: not-handled",
      ])
  }
}

import CairnDefinition
import Testing

/// The messages of `cairn check` for whole small apps.
@Suite struct `Warnings and errors of whole apps` {
  /// The messages without their positions.
  private func said(_ text: String) -> [String] { doubts(text).map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" } }

  @Test func `a load that restarts itself without a pause causes a warning`() {
    func app(_ load: String) -> String {
      """
      app: again
      language: 1
      root: { flow: main }
      screens: { home: {} }
      steps: { go: , loaded: }
      flows:
        main:
          stack: home
          handle:
            go: { load: { value: 1, then: loaded } }
            loaded: \(load)
      compat: { emits: any }
      """
    }
    #expect(
      said(app("{ load: { value: 1, then: loaded } }")) == [
        "warning: the load that `main` starts at `loaded` restarts itself without a delay, by the step `loaded`. It therefore counts as a timer of 100ms; "
          + "add `delay`, or start it elsewhere"
      ])
    #expect(said(app("{ load: { value: 1, delay: 100ms, then: loaded } }")) == [])
    #expect(said(app("[]")) == [])
  }

  @Test func `a push in a split with an empty master causes a warning`() {
    let app = """
      app: panes
      language: 1
      root: { flow: main }
      screens: { a: , b: }
      steps: { open: , more: }
      flows: { main: { split: [], handle: { open: { detail: a }, more: { push: b } } } }
      compat: { emits: any }
      """
    #expect(said(app) == ["warning: `push` finds no stack: `main` has none, and no stack contains it at the app's root"])
    #expect(said(app.replacing("open: { detail: a }", with: "open: { set: { master: [a], detail: a } }")) == [])
  }

  /// A root flow with three tabs. Two of them are the flow `one`, which has these handlers.
  private func tabs(_ handlers: String, content: String = "") -> String {
    """
    app: counters
    language: 1
    root: { flow: main }
    screens: { home: { emits: [go] }, page: { emits: [] } }
    steps: { go: , begun: , told: }
    flows:
      main: { tabs: [{ flow: one, start: begun\(content) }, { flow: one, start: begun }, page], handle: { go: { send: told, to: all } } }
      one:
        stack: home
        handle:
    \(handlers)
    """
  }

  @Test(arguments: ["begun", "told"])
  func `the name of a flow in its own handler causes a warning if it may mean another instance`(step: String) {
    let other = step == "begun" ? "told" : "begun"
    let why = step == "begun" ? "starts the flow" : "is sent to all flows"
    let text = tabs("      \(step): { content: { n: 1 }, of: one }\n      \(other): []")
    #expect(
      said(text) == [
        "warning: `of: one` applies to the flow `one` nearest to the front, which is not always the one that handles `\(step)`, because that step \(why)"
      ])
    // After this change, the flow has only one instance.
    #expect(said(text.replacing(", { flow: one, start: begun }, page]", with: ", page]")) == [])
  }

  @Test func `add to content that nothing creates causes a warning`() {
    let text = tabs("      begun: []\n      told: { content: { n: { add: 1 } }, of: home }")
    #expect(
      said(text) == [
        "warning: `add` has no effect: it needs existing content, but nothing creates any; create the node with `content: {}`"
      ])
    #expect(said(text.replacing("stack: home", with: "stack: { screen: home, content: {} }")) == [])
    #expect(said(text.replacing("begun: []", with: "begun: { content: { n: 0 }, of: home }")) == [])
  }

  @Test func `a load that replaces the content of a flow causes a warning`() {
    let text = tabs("      begun: []\n      told: { load: { value: 1 }, of: flow }", content: ", content: { n: 0 }")
    #expect(said(text) == ["warning: the load replaces all content of the flow `one`, including its initial content"])
    #expect(said(text.replacing(", content: { n: 0 }", with: "")) == [])
  }

  @Test func `an end whose receiver dismisses another instance of the flow causes a warning`() {
    func app(_ handler: String) -> String {
      """
      app: instances
      language: 1
      root: { flow: main }
      screens: { home: { emits: [push, show] }, page: { emits: [close] } }
      steps: { push: , show: , close: , closed: }
      flows:
        main:
          stack: home
          handle: { push: { push: { flow: area } }, show: { present: { flow: area } }, closed: \(handler) }
        area: { stack: page, handle: { close: { end: closed } } }
      compat: { words: [end, show] }
      """
    }
    let warning =
      "warning: the flow `area` stays in the tree after its end: `main`, which creates it, does not remove it at `closed`, and an ended flow receives no steps"
    #expect(said(app("dismiss")) == [warning])
    #expect(said(app("pop")) == [])
    #expect(said(app("[{ when: { visible: page }, do: pop }, { do: dismiss }]")) == [])
    #expect(said(app("dismiss").replacing("push: { push: { flow: area } }", with: "push: { present: { flow: area } }")) == [])
    #expect(
      said(app("{ dismiss: other }").replacing("flows:", with: "flows:\n  other: { stack: home }")).contains(warning))
  }

  @Test func `a flow on a level that closes itself with give causes no warning`() {
    func app(_ handler: String) -> String {
      """
      app: levels
      language: 1
      root: { flow: main }
      screens: { home: { emits: [ask] }, question: { emits: [answer] } }
      steps: { ask: , answer: , given: }
      flows:
        main:
          stack: home
          handle: { ask: { present: { flow: asking, then: given }, level: 5 }, given: [] }
        asking: { stack: question, gives: {}, handle: { answer: \(handler) } }
      """
    }
    #expect(said(app("finish")) == [])
    #expect(
      said(app("[]")).contains(
        "warning: `asking` is never dismissed from level 5: `main`, which presents it, neither dismisses it nor ends"))
  }

  @Test func `the condition requires of a link cannot read captures`() {
    let text = """
      app: waits
      language: 1
      root: { flow: main }
      screens: { home: {} }
      steps: { go: { id: string } }
      links: [{ scheme: x, path: "/{id}", send: go, requires: { param: id, is: 7 } }]
      flows: { main: { stack: home, handle: { go: [] } } }
      compat: { emits: any }
      """
    #expect(said(text) == ["error: there is no param `id`: `requires` can test facts and flows, but not the link's params"])
  }

  @Test func `an alias without an anchor is reported by name`() {
    #expect(
      doubts("app: a\nflows: { main: *nothing }\n") == ["2:16: error: not YAML: the alias `*nothing` has no anchor `&nothing` before it"])
    #expect(doubts("app: *a\n") == ["1:6: error: not YAML: the alias `*a` has no anchor `&a` before it"])
  }

  @Test func `a param in the content path of a condition must be declared`() {
    func app(_ path: String) -> String {
      """
      app: rows
      language: 1
      root: { flow: main }
      screens: { home: {}, page: { emits: [] } }
      steps: { pick: { id: integer } }
      flows:
        main:
          stack: { screen: home, content: { rows: { 7: true } } }
          handle:
            pick: [{ when: { content: \(path), is: present }, do: { push: page } }]
      compat: { emits: any }
      """
    }
    #expect(said(app("rows.$id")) == [])
    #expect(said(app("rows.$ib")) == ["error: there is no param `ib`; did you mean `id`?"])
  }

  @Test func `a modal that a timer presents on a level that may be taken causes a warning`() {
    func app(_ notice: String, step: String = "noticeIsDue", more: String = "") -> String {
      """
      app: levels
      language: 1
      root: { flow: main }
      screens: { home: { emits: [wait, ask] }, question: { emits: [done] }, notice: { emits: [done] } }
      steps: { wait: , ask: , noticeIsDue: , shown: , done: }
      flows:
        main:
          stack: home
          handle:
            wait: { timer: { after: 15m, send: noticeIsDue }, of: flow }
            ask: { present: question, level: 4 }
            \(step): \(notice)
            \(more)
            done: dismiss
      """
    }
    func warning(_ step: String) -> [String] {
      [
        "warning: `notice` is lost if `question` is on level 4 when the timer sends `\(step)`, because the timer sends it only once; add `queue: true` or `replace: true`"
      ]
    }
    func lost(_ text: String) -> [String] { said(text).filter { $0.contains("is lost") } }
    #expect(lost(app("{ present: notice, level: 4 }")) == warning("noticeIsDue"))
    #expect(lost(app("{ present: notice, level: 4, queue: true }")) == [])
    #expect(lost(app("{ present: notice, level: 4, replace: true }")) == [])
    #expect(lost(app("{ present: notice, level: 5 }")) == [])
    #expect(lost(app("{ present: question, level: 4 }")) == [])
    // The handler of the timer's step may send another step.
    #expect(
      lost(app("{ present: notice, level: 4 }", step: "shown", more: "noticeIsDue: { send: shown }"))
        == warning("shown"))
    // A condition on the other modal proves that the definition handles this case.
    #expect(lost(app("[{ when: { screen: question }, do: [] }, { do: { present: notice, level: 4 } }]")) == [])
    // Only the user sends this step, and sees that nothing happens.
    #expect(lost(app("[]", more: "shown: { present: notice, level: 4 }")) == [])
  }

  @Test func `a name with the question mark of a type, and a split without its second pane, name the remedy`() {
    func app(_ handler: String) -> String {
      """
      app: marks
      language: 1
      root: { flow: main }
      screens: { home: , page: { params: { id: string } } }
      steps: { go: { value: optional string } }
      flows: { main: { split: { master: [home], detail: home }, handle: { go: \(handler) } } }
      compat: { emits: any }
      """
    }
    let mark = "error: there is no param `value?`: write `value`"
    #expect(said(app("[{ when: { param: value?, is: a }, do: pop }]")) == [mark])
    #expect(said(app("{ push: page, with: { id: $value? } }")) == [mark])
    let pane = "error: `split` needs `detail`, the screen or flow that is shown before a selection, like `detail: empty`"
    #expect(said(app("pop").replacing(", detail: home", with: "")) == [pane])
  }
}

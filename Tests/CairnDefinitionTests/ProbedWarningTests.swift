import CairnDefinition
import Testing

/// Warnings about mistakes that become visible only at run time, and the most similar definitions without a mistake.
@Suite struct `Warnings about behaviour at run time` {
  private func warnings(_ changes: (String, String)..., about word: String) -> [String] {
    doubts(Doubt(changes).text).filter { $0.contains(word) }
  }

  @Test func `an end whose step is handled without removing the flow causes a warning`() {
    let ends = ("#asking", "handle: { answered: { end: answered } }")
    let message =
      "34:32: warning: the flow `asking` stays in the tree after its end: `main`, which creates it, does not remove it at `answered`, "
      + "and an ended flow receives no steps"
    // Rules do not read the facts that the handler writes.
    #expect(
      warnings(
        ends, ("answered: dismiss", "answered: { write: { name: x } }"), ("facts: { ", "facts: { name: string, "),
        about: "stays in the tree")
        == [message])
    #expect(warnings(ends, ("answered: dismiss", "answered: { write: { isKnown: true } }"), about: "stays in the tree") == [])
    // A dismiss removes a presented node, and not a pushed one.
    let pushed = ("asked: { present: { flow: asking } }", "asked: { push: { flow: asking } }")
    #expect(warnings(ends, pushed, about: "stays in the tree") == [message])
    #expect(warnings(ends, pushed, ("answered: dismiss", "answered: pop"), about: "stays in the tree") == [])
    // The first flow that handles the step decides, whatever the flows above do.
    let low = (
      "#flows", "low: { stack: home, handle: { asked: { present: { flow: asking } }, answered: [] } }"
    )
    let lower = ("asked: { present: { flow: asking } }\n", "asked: { push: { flow: low } }\n")
    #expect(warnings(ends, low, lower, about: "stays in the tree") == [message.replacing("`main`,", with: "`low`,")])
    #expect(warnings(ends, (low.0, low.1.replacing("answered: []", with: "picked: []")), lower, about: "stays in the tree") == [])
  }

  @Test func `a push without a stack causes a warning`() {
    let tabs = ("#flows", "bar: { tabs: [form], handle: { answered: { push: home } } }")
    let presented = ("asked: { present: { flow: asking } }", "asked: [{ present: { flow: bar } }, { push: { flow: asking } }]")
    #expect(
      warnings(tabs, presented, about: "no stack") == [
        "35:52: warning: `push` finds no stack: `bar` has none, and no stack contains it where `main` presents it"
      ])
    #expect(
      warnings(tabs, ("asked: { present", "asked: { push"), ("{ flow: asking } }", "{ flow: bar } }"), about: "no stack") == [])
    let revealed = (tabs.0, tabs.1.replacing("{ push: home }", with: "[{ reveal: home }, { push: home }]"))
    #expect(warnings(revealed, presented, about: "no stack") == [])
    // A tab inside has no stack either, unless it is a stack itself.
    let deep = (
      "#flows",
      "bar: { tabs: [{ flow: one }] }\n  one: { screen: form, handle: { answered: { push: home } } }"
    )
    #expect(
      warnings(deep, presented, about: "no stack") == [
        "36:52: warning: `push` finds no stack: `one` has none, and no stack contains it where `main` presents `bar`"
      ])
    let stacked = (deep.0, deep.1.replacing("screen: form", with: "stack: form"))
    #expect(warnings(stacked, presented, about: "no stack") == [])
    let root = ("    stack: home\n    handle:", "    tabs: [home]\n    handle:")
    #expect(warnings(root, about: "no stack").isEmpty)
    #expect(
      warnings(root, ("picked: [{ reveal: home }, ", "picked: ["), about: "no stack") == [
        "28:24: warning: `push` finds no stack: `main` has none, and no stack contains it at the app's root"
      ])
  }

  @Test func `a value that may be missing where it is required causes a warning`() {
    let optional = ("picked: { id: integer }", "picked: { id: optional integer }")
    let message =
      "28:42: warning: the param `id` is optional and may be missing, but the screen `detail` requires `id`: test the value with `is: present` first"
    #expect(warnings(optional, about: "requires") == [message])
    func handler(_ text: String) -> (String, String) { ("[{ reveal: home }, { push: detail, with: { id: $id } }]", text) }
    let push = "{ push: detail, with: { id: $id } }"
    for near in [
      "[{ when: { param: id, is: present }, do: \(push) }]", "[{ when: { param: id, is: absent }, do: [] }, { do: \(push) }]",
      "[{ when: { all: [{ fact: isKnown }, { param: id, is: 1 }] }, do: \(push) }]",
      "[{ when: { not: { param: id, is: absent } }, do: \(push) }]",
    ] { #expect(warnings(optional, handler(near), about: "requires") == [], "\(near)") }
    #expect(
      warnings(optional, handler("[{ when: { any: [{ fact: isKnown }, { param: id, is: 1 }] }, do: \(push) }]"), about: "requires").count
        == 1)
    #expect(
      warnings(
        optional, ("detail: { params: { id: { type: integer, in: few } }", "detail: { params: { id: optional integer }"), about: "requires")
        == [])

    let fact = ("facts: { ", "facts: { few: integer, ")
    let given = handler("{ push: detail, with: { id: $fact.few } }")
    #expect(
      warnings(fact, given, about: "requires") == [
        "28:23: warning: the fact `few` may have no value, but the screen `detail` requires `id`: test the value with `is: present` first"
      ])
    #expect(warnings(("facts: { ", "facts: { few: { type: integer, default: 1 }, "), given, about: "requires") == [])
    #expect(warnings(("facts: { ", "facts: { few: { type: integer, env: FEW }, "), given, about: "requires") == [])
    #expect(warnings(fact, handler("[{ write: { few: 1 } }, { push: detail, with: { id: $fact.few } }]"), about: "requires") == [])
    #expect(
      warnings(
        fact, handler("[{ write: { few: 1 } }, { write: { few: null } }, { push: detail, with: { id: $fact.few } }]"), about: "requires"
      )
      .count == 1)

    let content = handler("{ push: detail, with: { id: $content.row } }")
    #expect(
      warnings(content, about: "requires") == [
        "28:23: warning: no operation or load writes the content `row`, but the screen `detail` requires `id`: test the value with `is: present` first"
      ])
    #expect(warnings(content, ("stack: home", "stack: { screen: home, content: { row: 1 } }"), about: "requires") == [])
    #expect(warnings(content, ("started: popToRoot", "started: { content: { row: 1 } }"), about: "requires") == [])
    #expect(
      warnings(
        content, ("started: popToRoot", "started: { load: { get: \"https://api.example/x\" } }"),
        ("app: demo", "app: demo\nhosts: [api.example]"), about: "requires")
        == [])
  }

  @Test func `a full screen modal that nothing closes causes a warning`() {
    let presented = ("asked: { present: { flow: asking } }", "asked: [{ push: { flow: asking } }, { present: note, style: fullScreen }]")
    let screen = ("#screens", "note: { emits: [] }")
    let mute = ("answered: dismiss", "answered: []")
    let still = ("started: popToRoot", "started: []")
    let calm = ("picked: [{ reveal: home }, ", "picked: [")
    let message =
      "the screen `note` is never dismissed: neither `main`, which presents it, nor a flow above it dismisses or removes anything"
    #expect(warnings(presented, screen, mute, still, calm, about: "screen `note`") == ["29:54: warning: \(message)"])
    #expect(warnings(presented, screen, still, calm, about: "screen `note`") == [])
    #expect(
      warnings((presented.0, presented.1.replacing("fullScreen", with: "sheet")), screen, mute, still, calm, about: "screen `note`") == [])
    // An alert closes when it sends a step.
    let alert = (presented.0, presented.1.replacing("fullScreen", with: "alert"))
    #expect(warnings(alert, screen, mute, still, calm, about: "screen `note`") == ["29:54: warning: \(message)"])
    #expect(warnings(alert, (screen.0, "note: { emits: [answered] }"), mute, still, calm, about: "screen `note`") == [])
  }

  @Test func `a condition on the member error of content causes a warning`() {
    let condition = ("started: popToRoot", "started: [{ when: { content: error, is: late }, do: [] }]")
    let message =
      "27:36: warning: `content: error` tests the error of a load, not the member `error` that this app writes; rename the app's member"
    #expect(warnings(condition, ("stack: home", "stack: { screen: home, content: { error: none } }"), about: "error` tests") == [message])
    #expect(warnings(condition, ("answered: dismiss", "answered: { content: { error: late } }"), about: "error` tests") == [message])
    #expect(warnings(condition, ("stack: home", "stack: { screen: home, content: { fault: none } }"), about: "error` tests") == [])
    #expect(warnings(condition, about: "error` tests") == [])
  }
}

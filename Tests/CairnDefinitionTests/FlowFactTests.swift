import CairnCore
import CairnTesting
import Testing

@testable import CairnDefinition

@Suite struct `Facts and params of flows in the language` {
  private static func text(_ flows: String, more: String = "") -> String {
    """
    app: a
    language: 1
    root: main
    facts: { name: string }
    screens: { home: { emits: { go: { id: integer }, hide: { pin: { type: string, secret: true } } } }, page: { params: { id: integer } } }
    flows:
    \(flows.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(separator: "\n"))
    \(more)
    """
  }

  private func faults(_ text: String) -> [String] {
    do {
      return try DefinitionLoader.check(file: "a.yaml", text: text).warnings.map(\.description).filter {
        $0.contains("fact") && !$0.contains("the fact `name`")
      }
    } catch { return error.diagnostics.map(\.description) }
  }

  private static let around =
    "main: { facts: { count: integer }, stack: home, handle: { go: [{ write: { count: $id } }, { push: inner }], hide: [] } }"

  @Test func `a flow and the flows that it creates use its facts like facts of the session`() {
    let inner =
      "inner: { stack: home, handle: { go: [{ when: { fact: count, over: 1 }, do: { push: page, with: { id: $fact.count } } }] } }"
    #expect(faults(Self.text("\(Self.around)\n\(inner)")) == [])
  }

  @Test(arguments: [
    (
      "inner: { stack: home }", "rules: [{ when: { fact: count, is: 1 }, send: go, with: { id: 1 } }]",
      "a.yaml:9:25: error: `count` is a fact of the flow `main`, so it can be used only inside that flow"
    ),
    (
      "inner: { stack: home, handle: { go: { write: { conut: 1 } } } }", "",
      "a.yaml:8:50: error: there is no fact `conut`; the definition declares `accessToken`, `name`"
    ),
    (
      "inner: { stack: home, handle: { go: { write: { count: x } } } }", "",
      "a.yaml:8:57: error: the fact `count` must be of type integer, not string"
    ),
    (
      "inner: { facts: { name: string }, stack: home }", "",
      "a.yaml:8:21: error: `name` is a fact of the session, so a flow cannot have a fact with this name; rename the flow's fact"
    ),
    (
      "inner: { facts: { away: string }, stack: home }", "",
      "a.yaml:8:21: error: `away` is a built-in fact of the session, so a flow cannot have a fact with this name; rename the flow's fact"
    ),
    (
      "inner: { facts: { count: string }, stack: home }", "",
      "a.yaml:8:21: error: the flow `main`, which may contain the flow `inner`, has a fact `count` too; rename one of the two facts"
    ),
    (
      "inner: { facts: [count], stack: home }", "",
      "a.yaml:8:19: error: `facts` of the flow `inner` must be a map, like `{ amount: number }`, not a list"
    ),
    (
      "inner: { screen: home, params: { id: integer } }", "",
      "a.yaml:8:26: error: `params` is not allowed in the flow `inner`, which has the params of its screen; declare them there"
    ),
    ("inner: { params: { id: integer }, stack: home }", "", "a.yaml:7:101: error: the flow `inner` requires `id: integer` in `with`"),
    (
      "inner: { stack: home, handle: { go: { push: page, with: { id: $flow.id } } } }", "",
      "a.yaml:8:65: error: the flow `inner` has no param `id`; it has none"
    ),
    (
      "inner: { stack: home, handle: { go: { push: { flow: inner }, with: { id: 1 } } } }", "",
      "a.yaml:8:64: error: put `with` into the map of `push`, next to `screen` or `flow`"
    ),
    (
      "inner: { stack: home, handle: { go: { push: { flow: inner, with: { id: 1 } } } } }", "",
      "a.yaml:8:70: error: the flow `inner` has no params; declare them: `inner: { params: { id: TYPE } }`"
    ),
    (
      "inner: { facts: { pin: { type: string, secret: true } }, stack: home, handle: { hide: { write: { pin: $pin } }, go: { write: { name: $fact.pin } } } }",
      "",
      "a.yaml:8:136: error: `$fact.pin` is secret and cannot be used here: pass it into a secret param or fact, or send it in `body` or `headers` of a load or message"
    ),
    (
      "inner: { facts: { pin: { type: string, secret: true } }, stack: home, handle: { go: [{ when: { fact: pin, is: x }, do: [] }] } }",
      "",
      "a.yaml:8:113: error: the fact `pin` is secret: a condition can test it only with `is: present` or `is: absent`"
    ),
    ("inner: { facts: { unused: string }, stack: home }", "", "a.yaml:8:21: warning: the fact `unused` of the flow `inner` is never used"),
  ])
  func `a wrong use is one error at its place`(flow: String, more: String, fault: String) {
    #expect(faults(Self.text("\(Self.around)\n\(flow)", more: more)) == [fault])
  }

  @Test func `a flow that is never inside the fact's flow cannot use it`() {
    let flows = """
      main: { stack: home, handle: { go: [{ push: one }, { push: two }], hide: [] } }
      one: { facts: { count: integer }, stack: home, handle: { go: { write: { count: 1 } } } }
      two: { stack: home, handle: { go: { write: { count: 2 } } } }
      """
    #expect(
      faults(Self.text(flows)) == [
        "a.yaml:9:48: error: `count` is a fact of the flow `one`, but `one` never creates `two`, so the fact does not exist here"
      ])
  }

  @Test func `two flows that are never inside each other may have facts with one name`() {
    let flows = """
      main: { stack: home, handle: { go: [{ push: one }, { push: two }], hide: [] } }
      one: { facts: { count: integer }, stack: home, handle: { go: { write: { count: 1 } } } }
      two: { facts: { count: string }, stack: home, handle: { go: { write: { count: x } } } }
      """
    #expect(faults(Self.text(flows)) == [])
  }

  @Test func `a fact of the session may be indexed`() throws {
    let text = Self.text("main: { stack: home }").replacing("name: string", with: "name: { type: string, indexed: true }")
    #expect(try DefinitionLoader.load(file: "a.yaml", text: text).definition.facts["name"]?.isIndexed == true)
  }

  @Test func `a switch and the root cannot have a flow that needs params`() {
    let flows =
      "main: { switch: [one, two], handle: { go: [], hide: [] } }\none: { stack: home }\ntwo: { params: { id: integer }, stack: home }"
    #expect(faults(Self.text(flows)) == ["a.yaml:7:25: error: the flow `two` requires `id: integer` in `with`"])
    #expect(
      faults(Self.text("main: { params: { id: integer }, stack: home, handle: { go: [], hide: [] } }")) == [
        "a.yaml:3:7: error: the flow `main` requires `id: integer` in `with`"
      ])
  }
}

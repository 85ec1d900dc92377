import CairnAPI
import CairnCore
import Testing

@Suite struct `Actions as text of a scenario` {
  @Test(
    arguments: [
      (.step(Step("go"), from: nil), "{ step: go }"),
      (.step(Step("go", params: ["b": 1, "a": "x y"]), from: NodeID(3)), "{ step: go, from: n3, params: { a: \"x y\", b: 1 } }"),
      (.logout, "logout"), (.cancel(link: LinkID(2)), "{ cancel: l2 }"), (.cancelQuestion(QuestionID(1)), "{ type: cancel, question: q1 }"),
      (.cancelHeld(HeldID(1)), "{ type: cancel, held: h1 }"), (.contact, "contact"),
      (.settled(.logout), "{ type: logout, deliver: settled }"),
      (.settled(.step(Step("go"), from: nil)), "{ step: go, deliver: settled }"),
      (.appState(.inactive), "{ appState: inactive }"),
      (.facts(["f": true]), "{ facts: { f: true } }"), (.pop(count: 1, node: nil), "{ type: pop }"),
      (.pop(count: 2, node: nil), "{ type: pop, count: 2 }"), (.pop(count: 1, node: NodeID(4)), "{ type: pop, node: n4 }"),
      (.popTo(.screen("home")), "{ type: popTo, screen: home }"), (.popTo(.node(NodeID(4))), "{ type: popTo, node: n4 }"),
      (.popToRoot, "popToRoot"), (.back, "back"), (.dismiss(node: nil), "{ type: dismiss }"),
      (.dismiss(node: NodeID(4)), "{ type: dismiss, node: n4 }"), (.select(.tab(0), node: nil), "{ type: select, tab: 0 }"),
      (.select(.flow("f"), node: NodeID(1)), "{ type: select, flow: f, node: n1 }"),
      (.push(Action.Route("s")), "{ type: push, screen: s }"),
      (
        .present(Action.Route("s", params: ["p": .null]), style: .alert, node: NodeID(1), replace: true),
        "{ type: present, node: n1, params: { p: null }, replace: true, screen: s, style: alert }"
      ),
      (.present(Action.Route("s"), style: .sheet, node: nil, replace: false), "{ type: present, screen: s, style: sheet }"),
      (
        .set([Action.Route("a"), Action.Route("b", params: ["p": 1])]),
        "{ type: set, stack: [{ screen: a }, { params: { p: 1 }, screen: b }] }"
      ),
      (.set([]), "{ type: set, stack: [] }"), (.remove(node: NodeID(4)), "{ type: remove, node: n4 }"),
      (.retry(key: "o7"), "{ type: retry, key: o7 }"),
    ] as [(Action, String)]) func `an action that clients post has a text`(action: Action, text: String)
  {
    #expect(action.scenarioText == text)
  }

  @Test(
    arguments: [
      .token, .login(hasCode: true, state: "s", error: nil, byOperator: false), .open(url: "u"), .advance(to: 5),
      .effect(id: 1, .due(tick: 1)),
      .notification(url: nil, category: nil, tap: true, appState: .killed),
    ] as [Action]) func `an action with a secret, from outside or by the clock has no text`(action: Action)
  {
    #expect(action.scenarioText == nil)
  }
}

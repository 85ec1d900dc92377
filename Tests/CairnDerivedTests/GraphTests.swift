import CairnCore
import CairnDefinition
import CairnDerived
import Foundation
import Testing

private let apps = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/apps").standardized

private func graph(_ app: String) throws -> Graph {
  let file = apps.appending(path: "\(app).yaml")
  return try Graph(DefinitionLoader.load(file: app, text: String(contentsOf: file, encoding: .utf8)).definition)
}

@Suite struct `Graph of a definition` {
  @Test func `flows are clusters, and edges distinguish push from present`() throws {
    let shop = try graph("shop")
    #expect(shop.clusters.map(\.flow) == ["main"])
    #expect(shop.clusters.first?.screens == ["home", "loading", "product", "signUp", "terms", "welcome"])
    func place(_ screen: String) -> Graph.Place { .screen(screen, of: "main") }
    #expect(shop.arrows.contains(.init(from: place("home"), to: place("product"), label: "productIsPicked", kind: .push)))
    #expect(shop.arrows.contains(.init(from: place("product"), to: place("product"), label: "productIsPicked", kind: .push)))
    #expect(shop.arrows.contains(.init(from: place("home"), to: place("terms"), label: "termsAreRequired", kind: .present)))
    #expect(shop.arrows.contains(.init(from: .flow("main"), to: place("home"), label: "moveToProduct", kind: .back)))
    #expect(!shop.arrows.contains { $0.from == place("welcome") && $0.label == "productIsPicked" })
  }

  @Test func `a step that all screens of a flow may send is drawn from the flow to its receiver`() throws {
    let text = """
      app: shared
      language: 1
      root: { flow: main }
      screens: { list: { emits: [] }, cart: { emits: [] }, help: { emits: [] } }
      steps: { pay: {}, ask: {} }
      flows:
        main: { tabs: [{ flow: home }], emits: [ask], handle: { pay: { present: cart }, ask: { present: help } } }
        home: { stack: list, emits: [pay] }
      """
    let graph = try Graph(DefinitionLoader.load(file: "shared", text: text).definition)
    let cart = Graph.Arrow(from: .flow("home"), to: .screen("cart", of: "main"), label: "pay", kind: .present, handlingFlow: "main")
    let help = Graph.Arrow(from: .flow("main"), to: .screen("help", of: "main"), label: "ask", kind: .present)
    #expect(graph.arrows.filter { $0.kind == .present } == [help, cart])
  }

  @Test func `a flow with a result leads back to the flow that asked`() throws {
    let text = """
      app: gives
      language: 1
      root: { flow: main }
      screens: { home: { emits: [ask] }, list: { emits: [pick] } }
      steps: { ask: {}, pick: { id: string }, picked: { id: string } }
      flows:
        main:
          stack: home
          handle:
            ask: { present: { flow: picker, then: { step: picked, with: { id: $result.id } } } }
            picked: []
        picker: { stack: list, gives: { id: string }, handle: { pick: { finish: { id: $id } } } }
      """
    let graph = try Graph(DefinitionLoader.load(file: "gives", text: text).definition)
    #expect(graph.arrows.contains(.init(from: .screen("list", of: "picker"), to: .flow("main"), label: "pick", kind: .end)))
  }

  @Test func `nodes presented on a level are distinguished from other presented nodes`() throws {
    let text = """
      app: raised
      language: 1
      root: { flow: main }
      screens: { home: { emits: [lockIsDue] }, lock: { emits: [pinIsRight] } }
      steps: { lockIsDue: {}, pinIsRight: {} }
      flows:
        main: { stack: home, handle: { lockIsDue: { present: lock, level: 9 }, pinIsRight: dismiss } }
      """
    let graph = try Graph(DefinitionLoader.load(file: "raised", text: text).definition)
    let arrow = Graph.Arrow(from: .screen("home", of: "main"), to: .screen("lock", of: "main"), label: "lockIsDue", kind: .raise)
    #expect(graph.arrows.contains(arrow))
    #expect(graph.mermaid.contains("|\"lockIsDue (level)\"|"))
    #expect(graph.dot.contains("style=dashed, arrowhead=empty, penwidth=2"))
  }

  @Test func `a switch shows screens of its children`() throws {
    let qiita = try graph("qiita")
    #expect(qiita.clusters.map(\.flow) == ["login", "root", "search"])
    #expect(qiita.clusters.map(\.screens) == [["loginTop", "loginWeb"], [], ["safari", "searchTop"]])
    #expect(qiita.arrows.contains(.init(from: .flow("root"), to: .screen("safari", of: "search"), label: "search.webView", kind: .show)))
  }

  @Test func `guarded nodes and a revealed flow are drawn`() throws {
    let text = """
      app: asks
      language: 1
      root: { flow: main }
      screens: { home: { emits: [go] }, editor: { emits: [] }, sheet: { emits: [back] } }
      steps: { go: {}, back: {}, asked: {} }
      flows:
        main:
          stack: home
          handle: { go: { push: editor, guard: asked }, asked: { present: sheet }, back: { reveal: { flow: main } } }
      """
    let graph = try Graph(DefinitionLoader.load(file: "asks", text: text).definition)
    func place(_ screen: String) -> Graph.Place { .screen(screen, of: "main") }
    #expect(graph.arrows.contains(.init(from: place("editor"), to: place("sheet"), label: "asked", kind: .present)))
    #expect(graph.arrows.contains(.init(from: place("sheet"), to: .flow("main"), label: "back", kind: .back)))
  }

  @Test func `both formats contain every screen, and names with dots are safe in Mermaid`() throws {
    let shop = try graph("shop")
    for screen in ["home", "product", "terms"] {
      #expect(shop.dot.contains("\"main/\(screen)\" [label=\"\(screen)\"]"))
      #expect(shop.mermaid.contains("[\"\(screen)\"]"))
    }
    #expect(shop.dot.contains("style=dashed, arrowhead=empty"))
    #expect(shop.mermaid.contains("|\"termsAreRequired (present)\"|"))
    let ids = try graph("qiita").mermaid.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first }
    #expect(ids.allSatisfy { $0.prefix { !"[({>".contains($0) }.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } })
  }

  private func drawn(_ yaml: String) throws -> Graph {
    try Graph(DefinitionLoader.load(file: "test.yaml", text: yaml).definition)
  }

  private static let app = """
    app: demo
    language: 1
    compat: { emits: any, words: [end] }
    root: { flow: main, start: begun }
    facts: { isKnown: { type: boolean, default: false }, name: string }
    screens:
      home: { emits: [picked, asked] }
      form: { emits: [answered, picked, given] }
      detail: { params: { id: integer } }
    steps:
      begun:
      picked: { id: integer }
      asked:
      answered:
      given:
      taken:
    rules:
      - { when: { all: [{ fact: isKnown }, { fact: name, is: 'a"b' }] }, send: taken }
    links:
      - { host: demo.example, path: "/items/{id}", requires: { fact: isKnown }, send: picked }
      - { host: demo.example, path: /all, send: asked, to: all }
    flows:
      main:
        stack: home
        handle:
          begun: []
          picked: { push: detail, with: { id: $id } }
          asked: [{ when: { fact: isKnown, is: false }, do: { present: { flow: asking } } }]
          taken: dismiss
      asking:
        stack: { screen: form, timer: { after: 5s, send: given } }
        handle:
          answered: { end: taken }
          given: { send: asked }
    """

  @Test func `steps that go on to a flow above are drawn from the sending screen`() throws {
    let graph = try drawn(Self.app)
    let (form, home) = (Graph.Place.screen("form", of: "asking"), Graph.Place.screen("home", of: "main"))
    let detail = Graph.Place.screen("detail", of: "main")
    #expect(graph.arrows.contains(.init(from: home, to: detail, label: "picked", kind: .push)))
    #expect(graph.arrows.contains(.init(from: form, to: detail, label: "picked", kind: .push, handlingFlow: "main")))
    #expect(graph.mermaid.contains("|\"picked ↑ main\"|") && graph.dot.contains("[label=\"picked ↑ main\", style=solid]"))
    let deaf = try drawn(Self.app.replacing("compat: {", with: "compat: { unhandled: drop,"))
    #expect(!deaf.arrows.contains { $0.handlingFlow != nil })
  }

  @Test func `steps to another flow lead to their receiver`() throws {
    let graph = try drawn(Self.app)
    let form = Graph.Place.screen("form", of: "asking")
    #expect(graph.arrows.contains(.init(from: form, to: .flow("main"), label: "given → asked", kind: .send)))
    #expect(graph.arrows.contains(.init(from: form, to: .flow("main"), label: "answered → taken", kind: .end)))
    #expect(graph.arrows.contains(.init(from: form, to: .flow("asking"), label: "timer: given", kind: .send)))
    // A step from another flow begins at the node of the flow.
    #expect(graph.arrows.contains(.init(from: .flow("asking"), to: .flow("main"), label: "given → asked", kind: .send)))
  }

  @Test func `links, rules and conditions are drawn, with a legend`() throws {
    let graph = try drawn(Self.app)
    #expect(graph.sources == [.link("/items/{id}"), .link("/all"), .rule("isKnown and name = a\"b")])
    #expect(graph.arrows.contains(.init(from: .source(0), to: .flow("main"), label: "picked", kind: .send, condition: "isKnown")))
    #expect(graph.arrows.contains(.init(from: .source(1), to: .flow("main"), label: "asked (all)", kind: .send)))
    #expect(graph.arrows.contains(.init(from: .source(2), to: .flow("main"), label: "taken", kind: .send)))
    let home = Graph.Place.screen("home", of: "main")
    #expect(
      graph.arrows.contains(.init(from: home, to: .flow("asking"), label: "asked", kind: .present, condition: "isKnown = false")))
    #expect(graph.dot.contains("\"/2\" [label=\"isKnown and name = a\\\"b\", shape=hexagon"))
    #expect(graph.mermaid.contains("x_2{{\"isKnown and name = a#quot;b\"}}") && graph.mermaid.contains("x_0>\"/items/{id}\"]"))
    for text in [graph.dot, graph.mermaid] {
      #expect(text.contains("legend"))
      for word in ["present", "sent to", "bubbles up", "only if the condition is true", "a link", "a rule"] {
        #expect(text.contains(word), "\(word)")
      }
    }
    let plain = try drawn("app: a\nlanguage: 1\nroot: { flow: main }\nscreens: { home: }\nflows: { main: { stack: home } }")
    #expect(!plain.mermaid.contains("bubbles") && !plain.mermaid.contains("hexagon") && !plain.mermaid.contains("present"))
  }

  @Test func `links and notifications with their handlers are drawn as written`() throws {
    let bank = try graph("bank")
    let links = ["/pay/{iban}", "/cards/{cardId}", "/cards/{cardId}/freeze", "/{path...}"]
    let messages = ["approval (foreground, tap)", "badge (foreground, silent)"]
    #expect(Array(bank.sources.prefix(6)) == links.map(Graph.Source.link) + messages.map(Graph.Source.notification))
    let arrow = Graph.Arrow(from: .source(4), to: .flow("main"), label: "approvalArrived", kind: .send, condition: "flow main")
    #expect(bank.arrows.contains(arrow))
    for text in [bank.mermaid, bank.dot] { #expect(text.contains("a notification, by its category")) }
    #expect(bank.mermaid.contains("x_4[/\"approval (foreground, tap)\"/]"))
    #expect(bank.dot.contains("\"/4\" [label=\"approval (foreground, tap)\", shape=note"))
  }

  @Test func `a load over HTTP leads to its step, and contains its method`() throws {
    let text = """
      app: a
      language: 1
      root: { flow: main }
      allowHosts: [api.example]
      screens: { home: { emits: [go] } }
      steps: { go: , done: , failed: }
      flows:
        main:
          stack: home
          handle:
            go: { load: { post: "https://api.example/x", then: done, else: failed } }
            done: []
            failed: []
      """
    let graph = try Graph(DefinitionLoader.load(file: "a.yaml", text: text).definition)
    let from = Graph.Place.screen("home", of: "main")
    #expect(graph.arrows.contains(.init(from: from, to: .flow("main"), label: "POST done", kind: .send)))
    #expect(graph.arrows.contains(.init(from: from, to: .flow("main"), label: "POST failed", kind: .send)))
    #expect(graph.dot.contains("POST done"))
  }

  @Test func `a result leads to the asking flow, and a guard to its own node`() throws {
    let graph = try drawn(
      """
      app: asks
      language: 1
      root: { flow: main }
      screens: { home: { emits: [ask] }, list: { emits: [pick] }, sure: { emits: [] } }
      steps: { ask: {}, pick: { id: string }, picked: { id: string }, missed: {}, asked: {} }
      flows:
        main:
          stack: home
          handle:
            ask: { present: { flow: picker, guard: asked, then: { step: picked, with: { id: $result.id } }, else: missed } }
            picked: []
            missed: []
        picker:
          stack: list
          gives: { id: string }
          handle: { pick: { finish: { id: $id } }, asked: { present: sure, style: alert } }
      """)
    let picker = Graph.Place.flow("picker")
    #expect(graph.arrows.contains(.init(from: picker, to: .flow("main"), label: "then: picked", kind: .send)))
    #expect(graph.arrows.contains(.init(from: picker, to: .flow("main"), label: "else: missed", kind: .send)))
    #expect(graph.arrows.contains(.init(from: picker, to: picker, label: "guard: asked", kind: .send)))
    #expect(graph.arrows.contains(.init(from: picker, to: .screen("sure", of: "picker"), label: "asked", kind: .present)))
    #expect(graph.dot.contains("then, else: the flow ends") && graph.mermaid.contains("then, else: the flow ends"))
  }

  @Test func `a split contains the condition of its collapse, and tabs the step of reselecting`() throws {
    let graph = try drawn(
      """
      app: wide
      language: 1
      root: { flow: main }
      facts: { isWide: { type: boolean, default: false } }
      screens: { list: { emits: [] }, none: { emits: [] } }
      steps: { again: }
      flows:
        main: { tabs: [{ flow: halves }], reselect: again, handle: { again: { write: { isWide: true } } } }
        halves: { split: { master: [list], detail: none }, collapse: { fact: isWide, is: false } }
      """)
    #expect(graph.clusters.map(\.text) == ["halves (split, a stack while isWide = false)", "main (tabs)"])
    #expect(graph.dot.contains("label=\"halves (split, a stack while isWide = false)\""))
    #expect(graph.mermaid.contains("[\"halves (split, a stack while isWide = false)\"]"))
    #expect(graph.arrows.contains(.init(from: .flow("main"), to: .flow("main"), label: "reselect: again", kind: .send)))
  }

  @Test func `the step of a held link and the handler of a notification are drawn`() throws {
    let graph = try drawn(
      """
      app: entry
      language: 1
      root: { flow: main }
      screens: { home: { emits: [] }, item: { params: { id: integer }, emits: [] }, login: { emits: [] } }
      steps: { go: { id: integer }, wait: {}, rest: { path: string } }
      links:
        - { scheme: entry, path: "/items/{id}", send: go, requires: { fact: accessToken, is: present }, else: wait }
        - { scheme: entry, path: "/{path...}", send: rest }
      notifications:
        values: { id: /id }
        take:
          - { category: item, how: [tap, { action: show }], when: { visible: home }, send: go }
          - { category: far, link: "entry://items/{id}" }
      flows:
        main:
          stack: home
          handle: { go: { push: item, with: { id: $id } }, wait: { push: login }, rest: popToRoot }
      """)
    #expect(
      graph.sources == [
        .link("/items/{id}"), .link("/{path...}"), .notification("item (action show, tap)"),
        .notification("far (tap) → entry://items/{id}"),
      ])
    #expect(
      graph.arrows.contains(
        .init(from: .source(0), to: .flow("main"), label: "else: wait", kind: .send, condition: "not accessToken present")))
    #expect(graph.arrows.contains(.init(from: .source(2), to: .flow("main"), label: "go", kind: .send, condition: "visible home")))
    #expect(graph.dot.contains("label=\"item (action show, tap)\", shape=note"))
    #expect(graph.mermaid.contains("x_2[/\"item (action show, tap)\"/]"))
    for text in [graph.dot, graph.mermaid] { #expect(text.contains("a notification, by its category")) }
  }

  @Test func `steps in emits of a flow begin at its node, whatever other screens send them`() throws {
    let graph = try drawn(
      """
      app: says
      language: 1
      root: { flow: main }
      screens: { home: { emits: [out] }, page: { emits: [] } }
      steps: { out: }
      flows:
        main: { stack: home, emits: [out], handle: { out: { push: page } } }
      """)
    let page = Graph.Place.screen("page", of: "main")
    #expect(graph.arrows.contains(.init(from: .screen("home", of: "main"), to: page, label: "out", kind: .push)))
    #expect(graph.arrows.contains(.init(from: .flow("main"), to: page, label: "out", kind: .push)))
  }
}

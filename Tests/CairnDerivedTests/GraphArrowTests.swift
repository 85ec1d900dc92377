import CairnCore
import CairnDefinition
import Testing

@testable import CairnDerived

@Suite struct `Edges of a graph` {
  private func drawn(_ yaml: String) throws -> Graph { try Graph(DefinitionLoader.load(file: "test.yaml", text: yaml).definition) }

  private static let app = """
    app: arrows
    language: 1
    root: { flow: main }
    facts: { isNew: { type: boolean, default: false } }
    screens:
      home: { emits: [go] }
      list: { emits: [go] }
      help: { emits: [go, edit] }
      editor: { emits: [] }
    steps: { go: {}, late: {}, asked: {}, edit: {}, opened: { id: boolean } }
    links:
      - { scheme: arrows, path: "/other/{id}", send: opened }
      - { scheme: arrows, path: "/items/{id}", send: opened }
    notifications:
      values: { id: /id }
      take: [{ category: far, when: { fact: isNew }, link: "arrows://items/{id}" }]
    flows:
      main:
        stack: home
        handle:
          go:
            - { when: { visible: home }, do: { push: list } }
            - { when: { all: [{ fact: isNew }, { visible: [list, help] }] }, do: { push: help } }
            - { do: { timer: { after: 5s, send: late } } }
          late: popToRoot
          edit: { push: editor, guard: asked }
          asked: []
          opened: popToRoot
    """

  private static func screen(_ name: String) -> Graph.Place { .screen(name, of: "main") }

  @Test func `a branch for a visible screen is drawn from that screen only`() throws {
    let graph = try drawn(Self.app)
    func origins(_ screen: String) -> Set<Graph.Place> {
      Set(graph.arrows.filter { $0.label == "go" && $0.to == Self.screen(screen) }.map(\.from))
    }
    #expect(origins("list") == [Self.screen("home")])
    #expect(origins("help") == [Self.screen("list"), Self.screen("help")])
  }

  @Test func `a branch for a screen that does not send the step is drawn from the screens that send it`() throws {
    let graph = try drawn(Self.app.replacing("visible: home", with: "visible: editor"))
    let origins = graph.arrows.filter { $0.label == "go" && $0.to == Self.screen("list") }.map(\.from)
    #expect(Set(origins) == [Self.screen("home"), Self.screen("list"), Self.screen("help")])
  }

  @Test func `the timer of a handler leads to the flow that handles its step`() throws {
    let graph = try drawn(Self.app)
    let arrow = Graph.Arrow(from: Self.screen("home"), to: .flow("main"), label: "timer: late", kind: .send)
    #expect(graph.arrows.contains(arrow))
  }

  @Test func `a guarded screen leads to the flow that handles its guard step`() throws {
    let graph = try drawn(Self.app)
    let arrow = Graph.Arrow(from: Self.screen("editor"), to: .flow("main"), label: "guard: asked", kind: .send)
    #expect(graph.arrows.contains(arrow))
  }

  @Test func `a notification with a link leads to the link that accepts it`() throws {
    let graph = try drawn(Self.app)
    #expect(graph.sources == [.link("/other/{id}"), .link("/items/{id}"), .notification("far (tap) → arrows://items/{id} [isNew]")])
    let arrow = Graph.Arrow(from: .source(2), to: .source(1), label: "", kind: .send, condition: "isNew")
    #expect(graph.arrows.contains(arrow))
  }

  @Test func `labels cannot insert markup, line feeds or control characters into Mermaid and dot`() throws {
    let hostile = "a<b>&amp;\"q\"\\n`m`%%{init}%%#lt;\nnext\u{202E}\u{7}"
    let place = Graph.Place.flow("main")
    let graph = Graph(
      app: "x", clusters: [.init(flow: "main", container: .stack, screens: [], isRoot: true)],
      arrows: [.init(from: place, to: place, label: hostile, kind: .send)], sources: [.rule(hostile)])
    let mermaid = "a#lt;b>#amp;amp;#quot;q#quot;#92;n#96;m#96;#37;#37;{init}#37;#37;#35;lt;<br>next\u{FFFD}\u{FFFD}"
    #expect(graph.mermaid.contains("-.->|\"\(mermaid)\"|") && graph.mermaid.contains("x_0{{\"\(mermaid)\"}}"))
    let dot = #"a&lt;b>&amp;amp;\"q\"\\n`m`%%{init}%%#lt;\nnext\#u{FFFD}\#u{FFFD}"#
    #expect(graph.dot.contains("label=\"\(dot)\", style=dotted") && graph.dot.contains("label=\"\(dot)\", shape=hexagon"))
  }
}

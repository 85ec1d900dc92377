import CairnCore
import CairnDefinition
import CairnDerived
import Testing

@Suite struct `Graph of a definition as JSON` {
  private static let text = """
    app: drawn
    language: 1
    root: { flow: main, start: begin }
    screens:
      home: { emits: [ask, rest, fetch] }
      help: { params: { topic: optional string, n: integer }, emits: [ask] }
    steps: { begin: , ask: {}, rest: {}, late: {}, fetch: {}, came: {}, failed: {}, picked: { id: string } }
    rules: [{ when: { fact: accessToken, is: absent }, send: ask }]
    flows:
      main:
        stack: []
        emits: [rest]
        handle:
          begin: { set: [home] }
          ask:
            - { when: { visible: home }, do: { present: { flow: side, then: { step: picked, with: { id: $result.id } } } } }
            - { do: [] }
          rest: { push: help, with: { n: 1 }, timer: { after: 1s, send: late } }
          late: popToRoot
          fetch: { load: { get: "https://api.example/x", then: came, else: failed } }
          came: []
          failed: []
          picked: []
      side: { stack: { screen: help, with: { n: 2 } }, gives: { id: string }, handle: { ask: { finish: { id: "1" } } } }
    links: [{ scheme: x, path: /to/here, send: ask }, { scheme: x, path: /there, send: rest }]
    notifications: { take: [{ category: c, how: [tap], send: ask }] }
    allowHosts: [api.example]
    """

  /// The parsed JSON of the graph.
  private func drawn(_ text: String = text) throws -> Value {
    let loaded = try DefinitionLoader.load(file: "drawn", text: text)
    var writer = JSONWriter()
    try GraphBody(Graph(loaded.definition), hash: loaded.hash).write(to: &writer)
    let value = try JSONDocument.read(try writer.bytes(), depthLimit: 64) { $0.value }
    #expect(value["definition"] == .string(loaded.hash))
    return value
  }

  private func items(_ value: Value, _ name: String) -> [Value] { if case .array(let items)? = value[name] { items } else { [] } }

  @Test func `each node has a readable id, and a screen in several flows has one per flow`() throws {
    let nodes = items(try drawn(), "nodes")
    #expect(
      nodes.map { $0["id"] } == [
        "flow:main", "screen:help@main", "screen:home", "flow:side", "screen:help@side", "link:0", "link:1", "notification:0", "rule:0",
      ])
    #expect(nodes.map { $0["parent"] }.compactMap { $0 } == ["flow:main", "flow:main", "flow:side"])
    #expect(nodes[1]["params"] == ["n": "integer", "topic": "string?"] && nodes[1]["screen"] == "help" && nodes[1]["flow"] == "main")
    #expect(nodes[0]["root"] == true && nodes[0]["emits"] == ["rest"] && nodes[3]["root"] == false && nodes[3]["emits"] == nil)
    #expect(nodes[6]["index"] == 1 && nodes[6]["label"] == "/there" && nodes[8]["label"] == "accessToken absent")
  }

  @Test func `each edge contains its cause and its effect`() throws {
    let graph = try drawn()
    let edges = items(graph, "edges")
    let told = Set(edges.map { edge in ["kind", "style", "label", "from", "to"].map { edge[$0]?.text ?? "" }.joined(separator: " ") })
    for edge in [
      "step push rest flow:main screen:help@main", "step present ask screen:home flow:side", "result send then: picked flow:side flow:main",
      "load send GET came screen:home flow:main", "link send ask link:0 flow:main", "notification send ask notification:0 flow:main",
      "rule send ask rule:0 flow:main", "birth birth  flow:side screen:help@side", "birth birth begin flow:main flow:main",
    ] {
      #expect(told.contains(edge), "\(edge) is not among\n\(told.sorted().joined(separator: "\n"))")
    }
    #expect(edges.contains { $0["label"] == "ask" && $0["condition"] == "visible home" })
    let kinds = Set(edges.compactMap { $0["style"]?.text })
    guard case .object(let legend)? = graph["legend"]?["styles"] else { throw CancellationError() }
    #expect(Set(legend.keys) == kinds)
  }

  @Test func `a step that goes on to a flow above contains the id of that flow`() throws {
    let graph = try drawn(
      """
      app: bubbles
      language: 1
      root: { flow: main }
      screens: { list: { emits: [ask] }, help: { emits: [] } }
      steps: { ask: {} }
      flows:
        main: { tabs: [{ flow: home }], handle: { ask: { present: help } } }
        home: { stack: list }
      """)
    let edge = items(graph, "edges").first { $0["label"] == "ask" }
    #expect(edge?["hearer"] == "flow:main" && edge?["from"] == "screen:list" && edge?["to"] == "screen:help")
  }
}

extension Value {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}

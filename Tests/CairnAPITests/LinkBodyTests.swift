import CairnAPI
import CairnCore
import CairnDefinition
import CairnTesting
import Foundation
import Testing

/// A body, parsed as JSON.
func json(_ body: some JSONWritable) throws -> Value { try FoundationJSON.value(Data(try JSONText.bytes(body))) }

@Suite struct `Response bodies about links` {
  private static let text = """
    app: guide
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: , detail: { params: { id: string } } }
    steps: { pick: { id: string }, go: {} }
    flows: { main: { stack: home, handle: { pick: { push: detail, with: { id: $id } }, go: popToRoot } } }
    links:
      - { host: guide.example, scheme: guide, path: "/items/{id}", send: pick }
      - { scheme: guide, path: "/all/{id}", send: pick, to: all }
      - { scheme: guide, path: /search, query: [id], send: pick, to: root }
      - scheme: guide
        path: "/account/{id}"
        requires: { fact: accessToken, is: present }
        send: [go, { step: pick, with: { id: $id } }]
    """
  private static let shapes: [Value] = [
    ["index": 0, "path": "/items/{id}", "hosts": ["guide.example"], "schemes": ["guide"], "guarded": false, "step": "pick"],
    ["index": 1, "path": "/all/{id}", "schemes": ["guide"], "guarded": false, "broadcast": "pick"],
    ["index": 2, "path": "/search", "schemes": ["guide"], "query": ["id"], "guarded": false, "step": "pick", "to": "root"],
    ["index": 3, "path": "/account/{id}", "schemes": ["guide"], "guarded": true, "steps": ["go", "pick"]],
  ]

  private let definition: Definition

  init() throws { definition = try DefinitionLoader.load(file: "guide.yaml", text: Self.text).definition }

  private func body(_ url: String?, isRedirect: Bool = false) throws -> Value {
    let body = try json(LinksBody(definition, hash: "h", url: url, isRedirect: isRedirect))
    #expect(SchemaDocument.faults(body, .links) == [])
    return body
  }

  @Test func `each link has the members of its definition`() throws {
    #expect(try body(nil) == ["app": "guide", "definition": "h", "links": .array(Self.shapes)])
  }

  @Test func `a URL is returned with its link and the captured values`() throws {
    let body = try body("https://guide.example/items/7")
    var taken = Self.shapes[0]
    taken.set(["id": "7"], at: ["values"])
    #expect(body["link"] == taken)
    #expect(body["url"] == "https://guide.example/items/7" && body["refusal"] == nil)
  }

  @Test func `a URL without a link is returned with the reason`() throws {
    let body = try body("guide://elsewhere/nothing")
    #expect(body["link"] == .null && body["oauth"] == nil)
    #expect(body.at(["refusal", "code"]) == "unknown-link")
    guard case .array(let errors)? = body.at(["refusal", "errors"]) else { throw CancellationError() }
    #expect(errors.count == 1 && errors[0]["parameter"] == "url" && errors[0]["pointer"] == nil)
  }

  @Test func `the redirect URL of the provider matches no link`() throws {
    let body = try body("https://guide.example/items/7", isRedirect: true)
    #expect(body["link"] == .null && body["oauth"] == true && body["refusal"] == nil)
  }

  @Test func `a link that would be held contains its future id`() throws {
    var link = LinkBody(TakenLink(index: 3, values: ["id": "7"]), of: definition)
    link.held = LinkID(2)
    var expected = Self.shapes[3]
    expected.set("l2", at: ["held"])
    expected.set(["id": "7"], at: ["values"])
    #expect(try json(link) == expected)
  }

  @Test func `the description of an app contains its links, screens and steps`() throws {
    let body = try json(AppBody(definition, hash: "h"))
    #expect(SchemaDocument.faults(body, .app) == [])
    guard case .array(let links)? = body["links"] else { throw CancellationError() }
    #expect(links.map { $0["guarded"] } == [false, false, false, true])
    #expect(links.map { $0["broadcast"] } == [false, true, false, false])
    #expect(links.map { $0["steps"] } == [["pick"], ["pick"], ["pick"], ["go", "pick"]])
    #expect(
      body["screens"] == [["screen": "detail", "params": ["id": "string"]], ["screen": "home", "params": [:]]])
    #expect(
      body["steps"] == [
        ["step": "go", "params": [:], "internal": false], ["step": "pick", "params": ["id": "string"], "internal": false],
      ])
    #expect(body["flows"] == [["flow": "main", "container": "stack", "handles": ["go", "pick"]]])
    #expect(body["oauth"] == false && body["definition"] == "h" && body["app"] == "guide")
  }

  @Test func `limited, internal, optional and client-set values are described as such`() throws {
    let text = """
      app: facts
      language: 1
      root: { flow: main }
      facts:
        beta: { type: boolean, by: client }
        plan: { type: string, in: [free, paid] }
      screens: { home: { emits: [pick], meta: { title: Home } } }
      steps: { pick: { size: { type: string, in: [s, l] }, note: { type: optional string } }, tick: , look: }
      flows: { main: { stack: home, emits: [look], handle: { pick: [], tick: [], look: [] } } }
      """
    let body = try json(AppBody(try DefinitionLoader.load(file: "facts.yaml", text: text).definition, hash: "h"))
    #expect(SchemaDocument.faults(body, .app) == [])
    guard case .array(let facts)? = body["facts"], case .array(let steps)? = body["steps"] else { throw CancellationError() }
    #expect(facts.contains(["fact": "beta", "type": "boolean?", "by": "client"]))
    #expect(facts.contains(["fact": "plan", "type": "string?", "values": ["free", "paid"]]))
    #expect(
      steps == [
        ["step": "look", "internal": false, "params": [:]],
        ["step": "pick", "internal": false, "params": ["size": "string", "note": "string?"], "values": ["size": ["s", "l"]]],
        ["step": "tick", "internal": true, "params": [:]],
      ])
    #expect(body["screens"] == [["screen": "home", "emits": ["pick"], "meta": ["title": "Home"], "params": [:]]])
    #expect(body["flows"] == [["flow": "main", "container": "stack", "emits": ["look"], "handles": ["look", "pick", "tick"]]])
  }
}

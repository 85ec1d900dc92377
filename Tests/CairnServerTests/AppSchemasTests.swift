import CairnCore
import CairnDefinition
import Foundation
import Testing

@testable import CairnServer

@Suite struct `The OpenAPI document of an app, as code generators read it` {
  private static let text = """
    app: names
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { id: { params: { n: integer } }, container: , home: { emits: [search.webView] } }
    steps: { search.webView: { q: string }, searchWebView: {}, search-web-view: {} }
    flows: { main: { stack: home, handle: { search.webView: { push: id, with: { n: 1 } } } } }
    """

  private func schemas(_ text: String) throws -> [String: Value] {
    let loaded = try DefinitionLoader.load(file: "names", text: text)
    let document = Document(version: "1", app: try AppSchemas(loaded.definition, hash: loaded.hash)).value
    guard case .object(let schemas)? = document.at(["components", "schemas"]) else { return [:] }
    return schemas
  }

  @Test func `schema names are letters and digits, and no two differ in case only`() throws {
    let names = try schemas(Self.text).keys
    #expect(names.filter { !$0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } } == [])
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
    for name in ["StepSearchWebView", "StepSearchWebView2", "StepSearchWebView3", "NodeId2", "NodeContainer", "NodeContainer2", "RouteId"] {
      #expect(names.contains(name), "\(name) is none of \(names.sorted())")
    }
  }

  @Test func `no schema has a const, and no choice has only one member`() throws {
    var faults: [String] = []
    func walk(_ value: Value, _ place: String) {
      switch value {
      case .object(let members):
        if members["const"] != nil { faults.append("\(place): const") }
        if case .array(let choices)? = members["oneOf"], choices.count < 2 { faults.append("\(place): a choice of \(choices.count)") }
        for (name, member) in members { walk(member, "\(place)/\(name)") }
      case .array(let elements): for (index, element) in elements.enumerated() { walk(element, "\(place)/\(index)") }
      default: break
      }
    }
    let single = "app: one\nlanguage: 1\nroot: { flow: main }\nscreens: { home: }\nsteps: { go: }\n"
    for text in [Self.text, single + "flows: { main: { stack: home, handle: { go: [] } } }"] {
      for (name, schema) in try schemas(text) { walk(schema, name) }
    }
    #expect(faults == [])
  }

  @Test func `the bounds of a type are in its schema`() throws {
    let all = try schemas(
      """
      app: bounds
      language: 1
      root: main
      facts: { volume: { type: number, min: 0.5, max: 3, by: client } }
      screens: { home: { emits: { named: { name: { type: optional string, minLength: 1, maxLength: 9 }, size: { type: integer, max: 2, in: [1, 2] } } } } }
      flows: { main: { stack: home, handle: { named: [] } } }
      """)
    func contains(_ value: Value, _ part: Value) -> Bool {
      switch value {
      case _ where value == part: true
      case .object(let members): members.values.contains { contains($0, part) }
      case .array(let elements): elements.contains { contains($0, part) }
      default: false
      }
    }
    let whole = Value.object(all)
    #expect(contains(whole, ["type": "number", "minimum": .number(0.5), "maximum": 3]))
    #expect(contains(whole, ["type": "string", "minLength": 1, "maxLength": 9]))
    #expect(contains(whole, ["enum": [1, 2]]))
  }

  @Test func `a list has the schema of its items`() throws {
    let all = try schemas(
      """
      app: lists
      language: 1
      root: main
      sets: { sizes: [1, 2] }
      screens: { home: { emits: { named: { tags: { type: list, of: { type: string, maxLength: 9 }, minItems: 1, maxItems: 3 }, rows: optional list, sizes: { type: list, of: { type: integer, in: sizes } } } } } }
      flows: { main: { stack: home, handle: { named: [] } } }
      """)
    func contains(_ value: Value, _ part: Value) -> Bool {
      switch value {
      case _ where value == part: true
      case .object(let members): members.values.contains { contains($0, part) }
      case .array(let elements): elements.contains { contains($0, part) }
      default: false
      }
    }
    let whole = Value.object(all)
    #expect(contains(whole, ["type": "array", "items": ["type": "string", "maxLength": 9], "minItems": 1, "maxItems": 3]))
    #expect(contains(whole, ["type": "array", "items": ["$ref": "#/components/schemas/Value"]]))
    #expect(contains(whole, ["enum": [1, 2]]))
  }

  @Test func `a set is one schema, to which all its uses refer`() throws {
    let text = """
      app: sets
      language: 1
      root: { flow: main }
      sets: { sizes: [s, m], kinds: [1, 2], hidden: [true] }
      facts: { kind: { type: integer, in: kinds } }
      screens: { home: { params: { size: { type: optional string, in: sizes } }, emits: [go] } }
      steps: { go: { size: { type: string, in: sizes }, other: { type: string, in: [x] } }, tick: { on: { type: boolean, in: hidden } } }
      flows: { main: { stack: home, handle: { go: [], tick: [] } } }
      """
    let schemas = try schemas(text)
    #expect(schemas["SetSizes"] == ["enum": ["s", "m"]] && schemas["SetKinds"] == ["enum": [1, 2]])
    #expect(schemas["SetHidden"] == nil, "clients do not post the step")
    let size: Value = ["$ref": "#/components/schemas/SetSizes"]
    #expect(schemas["StepGoParams"]?.at(["properties", "size"]) == size || schemas["StepParams"]?.at(["properties", "size"]) == size)
    #expect(schemas["Facts"]?.at(["properties", "kind"]) == ["$ref": "#/components/schemas/SetKinds"])
  }

  @Test func `each action is a named schema that requires its own members`() throws {
    let schemas = try schemas(Self.text)
    guard case .array(let actions)? = schemas["Action"]?["oneOf"] else { throw CancellationError() }
    #expect(actions.allSatisfy { $0["$ref"] != nil } && actions.contains(["$ref": "#/components/schemas/PopToScreenAction"]))
    #expect(schemas["PopToScreenAction"]?["required"] == ["type", "screen"] && schemas["PopToAction"] == nil)
    #expect(schemas["StepSearchWebView2"]?.at(["properties", "params"]) == ["$ref": "#/components/schemas/StepSearchWebView2Params"])
  }
}

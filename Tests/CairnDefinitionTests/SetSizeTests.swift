import CairnCore
import CairnDefinition
import Testing

@Suite struct `The size of sets` {
  private static func text(values: Int, uses: Int, load: String = "") -> String {
    let steps = (0..<uses).map { "s\($0): { x: { type: optional integer, in: big } }" }.joined(separator: ", ")
    return """
      app: sets
      language: 1
      root: { flow: main }
      allowHosts: [api.example]
      sets: { big: \(Array(0..<values)) }
      screens: { home: }
      steps: { \(steps) }
      flows: { main: { stack: home, handle: { s0: \(load.isEmpty ? "[]" : load) } } }
      compat: { emits: any }
      """
  }

  @Test func `is not bounded by the number of uses, because documents contain them once`() throws {
    let loaded = try DefinitionLoader.check(file: "sets", text: Self.text(values: 50_000, uses: 5_000))
    #expect(loaded.definition.steps["s4999"]?.params["x"]?.allowed?.name == "big")
  }

  @Test func `in conditions of loads is bounded by all uses, because states contain them at each use`() throws {
    func load(_ uses: Int) -> String {
      let until = (0..<uses).map { _ in "{ result: n, in: big }" }.joined(separator: ", ")
      return "{ load: { get: \"https://api.example/x\", every: 1s, until: { any: [\(until)] }, then: s0 } }"
    }
    #expect(throws: Never.self) { try DefinitionLoader.check(file: "sets", text: Self.text(values: 20_000, uses: 1, load: load(10))) }
    let large = Self.text(values: 20_000, uses: 1, load: load(20))
    let error = #expect(throws: InvalidDefinition.self) { try DefinitionLoader.check(file: "sets", text: large) }
    let errors = error?.diagnostics.filter { $0.severity == .error } ?? []
    #expect(errors.count == 1 && errors.first?.message.contains("exceed 2 MiB in total") == true, "\(errors)")
  }

  @Test func `of a stored definition is not checked again`() throws {
    let loaded = try DefinitionLoader.check(file: "sets", text: Self.text(values: 250, uses: 1_000))
    #expect(throws: Never.self) { try DefinitionLoader.load(canonical: loaded.canonical) }
  }

  @Test func `does not make messages long`() throws {
    let large = Self.text(values: 20_000, uses: 1).replacing(
      "type: optional integer, in: big", with: "type: integer, in: big, default: 30000")
    let error = #expect(throws: InvalidDefinition.self) { try DefinitionLoader.check(file: "sets", text: large) }
    let messages = error?.diagnostics.map(\.message) ?? []
    #expect(
      messages.count == 1 && messages.allSatisfy { $0.utf8.count < 300 && $0.contains("17, 18, 19, … (20000 in all)") }, "\(messages)")
  }
}

import CairnDefinition
import Testing

@Suite struct `The size of sets` {
  private static func text(values: Int, uses: Int) -> String {
    let steps = (0..<uses).map { "s\($0): { x: { type: integer, in: big, optional: true } }" }.joined(separator: ", ")
    return """
      app: sets
      root: { flow: main }
      sets: { big: \(Array(0..<values)) }
      screens: { home: }
      steps: { \(steps) }
      flows: { main: { container: stack, root: home, handle: { s0: none } } }
      """
  }

  @Test func `is bounded by the values at all uses, because documents contain them at each use`() throws {
    #expect(throws: Never.self) { try DefinitionLoader.check(file: "sets", text: Self.text(values: 250, uses: 1_000)) }
    #expect(throws: Never.self) { try DefinitionLoader.check(file: "sets", text: Self.text(values: 100_000, uses: 1)) }
    let large = Self.text(values: 20_000, uses: 100)
    let error = #expect(throws: InvalidDefinition.self) { try DefinitionLoader.check(file: "sets", text: large) }
    let errors = error?.diagnostics.filter { $0.severity == .error } ?? []
    #expect(errors.count == 1 && errors.first?.message.contains("exceed 2 MiB in total") == true)
  }

  @Test func `of a stored definition is not checked again`() throws {
    let loaded = try DefinitionLoader.check(file: "sets", text: Self.text(values: 250, uses: 1_000))
    #expect(throws: Never.self) { try DefinitionLoader.load(canonical: loaded.canonical) }
  }
}

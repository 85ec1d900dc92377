import CairnCore
import CairnDefinition
import Testing

@testable import CairnServer

@Suite struct `Facts that the service assigns` {
  private func definition(_ assign: String) throws -> Definition {
    try DefinitionLoader.load(
      file: "x",
      text: """
        app: x
        language: 1
        root: main
        facts: { a: { type: string, in: [a, b], assign: \(assign) }, other: { type: string, in: [a, b], assign: { a: 1, b: 1 } } }
        screens: { home: }
        flows: { main: { stack: home } }
        """
    ).definition
  }

  @Test func `the same label gets the same value, and the id counts only without a label`() throws {
    let definition = try definition("{ a: 1, b: 1 }")
    for number in 0..<50 {
      let label = "user-\(number)"
      #expect(definition.assigned(label: label, id: "one") == definition.assigned(label: label, id: "two"))
      #expect(definition.assigned(label: nil, id: label) == definition.assigned(label: label, id: "three"))
    }
  }

  @Test func `the values are assigned in proportion to the weights, independently of other facts`() throws {
    let definition = try definition("{ a: 90, b: 10 }")
    let all = (0..<4_000).map { definition.assigned(label: "user-\($0)", id: "") }
    let some = all.filter { $0["a"] == "b" }
    #expect((300...500).contains(some.count), "\(some.count)")
    #expect((some.count * 2 / 5...some.count * 3 / 5).contains(some.count { $0["other"] == "b" }))
  }

  @Test func `a value without a weight is never assigned`() throws {
    let definition = try definition("{ b: 3 }")
    #expect((0..<200).allSatisfy { definition.assigned(label: "user-\($0)", id: "")["a"] == "b" })
  }
}

import CairnCore
import CairnDefinition
import Testing

@Suite struct `Assigned facts in definitions` {
  private func text(_ type: String, handler: String = "[]") -> String {
    """
    app: x
    language: 1
    root: main
    facts: { a: \(type) }
    screens: { home: { emits: [go] } }
    flows: { main: { stack: home, handle: { go: [{ when: { fact: a, is: b }, do: \(handler) }, { do: [] }] } } }
    """
  }

  @Test func `the weights have the order of the values, and the first value is the default`() throws {
    let fact = try definition(text("{ type: string, in: [a, b, c], assign: { c: 2, a: 1 } }")).facts["a"]
    #expect(fact?.shares == [1, 0, 2])
    #expect(fact?.type.defaultValue == "a" && fact?.type.isOptional == false)
    #expect(try definition(text("{ type: string, in: [a, b], assign: { b: 1 }, default: b }")).facts["a"]?.type.defaultValue == "b")
  }

  @Test(arguments: [
    ("{ type: string, in: [a, b], assign: { c: 1 } }", "`c` is not a value of the fact `a`; it must be one of a, b"),
    ("{ type: string, in: [a, b], assign: { a: 0 } }", "`assign` needs at least one weight greater than 0"),
    ("{ type: string, in: [a, b], assign: { a: 0.5, b: 1 } }", "a weight must be a whole number from 0 to 1000000, not `0.5`"),
    ("{ type: string, in: [a, b], assign: half }", "`assign` must be a map of values with their weights, like `{ a: 50, b: 50 }`"),
    ("{ type: string, assign: { a: 1 } }", "the fact `a` must be of type string and have `in` with its values, because it has `assign`"),
    (
      "{ type: string, in: [a, b], assign: { b: 1 }, by: client }",
      "the fact `a` cannot have `assign` beside `env` or `by`, because its value would have two sources"
    ),
  ]) func `a mistake in an assignment is reported`(type: String, message: String) {
    let found = complaints(text(type)).filter { !$0.contains("warning") }
    #expect(found.count == 1 && found.first?.hasSuffix(": " + message) == true, "\(found)")
  }

  @Test func `no operation writes an assigned fact`() {
    let found = complaints(text("{ type: string, in: [a, b], assign: { b: 1 } }", handler: "{ write: { a: b } }"))
    #expect(
      found.contains { $0.hasSuffix("the fact `a` is assigned once by the service, so no operation can change it; remove it here") },
      "\(found)")
  }
}

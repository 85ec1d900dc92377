import CairnCore
import CairnDefinition
import Testing

@Suite struct `Calculations in definitions` {
  private func text(_ value: String) -> String {
    """
    app: x
    language: 1
    root: main
    facts: { n: integer, w: number, t: string }
    screens: { home: { emits: { go: { a: integer, b: number, c: string } } } }
    flows: { main: { stack: home, handle: { go: { write: { n: \(value) } } } } }
    """
  }

  private func written(_ value: String) throws -> Expression? {
    guard case .write(let values)? = try definition(text(value)).flows["main"]?.handle["go"]?.branches.first?.operations.first else {
      return nil
    }
    return values["n"]
  }

  @Test func `sums and differences are read from left to right`() throws {
    let (a, n) = (Expression.reference(.param("a")), Expression.reference(.fact("n")))
    #expect(try written("$a + 1") == .calculation(.sum, [a, .literal(1)]))
    #expect(try written("$a - $fact.n - 2") == .calculation(.difference, [a, n, .literal(2)]))
    #expect(try written("$a - 1 + $fact.n") == .calculation(.sum, [.calculation(.difference, [a, .literal(1)]), n]))
    #expect(try written("$(10 - $a)") == .calculation(.difference, [.literal(10), a]))
    #expect(try written("$count(content.rows)") == .calculation(.count, [.reference(.content(["rows"]))]))
    #expect(
      try written("$count(content(home).rows) + 1")
        == .calculation(
          .sum, [.calculation(.count, [.reference(.content(["rows"], of: .screen("home")))]), .literal(1)]))
  }

  @Test(arguments: [
    ("$a + x", "`x` is not a term of a calculation; write it like `$a + 1`, `$a - $b` or `$(10 - $a)`"),
    ("$a + ", "`` is not a term of a calculation; write it like `$a + 1`, `$a - $b` or `$(10 - $a)`"),
    ("$c + 1", "`$c` is of type string, but a calculation needs numbers"),
    ("$a + $z", "there is no param `z`"),
    ("$b + 1", "the fact `n` must be of type integer, not number"),
    ("$a + 0.5", "the fact `n` must be of type integer, not number"),
  ]) func `a mistake in a calculation is reported`(value: String, message: String) {
    let found = complaints(text("'\(value)'")).filter { !$0.contains("warning") }
    #expect(found.count == 1 && found.first?.contains(": " + message) == true, "\(found)")
  }

  @Test func `a string with two dollar signs is a literal`() throws {
    let text = text("1").replacing("{ n: 1 }", with: "{ t: '$$a + 1' }")
    guard case .write(let values)? = try definition(text).flows["main"]?.handle["go"]?.branches.first?.operations.first else { return }
    #expect(values == ["t": .literal("$a + 1")])
  }
}

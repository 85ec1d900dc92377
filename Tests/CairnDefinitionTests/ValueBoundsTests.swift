import CairnCore
import CairnDefinition
import Testing

@Suite struct `Bounds in definitions` {
  private func said(_ types: String) -> [String] {
    complaints(
      "app: x\nlanguage: 1\nroot: main\nsets: { few: [1, 5] }\nscreens: { home: }\nfacts:\n\(types)\nflows: { main: { stack: home } }\n")
  }

  @Test func `bounds of numbers and texts are read`() throws {
    let text = """
      app: x
      language: 1
      root: main
      facts: { n: { type: number, min: -1, max: 2.5 }, t: { type: optional string, minLength: 1, maxLength: 9007199254740992 } }
      screens: { home: { params: { i: { type: integer, min: 1, in: [1, 2] } } } }
      flows: { main: { stack: { screen: home, with: { i: 1 } } } }
      """
    let definition = try definition(text)
    #expect(definition.facts["n"]?.type.bounds == ValueBounds(min: -1, max: .number(2.5)))
    #expect(definition.facts["t"]?.type.bounds == ValueBounds(minLength: 1, maxLength: 9_007_199_254_740_992))
    #expect(definition.screens["home"]?.params["i"]?.bounds == ValueBounds(min: 1))
    #expect(complaints(text.replacing("with: { i: 1 }", with: "with: { i: 0 }")).count == 1)
  }

  @Test(arguments: [
    ("{ type: integer, min: 2, max: 1 }", "`min` is 2, but `max` is 1, so no value is allowed"),
    ("{ type: string, minLength: 2, maxLength: 1 }", "`minLength` is 2, but `maxLength` is 1, so no value is allowed"),
    (
      "{ type: integer, max: 9007199254740993 }",
      "`max` must be from -9007199254740992 to 9007199254740992, because larger numbers are not exact in JSON"
    ),
    (
      "{ type: number, min: -1e17 }",
      "`min` must be from -9007199254740992 to 9007199254740992, because larger numbers are not exact in JSON"
    ),
    ("{ type: integer, min: 0.5 }", "`min` must be of type integer, not `0.5`"),
    ("{ type: number, max: many }", "`max` must be of type number, not `many`"),
    ("{ type: string, maxLength: -1 }", "`maxLength` must be a whole number from 0 to 9007199254740992, not `-1`"),
    ("{ type: string, min: 1 }", "`min` is for numbers, but the fact `a` is of type string; the bound of a length is `minLength`"),
    ("{ type: integer, maxLength: 1 }", "`maxLength` is for strings, but the fact `a` is of type integer; the bound of a number is `max`"),
    ("{ type: boolean, max: 1 }", "`max` is for numbers, but the fact `a` is of type boolean"),
    ("{ type: integer, pattern: a }", "`pattern` is for strings, but the fact `a` is of type integer"),
    (
      "{ type: string, pattern: ^a }",
      "`pattern` must not contain `^` or `$`, because a text must match as a whole; write `\\^` or `\\$` for the character"
    ),
    (
      "{ type: string, pattern: '(?=a)' }",
      "`pattern` may contain only groups like `(…)` and `(?:…)`; a text is matched without looking back or ahead"
    ),
    (
      "{ type: string, pattern: '((a{99}){99}){99}' }",
      "`pattern` is too large: with its repetitions written out it may have at most 500 states"
    ),
    ("{ type: string, pattern: 'a{200}' }", "`pattern` may contain repetitions like `{2}`, `{2,}` and `{2,9}`, with numbers up to 100"),
    ("{ type: string, pattern: '\\d+', default: x }", "the default of the fact `a` must match the pattern `\\d+`"),
    ("{ type: integer, min: 1, default: 0 }", "the default of the fact `a` must be at least 1, not 0"),
    ("{ type: string, maxLength: 2, in: [ab, abc] }", "a value of the fact `a` must have at most 2 characters, not 3"),
    ("{ type: integer, max: 4, in: few }", "the set `few` contains `5`, but the fact `a` must be at most 4, not 5"),
  ]) func `a mistake in bounds is reported`(type: String, message: String) {
    let found = said("  a: \(type)")
    #expect(found.count == 1 && found.first?.hasSuffix(": " + message) == true, "\(found)")
  }

  @Test func `a secret has no bounds`() {
    let text = """
      app: x
      language: 1
      root: main
      screens: { home: { emits: { typed: { pin: { type: string, secret: true, maxLength: 4 } } } } }
      flows: { main: { stack: home, handle: { typed: { push: home } } } }
      """
    #expect(
      complaints(text).map { $0.split(separator: " ", maxSplits: 1)[1] } == [
        "the param `pin` is secret, so it cannot have `maxLength`: the service does not read a secret's text"
      ])
  }

  @Test(arguments: [
    ("integer", "{ type: integer, min: 1 }", "may be less than the new bound 1"),
    ("{ type: integer, min: 1 }", "{ type: integer, min: 2 }", "may be less than the new bound 2"),
    ("{ type: integer, max: 3 }", "{ type: integer, max: 2 }", "may be greater than the new bound 2"),
    ("string", "{ type: string, minLength: 1 }", "may be shorter than the new bound 1"),
    ("string", "{ type: string, maxLength: 1 }", "may be longer than the new bound 1"),
    ("{ type: integer, in: [1, 7] }", "{ type: integer, max: 5 }", "may be 7 but must be at most 5"),
    ("{ type: integer, in: [1, 7] }", "{ type: integer, max: 7 }", nil), ("{ type: integer, min: 1 }", "integer", nil),
    ("string", "{ type: string, pattern: a* }", "may not match the new pattern a*"),
    ("{ type: string, pattern: a* }", "{ type: string, pattern: a* , maxLength: 2}", "may be longer than the new bound 2"),
    ("{ type: string, pattern: a* }", "string", nil),
    ("{ type: integer, min: 1, max: 2 }", "{ type: number, min: 0.5, max: 2 }", nil),
  ]) func `narrower bounds need a migration`(old: String, new: String, reason: String?) throws {
    func source(_ type: String) throws -> DefinitionDiff.Source {
      let text = "app: x\nlanguage: 1\nroot: main\nscreens: { home: }\nfacts: { a: \(type) }\nflows: { main: { stack: home } }\n"
      return .init(try DefinitionLoader.load(file: "x.yaml", text: text), root: try Document.read(file: "x.yaml", text: text))
    }
    let changes = DefinitionDiff(from: try source(old), to: try source(new)).changes
    #expect(changes.map(\.effect) == [reason == nil ? .none : .migration])
    #expect(changes.map(\.consequence) == [reason.map { "its value in sessions \($0)" } ?? "all values in sessions are valid"])
  }
}

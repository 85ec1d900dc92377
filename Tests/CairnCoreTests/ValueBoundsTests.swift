import CairnCore
import CairnTesting
import Testing

@Suite struct `Bounds of values` {
  private func type(_ kind: ParameterDefinition.Kind, _ bounds: ValueBounds) -> ParameterDefinition {
    var type = ParameterDefinition(kind)
    type.bounds = bounds
    return type
  }

  @Test func `a number is compared with the least and the greatest number`() {
    let both = type(.number, ValueBounds(min: 1, max: .number(2.5)))
    for value: Value in [1, 2, .number(1.0), .number(2.5)] { #expect(both.fault(of: value) == nil) }
    #expect(both.fault(of: 0) == "must be from 1 to 2.5, not 0")
    #expect(both.fault(of: .number(2.75)) == "must be from 1 to 2.5, not 2.75")
    #expect(type(.integer, ValueBounds(min: 1)).fault(of: -7) == "must be at least 1, not -7")
    #expect(type(.integer, ValueBounds(max: 1)).fault(of: 7) == "must be at most 1, not 7")
    #expect(type(.integer, ValueBounds(min: 3, max: 3)).fault(of: 7) == "must be 3, not 7")
    #expect(both.fault(of: "x") == "must be of type number, not string")
    #expect(both.fault(of: .null) == "must be of type number, not null")
  }

  @Test func `numbers beyond 2^53 are compared exactly with the bounds`() {
    let most: WideInt = 9_007_199_254_740_992
    let bounded = type(.integer, ValueBounds(min: .integer(-most), max: .integer(most)))
    #expect(bounded.fault(of: .integer(most)) == nil && bounded.fault(of: .integer(-most)) == nil)
    #expect(bounded.fault(of: .integer(most + 1)) != nil && bounded.fault(of: .integer(-most - 1)) != nil)
    #expect(bounded.fault(of: .integer(.max)) != nil && bounded.fault(of: .integer(.min)) != nil)
  }

  @Test func `the length of a text is counted in Unicode scalars`() {
    let short = type(.string, ValueBounds(minLength: 2, maxLength: 3))
    for text in ["ab", "äöü", "e\u{301}", "👍🏽"] { #expect(short.fault(of: .string(text)) == nil, "\(text)") }
    #expect(short.fault(of: "a") == "must have from 2 to 3 characters, not 1")
    #expect(short.fault(of: .string("👨‍👩‍👧")) == "must have from 2 to 3 characters, not 5")
    #expect(type(.string, ValueBounds(minLength: 1)).fault(of: "") == "must have at least 1 character, not 0")
    #expect(type(.string, ValueBounds(maxLength: 0)).fault(of: "a") == "must have at most 0 characters, not 1")
  }

  @Test func `params, facts and results with bounds are stored with the definition`() throws {
    var drive = try Drive(
      """
      app: stored
      language: 1
      root: main
      facts: { volume: { type: number, min: 0.5, max: 3, default: 1 } }
      screens: { home: { emits: { named: { name: { type: string, minLength: 1, maxLength: 4 } } } } }
      flows: { main: { stack: home, handle: { named: { push: home } } } }
      """)
    let definition = drive.reducer.definition
    let read = try DefinitionFormat.read(DefinitionFormat.bytes(definition))
    #expect(read.facts["volume"]?.type == definition.facts["volume"]?.type)
    #expect(read.steps["named"]?.params["name"]?.bounds == ValueBounds(minLength: 1, maxLength: 4))
    drive.step("named", ["name": "Ada"])
    #expect(drive.sketch == "main[home, home]")
  }

  @Test func `samples of a type are at its bounds`() {
    #expect(type(.integer, ValueBounds(min: 1, max: 9)).samples(from: []) == [1, 9])
    #expect(type(.integer, ValueBounds(min: 1)).samples(from: []) == [1, 2])
    #expect(type(.integer, ValueBounds(max: 1)).samples(from: []) == [1, 0])
    #expect(type(.string, ValueBounds(minLength: 4, maxLength: 5)).samples(from: ["one", "two"]) == ["onex", "twox", "xxxxx"])
    #expect(type(.string, ValueBounds(maxLength: 2)).samples(from: ["one", "two"]) == ["on", "tw", "xx"])
    #expect(ParameterDefinition(.string).samples(from: ["one"]) == [])
  }
}

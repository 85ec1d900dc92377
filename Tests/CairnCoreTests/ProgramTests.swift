import CairnStore
import CairnTesting
import Testing

@testable import CairnCore

@Suite struct `Compiled definitions` {
  private static let names = ["a", "b", "c", "d"]
  private static let values: [Value] = [1, 2, .number(2.5), "x", "y", true, false, .null, ["x"], ["n": 1]]

  private static func definition(_ chance: inout Chance) -> ParameterDefinition {
    ParameterDefinition(
      chance.pick(ParameterDefinition.Kind.allCases), isOptional: chance.isHeads(oneIn: 2),
      allowed: chance.isHeads(oneIn: 4) ? [chance.pick(values), chance.pick(values)] : nil,
      defaultValue: chance.isHeads(oneIn: 4) ? chance.pick(values) : nil)
  }

  /// Random values for some of the names, mostly of the declared type, and sometimes an undeclared name.
  private static func params(for definitions: [String: ParameterDefinition], _ chance: inout Chance) -> [String: Value] {
    var params: [String: Value] = [:]
    for name in names where !chance.isHeads(oneIn: definitions[name] == nil ? 20 : 4) {
      let fitting = values.filter { definitions[name]?.fault(of: $0) == nil }
      params[name] = chance.pick(fitting.isEmpty || chance.isHeads(oneIn: 4) ? values : fitting)
    }
    for name in params.keys.sorted() where definitions[name] == nil && !chance.isHeads(oneIn: 20) { params[name] = nil }
    return params
  }

  @Test(arguments: 0..<4) func `a compiled contract accepts exactly the params that the check of the definition accepts`(seed: UInt64) {
    var chance = Chance(seed: seed)
    var (taken, refused) = (0, 0)
    for _ in 0..<4_000 {
      let declared = Self.names.filter { _ in !chance.isHeads(oneIn: 2) }
      let definitions = Dictionary(uniqueKeysWithValues: declared.map { ($0, Self.definition(&chance)) })
      let given = Self.params(for: definitions, &chance)
      let expected = ParameterDefinition.check(given, against: definitions)
      let contract = ParameterContract(definitions)
      #expect(contract.checked(given) == (expected.faults.isEmpty ? expected.params : nil), "\(given) for \(definitions)")
      #expect(contract.faults(of: given).map(\.name) == expected.faults.map(\.name))
      if expected.faults.isEmpty { taken += 1 } else { refused += 1 }
    }
    #expect(taken > 100 && refused > 100)
  }

  @Test func `a template that passes each param on under its own name is a copy`() {
    let copy = Recipe(["a": .reference(.param("a")), "b": .reference(.param("b"))])
    #expect(copy.copy(of: ["a": 1, "b": 2]) == ["a": 1, "b": 2])
    #expect(copy.copy(of: ["a": 1]) == nil)
    #expect(copy.copy(of: ["a": 1, "c": 2]) == nil)
    #expect(copy.copy(of: ["a": 1, "b": 2, "c": 3]) == nil)
    #expect(Recipe(["a": .reference(.param("b"))]).copy(of: ["a": 1]) == nil)
    #expect(Recipe(["a": .literal(1)]).copy(of: ["a": 1]) == nil)
    #expect(Recipe([:]).copy(of: [:]) == [:])
  }

  @Test func `a template detects the authorize URL at any depth`() {
    #expect(Recipe(["url": .reference(.authorizeURL)]).carriesAuthorizeURL)
    #expect(Recipe(["page": .object(["url": .array([.reference(.authorizeURL)])])]).carriesAuthorizeURL)
    #expect(!Recipe(["url": .reference(.param("url"))]).carriesAuthorizeURL)
  }

  @Test func `a set of steps contains the steps that were inserted`() {
    let numbers = [0, 1, 63, 64, 65, 127, 128, 500]
    let set = StepSet(numbers.shuffled())
    for number in 0..<600 { #expect(set.contains(number) == numbers.contains(number)) }
    #expect(!StepSet([Int]()).contains(0))
  }

  @Test func `names are numbered, and keep their numbers when names are added`() throws {
    let names = Names(["b", "a", "b", "quo\"te"])
    #expect(names.texts == ["b", "a", "quo\"te"])
    #expect(names.number("a") == 1 && names.number("z") == nil)
    let written = try (0..<3).map { number in try JSONWriter.bytes(expected: 8) { names.quoted.write(number, to: &$0) } }
    #expect(written.map { String(decoding: $0, as: UTF8.self) } == [#""b""#, #""a""#, #""quo\"te""#])
    let more = Names(["z", "a"], extending: names)
    #expect(more.texts == ["b", "a", "quo\"te", "z"])
    #expect(more.isBuilt(on: names) && !names.isBuilt(on: more) && names.isBuilt(on: names))
  }

  @Test func `an undeclared step of a definition made in code is numbered, and clients cannot post it`() throws {
    let flow = FlowDefinition(
      container: .stack, initialChildren: .root(Contribution(.screen("home"))),
      handle: ["go": Handler(branches: [.init(operations: [.push(Contribution(.screen("home")))])])])
    let definition = Definition(
      app: "hand", root: Contribution(.flow("main")), screens: ["home": ScreenDefinition()], flows: ["main": flow])
    let program = Program(definition)
    #expect(program.step("go").map { program.steps[$0].isDeclared } == false)
    #expect(program.step("nowhere") == nil)
    var drive = try Drive(definition, creation: Creation())
    drive.step("go")
    #expect(drive.outcome == "invalid")
  }

  @Test func `a restored state contains the meta of its nodes before its first action`() throws {
    let drive = try Drive(
      """
      app: meta
      language: 1
      root: { flow: main }
      screens: { home: { meta: { title: Home } } }
      flows: { main: { stack: home, meta: { tint: red } } }
      """)
    let read = try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version)
    #expect(read == drive.state)
    let tree = drive.reducer.tree(of: read)
    #expect(tree == drive.tree)
    #expect(tree.meta == ["tint": "red"])
    #expect(tree.children?.first?.meta == ["title": "Home"])
  }
}

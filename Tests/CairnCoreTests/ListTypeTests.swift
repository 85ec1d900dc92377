import CairnCore
import CairnTesting
import Testing

@Suite struct `Types of lists` {
  private func list(_ item: ParameterDefinition, _ least: Value? = nil, _ most: Value? = nil) -> ParameterDefinition {
    var type = ParameterDefinition(.list)
    type.bounds = ValueBounds(minLength: least, maxLength: most, item: item)
    return type
  }

  private var small: ParameterDefinition {
    var type = ParameterDefinition(.integer)
    type.bounds = ValueBounds(min: 1, max: 9)
    return type
  }

  @Test func `a list fits if its items have their type and their number is within the bounds`() {
    let type = list(small, 1, 3)
    for value: Value in [[1], [1, 9, 1]] { #expect(type.fault(of: value) == nil) }
    #expect(type.fault(of: []) == "must have from 1 to 3 items, not 0")
    #expect(type.fault(of: [1, 2, 3, 4]) == "must have from 1 to 3 items, not 4")
    #expect(type.fault(of: [1, 2, 10]) == "[2] must be from 1 to 9, not 10")
    #expect(type.fault(of: [1, "2", 10]) == "[1] must be of type integer, not string")
    #expect(type.fault(of: [1, .null]) == "[1] must be of type integer, not null")
    #expect(type.fault(of: [[1]]) == "[0] must be of type integer, not array")
    #expect(type.fault(of: [1, .sealed(1)]) == "[1] is not secret, so its value cannot be a secret")
    #expect(type.fault(of: "1") == "must be of type list, not string")
    #expect(type.fault(of: ["a": 1]) == "must be of type list, not object")
    #expect(list(small, nil, 1).fault(of: [1, 2]) == "must have at most 1 item, not 2")
  }

  @Test func `a list without a type of its items accepts every list`() {
    for type in [ParameterDefinition(.list), list(ParameterDefinition(.any))] {
      for value: Value in [[], [1, "a", .null, [2], ["a": 3]]] { #expect(type.fault(of: value) == nil) }
      #expect(type.fault(of: 1) == "must be of type list, not integer")
    }
  }

  @Test func `the items may be members of a set`() {
    let type = list(ParameterDefinition(.string, allowed: ValueSet(["a", "b"])))
    #expect(type.fault(of: ["a", "b", "a"]) == nil)
    #expect(type.fault(of: ["a", "c"]) == "[1] must be one of a, b")
  }

  @Test func `the fault of a param names the item`() {
    let types = ["tags": list(small), "other": ParameterDefinition(.string)]
    let faults = ParameterDefinition.check(["tags": [1, 0], "other": "x", "tags[1]": 1], against: types).faults
    #expect(faults.map(\.name) == ["tags[1]", "tags[1]"])
    #expect(faults.map(\.fault) == ["must be from 1 to 9, not 0", "is unknown; the params are other, tags"])
  }

  private static let app = """
    app: lists
    language: 1
    root: main
    facts: { marks: { type: list, of: { type: number, min: 1 }, by: client, default: [1] } }
    screens:
      home: { emits: { tagged: { tags: { type: list of string, minItems: 1 } }, marked: { mark: number } } }
      page: { params: { tags: { type: list, of: { type: string, maxLength: 2 } } } }
    flows:
      main:
        stack: home
        handle:
          tagged: { push: page, with: { tags: $tags } }
          marked: { write: { marks: [1, $mark] } }
    """

  @Test func `a refusal points at the item of a param`() throws {
    var drive = try Drive(Self.app)
    drive.step("tagged", ["tags": ["a", 1]])
    #expect(drive.refusal?.code == .invalid)
    #expect(drive.refusal?.faults == [.init(pointer: "/params/tags/1", detail: "must be of type string, not integer")])
    drive.step("tagged", ["tags": []])
    #expect(drive.refusal?.faults == [.init(pointer: "/params/tags", detail: "must have at least 1 item, not 0")])
    #expect(drive.sketch == "main[home]")
  }

  @Test func `a refusal names the item of a param and of a fact`() throws {
    var drive = try Drive(Self.app)
    drive.step("tagged", ["tags": ["a", "abc"]])
    #expect(drive.refusal?.code == .valueMismatch)
    #expect(drive.refusal?.detail == "the param tags[1] of the screen page must have at most 2 characters, not 3")
    drive.step("marked", ["mark": .number(0.5)])
    #expect(drive.refusal?.detail == "the fact marks [1] must be at least 1, not 0.5")
    drive.step("marked", ["mark": 2])
    #expect(drive.state.facts["marks"] == [1, 2])
  }

  @Test func `the types of lists are stored with the definition`() throws {
    let definition = try Drive(Self.app).reducer.definition
    let read = try DefinitionFormat.read(DefinitionFormat.bytes(definition))
    #expect(read.facts["marks"]?.type == definition.facts["marks"]?.type)
    #expect(read.steps["tagged"]?.params["tags"]?.bounds == ValueBounds(minLength: 1, item: ParameterDefinition(.string)))
    #expect(read.steps["tagged"]?.params["tags"]?.bounds != ValueBounds(minLength: 1, item: ParameterDefinition(.integer)))
  }
}

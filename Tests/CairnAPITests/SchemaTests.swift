import CairnAPI
import CairnCore
import CairnTesting
import Testing

@Suite struct `JSON schemas` {
  private func faults(_ value: Value, _ schema: Schema) -> [String] { SchemaCheck(document: [:]).faults(value, schema.value) }

  @Test(
    arguments: [
      (.any, [.null, 1, "x", [], [:]], []), (.text, ["", "x"], [1, .null]), (.flag, [true, false], [0, "true"]),
      (.null, [.null], [false, ""]),
      (.number, [1, .number(1.5)], ["1"]), (.text(like: "^n[0-9]+$"), ["n1"], ["n", "xn1", 1]),
      (.whole(from: 1, to: 3), [1, 3], [0, 4, .number(1.5), "1"]), (.whole(), [.integer(.min), .integer(.max)], [.number(0.5)]),
      (.words(["a", "b"]), ["a", "b"], ["c", "", 1]), (.only("a"), ["a"], ["b"]), (.onlyTrue, [true], [false, "true"]),
      (.list(of: .text, atLeast: 1, atMost: 2), [["a"], ["a", "b"]], [[], ["a", "b", "c"], [1], "a"]), (.list(of: .any), [[]], [[:]]),
      (.map(of: .flag), [[:], ["a": true]], [["a": 1], []]), (.one(of: [.text, .flag]), ["x", true], [1]),
      (.orNull(.text), [.null, "x"], [1]),
      (
        .object([Property("a", .text), .maybe("b", .flag)]), [["a": "x"], ["a": "x", "b": true]], [[:], ["a": 1], ["a": "x", "b": 1], []]
      ),
      (.closed([.maybe("a", .text)]), [[:], ["a": "x"]], [["b": 1]]),
    ] as [(Schema, [Value], [Value])])
  func `each schema accepts the values that its name describes, and no others`(schema: Schema, fitting: [Value], others: [Value]) {
    for value in fitting { #expect(faults(value, schema) == [], "\(value)") }
    for value in others { #expect(faults(value, schema) != [], "\(value)") }
  }

  @Test func `oneOf accepts a value that fits exactly one schema`() {
    #expect(faults("x", .one(of: [.text, .any])) != [])
  }

  @Test func `a description changes nothing else, and an empty one is omitted`() {
    #expect(Schema.text.about("t").value == ["type": "string", "description": "t"])
    #expect(Property("a", .text, "t").schema == Schema.text.about("t"))
    #expect(Property("a", .text).schema == .text && Property("a", .text).isRequired)
    #expect(!Property.maybe("a", .text).isRequired)
  }

  @Test func `an object lists its required members in order, and omits an empty list`() {
    #expect(
      Schema.object([Property("b", .text), .maybe("c", .text), Property("a", .text)]).value["required"] == ["b", "a"])
    #expect(Schema.object([]).value == ["type": "object"])
  }

  @Test func `the schemas of the document have distinct names`() {
    let names = SchemaDocument.schemas.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func `every reference resolves to a schema`() {
    var references: Set<String> = []
    func walk(_ value: Value) {
      switch value {
      case .object(let members):
        if case .string(let reference)? = members["$ref"] { references.insert(reference) }
        for member in members.values { walk(member) }
      case .array(let elements): elements.forEach(walk)
      default: break
      }
    }
    walk(SchemaDocument.value)
    let known = Set(SchemaDocument.schemas.map { "#/components/schemas/\($0.name)" })
    #expect(references.subtracting(known) == [])
    #expect(references.count > 40)
  }

  @Test func `the discriminator of changes maps each operation to its schema`() throws {
    let mapping = try #require(Component.change.schema.value.at(["discriminator", "mapping"]))
    guard case .object(let members) = mapping else { throw CancellationError() }
    #expect(members.count == 10)
    for (op, name) in members {
      let kind = ChangeSchema.kinds.first { $0.op == op }
      #expect(name == .string("#/components/schemas/\(kind?.name ?? "")"))
      #expect(kind?.schema.value.at(["properties", "op", "enum"]) == [.string(op)])
    }
  }

  @Test(arguments: [
    (Action.Kind.pop, ["PopAction"]), (.popTo, ["PopToScreenAction", "PopToNodeAction"]),
    (.select, ["SelectTabAction", "SelectFlowAction"]),
    (.answer, ["AnswerLoadedAction", "AnswerFailedAction", "AnswerExchangedAction", "AnswerExchangeFailedAction"]),
    (.appState, ["AppStateAction"]),
  ])
  func `a kind with alternatives has a schema for each`(kind: Action.Kind, names: [String]) {
    let row = ActionRow[kind]
    #expect(row.schemas.map(\.name) == names)
    for (alternative, schema) in zip(
      row.needsAlternative ? row.posted[row.alternatives].map(\.name.description) : [], row.schemas.map(\.schema))
    {
      #expect(schema.value["required"] == ["type", .string(alternative)])
    }
  }

  @Test func `the schema of a declared step accepts its name and its params, and no others`() {
    let schema = ActionRequest.stepSchema(named: "pick", params: Property("params", .closed([Property("id", .whole())])))
    let check = { SchemaCheck(document: SchemaDocument.value).faults($0, schema.value) }
    #expect(check(["step": "pick", "params": ["id": 7], "from": "n3"]) == [])
    for body: Value in [
      ["step": "other", "params": ["id": 7]], ["step": "pick"], ["step": "pick", "params": ["id": "7"]],
      ["step": "pick", "params": ["id": 7, "x": 1]], ["step": "pick", "params": ["id": 7], "from": "3"],
    ] { #expect(check(body) != [], "\(body)") }
  }

  @Test func `the schema of a creation of an app contains its name and its facts`() {
    let schema = CreationRequest.schema(app: "shop", facts: .closed([.maybe("beta", .flag)]))
    let check = { SchemaCheck(document: SchemaDocument.value).faults($0, schema.value) }
    #expect(check(["app": "shop", "facts": ["beta": true]]) == [] && check(["app": "shop"]) == [])
    for body: Value in [["app": "other"], ["app": "shop", "facts": ["gamma": true]], ["app": "shop", "facts": ["beta": 1]]] {
      #expect(check(body) != [], "\(body)")
    }
  }
}

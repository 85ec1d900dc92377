import CairnCore
import CairnDefinition
import CairnTesting
import Foundation
import Testing

@Suite struct SchemaTests {
  private let validator: SchemaValidator

  init() throws { validator = try SchemaValidator(DefinitionSchema.value) }

  private static func value(_ text: String) throws -> Value {
    try FoundationJSON.value(DefinitionLoader.load(file: "x", text: text).canonical)
  }

  private static func errors(of value: Value) throws -> [String] {
    var writer = JSONWriter()
    value.write(to: &writer)
    let text = String(decoding: try writer.bytes(), as: UTF8.self)
    do throws(InvalidDefinition) {
      _ = try DefinitionLoader.load(file: "x", text: text)
      return []
    } catch {
      return error.diagnostics.filter { $0.severity == .error }.map(\.message)
    }
  }

  @Test func `the schema file for editors equals the schema of the parser`() throws {
    let file = ShippedApp.folder.appending(path: "../app.schema.json").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text == DefinitionSchema.text, "say: cairn schema > config/app.schema.json")
    #expect(try FoundationJSON.value(text) == DefinitionSchema.value)
  }

  @Test func `the schema of included files has only what joins, and equals its file`() throws {
    let file = ShippedApp.folder.appending(path: "../app-part.schema.json").standardized
    #expect(
      try String(contentsOf: file, encoding: .utf8) == DefinitionSchema.textOfPart, "say: cairn schema --part > config/app-part.schema.json"
    )
    let validator = try SchemaValidator(DefinitionSchema.valueOfPart)
    #expect(validator.isValid(["language": 1, "flows": ["a": ["stack": "home"]], "notifications": ["take": []]]))
    #expect(validator.isValid(["rules": []]))
    for wrong: Value in [["app": "a"], ["root": "main"], ["language": 0], ["include": "a.yaml"], ["notifications": ["link": "/a"]]] {
      #expect(!validator.isValid(wrong), "\(wrong)")
    }
    #expect(self.validator.isValid(["app": "a", "language": 1, "root": "main", "include": ["flows/*.yaml"]]))
  }

  @Test func `the schema names its draft, has an id, and describes every member`() throws {
    let schema = DefinitionSchema.value
    #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["$id"] == "urn:cairn:app:1")
    try SchemaValidator.visit(schema) { schema in
      guard schema["additionalProperties"] == false, case .object(let properties)? = schema["properties"] else { return }
      for (name, property) in properties { #expect(property["description"]?.shortText.hasSuffix(".") == true, "\(name)") }
    }
  }

  @Test func `the examples in the schema are valid`() throws {
    var count = 0
    try SchemaValidator.visit(DefinitionSchema.value) { schema in
      guard case .array(let examples)? = schema["examples"] else { return }
      for example in examples {
        count += 1
        #expect(validator.isValid(example, by: .object(schema)), "\(example)")
      }
    }
    #expect(count > 15)
  }

  @Test(arguments: ShippedApp.names) func `a shipped app is valid for the schema`(name: String) throws {
    #expect(validator.isValid(try SchemaTests.value(try ShippedApp.text(name))))
  }

  @Test(arguments: DocumentTests.examples) func `an example of the page is valid for the schema`(example: DocumentTests.Example) throws {
    #expect(validator.isValid(try SchemaTests.value(DocumentTests.whole(example))))
  }

  // MARK: Agreement of parser and schema

  /// A definition with one changed value.
  private struct Variant {
    var value: Value
    /// The place of the change, and the new value.
    var place: String
  }

  /// Changes each value of the examples of the page and of two shipped apps in several ways.
  private static func variants(of change: (Value) -> [Value]) throws -> [Variant] {
    var variants: [Variant] = []
    for name in ["shop.yaml", "qiita.yaml"] {
      variants += SchemaTests.variants(of: try value(try ShippedApp.text(name)), at: name, change)
    }
    for example in DocumentTests.examples {
      let whole = try value(DocumentTests.whole(example))
      guard case .object(let sections) = whole else { continue }
      // Each example is completed with sections of the guide. These sections are changed only in the guide itself, apart from `flows`.
      let own = example.text.hasPrefix("app:") ? nil : Set(example.sections.map(\.key))
      for (section, content) in sections where own == nil || own?.contains(section) == true || section == "flows" {
        variants += SchemaTests.variants(of: content, at: "\(example.line) \(section)", change).map { variant in
          Variant(value: .object(sections.merging([section: variant.value]) { _, new in new }), place: variant.place)
        }
      }
    }
    return variants
  }

  private static func variants(of value: Value, at place: String, _ change: (Value) -> [Value]) -> [Variant] {
    var variants = change(value).map { Variant(value: $0, place: "\(place): \($0)") }
    switch value {
    case .object(let members):
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        variants += self.variants(of: member, at: "\(place).\(name)", change).map { variant in
          Variant(value: .object(members.merging([name: variant.value]) { _, new in new }), place: variant.place)
        }
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        variants += self.variants(of: element, at: "\(place).\(index)", change).map { variant in
          Variant(value: .array(elements[..<index] + [variant.value] + elements[(index + 1)...]), place: variant.place)
        }
      }
    default: break
    }
    return variants
  }

  @Test func `a member that the parser rejects as unknown is rejected by the schema, in any place`() throws {
    var kinds: Set<String> = []
    let strangers = try SchemaTests.variants { value in
      guard case .object(let members) = value else { return [] }
      return [.object(members.merging(["xyzzy": 1]) { _, new in new })]
    }
    for stranger in strangers {
      let errors = try SchemaTests.errors(of: stranger.value)
      // The schema cannot know the names of params and other names of the author.
      let isUnknown = errors.contains { $0.contains(" has no member `xyzzy`") && !$0.contains("param `xyzzy`") }
      if isUnknown { kinds.formUnion(errors.compactMap { $0.components(separatedBy: " has no member `xyzzy`").first }) }
      let isValid = validator.isValid(stranger.value)
      #expect(!(isUnknown && isValid), "the schema takes it, the reader does not: \(stranger.place)")
      #expect(!(errors.isEmpty && !isValid), "the reader takes it, the schema does not: \(stranger.place)")
    }
    // The kinds of maps that occur in these files.
    for kind in [
      "a definition", "`root`", "a rule", "the screen `home`", "the flow `main`", "the fact `onBoarded`", "the param `order`",
      "a condition on `fact`", "a condition on `param`", "a condition on `visible`", "a condition on `all`", "a branch", "an adaptation",
      "a step to send", "`push`", "`replace`", "`set`", "`present`", "`detail`", "`split`", "`select`", "`show`", "`end`", "`send`",
      "`content`", "`load`", "`timer`", "`write`", "`cancel`", "`popTo`", "`pop`", "`reveal`", "`remove`", "a timer", "a link",
      "a step of a link", "`linkDefaults`", "`notifications`", "`suppress`", "`oauth`", "`tokenEndpoint`", "`clientId`", "`response`",
    ] {
      #expect(kinds.contains(kind), "\(kind) is not met")
    }
  }

  @Test func `the schema accepts everything that the parser accepts`() throws {
    var refused = 0
    let changed = try SchemaTests.variants { value in
      let others: [Value] = [.null, "home", [:]]
      guard case .object(let members) = value else { return others }
      return others + members.keys.sorted().map { name in .object(members.filter { $0.key != name }) }
    }
    // Only texts that the schema rejects are passed to the reader, because the reader takes much longer.
    for variant in changed where !validator.isValid(variant.value) {
      refused += 1
      let errors = try SchemaTests.errors(of: variant.value)
      #expect(errors != [], "the reader takes it, the schema does not: \(variant.place)")
    }
    #expect(refused > 500 && changed.count - refused > 500, "\(refused) of \(changed.count)")
  }
}

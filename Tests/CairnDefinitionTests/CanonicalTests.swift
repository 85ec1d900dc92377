import CairnCore
import CairnDefinition
import Testing

@Suite struct CanonicalTests {
  private let block = """
    # A comment.
    app: demo
    language: 1
    root:
      flow: main   # another
    screens:
      home:
        meta: { title: "Start", order: 1, ratio: 0.5, tags: [a, true, null] }
    flows:
      main: { stack: home }
    """
  private let flow = """
    {flows: {main: {stack: home}}, screens: {home: {meta: {ratio: 5e-1, tags: [a,true,~], order: 0x1, title: Start}}},
      "root": {flow: main}, app: "demo", language: 1}
    """
  private let json = """
    {"app":"demo","flows":{"main":{"stack":"home"}},"language":1,\
    "root":{"flow":"main"},"screens":{"home":{"meta":{"order":1,"ratio":0.5,"tags":["a",true,null],"title":"Start"}}}}
    """

  private func load(_ text: String) throws -> LoadedDefinition { try DefinitionLoader.load(file: "demo", text: text) }

  @Test func `spacing, comments, quotes and order do not change the canonical text`() throws {
    let first = try load(block)
    #expect(first.canonical == json)
    #expect(try load(flow) == first)
    #expect(try load(json) == first)
    #expect(try DefinitionLoader.load(canonical: json) == first)
  }

  @Test func `a different value is another definition`() throws {
    #expect(try load(block.replacing("order: 1", with: "order: 2")).hash != load(block).hash)
    #expect(try load(block.replacing("order: 1", with: "order: '1'")).hash != load(block).hash)
  }

  /// The expected digest was computed with another program.
  @Test func `the hash is the SHA-256 of the text`() throws {
    #expect(try load(json).hash == "eb777b9a5a7f182823d063eb88bbe43b618c8dde15e90288c7fad5f7131f70f8")
  }

  @Test func `aliases are expanded`() throws {
    let aliased = block.replacing("{ stack: home }", with: "&a { stack: home }\n  other: *a")
    let loaded = try load(aliased)
    #expect(loaded.definition.flows["other"] == loaded.definition.flows["main"])
    #expect(loaded.canonical.contains(#""other":{"stack":"home"}"#))
  }

  @Test func `JSON may escape a character beyond U+FFFF as a surrogate pair`() throws {
    let text =
      #"{"app":"demo","root":{"flow":"main"},"screens":{"home":{"meta":"\\ud83d \uD83D\uDDFB \u00e9"}},"flows":{"main":{"stack":[]}},"language":1}"#
    #expect(try load(text).definition.screens["home"]?.meta == .string("\\ud83d 🗻 é"))
    let alone = text.replacing("\\uDDFB", with: "")
    #expect(complaints(alone).count == 1)
  }

  @Test(arguments: [
    "plain", "\"quoted\" \\ back", "line\nbreak\tand tab", "\u{0}\u{1}\u{1F}\u{7F}", "next\u{85}line\u{2028}and\u{2029}paragraph",
    "byte\u{FEFF}order", "日本語",
    "🗻 cairn", "# no comment", "{ no: map }", "$$x", " spaces ", "null", "e\u{301}",
  ]) func `any string is restored from the canonical text`(string: String) throws {
    let whole: Value = [
      "app": "demo", "language": 1, "root": ["flow": "main"], "screens": ["home": ["meta": .string(string)]],
      "flows": ["main": ["stack": "home"]],
    ]
    // Escapes every scalar as `\U` and eight digits, as another writer of YAML may.
    let escaped = string.unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
    let text =
      #"{"app":"demo","root":{"flow":"main"},"screens":{"home":{"meta":"\#(escaped)"}},"flows":{"main":{"stack":"home"}},"language":1}"#
    let loaded = try load(text)
    #expect(loaded.definition.screens["home"]?.meta == whole["screens"]?["home"]?["meta"])
    let again = try DefinitionLoader.load(canonical: loaded.canonical)
    #expect(again == loaded)
    #expect(again.definition.screens["home"]?.meta == .string(string))
  }
}

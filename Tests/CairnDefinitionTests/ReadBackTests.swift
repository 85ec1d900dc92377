import CairnCore
import CairnDefinition
import CairnTesting
import Testing

/// An accepted definition is stored as its canonical text. Its sessions need that text after a restart, so it must be readable.
@Suite struct `Reading accepted definitions` {
  private static let start = """
    app: kept
    language: 1
    root: { flow: main }
    screens: { home: }
    flows: { main: { stack: home } }

    """

  private func read(_ text: String) throws -> LoadedDefinition {
    let loaded = try DefinitionLoader.load(file: "kept.yaml", text: text)
    for again in [
      try DefinitionLoader.load(canonical: loaded.canonical), try DefinitionLoader.load(file: "kept.json", text: loaded.canonical),
    ] {
      #expect(again.canonical == loaded.canonical && again.hash == loaded.hash && again.definition == loaded.definition)
    }
    return loaded
  }

  @Test(arguments: ["[", "{", "[{", "- [", "\\\"[", "'[", "# ["])
  func `a text with any brackets or quotes in a string is read back`(piece: String) throws {
    let text = String(repeating: piece, count: 300)
    _ = try read(Self.start + "description: \"\(text)\"\n")
  }

  @Test func `a nested string with 250 brackets is read back`() throws {
    let brackets = String(repeating: "[", count: 250)
    _ = try read(Self.start.replacing("screens: { home: }", with: "screens: { home: { meta: [{ a: \"\(brackets)\" }] } }"))
  }

  @Test func `a definition whose expanded text exceeds the maximum file size is rejected`() {
    let long = String(repeating: "x", count: 9_000)
    let aliased = Self.start + "description: &a \(long)\nmeta: [\(Array(repeating: "*a", count: 200).joined(separator: ", "))]\n"
    let large = complaints(aliased)
    #expect(
      large.count == 1 && large.first?.hasSuffix("with its aliases expanded, the file has more than the maximum of 1048576 bytes") == true)
    // Escapes are longer than the characters they represent.
    let escaped = Self.start + "description: \"\(String(repeating: "\\0", count: 200_000))\"\n"
    #expect(complaints(escaped).first?.contains("the definition's JSON form cannot be read") == true)
  }

  @Test func `a definition with a key longer than the parser of JSON accepts is rejected`() {
    let key = String(repeating: "k", count: 1_100)
    let told = complaints(Self.start + "meta:\n  ? \(key)\n  : 1\n")
    #expect(told.count == 1 && told.first?.contains("JSON form cannot be read") == true)
  }

  @Test func `a stored definition is read although it breaks newer rules or the maximum size`() throws {
    let flow = #"{"handle":{"go":{"write":{"base":"$u"}}},"stack":"home"}"#
    let parts = [
      #"{"app":"kept","description":"\#(String(repeating: "x", count: 1_100_000))""#, #""facts":{"base":{"env":"BASE","type":"string"}}"#,
      #""flows":{"main":\#(flow)}"#, #""language":1"#, #""root":{"flow":"main"}"#, #""screens":{"home":{"emits":["go"]}}"#,
      #""steps":{"go":{"u":"string"}}}"#,
    ]
    let stored = parts.joined(separator: ",")
    #expect(throws: InvalidDefinition.self) { try DefinitionLoader.load(file: "new", text: stored) }
    let loaded = try DefinitionLoader.load(canonical: stored)
    #expect(loaded.canonical == stored)
    var drive = try Drive(loaded.definition, creation: Creation(environment: ["BASE": "https://a.example"]))
    drive.step("go", ["u": "https://evil.example"])
    #expect(drive.outcome == "value-mismatch")
    #expect(drive.state.facts["base"] == "https://a.example")
  }

  @Test(arguments: ShippedApp.names) func `a shipped app is read back unchanged`(name: String) throws {
    _ = try read(ShippedApp.text(name))
  }

  /// Random texts. Every accepted one is read back unchanged.
  @Test func `any accepted text is read back unchanged`() throws {
    var chance = Chance(seed: 7)
    let pieces = [
      "[", "]", "{", "}", "\"", "'", "#", ":", ",", "- ", " ", "x", "\\", "\\n", "é", "🗻", "\t", "?", "&a ", "*a", "1", "~", "%", "@", "|",
      "\u{2028}",
    ]
    var accepted = 0
    for _ in 0..<3_000 {
      let text = (0..<(1 + chance.below(30))).map { _ in pieces[chance.below(pieces.count)] }.joined()
      let value: String =
        switch chance.below(4) {
        case 0: "\"\(text)\""
        case 1: "'\(text.replacing("'", with: "''"))'"
        case 2: "[\(text)]"
        default: text
        }
      guard let loaded = try? DefinitionLoader.load(file: "kept", text: Self.start + "meta: \(value)\n") else { continue }
      accepted += 1
      let again = try DefinitionLoader.load(canonical: loaded.canonical)
      #expect(again.canonical == loaded.canonical && again.definition == loaded.definition)
      #expect((try? DefinitionLoader.load(file: "json", text: loaded.canonical))?.hash == loaded.hash)
    }
    #expect(accepted > 500)
  }
}

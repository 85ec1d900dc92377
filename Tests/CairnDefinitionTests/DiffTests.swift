import CairnCore
import CairnDefinition
import Testing

@Suite struct `Differences of definitions` {
  /// The definition in which a test replaces parts of lines. The positions in expected changes count its lines from 1.
  private static let base = """
    app: demo
    language: 1
    root: { flow: main, start: begin }
    facts:
      count: { type: integer, default: 0 }
      size: { type: string, in: [s, m, l], default: m }
    screens:
      home: { emits: [go, ask] }
      page: { params: { n: integer, title: optional string } }
      lonely: {}
    steps:
      begin:
      go: { n: integer }
      ask:
    flows:
      main:
        stack: []
        handle:
          begin: { set: [home] }
          go: { push: page, with: { n: $n } }
          ask: { set: [lonely] }
    links:
      - { scheme: demo, path: "/go/{n}", send: go }
    compat: { emits: any }
    """

  private func source(_ text: String) throws -> DefinitionDiff.Source {
    DefinitionDiff.Source(try DefinitionLoader.load(file: "demo.yaml", text: text), root: try Document.read(file: "demo.yaml", text: text))
  }

  private func diff(_ edits: [(String, String)]) throws -> DefinitionDiff {
    let changed = edits.reduce(Self.base) { text, edit in
      #expect(text.contains(edit.0))
      return text.replacing(edit.0, with: edit.1)
    }
    return DefinitionDiff(from: try source(Self.base), to: try source(changed))
  }

  private func place(_ position: Position?) -> String? { position.map { "\($0.line):\($0.column)" } }

  /// The changes as `effect: kind subject name: text`.
  private func lines(_ edits: (String, String)...) throws -> [String] {
    try diff(edits).changes.map {
      "\($0.effect.rawValue): \($0.kind.rawValue) \($0.subject.rawValue) \($0.name)" + ($0.text.isEmpty ? "" : ": \($0.text)")
    }
  }

  @Test func `equal definitions have no changes, whatever their comments and order of members`() throws {
    #expect(
      try lines(("app: demo", "# a comment\napp: demo"), ("n: integer, title: optional string", "title: optional string, n: integer")) == []
    )
  }

  @Test func `an added step that an added screen emits is not called one that nothing sends`() throws {
    let added = try diff([("  lonely: {}", "  lonely: {}\n  more: { emits: [leave] }"), ("  ask:\n", "  ask:\n  leave:\n")])
    #expect(added.changes.filter { $0.subject == .step }.map(\.consequence) == ["no post, timer or call uses the step yet"])
  }

  @Test func `a screen that was added has no effect, and one that was removed needs a migration`() throws {
    #expect(try lines(("  lonely: {}", "  lonely: {}\n  more: {}")) == ["none: added screen more"])
    let removed = try diff([("  lonely: {}\n", ""), ("set: [lonely]", "set: [home]")])
    #expect(removed.changes.map(\.name) == ["lonely", "main"])
    #expect(removed.changes[0].effect == .migration && removed.changes[1].effect == .behavior)
    #expect(place(removed.changes[0].old) == "10:3" && removed.changes[0].new == nil)
  }

  @Test func `a renamed part is shown with its probable new name`() throws {
    let screens = try diff([("  lonely: {}", "  single: {}"), ("set: [lonely]", "set: [single]")])
    #expect(screens.changes.first { $0.kind == .removed }?.consequence.hasSuffix("its new name may be `single`") == true)
    let facts = try diff([("  count: {", "  number: {")])
    #expect(facts.changes.first { $0.kind == .removed }?.consequence.hasSuffix("its new name may be `number`") == true)
  }

  @Test func `params need a migration if a value that exists may not fit`() throws {
    #expect(
      try lines(("title: optional string", "title: optional string, tag: optional string")) == [
        "none: added screen page.tag: param tag, optional string"
      ])
    #expect(
      try lines(("title: optional string", "title: optional string, tag: { type: string, default: new }"))
        == ["none: added screen page.tag: param tag, string, default new"])
    #expect(
      try lines(("n: integer, title: optional string", "n: number, title: optional string")) == [
        "none: changed screen page.n: param n, number, was integer"
      ])
    #expect(
      try lines(("n: integer, title: optional string", "n: integer, title: string"), ("with: { n: $n }", "with: { n: $n, title: x }"))
        == [
          "migration: changed screen page.title: param title, string, was optional string",
          "behavior: changed flow main: handles go differently",
        ])
    #expect(
      try lines(("n: integer, title: optional string }", "n: integer }")) == [
        "migration: removed screen page.title: param title, optional string"
      ])
    #expect(
      try lines(("go: { n: integer }", "go: { n: integer, why: string }"), ("/go/{n}", "/go/{n}/{why}"))
        == [
          "migration: added step go.why: param why, string", "behavior: removed link 1", "behavior: added link 1",
        ])
  }

  @Test func `facts need a migration if they are removed or a value may not fit`() throws {
    #expect(
      try lines(("  count: {", "  other: { type: integer, default: 1 }\n  count: {")) == ["none: added fact other: integer, default 1"])
    #expect(
      try lines(("in: [s, m, l]", "in: [m, l, xl]"))
        == ["migration: changed fact size: string, one of m, l, xl, default m, was string, one of s, m, l, default m"])
    #expect(
      try lines(("in: [s, m, l]", "in: [s, m, l, xl]"))
        == ["none: changed fact size: string, one of s, m, l, xl, default m, was string, one of s, m, l, default m"])
    #expect(
      try lines(("count: { type: integer, default: 0 }", "count: { type: integer, default: 0, by: client }")) == [
        "behavior: changed fact count: by client"
      ])
  }

  @Test func `another container needs a migration, and other handlers change behavior`() throws {
    #expect(
      try lines(("  main:\n    stack: []", "  main:\n    stack: home"))
        == ["behavior: changed flow main: initial nodes"])
    #expect(
      try lines(("      ask: { set: [lonely] }", "      ask: { set: [home] }")) == ["behavior: changed flow main: handles ask differently"])
    let handler = try diff([("begin: { set: [home] }", "begin: { set: [page], with: { n: 1 } }")])
    #expect(handler.changes.map { place($0.new) } == ["19:7"])
    #expect(handler.changes.map { place($0.old) } == ["19:7"])
  }

  @Test func `settings, contracts and links change behavior`() throws {
    #expect(try lines(("compat: {", "compat: { unhandled: drop,")) == ["behavior: changed setting unhandled: drop, was parent"])
    #expect(try lines(("emits: [go, ask]", "emits: [go]")) == ["behavior: changed screen home: emits -ask"])
    #expect(try lines(("/go/{n}", "/went/{n}")) == ["behavior: removed link 1", "behavior: added link 1"])
    let link = try diff([("/go/{n}", "/went/{n}")])
    #expect(link.changes.map { place($0.old ?? $0.new) } == ["23:5", "23:5"])
  }
}

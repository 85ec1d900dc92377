import CairnCore
import CairnDefinition
import CairnTesting
import Testing

/// `$content` is the content of any screen at the time of reading.
@Suite struct `Reading content` {
  private static let app = """
    app: live
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: {}, m: { params: { v: integer } }, page: {} }
    steps: { push: {}, other: {}, later: {}, last: {}, branch: {}, take: { v: integer }, open: {}, look: {} }
    flows:
      main:
        stack: { screen: home, content: { count: 0 } }
        handle:
          push: [{ content: { count: { add: 1 } } }, { push: m, with: { v: $content.count } }]
          other: [{ content: { count: { add: 1 } } }, { push: m, with: { v: $content(home).count } }]
          later: [{ content: { count: { add: 1 } } }, { send: look }, { content: { count: { add: 1 } } }]
          look: { push: m, with: { v: $content.count } }
          take: { push: m, with: { v: $v } }
          open: { push: page, content: { count: 5 } }
          last: [{ content: { count: { add: 1 } } }, pop, { send: take, with: { v: $content.count } }]
          branch: [{ content: { count: { add: 1 } } }, { send: push }]
    """

  @Test(arguments: ["push", "other"]) func `an operation reads the content that earlier operations wrote`(step: String) throws {
    var drive = try Drive(Self.app)
    drive.step(step)
    #expect(drive.sketch == "main[home~{count:1}, m(v: 1)]")
  }

  @Test func `a following turn reads the current content`() throws {
    var drive = try Drive(Self.app)
    drive.step("later")
    #expect(drive.sketch == "main[home~{count:2}, m(v: 2)]")
  }

  @Test func `the last content of a screen that was destroyed in the same action can be read`() throws {
    var drive = try Drive(Self.app)
    drive.step("open")
    drive.step("last")
    #expect(drive.sketch == "main[home~{count:0}, m(v: 6)]")
    #expect(try drive.replayed() == drive.state)
  }
}

/// Details of nodes are stored in numbered slots, which are renumbered when most of them are unused.
@Suite struct `Changes of content` {
  private static let app = """
    app: slots
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: {}, page: { params: { n: integer } } }
    steps: { open: { n: integer }, count: {} }
    flows:
      main:
        stack: { screen: home, content: { count: 0 } }
        handle: { open: { push: page, with: { n: $n } }, count: { content: { count: { add: 1 } } } }
    """

  @Test(arguments: 60...70) func `new content is a change, however many screens had details before`(pages: Int) throws {
    var drive = try Drive(Self.app)
    for number in 0..<pages { drive.step("open", ["n": .integer(WideInt(number))]) }
    drive.run(.popToRoot)
    for count in 1...3 {
      drive.step("count")
      let content = Content(status: .loaded, value: ["count": .integer(WideInt(count))])
      #expect(drive.last.changes == [.update(node: drive.id("home"), Change.Update(content: content))])
    }
  }
}

/// Edits are applied in the order of the canonical form.
@Suite struct `Edits of content` {
  private static func app(_ edits: String) -> String {
    """
    app: edits
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: {} }
    steps: { go: {} }
    flows: { main: { stack: { screen: home, content: { m: 1 } }, handle: { go: { content: { \(edits) } } } } }
    """
  }

  @Test(arguments: [
    ("rows.x: 7, rows: { y: 2 }", "{m:1,rows:{x:7,y:2}}"), ("rows: { y: 2 }, rows.x: 7", "{m:1,rows:{x:7,y:2}}"),
    ("m.n: { add: 1 }, m: 3", "{m:1}"), ("m: { n: 4 }, m.n: { add: 1 }", "{m:{n:5}}"), ("m.n: { add: 1 }, m: { n: 4 }", "{m:{n:5}}"),
  ]) func `the order of edits in the file does not matter, also after a restart`(edits: String, content: String) throws {
    let loaded = try DefinitionLoader.load(file: "edits.yaml", text: Self.app(edits))
    let again = try DefinitionLoader.load(canonical: loaded.canonical)
    #expect(again.hash == loaded.hash && again.definition == loaded.definition)
    for definition in [loaded.definition, again.definition] {
      var drive = try Drive(definition, creation: Creation())
      drive.step("go")
      #expect(drive.sketch == "main[home~\(content)]")
    }
  }
}

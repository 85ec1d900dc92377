import CairnCore
import CairnTesting
import Testing

/// A missing value makes a condition false. An edit whose path needs the value is rejected, and a fact that is written with the value is reset to its default.
@Suite struct `Missing values` {
  private static let app = """
    app: absent
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { g: { type: integer, default: 3 }, none: integer }
    screens:
      home: {}
      detail: { params: { id: optional integer } }
    steps: { row: { id: any }, maybe: { id: { type: optional any } }, write: { id: optional integer }, open: { id: optional integer }, read: { id: any } }
    flows:
      main:
        stack: { screen: home, content: { rows: { a: 1 }, got: 0 } }
        handle:
          row: { content: { rows.$id: 9 } }
          maybe: [{ content: { got: 5 } }, { content: { rows.$id: 9 } }]
          write: { write: { g: $id } }
          open: { push: detail, with: { id: $id } }
          read: { content: { got: $content(home).rows.$id } }
    links: [{ scheme: x, path: "/items", query: [id], send: open }]
    notifications:
      suppress: [{ when: { visible: detail, with: { id: $id } } }]
    """

  @Test(arguments: [Value.null, ["object": 1], [1]]) func `an edit with a path member that is not a string is rejected`(id: Value) throws {
    var drive = try Drive(Self.app)
    drive.step("row", ["id": id])
    #expect(drive.outcome == "value-mismatch")
    #expect(drive.sketch == "main[home~{got:0,rows:{a:1}}]")
    drive.step("row", ["id": "b"])
    #expect(drive.sketch == "main[home~{got:0,rows:{a:1,b:9}}]")
  }

  @Test func `an edit with a missing path member is rejected, and earlier operations of the list are undone`() throws {
    var drive = try Drive(Self.app)
    drive.step("maybe")
    #expect(drive.outcome == "value-mismatch")
    #expect(drive.sketch == "main[home~{got:0,rows:{a:1}}]")
  }

  @Test func `a read through such a path is absent`() throws {
    var drive = try Drive(Self.app)
    for id in [Value.null, ["a": 1], [1]] {
      drive.step("read", ["id": id])
      #expect(drive.sketch == "main[home~{got:null,rows:{a:1}}]")
    }
    drive.step("read", ["id": "a"])
    #expect(drive.sketch == "main[home~{got:1,rows:{a:1}}]")
  }

  @Test func `a fact that is written with an absent value is reset to its default`() throws {
    var drive = try Drive(Self.app)
    drive.step("write", ["id": 7])
    #expect(drive.state.facts["g"] == 7)
    drive.step("write")
    #expect(drive.state.facts["g"] == 3)
  }

  @Test func `a notification without the param is not suppressed by a visible screen`() throws {
    var drive = try Drive(Self.app)
    drive.step("open", ["id": 1])
    let cases: [(url: String?, kind: Event.Kind)] = [
      (nil, .notificationShown), ("x://items?id=2", .notificationShown), ("x://items?id=1", .notificationSuppressed),
    ]
    for (url, kind) in cases {
      drive.run(.notification(url: url, category: nil, tap: false, appState: .foreground))
      #expect(drive.last.events.map(\.type) == [kind])
    }
    // Two missing params are not equal either.
    drive.step("open")
    drive.run(.notification(url: "x://items", category: nil, tap: false, appState: .foreground))
    #expect(drive.last.events.map(\.type) == [.notificationShown])
  }

  @Test func `a missing tab is reported as a fault of the definition, not of the body`() throws {
    var drive = try Drive(
      """
      app: tabs
      language: 1
      compat: { emits: any }
      root: { flow: bar }
      screens: { s: {} }
      steps: { third: {}, nth: { n: integer } }
      flows: { bar: { tabs: [s, s], handle: { third: { select: 2 }, nth: { select: $n } } } }
      """)
    for step in ["third", "nth"] {
      drive.step(step, step == "nth" ? ["n": -1] : [:])
      #expect(drive.outcome == "value-mismatch")
      #expect(drive.refusal?.faults == [])
    }
    drive.run(.select(.tab(2), node: nil))
    #expect(drive.outcome == "invalid")
    #expect(drive.refusal?.faults.map(\.pointer) == ["/tab"])
  }
}

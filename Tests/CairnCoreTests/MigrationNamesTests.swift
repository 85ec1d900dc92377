import CairnCore
import CairnTesting
import Testing

private let old = """
  app: shop
  language: 1
  compat: { emits: any }
  root: { flow: main }
  facts:
    name: { type: string, default: Ada, by: client }
    count: { type: integer, default: 0 }
    isOpen: { type: boolean, default: false }
  screens:
    home: { params: { title: optional string } }
    item: { params: { id: integer, note: optional string } }
  steps:
    open: { id: integer, note: optional string }
    write: { count: integer }
    gone:
  flows:
    main:
      stack: home
      handle:
        open: { push: item, with: { id: $id, note: $note } }
        write: { write: { count: $count, isOpen: true } }
        gone: pop
  """

@Suite struct `Migration of names` {
  private func drive() throws -> MigrationDrive {
    var drive = try MigrationDrive(old)
    drive.step("open", ["id": 7, "note": "red"])
    drive.step("write", ["count": 3])
    return drive
  }

  @Test func `the same definition with other handlers keeps everything, and changes nothing for the client`() throws {
    var drive = try drive()
    let (before, tree) = (drive.state, drive.tree)
    try drive.migrate(to: old.replacing("gone: pop", with: "gone: popToRoot"))
    #expect(drive.tree == tree && drive.last.changes == [] && drive.last.events == [] && drive.last.outcome == .performed)
    #expect(drive.last.started == [] && drive.last.cancelled == [])
    #expect(drive.state.facts == before.facts && drive.state.nextNode == before.nextNode && drive.state.revision == before.revision + 1)
    drive.step("gone")
    #expect(drive.steps == ["main gone"] && drive.sketch == "main[home]")
    #expect(drive.broken == [])
  }

  @Test func `screens, flows, steps and facts have their new names, and nodes keep their ids`() throws {
    var drive = try drive()
    let new = old.replacing("main", with: "area").replacing("item", with: "product").replacing("open:", with: "show:")
      .replacing("isOpen", with: "isLit").replacing("count", with: "total")
    let ids = [drive.id("main"), drive.id("home"), drive.id("item")]
    try drive.migrate(
      to: new,
      Migration(
        screens: ["item": .keep(as: "product", params: [:])], flows: ["main": .keep(as: "area", params: [:])],
        steps: ["open": .keep(as: "show", params: [:])], facts: ["isOpen": .keep(as: "isLit"), "count": .keep(as: "total")]))
    #expect(drive.sketch == "area[home, product(id: 7, note: red)]")
    #expect(drive.state.facts == ["name": "Ada", "total": 3, "isLit": true])
    #expect([drive.id("area"), drive.id("home"), drive.id("product")] == ids)
    #expect(drive.last.changes == [.replace(at: drive.state.root, node: drive.tree)])
    #expect(drive.last.events == [] && drive.last.cancelled == [])
    drive.step("show", ["id": 8])
    #expect(drive.sketch == "area[home, product(id: 7, note: red), product(id: 8)]" && drive.steps == ["area show"])
    #expect(drive.broken == [])
  }

  @Test func `metadata that differs is sent with the whole tree`() throws {
    var drive = try drive()
    try drive.migrate(to: old.replacing("home: { params", with: "home: { meta: { dark: true }, params"))
    #expect(drive.last.changes == [.replace(at: drive.state.root, node: drive.tree)])
    #expect(drive.tree.children?.first?.meta == ["dark": true])
    #expect(drive.broken == [])
  }

  @Test func `params are renamed, computed from params and facts, dropped, and filled with defaults`() throws {
    var drive = try drive()
    let new = old.replacing(
      "item: { params: { id: integer, note: optional string } }",
      with: "item: { params: { number: integer, by: string, size: any, kind: { type: string, default: plain } } }"
    )
    .replacing("push: item, with: { id: $id, note: $note }", with: "push: item, with: { number: $id, by: me, size: 1 }")
    let params: [String: Expression] = [
      "number": .reference(.param("id")), "by": .reference(.fact("name")),
      "size": .array([.reference(.param("id")), .literal(2), .reference(.param("gone"))]),
    ]
    try drive.migrate(to: new, Migration(screens: ["item": .keep(as: "item", params: params)]))
    #expect(drive.node("item")?.params == ["number": 7, "by": "Ada", "size": [7, 2, .null], "kind": "plain"])
    #expect(drive.changes == ["update"])
    #expect(drive.broken == [])
  }

  @Test func `an optional param is removed by null`() throws {
    var drive = try drive()
    try drive.migrate(to: old, Migration(screens: ["item": .keep(as: "item", params: ["note": .literal(.null)])]))
    #expect(drive.sketch == "main[home, item(id: 7)]" && drive.changes == ["update"])
    #expect(drive.broken == [])
  }

  @Test(arguments: [
    (
      "id: integer, note: optional string", "id: string, note: optional string",
      "the param id of the screen item (n3) must be of type string, not integer"
    ),
    (
      "id: integer, note: optional string", "id: integer, note: optional string, more: string",
      "the param more of the screen item (n3) is missing; it must be of type string"
    ),
    ("note: optional string", "note: { type: optional string, in: [blue] }", "the param note of the screen item (n3) must be one of blue"),
  ])
  func `a session whose params have no value in the new definition stays`(part: String, other: String, reason: String) throws {
    var drive = try drive()
    // The first occurrence is the param of the screen.
    let new = old.replacing(part, with: other, maxReplacements: 1)
      .replacing("{ push: item, with: { id: $id, note: $note } }", with: "[]")
    let before = drive.state
    try drive.migrate(to: new)
    #expect(drive.reason == reason)
    #expect(drive.state == before && drive.sketch == "main[home, item(id: 7, note: red)]")
    #expect(drive.broken == [])
  }

  @Test func `a session with a screen, flow or container that has no place stays`() throws {
    var drive = try drive()
    func reason(_ new: String, _ migration: Migration = Migration()) throws -> String? {
      var copy = drive
      try copy.migrate(to: new, migration)
      #expect(copy.state == drive.state && copy.broken == [])
      return copy.reason
    }
    let renamed = old.replacing("item", with: "product").replacing("main", with: "area")
    #expect(try reason(renamed) == "the flow main of n1 does not exist in the new definition")
    #expect(
      try reason(renamed, Migration(flows: ["main": .keep(as: "area", params: [:])]))
        == "the screen item of n3 does not exist in the new definition")
    #expect(
      try reason(renamed, Migration(flows: ["main": .keep(as: "nowhere", params: [:])]))
        == "the flow main of n1 does not exist in the new definition")
    let tabs = old.replacing("stack: home", with: "tabs: [home]")
      .replacing("{ push: item, with: { id: $id, note: $note } }", with: "[]").replacing("gone: pop", with: "gone: []")
    #expect(try reason(tabs) == "the flow main of n1 is no longer a stack")
    #expect(try reason(tabs, Migration(flows: ["main": .keep(as: "main", params: [:])])) == "the flow main of n1 is no longer a stack")
    drive.step("gone")
    #expect(drive.sketch == "main[home]")
    try drive.migrate(to: old.replacing("item", with: "product"))
    #expect(drive.reason == nil && drive.sketch == "main[home]" && drive.broken == [])
  }
}

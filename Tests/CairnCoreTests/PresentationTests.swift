import CairnCore
import CairnTesting
import Testing

private let modal = """
  app: modal
  language: 1
  compat: { emits: any }
  root: { flow: main }
  screens: { p: {}, child: { params: { id: optional integer } }, grandchild: {}, alert: {} }
  steps:
    ask:
    delete:
    another:
    close:
  flows:
    main:
      stack: p
      handle:
        ask: { present: alert, style: alert }
        another: { present: alert, style: alert }
        delete: { push: child }
        close: dismiss
  """

@Suite struct `Presenting modals` {
  @Test func `present adds a modal, and dismiss removes it`() throws {
    var drive = try Drive(modal)
    drive.run(.present(.init("child"), style: .sheet, node: nil, replace: false))
    #expect(drive.sketch == "main[p ^ child]")
    #expect(drive.tree.children?.first?.presented?.style == .sheet)
    let child = drive.id("child")
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[p]")
    #expect(drive.last.changes == [.dismiss(node: child)])
    #expect(drive.broken == [])
  }

  @Test func `dismiss without a modal is a warning, not a change`() throws {
    var drive = try Drive(modal)
    drive.run(.dismiss(node: nil))
    #expect(drive.outcome == "unchanged (nothing-presented)")
    #expect(drive.sketch == "main[p]")
  }

  @Test func `presenting another node in place of the first creates a new node`() throws {
    var drive = try Drive(modal)
    drive.run(.present(.init("child", params: ["id": 1]), style: .sheet, node: nil, replace: false))
    let p = drive.id("p")
    drive.run(.present(.init("child", params: ["id": 2]), style: .sheet, node: p, replace: false))
    #expect(drive.outcome == "already-presenting")
    drive.run(.present(.init("child", params: ["id": 2]), style: .sheet, node: p, replace: true))
    #expect(drive.sketch == "main[p ^ child(id: 2)]")
    #expect(drive.last.changes.count == 2)
    #expect(drive.broken == [])
  }

  @Test func `dismiss closes the innermost modal`() throws {
    var drive = try Drive(modal)
    drive.run(.present(.init("child"), style: .sheet, node: nil, replace: false))
    drive.run(.present(.init("grandchild"), style: .fullScreen, node: nil, replace: false))
    #expect(drive.sketch == "main[p ^ child ^ grandchild]")
    #expect(drive.routes == ["p", "child", "grandchild"])
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[p ^ child]")
  }

  @Test func `dismiss closes the modal that contains the sender before the modal of the flow`() throws {
    var drive = try Drive(
      """
      app: speaks
      language: 1
      compat: { emits: any, words: [listen] }
      root: { flow: main }
      screens: { home: {}, older: {}, newer: {} }
      steps: { openOlder: {}, openNewer: {}, close: {}, closeOlder: {} }
      flows:
        main:
          stack: home
          handle:
            openOlder: { present: older, listen: { hidden: true } }
            openNewer: { present: newer, of: screen }
            close: dismiss
            closeOlder: { dismiss: older }
      """)
    let home = drive.id("home")
    drive.step("openOlder")
    #expect(drive.sketch == "main[home] ^ older")
    drive.step("openNewer")
    #expect(drive.sketch == "main[home] ^ older ^ newer")
    drive.step("close")
    #expect(drive.sketch == "main[home] ^ older")
    drive.step("openNewer")
    drive.step("close", from: drive.id("older"))
    #expect(drive.sketch == "main[home]")
    drive.step("openOlder", from: home)
    drive.step("openNewer")
    drive.step("closeOlder")
    #expect(drive.sketch == "main[home]")
    drive.step("closeOlder")
    #expect(drive.outcome == "unchanged (nothing-presented)")
    #expect(drive.broken == [])
  }

  @Test func `dismissing an outer modal removes the inner ones`() throws {
    var drive = try Drive(modal.replacing("compat: {", with: "compat: { covered: accept,"))
    drive.run(.present(.init("child"), style: .sheet, node: nil, replace: false))
    drive.run(.present(.init("grandchild"), style: .sheet, node: nil, replace: false))
    drive.run(.dismiss(node: drive.id("child")))
    #expect(drive.sketch == "main[p]")
    #expect(drive.broken == [])
  }

  @Test func `a step from an alert closes it first`() throws {
    var drive = try Drive(modal)
    drive.step("ask")
    #expect(drive.sketch == "main[p] ^ alert")
    #expect(drive.tree.presented?.kind == .alert)
    drive.step("delete")
    #expect(drive.sketch == "main[p, child]")
    #expect(drive.broken == [])
  }

  @Test func `an alert can be followed by another`() throws {
    var drive = try Drive(modal)
    drive.step("ask")
    let first = drive.id("alert")
    drive.step("another")
    #expect(drive.sketch == "main[p] ^ alert")
    #expect(drive.id("alert") > first)
  }

  @Test func `a step of a covered or destroyed screen is rejected`() throws {
    var drive = try Drive(modal)
    let p = drive.id("p")
    drive.step("ask")
    drive.step("delete", from: p)
    #expect(drive.outcome == "hidden")
    let alert = drive.id("alert")
    drive.run(.dismiss(node: nil))
    drive.step("delete", from: alert)
    #expect(drive.outcome == "dismissed")
    drive.step("delete", from: p)
    #expect(drive.sketch == "main[p, child]")
  }
}

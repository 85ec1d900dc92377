import CairnCore
import CairnTesting
import Testing

private let tabs = """
  app: tabs
  language: 1
  compat: { emits: any }
  root: { flow: top }
  screens: { home: {}, list: {}, item: {}, sheet: {}, about: {} }
  steps: { go: {}, open: {}, tapped: {} }
  flows:
    top: { tabs: [{ flow: first }, { flow: second }, about], back: first, reselect: popToRoot }
    first: { stack: home, handle: { go: { push: item }, open: { present: sheet } } }
    second: { stack: list, handle: { go: { push: item, guard: true }, open: { push: { flow: inner } } } }
    inner: { stack: list, handle: { go: { push: item } } }
  """

@Suite struct `Back and selecting the selected tab` {
  @Test func `back pops, or else dismisses, or else selects the first tab, or else does nothing`() throws {
    var drive = try Drive(tabs)
    func gestures() -> [String] { drive.reducer.accepts(drive.state).primitives.filter { ["pop", "dismiss", "back"].contains($0) } }
    #expect(gestures() == [])
    drive.run(.back)
    #expect(drive.outcome == "unchanged (at-root)")
    drive.step("go")
    drive.step("open")
    #expect(drive.sketch == "top<*first[home, item] ^ sheet, second[list], about>")
    #expect(gestures() == ["dismiss", "back"])
    drive.run(.back)
    #expect(drive.sketch == "top<*first[home, item], second[list], about>")
    #expect(gestures() == ["pop", "back"])
    drive.run(.select(.tab(2), node: nil))
    #expect(gestures() == ["back"])
    drive.run(.back)
    #expect(drive.last.changes == [.select(in: NodeID(1), index: 0)])
    drive.run(.back)
    #expect(drive.sketch == "top<*first[home], second[list], about>")
    #expect(drive.outcome == "performed")
    #expect(drive.falsePromises == [])
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `tabs without a setting for back do nothing`() throws {
    var drive = try Drive(tabs.replacing(", back: first", with: ""))
    drive.run(.select(.tab(1), node: nil))
    drive.run(.back)
    #expect(drive.outcome == "unchanged (at-root)")
    #expect(!drive.reducer.accepts(drive.state).primitives.contains("back"))
  }

  @Test func `a tap on the selected tab pops its outermost stack, and then nothing`() throws {
    var drive = try Drive(tabs)
    drive.step("go")
    drive.step("go")
    drive.run(.select(.tab(0), node: nil))
    #expect(drive.sketch == "top<*first[home], second[list], about>")
    drive.run(.select(.flow("first"), node: nil))
    #expect(drive.outcome == "unchanged (already-selected)")
    drive.run(.select(.tab(1), node: nil))
    drive.step("open")
    drive.step("go")
    #expect(drive.sketch == "top<first[home], *second[list, inner[list, item]], about>")
    drive.run(.select(.tab(1), node: nil))
    #expect(drive.sketch == "top<first[home], *second[list], about>")
    drive.run(.select(.tab(2), node: nil))
    drive.run(.select(.tab(2), node: nil))
    #expect(drive.outcome == "unchanged (already-selected)")
    #expect(drive.broken == [])
  }

  @Test func `a tap that pops checks guards, and a tap that selects does not`() throws {
    var drive = try Drive(tabs)
    drive.run(.select(.tab(1), node: nil))
    drive.step("go")
    drive.run(.select(.tab(1), node: nil))
    #expect(drive.outcome == "guarded")
    drive.run(.select(.tab(0), node: nil))
    #expect(drive.outcome == "performed")
    #expect(drive.sketch == "top<*first[home], second[list, item], about>")
    #expect(drive.broken == [])
  }

  @Test func `the step of a tap goes to the flow of the tabs, and its rejection rejects the action`() throws {
    var drive = try Drive(
      tabs.replacing("reselect: popToRoot }", with: "reselect: tapped, handle: { tapped: { reveal: sheet } } }"))
    drive.run(.select(.tab(0), node: nil))
    #expect(drive.outcome == "screen-not-found")
    drive = try Drive(
      tabs.replacing(
        "reselect: popToRoot }", with: "reselect: tapped, handle: { tapped: [{ select: 1 }, { content: { top: 1 }, of: home }] } }"))
    drive.run(.select(.tab(0), node: nil))
    #expect(drive.outcome == "performed")
    #expect(drive.sketch == "top<first[home~{top:1}], *second[list], about>")
    #expect(drive.steps == ["top tapped"])
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a select of the selected tab by a handler is not a tap`() throws {
    var drive = try Drive(
      """
      app: quiet
      language: 1
      compat: { emits: any }
      root: { flow: top }
      screens: { home: {}, item: {} }
      steps: { go: {}, tap: {} }
      flows:
        top: { tabs: [{ flow: first }, home], reselect: popToRoot, handle: { tap: { select: 0 } } }
        first: { stack: home, handle: { go: { push: item } } }
      """)
    drive.step("go")
    drive.step("tap")
    #expect(drive.outcome == "unchanged (already-selected)")
    #expect(drive.sketch == "top<*first[home, item], home>")
  }
}

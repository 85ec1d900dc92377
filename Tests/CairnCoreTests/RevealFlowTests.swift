import CairnCore
import CairnTesting
import Testing

private let apps = """
  app: areas
  language: 1
  compat: { emits: any, words: [end, show] }
  root: { flow: top }
  screens: { home: {}, list: {}, item: {}, sheet: {} }
  steps: { go: {}, inner: {}, open: {}, show: {}, shop: {}, end: {}, ended: {} }
  flows:
    top:
      tabs: [{ flow: first }, { flow: second }]
      handle:
        show: { reveal: { flow: inner } }
        shop: [{ reveal: { flow: second } }, { push: item }]
    first: { stack: home, handle: { open: { present: sheet } } }
    second: { stack: list, handle: { inner: { push: { flow: inner } }, go: { push: item }, ended: [] } }
    inner: { stack: item, handle: { go: { push: list }, end: { end: ended } } }
  """

@Suite struct `Reveal of a flow` {
  @Test func `reveal dismisses, selects and pops until the flow is visible, and a later push goes there`() throws {
    var drive = try Drive(apps)
    drive.run(.select(.tab(1), node: nil))
    drive.step("inner")
    drive.step("go")
    drive.run(.select(.tab(0), node: nil))
    drive.step("open")
    #expect(drive.sketch == "top<*first[home] ^ sheet, second[list, inner[item, list]]>")
    drive.step("show")
    #expect(drive.sketch == "top<first[home], *second[list, inner[item, list]]>")
    drive.step("shop")
    #expect(drive.sketch == "top<first[home], *second[list, inner[item, list], item]>")
    drive.step("show")
    #expect(drive.sketch == "top<first[home], *second[list, inner[item, list]]>")
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `reveal of a flow that does not exist or has ended rejects the step`() throws {
    var drive = try Drive(apps)
    drive.step("show")
    #expect(drive.outcome == "flow-gone")
    drive.run(.select(.tab(1), node: nil))
    drive.step("inner")
    drive.step("end")
    drive.step("show", from: drive.id("top"))
    #expect(drive.outcome == "flow-gone")
    #expect(drive.broken == [])
  }
}

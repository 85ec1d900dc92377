import CairnCore
import CairnTesting
import Testing

/// A node that is sent as a whole has no further changes in the same response.
@Suite struct `Changes with kept nodes` {
  private static let app = """
    app: whole
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { a: {}, b: {}, c: {}, d: {}, m: {} }
    steps: { up: {}, go: {}, note: {}, deep: {} }
    flows:
      main:
        stack: a
        handle:
          up: [{ push: b }, { push: c }]
          go: [{ remove: b }, { present: m, of: screen }, { push: d }]
          deep: [{ push: b }, { push: { flow: bar } }]
          note: [{ remove: b }, { content: { n: 1 }, of: c }, { content: { n: 1 }, of: a }, { push: d }]
      bar: { tabs: [{ flow: one }, { flow: two }] }
      one:
        stack: a
        handle:
          go: [{ select: 1 }, { push: c }, { present: m }, { send: note, to: parent }]
          note: { send: note, to: parent }
      two: { stack: a }
    """

  @Test func `a modal over a kept node is sent only as part of the node`() throws {
    var drive = try Drive(Self.app)
    drive.step("up")
    drive.step("go")
    #expect(drive.sketch == "main[a, c ^ m, d]")
    #expect(drive.last.changes.map(\.name) == ["set"])
    #expect(drive.broken == [])
  }

  @Test func `content of a kept node is sent only as part of the node`() throws {
    var drive = try Drive(Self.app)
    drive.step("up")
    drive.step("note")
    #expect(drive.last.changes.map(\.name) == ["set"])
    #expect(drive.broken == [])
  }

  @Test func `nested selections, pushes and modals are sent only as part of the kept node`() throws {
    var drive = try Drive(Self.app)
    drive.step("deep")
    drive.step("go")
    #expect(drive.sketch.hasPrefix("main[a, bar<one[a~{n:1}, c~{n:1}] ^ m, *two[a]>, d]"))
    #expect(drive.last.changes.map(\.name) == ["set"])
    #expect(drive.broken == [])
  }
}

@testable import CairnCore
import CairnTesting
import Testing

/// Texts are equal if their UTF-8 bytes are equal. Canonical equivalence, as in Swift's comparison, does not count.
@Suite struct `Texts are compared by their bytes` {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"
  private static let app = """
    app: exact
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { name: { type: string, default: x }, any: { type: any }, K: { type: boolean, default: false } }
    screens: { home: {}, item: { params: { id: any } }, K: {} }
    steps: { name: { text: string }, write: { text: any }, put: { text: string }, is: { text: string }, K: { K: optional boolean } }
    flows:
      main:
        stack: { screen: home, content: { text: x } }
        handle:
          name: { write: { name: $text } }
          write: { write: { any: $text } }
          put: { content: { text: $text } }
          is: [{ when: { fact: name, is: $text }, do: [] }, { do: { push: item, with: { id: $text } } }]
          K: { push: K }
    links: [{ scheme: x, path: /café, send: K }]
    """

  @Test(arguments: ["name", "write", "put"]) func `a fact and content change to a text that is only equivalent`(step: String) throws {
    var drive = try Drive(Self.app)
    drive.step(step, ["text": .string(Self.composed)])
    drive.step(step, ["text": .string(Self.decomposed)])
    #expect(drive.outcome == "performed")
    drive.step(step, ["text": .string(Self.decomposed)])
    #expect(drive.outcome == "unchanged (no-change)")
    #expect(drive.broken == [])
  }

  @Test func `member names inside a value are compared by bytes too`() throws {
    var drive = try Drive(Self.app)
    drive.step("write", ["text": [Self.composed: 1]])
    drive.step("write", ["text": .object([Self.decomposed: 1])])
    #expect(drive.outcome == "performed")
    #expect(Value.object([Self.composed: 1]) != .object([Self.decomposed: 1]))
    #expect(Value.array([.string(Self.composed)]) != .array([.string(Self.decomposed)]))
  }

  @Test func `a condition does not hold for a canonically equivalent text`() throws {
    var drive = try Drive(Self.app)
    drive.step("name", ["text": .string(Self.composed)])
    drive.step("is", ["text": .string(Self.decomposed)])
    #expect(drive.routes == ["home", "item"])
  }

  @Test func `a canonically equivalent name is another name`() throws {
    // The Kelvin sign, which is canonically a K.
    var drive = try Drive(Self.app)
    drive.step("\u{212A}")
    #expect(drive.outcome == "invalid")
    drive.step("K", ["\u{212A}": true])
    #expect(drive.outcome == "invalid")
    drive.run(.facts(["\u{212A}": true]))
    #expect(drive.outcome == "invalid")
    drive.run(.push(.init("\u{212A}")))
    #expect(drive.outcome == "invalid")
    drive.run(.popTo(.screen("\u{212A}")))
    #expect(drive.outcome == "invalid")
    #expect(throws: Refusal.self) { try drive.reducer.create(Creation(facts: ["\u{212A}": true]), stamp: Stamp(time: 1, nonce: "n")) }
    drive.step("K", ["K": true])
    #expect(drive.outcome == "performed")
  }

  @Test func `a link matches only its exact path`() throws {
    var drive = try Drive(Self.app)
    drive.run(.open(url: "x://cafe%CC%81"))
    #expect(drive.outcome == "unknown-link")
    drive.run(.open(url: "x://caf%C3%A9"))
    #expect(drive.outcome == "performed")
  }

  @Test func `reasons, held links and content distinguish the two texts`() {
    #expect(Login(status: .failed, reason: Self.composed) != Login(status: .failed, reason: Self.decomposed))
    #expect(PendingLink(url: Self.composed, until: 1) != PendingLink(url: Self.decomposed, until: 1))
    #expect(Content(status: .failed, error: Self.composed) != Content(status: .failed, error: Self.decomposed))
    #expect(Content(status: .idle) == Content(status: .idle) && "a".isExactly("a") && !"a".isExactly("b"))
  }
}
